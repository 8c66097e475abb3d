"""Sentences, windows and meaning-preserving rewrites for the claim checker's training examples.

Every rewrite returns a sentence that the original supports. The rules are hand-written and deterministic given `rng`.
"""

from __future__ import annotations

import re
from random import Random

from claim_synonyms import FRAMES, SYNONYMS

_SENTENCE_END = re.compile(r"(?<=[.!?])[\"')\]]?\s+(?=[\"'(\[]?[A-Z0-9])|\n+")
_ABBREVIATION = re.compile(r"\b(?:Mr|Mrs|Ms|Dr|St|Jr|Sr|vs|etc|No|Inc|Ltd|Co|U\.S|e\.g|i\.e|[A-Z])\.$")
ABBREVIATION_LENGTH = 8
_MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
_MONTH = "|".join(_MONTHS)
_DAY_MONTH = re.compile(rf"\b(\d{{1,2}}) ({_MONTH})(?: (\d{{4}}))?\b")
_MONTH_DAY = re.compile(rf"\b({_MONTH}) (\d{{1,2}})(?:, (\d{{4}}))?\b")
_PARENTHESIS = re.compile(r"\s*\([^()]{0,200}\)")
_LEADING = re.compile(r"^((?:In|On|At|By|During|After|Before|Since|From|Until|As of) [^,]{2,50}), ([A-Za-z][^.]*)\.$")
_CONNECTIVE = re.compile(r"^(?:However|Moreover|Furthermore|Additionally|Later|Then|Also|In addition|For example), ")
_PASSIVE = re.compile(
    r"^([A-Z][^,.;()]{2,60}?) (was|were|is|are) (\w+ed|written|made|built|won|led|sung|given|taken|sold) by "
    r"([^,.;()]{2,50})\.$"
)
_NUMBER_WORDS = dict(
    zip(
        ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"],
        range(2, 13),
        strict=True,
    )
)

_KEEP_CAPITAL = re.compile(
    r"^(?:In|On|At|By|During|After|Before|The|A|An|It|He|She|They|This|These|His|Her|Its|Their|As)\b"
)


def detokenise(tokens: list[str]) -> str:
    """Return the tokens as running text with spaces removed where English has none."""
    text = " ".join(" ".join(tokens).split())
    text = re.sub(r" ([,.;:!?)\]%'’])", r"\1", text)
    text = re.sub(r"([(\[$£€]) ", r"\1", text)
    text = re.sub(r"(\w) - (\w)", r"\1-\2", text)
    return re.sub(r" n't\b", "n't", text)


def split_sentences(text: str) -> list[str]:
    """Return the sentences of `text`, stripped, without empty ones; abbreviations do not end a sentence."""
    pieces: list[str] = []
    start = 0
    for match in _SENTENCE_END.finditer(text):
        before = text[max(start, match.start() - ABBREVIATION_LENGTH) : match.start()]
        if "\n" not in match.group() and _ABBREVIATION.search(before):
            continue
        pieces.append(text[start : match.end()].strip())
        start = match.end()
    pieces.append(text[start:].strip())
    return [piece for piece in pieces if piece]


def windows(sentences: list[str], size: int = 4, stride: int = 2) -> list[list[str]]:
    """Return runs of `size` consecutive sentences every `stride`, the last one reaching the end."""
    if len(sentences) <= size:
        return [sentences] if sentences else []
    starts = list(range(0, len(sentences) - size + 1, stride))
    if starts[-1] + size < len(sentences):
        starts.append(len(sentences) - size)
    return [sentences[start : start + size] for start in starts]


def word_list(text: str) -> list[str]:
    """Return the lower-case words and numbers of `text`."""
    return re.findall(r"\w+", text.lower())


def lower_first(sentence: str) -> str:
    """Return `sentence` with a lower-case first letter where its first word is a function word."""
    return sentence[0].lower() + sentence[1:] if _KEEP_CAPITAL.match(sentence) else sentence


def upper_first(sentence: str) -> str:
    """Return `sentence` starting with a capital letter."""
    return sentence[:1].upper() + sentence[1:]


