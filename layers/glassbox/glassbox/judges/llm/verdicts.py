"""Verdicts on claims: the judge model's word, its quote looked up, and numbers and negations checked by code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from glassbox.judges.evidence import PassageEvidence, Stretch
from glassbox.judges.exact_evidence import number_faults, unheard_numbers
from glassbox.judges.exact_verdicts import NEVER, conflict
from glassbox.judges.faithfulness import JudgedClaim
from glassbox.judges.llm.asking import Asker
from glassbox.judges.llm.claims import Stated
from glassbox.judges.llm.context import Part, Reading
from glassbox.judges.llm.quotes import Quotable, speaks_of
from glassbox.judges.verdict import ClaimVerdict, verdict_on

if TYPE_CHECKING:
    from glassbox.judges.llm.responses import ClaimReply

MOST_CLAIMS: Final = 10
_MOST_CHARACTERS: Final = 8_000
_ALIGNED_SENTENCES: Final = 5


@dataclass(slots=True)
class Judged:
    """The claims with their verdicts, and what was asked for them."""

    claims: list[JudgedClaim]
    asked: int = 0
    """Claims that the judge model gave a verdict on."""
    supported: int = 0
    """Of those, the ones that it called supported."""
    batches: int = 0
    parts: int = 0
    """Parts of passages that there are."""
    parts_read: int = 0
    """The fewest of them that a batch was held against."""


class Verdicts:
    """Judges the claims of one answer against its passages by the judge model, in batches of at most 10."""

    def __init__(self, asker: Asker, evidence: PassageEvidence) -> None:
        self._asker = asker
        self._evidence = evidence
        self._quotable = Quotable(evidence.passages)
        self._reading = Reading(evidence)

    def judge(self, claims: Sequence[Stated]) -> Judged:
        """Return a verdict for each claim, in order; raises JudgeModelError.

        A claim that the answer doesn't make is `inconclusive` and not asked about.
        """
        asked = [number for number, stated in enumerate(claims) if not stated.foreign]
        found = Judged([], asked=len(asked), parts=self._reading.parts, parts_read=self._reading.parts)
        verdicts: dict[int, ClaimVerdict] = {}
        for batch in _batches(asked, [stated.claim.text for stated in claims]):
            verdicts |= self._ask(batch, claims, found)
        foreign = ClaimVerdict("inconclusive", "The statement says something that the answer doesn't", "not_in_answer")
        found.claims = [
            JudgedClaim(stated.claim, verdicts.get(number, foreign), stated.times)
            for number, stated in enumerate(claims)
        ]
        return found

    def _ask(self, batch: Sequence[int], claims: Sequence[Stated], found: Judged) -> dict[int, ClaimVerdict]:
        from glassbox.judges.llm.ragas import verdicts_on

        texts = [claims[number].claim.text for number in batch]
        parts = self._reading.parts_for(texts)
        found.batches += 1
        found.parts_read = min(found.parts_read, len(parts))
        told = verdicts_on(self._asker, texts, [self._shown(part) for part in parts])
        found.supported += told.supported
        return {
            number: self._decide(text, reply) for number, text, reply in zip(batch, texts, told.replies, strict=True)
        }

    def _shown(self, part: Part) -> tuple[int, str, str]:
        text = self._evidence.passages[part.passage][part.start : part.end]
        return part.passage + 1, f"passages.{part.passage}.{part.start}", text

    def _decide(self, claim: str, reply: ClaimReply) -> ClaimVerdict:
        quote = None
        if reply.passage is not None and reply.quote is not None:
            quote = self._quotable.find(reply.passage - 1, reply.quote)
        if reply.verdict == 0:
            return self._unsupported(claim, reply.reason, quote)
        if quote is None:
            given = reply.passage is not None and reply.quote is not None and reply.quote.strip()
            reason = "The quote does not stand in the passage that it names" if given else "No quote was given for it"
            return ClaimVerdict("inconclusive", reason, "quote_not_literal" if given else "no_quote")
        around = self._quotable.around(quote)
        if not speaks_of(claim, around.text):
            reason = "The quoted sentence has no word of the claim"
            return verdict_on("inconclusive", reason, "quote_unrelated", quote)
        return self._supported(claim, reply.reason, quote, around)

    def _supported(self, claim: str, reason: str, quote: Stretch, around: Stretch) -> ClaimVerdict:
        """Return `supported` unless the claim's numbers or a negation say otherwise."""
        unheard = unheard_numbers(claim, around.text, self._evidence.quantities())
        against = conflict(claim, (around,))
        if against is not None:
            certain = bool(unheard) if against.verdict.rule == "number" else against.outweighed_from >= NEVER
            if certain:
                found = against.verdict
                return verdict_on("contradicted", found.reason, found.rule, quote, numbers=found.numbers)
            said = "a number" if against.verdict.rule == "number" else "a negation"
            return verdict_on(
                "inconclusive",
                f"The judge model calls it supported, and {said} speaks against it",
                "disagreement",
                quote,
            )
        if unheard:
            return verdict_on("unsupported", "A number stands in no passage", "number", quote, numbers=unheard)
        if number_faults(claim, around.text) and number_faults(claim, self._evidence.passages[quote.passage]):
            reason = "The passage says so, but the numbers stand elsewhere"
            return verdict_on("inconclusive", reason, "number_elsewhere", quote)
        return verdict_on("supported", reason, "judge", quote)

    def _unsupported(self, claim: str, reason: str, quote: Stretch | None) -> ClaimVerdict:
        """Return `unsupported`, or `contradicted` where numbers or a negation show by themselves that it is."""
        against = conflict(claim, self._evidence.sentences(claim, _ALIGNED_SENTENCES))
        if against is not None:
            return against.verdict
        unheard = unheard_numbers(claim, "", self._evidence.quantities())
        rule = "number" if unheard else "judge"
        if quote is None:
            return ClaimVerdict("unsupported", reason, rule, numbers=unheard)
        return verdict_on("unsupported", reason, rule, quote, numbers=unheard)


def _batches(numbers: Sequence[int], texts: Sequence[str]) -> list[list[int]]:
    """Return the numbers in batches of at most 10 claims and about 8,000 characters."""
    found: list[list[int]] = []
    characters = 0
    for number in numbers:
        length = len(texts[number])
        if not found or len(found[-1]) == MOST_CLAIMS or characters + length > _MOST_CHARACTERS:
            found.append([])
            characters = 0
        found[-1].append(number)
        characters += length
    return found
