"""Whether an answer refuses: says that it has no answer, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import regex

from glassbox.text._refusal_rules import REFUSAL_RULES, SOFT_RULES
from glassbox.text.sentences import Span, split_sentences

_LEAD_RE: Final = regex.compile(r"[\s*_#>•-]*")
_TURN_RE: Final = regex.compile(
    r"[,;–—-]\s*(?:but|however|although|though|nevertheless|nonetheless|aber|jedoch|mais|pero|ma|mas|ale|但是?|不过|لكن"
    r"|लेकिन|но)\b\s*",
    regex.IGNORECASE,
)
_WORD_RE: Final = regex.compile(r"\p{L}+")
# A sentence is read only so far: no refusal takes longer to say so, and the rules stay cheap on hostile text.
_HEAD: Final = 400
_MIN_TURN_WORDS: Final = 4


@dataclass(frozen=True, slots=True)
class Refusal:
    """What was found: `recognised`, the `rule`, and the span of the sentence that refuses.

    `rule` is "" where no sentence refuses, and begins with "partial:" where one does but the answer goes on to claim
    something.
    """

    recognised: bool
    rule: str
    start: int
    end: int


def refusal_rule(sentence: str) -> str:
    """Return the name of the rule by which the sentence says that there is no answer, "" if none does.

    A phrase counts only at the start of the sentence, after regrets and hedges, so that a text which quotes or reports
    it ("the page says 'I could not find'") isn't taken for a refusal.
    """
    head = _head(sentence)
    for name, rule in REFUSAL_RULES:
        match = rule.match(head)
        if match is not None:
            return name if not _goes_on(head, match.end()) else f"partial:{name}"
    return ""


def is_soft(sentence: str) -> bool:
    """Return whether the sentence only regrets, advises, offers or asks, and so says nothing that could be checked."""
    head = _head(sentence)
    return head.endswith(("?", "？", "؟")) or not _WORD_RE.search(head) or any(rule.match(head) for rule in SOFT_RULES)


def is_refusal(answer: str) -> Refusal:
    """Return whether the answer as a whole is a refusal.

    It is one when a sentence refuses and every other sentence refuses too or is soft (regret, advice, an offer, a
    question, a remark on what the documents are about). One checkable sentence beside them, or a clause after "but" in
    the same sentence, makes it a partial refusal, which isn't one. An empty answer isn't a refusal.
    """
    first: tuple[str, Span] | None = None
    substantive = False
    for span in split_sentences(answer):
        sentence = answer[span.start : span.end]
        rule = refusal_rule(sentence)
        if rule and first is None:
            first = (rule, span)
        if rule.startswith("partial:") or (not rule and not is_soft(sentence)):
            substantive = True
        if first is not None and substantive:
            break
    if first is None:
        return Refusal(recognised=False, rule="", start=0, end=0)
    rule, span = first
    if substantive and not rule.startswith("partial:"):
        rule = f"partial:{rule}"
    return Refusal(recognised=not substantive, rule=rule, start=span.start, end=span.end)


def _head(sentence: str) -> str:
    head = " ".join(sentence[: _HEAD * 2].split())
    lead = _LEAD_RE.match(head)
    return head[lead.end() if lead else 0 :][:_HEAD]


def _goes_on(head: str, after: int) -> bool:
    """Return whether a clause that claims something follows the refusal in the same sentence."""
    turn = _TURN_RE.search(head, after)
    if turn is None:
        return False
    rest = head[turn.end() :]
    return len(_WORD_RE.findall(rest)) >= _MIN_TURN_WORDS and not is_soft(rest)
