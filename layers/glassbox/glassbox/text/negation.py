"""Whether an English claim says the opposite of a sentence: by negation, by an antonym, or by a turned comparison.

Rules of thumb on words, not a parse: they look only at sentences that otherwise say the same thing, and return False
wherever they can't tell, in particular for every language but English.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

import regex

from glassbox.text._negation_words import CUES, FUNCTION_WORDS, OPPOSITES, SAME_COMPARISON
from glassbox.text.scripts import UNDETERMINED, dominant_script, guess_language

_TOKEN_RE: Final = regex.compile(r"\p{L}+(?:['’]\p{L}+)?|\d+(?:[.,]\d+)*|[.,;:!?()]")
# Phrases that hold a cue and negate nothing, removed before the cues are read.
_NOT_NEGATING_RE: Final = regex.compile(
    r"\b(?:not\s+only|not\s+just|not\s+merely|not\s+least|no\s+doubt|no\s+less\s+than|no\s+fewer\s+than"
    r"|no\s+more\s+than|whether\s+or\s+not|not\s+to\s+mention|"
    r"if\s+not|no\.\s*(?=\d)|no\s+(?=\d)|no\s+later\s+than|no\s+sooner|cannot\s+but|not\s+without|never\s+without"
    r"|none\s+other\s+than|no\s+matter|nothing\s+but)",
    regex.IGNORECASE,
)
_SUFFIXES: Final = ("ations", "ation", "ings", "ing", "ies", "ied", "ed", "es", "s", "e")
_BREAKS: Final = frozenset(
    (".", ",", ";", ":", "!", "?", "(", ")", "but", "although", "while", "whereas", "because", "and")
)
_SCOPE: Final = 5
_SAME: Final = 0.75
_OVERLAP: Final = 0.35
_COMPARISON_RE: Final = regex.compile(
    r"\b(?:(?P<more>more|greater|larger|bigger|higher|longer|older|faster|taller|heavier|later|better|wider|deeper"
    r"|richer|warmer|stronger|further|farther)|"
    r"(?P<less>less|fewer|smaller|lower|shorter|younger|slower|lighter|earlier|worse|narrower|shallower|poorer|colder"
    r"|weaker|nearer|closer))\b(?P<gap>(?:\s+\p{L}+){0,3}?)\s+than\b",
    regex.IGNORECASE,
)
_BOUND_RE: Final = regex.compile(
    r"\b(?:(?P<low>more\s+than|at\s+least|over|above|no\s+less\s+than|no\s+fewer\s+than|greater\s+than|minimum\s+of"
    r"|not\s+less\s+than)|"
    r"(?P<high>less\s+than|fewer\s+than|at\s+most|under|below|up\s+to|no\s+more\s+than|not\s+more\s+than"
    r"|maximum\s+of))\s+(?P<number>[$€£]?\d+(?:[.,]\d+)*)",
    regex.IGNORECASE,
)


def polarity(text: str) -> bool:
    """Return True when the text negates: it holds "not", "n't", "no", "never", "without" and the like.

    Phrases such as "not only" and "no doubt" don't count. False for languages other than English.
    """
    return _is_english(text) and any(token in CUES for token in _tokens(text))


def negation_conflict(claim: str, evidence_sentence: str) -> bool:
    """Return True when the two say the same of the same, but one negates it or uses the opposite word.

    Asked is that three quarters of the shorter one's content words occur in the other. Then a content word that is
    negated in exactly one of the two ("is covered" / "is not covered") is a conflict, and so is a pair of antonyms
    ("increased" / "decreased") where neither is negated. A negation reaches over the next five words of its clause, or
    back over the clause where nothing follows it.
    """
    if not (_is_english(claim) and _is_english(evidence_sentence)):
        return False
    ours, theirs = _tokens(claim), _tokens(evidence_sentence)
    our_words, their_words = _content(ours), _content(theirs)
    opposed = {word for word in our_words if OPPOSITES.get(word, frozenset()) & their_words}
    if opposed and not opposed & their_words and _one_pair(opposed, our_words, their_words):
        # "is safe" and "is not unsafe" agree.
        return _is_negative(ours) == _is_negative(theirs)
    shared = our_words & their_words
    if len(shared) < _SAME * min(len(our_words), len(their_words)) or len(shared) < _OVERLAP * max(
        len(our_words), len(their_words)
    ):
        return False
    return _heads_differ(ours, theirs, shared)


def comparison_conflict(claim: str, evidence_sentence: str) -> bool:
    """Return True when the two compare the same things the other way round.

    "A is larger than B" conflicts with "B is larger than A" and with "A is smaller than B"; "more than 5" conflicts
    with "less than 5". English only.
    """
    if not (_is_english(claim) and _is_english(evidence_sentence)):
        return False
    return _bounds_conflict(claim, evidence_sentence) or _order_conflict(claim, evidence_sentence)


def _is_english(text: str) -> bool:
    language = guess_language(text)
    return language == "en" or (language == UNDETERMINED and dominant_script(text) == "Latin")


def _tokens(text: str) -> list[str]:
    tokens: list[str] = []
    for token in _TOKEN_RE.findall(_NOT_NEGATING_RE.sub(" ", text)):
        word = token.lower().replace("’", "'")
        if word.endswith("n't"):
            tokens.extend((word[:-3] or "not", "n't"))
        else:
            tokens.append(word.removesuffix("'s"))
    return tokens


def _stem(word: str) -> str:
    if word in OPPOSITES or len(word) <= 4:
        return word
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 3:
            stem = word[: -len(suffix)]
            return stem[:-1] if len(stem) > 3 and stem[-1] == stem[-2] and stem[-1] not in "ls" else stem
    return word


def _is_content(token: str) -> bool:
    return token not in FUNCTION_WORDS and token not in CUES and token[0].isalnum()


def _is_negative(tokens: list[str]) -> bool:
    return sum(token in CUES for token in tokens) % 2 == 1


def _content(tokens: list[str]) -> frozenset[str]:
    return frozenset(_stem(token) for token in tokens if _is_content(token))


def _negated(tokens: list[str]) -> frozenset[str]:
    """Return the content words that an odd number of cues reaches."""
    counts: dict[str, int] = {}
    for at, token in enumerate(tokens):
        if token in CUES:
            for word in _scope(tokens, at):
                counts[word] = counts.get(word, 0) + 1
    return frozenset(word for word, count in counts.items() if count % 2)


def _scope(tokens: list[str], at: int) -> frozenset[str]:
    after = [_stem(token) for token in _clause_after(tokens, at) if _is_content(token)][:_SCOPE]
    if after:
        return frozenset(after)
    before: list[str] = []
    for token in reversed(tokens[max(0, at - 2 * _SCOPE) : at]):
        if token in _BREAKS:
            break
        if _is_content(token):
            before.append(_stem(token))
    return frozenset(before)


def _heads_differ(ours: list[str], theirs: list[str], shared: frozenset[str]) -> bool:
    """Return whether the first shared word behind a cue on one side isn't negated on the other.

    The scope is wide, so that words at its far end may differ without a conflict; the word right after the cue may not.
    A word that also stands outside the reach of the cue is said both ways, and decides nothing.
    """
    our_negated, their_negated = _negated(ours), _negated(theirs)
    our_heads = _heads(ours, theirs, shared) & our_negated
    their_heads = _heads(theirs, ours, shared) & their_negated
    return bool((our_heads - their_negated) | (their_heads - our_negated))


def _heads(tokens: list[str], others: list[str], shared: frozenset[str]) -> frozenset[str]:
    stems = Counter(_stem(token) for token in tokens)
    has_with = "with" in others
    heads: set[str] = set()
    for at, cue in enumerate(tokens):
        if cue not in CUES or (cue == "without" and not has_with) or _is_answer(tokens, at):
            continue
        after = [word for word in _clause_after(tokens, at) if _is_content(word)]
        found = frozenset((_stem(after[0]),)) & shared if after else _scope(tokens, at) & shared
        heads.update(head for head in found if stems[head] == 1)
    return frozenset(heads)


def _is_answer(tokens: list[str], at: int) -> bool:
    """Return whether the cue answers a question ("No, it is ...") or belongs to "not ... until"."""
    if tokens[at] == "no" and tokens[at + 1 : at + 2] == [","]:
        return True
    return "until" in _clause_after(tokens, at, 3 * _SCOPE)


def _clause_after(tokens: list[str], at: int, length: int = 2 * _SCOPE) -> list[str]:
    clause: list[str] = []
    for token in tokens[at + 1 : at + 1 + length]:
        if token in _BREAKS:
            break
        clause.append(token)
    return clause


def _one_pair(opposed: set[str], ours: frozenset[str], theirs: frozenset[str]) -> bool:
    """Return whether the two sentences differ in one pair of opposites and hardly in anything else."""
    opposites = {other for word in opposed for other in OPPOSITES[word]}
    rest_ours, rest_theirs = ours - opposed, theirs - opposites
    if len(opposed) != 1 or not rest_ours or opposites & ours:
        return False
    same = len(rest_ours & rest_theirs)
    return same >= _SAME * len(rest_ours) and same >= _SAME * 0.67 * len(rest_theirs)


def _bounds_conflict(claim: str, evidence: str) -> bool:
    ours, theirs = _bounds(claim), _bounds(evidence)
    if not any(theirs.get(number, side) != side for number, side in ours.items()):
        return False
    our_words, their_words = _content(_tokens(claim)), _content(_tokens(evidence))
    return len(our_words & their_words) >= _SAME * 0.67 * min(len(our_words), len(their_words))


def _bounds(text: str) -> dict[str, str]:
    return {match["number"].strip("$€£"): "low" if match["low"] else "high" for match in _BOUND_RE.finditer(text)}


def _order_conflict(claim: str, evidence: str) -> bool:
    ours, theirs = _COMPARISON_RE.search(claim), _COMPARISON_RE.search(evidence)
    if ours is None or theirs is None:
        return False
    our_key, our_turn = _comparative(ours)
    their_key, their_turn = _comparative(theirs)
    if our_key != their_key:
        return False
    left, right = _sides(claim, ours)
    other_left, other_right = _sides(evidence, theirs)
    same = bool(left & other_left) and bool(right & other_right)
    swapped = bool(left & other_right) and bool(right & other_left)
    if same == swapped:
        return False
    negated = polarity(claim) != polarity(evidence)
    return (swapped if our_turn == their_turn else same) != negated


def _comparative(match: regex.Match[str]) -> tuple[str, bool]:
    word = (match["more"] or match["less"]).lower()
    gap = " ".join(match["gap"].lower().split())
    return f"{SAME_COMPARISON.get(word, word)} {gap}".strip(), bool(match["less"])


def _sides(text: str, match: regex.Match[str]) -> tuple[frozenset[str], frozenset[str]]:
    left, right = _content(_tokens(text[: match.start()])), _content(_tokens(text[match.end() :]))
    return left - right, right - left
