"""Faithfulness with a judge model: its claims made complete, its verdicts held to quotes and numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from glassbox.judges.evidence import PassageEvidence
from glassbox.judges.exact_evidence import ALIGNED, number_faults, opposed, unheard_numbers
from glassbox.judges.faithfulness import JudgedClaim
from glassbox.judges.llm.asking import Asker
from glassbox.judges.llm.statements import Told, generate_statements, judge_statements
from glassbox.judges.verdict import ClaimVerdict
from glassbox.judges.words import keys, share_in
from glassbox.text.claims import Claim

OF_THE_ANSWER: Final = 0.5
"""Share of a statement's content words from which it is one of the answer's (the question's words count as well)."""
COVERED: Final = 0.5
"""Share of a sentence's content words from which the statements have said it."""


@dataclass(frozen=True, slots=True)
class Grounding:
    """The judged claims, and what was done to the model's list of them."""

    judged: list[JudgedClaim]
    added: int
    """Sentences of the answer that the model's statements left out, judged as they stand."""
    foreign: tuple[str, ...]
    """Statements that the answer doesn't make, which were not judged."""


def ground(
    asker: Asker, query: str, answer: str, claims: Sequence[tuple[Claim, int]], evidence: PassageEvidence
) -> Grounding:
    """Return the verdict on every claim of an answer; `claims` are its checkable sentences. Raises JudgeModelError."""
    statements, foreign = _of_the_answer(generate_statements(asker, query, answer), query, answer)
    left_out = _left_out(statements, [claim for claim, _ in claims])
    placed = [_placed(text, claims) for text in statements] + left_out
    unique = list(evidence.unique)
    told = judge_statements(asker, [c.text for c in placed], [evidence.passages[i] for i in unique])
    judged = [
        JudgedClaim(claim, _verdict(claim.text, answer_of, evidence, unique), 1)
        for claim, answer_of in zip(placed, told, strict=True)
    ]
    return Grounding(judged, len(left_out), foreign)


def _of_the_answer(statements: Sequence[str], query: str, answer: str) -> tuple[list[str], tuple[str, ...]]:
    """Return the different statements that the answer makes, and those that it doesn't."""
    held = frozenset([*keys(answer), *keys(query)])
    kept: dict[str, None] = {}
    foreign: list[str] = []
    for text in statements:
        share = share_in(keys(text), held)
        if (share is not None and share < OF_THE_ANSWER) or number_faults(text, f"{answer}\n{query}"):
            foreign.append(text)
        else:
            kept.setdefault(text)
    return list(kept), tuple(foreign)


def _left_out(statements: Sequence[str], claims: Sequence[Claim]) -> list[Claim]:
    """Return the answer's sentences that no statement says, or whose numbers no statement holds.

    A model may not make an answer more faithful by leaving out what is wrong with it.
    """
    said = frozenset(key for text in statements for key in keys(text))
    everything = "\n".join(statements)
    found = []
    for claim in claims:
        share = share_in(keys(claim.text), said)
        if (share is not None and share < COVERED) or number_faults(claim.text, everything):
            found.append(claim)
    return found


def _placed(text: str, claims: Sequence[tuple[Claim, int]]) -> Claim:
    """Return a statement as a claim that stands where the sentence stands that shares most words with it."""
    wanted = frozenset(keys(text))
    best: Claim | None = None
    most = -1.0
    for claim, _ in claims:
        held = frozenset(keys(claim.text))
        shared = len(wanted & held) / len(wanted | held) if wanted | held else 0.0
        if shared > most:
            best, most = claim, shared
    if best is None:
        return Claim(text=text, start=0, end=0, kind="sentence")
    return Claim(text=text, start=best.start, end=best.end, kind=best.kind)


def _verdict(claim: str, told: Told, evidence: PassageEvidence, unique: Sequence[int]) -> ClaimVerdict:
    """Return the verdict that a quote and the numbers bear out; what they don't is `inconclusive` or worse."""
    passage = None if told.passage is None else unique[told.passage]
    quote = (told.quote or "").strip() or None
    if quote is not None and (passage is None or quote not in evidence.passages[passage]):
        return ClaimVerdict(
            "inconclusive" if told.faithful else "unsupported",
            "The judge model's quote does not stand in the passage that it names",
            "quote",
            passage,
            None,
        )
    if not told.faithful:
        return _against(claim, told.reason, passage, quote)
    if quote is None or passage is None:
        return ClaimVerdict("inconclusive", "The judge model named no words that support it", "quote", passage, None)
    faults = number_faults(claim, quote) and number_faults(claim, evidence.passages[passage])
    if faults:
        conflicting = any(fault.conflicting for fault in faults)
        nowhere = bool(unheard_numbers(claim, evidence.passages[passage], evidence.quantities()))
        if conflicting and nowhere:
            return ClaimVerdict(
                "contradicted", "The passage gives another number", "number", passage, quote, None, faults
            )
        if nowhere:
            return ClaimVerdict("unsupported", "A number stands in no passage", "number", passage, quote, None, faults)
        reason = "The passage says so, but the numbers stand elsewhere"
        return ClaimVerdict("inconclusive", reason, "number_elsewhere", passage, quote)
    if _denies(claim, quote):
        reason = "The judge model calls it supported, and its quote says the opposite"
        return ClaimVerdict("inconclusive", reason, "negation", passage, quote)
    return ClaimVerdict("supported", told.reason, "judge_model", passage, quote)


def _against(claim: str, reason: str, passage: int | None, quote: str | None) -> ClaimVerdict:
    """Return `contradicted` where numbers or a negation show it in the quoted words, else `unsupported`."""
    if quote is not None and _same_subject(claim, quote):
        faults = number_faults(claim, quote)
        if any(fault.conflicting for fault in faults):
            return ClaimVerdict("contradicted", reason, "number", passage, quote, None, faults)
        if opposed(claim, quote):
            return ClaimVerdict("contradicted", reason, "negation", passage, quote)
    return ClaimVerdict("unsupported", reason, "judge_model", passage, quote)


def _same_subject(claim: str, quote: str) -> bool:
    share = share_in(keys(claim), frozenset(keys(quote)))
    return share is not None and share >= ALIGNED


def _denies(claim: str, quote: str) -> bool:
    share = share_in(keys(claim), frozenset(keys(quote)))
    return share is not None and share >= 0.9 and opposed(claim, quote)
