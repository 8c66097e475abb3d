"""Which script and which language a text is written in, as far as its characters and function words tell."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import Final, Literal

import regex

from glassbox.text._function_words import FUNCTION_WORDS

BleuTokenizer = Literal["13a", "intl", "char"]

UNDETERMINED: Final = "und"
_SCRIPTS: Final = (
    "Latin", "Han", "Hiragana", "Katakana", "Hangul", "Arabic", "Cyrillic", "Greek", "Hebrew", "Devanagari", "Bengali",
    "Gurmukhi", "Gujarati", "Tamil", "Telugu", "Kannada", "Malayalam", "Sinhala", "Thai", "Lao", "Khmer", "Myanmar",
    "Tibetan", "Georgian", "Armenian", "Ethiopic",
)  # fmt: skip
_SCRIPT_RE: Final = {name: regex.compile(rf"\p{{Script={name}}}") for name in _SCRIPTS}
_LETTER_RE: Final = regex.compile(r"[\p{L}\p{M}]")
# Scripts written without spaces between words: a word tokenizer makes one token of a sentence there.
_UNSPACED: Final = frozenset({"Han", "Hiragana", "Katakana", "Thai", "Lao", "Khmer", "Myanmar"})
_SHARE: Final = 0.30
_SAMPLE: Final = 20_000
_WORD_RE: Final = regex.compile(r"\p{L}+(?:['’]\p{L}+)?")
_LANGUAGE_OF_SCRIPT: Final = {
    "Hangul": "ko", "Greek": "el", "Hebrew": "he", "Bengali": "bn", "Gurmukhi": "pa", "Gujarati": "gu", "Tamil": "ta",
    "Telugu": "te", "Kannada": "kn", "Malayalam": "ml", "Sinhala": "si", "Thai": "th", "Lao": "lo", "Khmer": "km",
    "Myanmar": "my", "Tibetan": "bo", "Georgian": "ka", "Armenian": "hy", "Ethiopic": "am",
}  # fmt: skip
# Letters or words that only one language of a shared script uses; the last entry is the default.
_MARKS: Final[dict[str, tuple[tuple[str, str], ...]]] = {
    "Cyrillic": (
        ("uk", r"[іїєґІЇЄҐ]"),
        ("sr", r"[јљњћђџЈЉЊЋЂЏ]"),
        ("ru", r"[ыэёЫЭЁ]"),
        ("bg", r"ъ[^еёюя]"),
        ("ru", r""),
    ),
    "Arabic": (("ur", r"[ٹڈڑںے]"), ("fa", r"[پچژگی]"), ("ar", r"")),
    "Devanagari": (("mr", r"\b(?:आहे|आणि|आहेत)\b"), ("ne", r"\b(?:छ|छन्|गर्न)\b"), ("hi", r"")),
}
_MARK_RE: Final = {
    script: tuple((lang, regex.compile(mark)) for lang, mark in marks) for script, marks in _MARKS.items()
}


@lru_cache(maxsize=8192)
def _script_of(char: str) -> str:
    """Return the script of one letter or mark, "Other" for a letter of a script not listed, "" for anything else."""
    if not _LETTER_RE.match(char):
        return ""
    for name, pattern in _SCRIPT_RE.items():
        if pattern.match(char):
            return name
    return "" if regex.match(r"\p{Script=Common}|\p{Script=Inherited}", char) else "Other"


def _script_counts(text: str) -> Counter[str]:
    counts: Counter[str] = Counter()
    for char, count in Counter(text).items():
        script = _script_of(char)
        if script:
            counts[script] += count
    return counts


def dominant_script(text: str) -> str:
    """Return the Unicode name of the script that most letters of the text are written in.

    "Common" when the text holds no letter, "Other" for a script that isn't told apart here. Ties go to the name that
    comes first in the alphabet.
    """
    counts = _script_counts(text)
    if not counts:
        return "Common"
    return min(counts, key=lambda name: (-counts[name], name))


def bleu_tokenizer(text: str) -> BleuTokenizer:
    """Return the sacrebleu tokenizer that suits the script of the text.

    "char" when more than 30 % of the letters are of a script written without spaces (Han, Kana, Thai, Lao, Khmer,
    Myanmar), else "intl" when more than 30 % are neither of those nor Latin, else "13a".
    """
    counts = _script_counts(text)
    letters = sum(counts.values())
    unspaced = sum(counts[name] for name in _UNSPACED)
    if unspaced > _SHARE * letters:
        return "char"
    if letters - unspaced - counts["Latin"] > _SHARE * letters:
        return "intl"
    return "13a"


def guess_language(text: str) -> str:
    """Return the ISO 639-1 code of the language the text seems to be written in, or "und" where it can't be told.

    The script decides first; languages that share a script are told apart by letters of their own, Latin ones by the
    share of their function words in the first 20,000 characters. Names, numbers and texts of a word or two are "und".
    """
    sample = text[:_SAMPLE]
    counts = _script_counts(sample)
    if not counts:
        return UNDETERMINED
    kana = counts["Hiragana"] + counts["Katakana"]
    if (kana + counts["Han"]) * 2 > sum(counts.values()):
        return "ja" if kana * 20 > counts["Han"] else "zh"
    script = min(counts, key=lambda name: (-counts[name], name))
    if script == "Latin":
        return _latin_language(sample)
    for language, mark in _MARK_RE.get(script, ()):
        if mark.search(sample):
            return language
    return _LANGUAGE_OF_SCRIPT.get(script, UNDETERMINED)


def _latin_language(sample: str) -> str:
    words = [word.casefold().replace("’", "'") for word in _WORD_RE.findall(sample)]
    seen = Counter(words)
    best, best_score, runner_up = UNDETERMINED, 0.0, 0.0
    for language, vocabulary in FUNCTION_WORDS.items():
        # Sublinear counts: one word that two languages share ("die", "a") must not outvote many different ones.
        hits = [min(seen[word], 5) for word in vocabulary if word in seen]
        score = sum(hits) + 2.0 * len(hits)
        if score > best_score:
            best, best_score, runner_up = language, score, best_score
        else:
            runner_up = max(runner_up, score)
    evidence = best_score / (3.0 * max(1, len(words)) ** 0.5)
    if best_score >= 6.0 and best_score > runner_up and evidence >= 0.5:
        return best
    return UNDETERMINED