def compress(sentence: str, rng: Random) -> str:
    """Return `sentence` without brackets, a leading adverbial or trailing clauses, each dropped at random."""
    short = _PARENTHESIS.sub("", sentence)
    short = _CONNECTIVE.sub("", short)
    match = _LEADING.match(short)
    if match and rng.random() < 0.6:
        short = match.group(2) + "."
    parts = short.rstrip(".").split(", ")
    if len(parts) > 2 and rng.random() < 0.6:
        keep = rng.randint(2, len(parts) - 1)
        if len(" ".join(parts[:keep]).split()) >= 6:
            short = ", ".join(parts[:keep]) + "."
    return upper_first(short)


def move_adverbial(sentence: str, rng: Random) -> str:
    """Return `sentence` with its leading adverbial at the end ("In 1990, she moved." -> "She moved in 1990.")."""
    match = _LEADING.match(sentence)
    if not match:
        return sentence
    return f"{upper_first(match.group(2))} {lower_first(match.group(1))}."


def to_active(sentence: str, rng: Random) -> str:
    """Return a plain passive sentence in the active voice; only verbs whose past equals the participle change."""
    match = _PASSIVE.match(sentence)
    if not match or not match.group(3).endswith(("ed", "made", "built", "won", "led", "sold")):
        return sentence
    return f"{upper_first(match.group(4))} {match.group(3)} {lower_first(match.group(1))}."


def rewrite_dates(sentence: str, rng: Random) -> str:
    """Return `sentence` with "3 March 2021" and "March 3, 2021" exchanged, or as 2021-03-03 now and then."""

    def iso(day: str, month: str, year: str | None, other: str) -> str:
        if year and rng.random() < 0.25:
            return f"{year}-{_MONTHS.index(month) + 1:02d}-{int(day):02d}"
        return other

    if _DAY_MONTH.search(sentence):
        return _DAY_MONTH.sub(
            lambda m: iso(m[1], m[2], m[3], f"{m[2]} {m[1]}" + (f", {m[3]}" if m[3] else "")), sentence
        )
    return _MONTH_DAY.sub(lambda m: iso(m[2], m[1], m[3], f"{m[2]} {m[1]}" + (f" {m[3]}" if m[3] else "")), sentence)


def rewrite_numbers(sentence: str, rng: Random) -> str:
    """Return `sentence` with small number words as digits, thousands separators dropped, or % spelled out."""
    words = "|".join(_NUMBER_WORDS)
    text = re.sub(rf"\b({words})\b", lambda m: str(_NUMBER_WORDS[m[1]]), sentence, count=1)
    text = re.sub(r"(\d) ?%", r"\1 percent", text) if "%" in text else text.replace(" percent", "%")
    return re.sub(r"\b(\d{1,3}),(\d{3})\b", r"\1\2", text) if rng.random() < 0.5 else text


def use_synonyms(sentence: str, rng: Random) -> str:
    """Return `sentence` with up to three words exchanged for synonyms of `SYNONYMS`."""
    tokens = sentence.split(" ")
    places = [i for i, token in enumerate(tokens) if token.rstrip(",.").lower() in SYNONYMS]
    for place in rng.sample(places, min(3, len(places))):
        token = tokens[place]
        bare = token.rstrip(",.")
        choice = rng.choice(SYNONYMS[bare.lower()])
        tokens[place] = (upper_first(choice) if bare[:1].isupper() else choice) + token[len(bare) :]
    return " ".join(tokens)


def frame(sentence: str, rng: Random) -> str:
    """Return `sentence` inside a phrase with which answers introduce a fact."""
    return rng.choice(FRAMES).format(lower_first(sentence))


def paraphrase(sentence: str, rng: Random) -> str:
    """Return a rewrite of `sentence` by a random selection of the rules of this module."""
    text = sentence
    for rule, probability in (
        (compress, 0.45),
        (move_adverbial, 0.4),
        (to_active, 0.7),
        (rewrite_dates, 0.4),
        (rewrite_numbers, 0.3),
        (use_synonyms, 0.6),
        (frame, 0.12),
    ):
        if rng.random() < probability:
            text = rule(text, rng)
    return text


def merge(first: str, second: str, rng: Random) -> str:
    """Return both sentences as one claim."""
    joint = rng.choice((", and ", "; ", ", while ", ". "))
    tail = second if joint == ". " else lower_first(second)
    return first.rstrip(".") + joint + tail
