"""The verdict on one claim: exact evidence first, then the claim checker, then the numbers and negations again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from glassbox.judges.claim_support import Signals, Weights, support_probability
from glassbox.judges.evidence import PassageEvidence, Stretch
from glassbox.judges.exact_evidence import ALIGNED, in_the_claims_numbers, number_faults, unheard_numbers
from glassbox.judges.exact_verdicts import conflict, told, without_model
from glassbox.judges.near_miss import near_miss
from glassbox.judges.tools import ClaimChecker, Embedder
from glassbox.judges.verdict import ClaimVerdict, verdict_on
from glassbox.judges.words import keys
from glassbox.models.types import ClaimScore
from glassbox.text.claims import Claim

LEXICAL_WINDOWS: Final = 12
"""Windows that share most words with a claim; the embedder picks from these."""
CHECKED_WINDOWS: Final = 3
"""Windows that the claim checker reads for one claim."""
ALIGNED_SENTENCES: Final = 5
BAND: Final = 0.1
"""Half the width of the band around 0.5 in which the probability of support decides nothing."""
HEARD: Final = 0.8
"""Probability of the claim checker from which it outweighs a sentence that differs from the claim in a word."""
SURE: Final = 0.95
"""Probability of the claim checker from which no further window is read."""
CONTRADICTED: Final = 0.95
"""Probability from which the claim checker alone may call a claim contradicted."""
ELLIPTIC: Final = 3
"""A claim of at most this many content words is read together with the question."""


@dataclass(frozen=True, slots=True)
class _Read:
    """A window that the claim checker read, with its cosine to the claim and its score."""

    window: Stretch
    cosine: float
    score: ClaimScore


class ClaimJudge:
    """Judges the claims of one answer against its passages; models are opened only when they are needed."""

    def __init__(
        self,
        query: str,
        evidence: PassageEvidence,
        embedder: Callable[[], Embedder],
        checker: Callable[[], ClaimChecker],
        readable: frozenset[int],
    ) -> None:
        """`readable` are the passages, by index, that are written in the models' languages."""
        self._query = query
        self._evidence = evidence
        self._embedder = embedder
        self._checker = checker
        self._readable = readable
        self._all_readable = readable.issuperset(evidence.unique)

    def judge(self, claim: Claim, measured: bool) -> ClaimVerdict:
        """Return the verdict; `measured` says whether the claim is in the models' languages.

        Where a passage is not, the models' word on the others can support or contradict a claim; that nothing
        supports it can't be said.
        """
        measured = measured and bool(self._readable)
        aligned = self._evidence.sentences(claim.text, ALIGNED_SENTENCES)
        exact = told(claim, aligned, measured and self._all_readable)
        if exact is not None:
            return exact
        if not measured:
            return without_model(claim.text, aligned)
        verdict = self._by_model(claim, self._in_context(claim), aligned)
        if verdict.verdict == "unsupported" and not self._all_readable:
            return without_model(claim.text, aligned)
        return verdict

    def _by_model(self, whole: Claim, text: str, aligned: tuple[Stretch, ...]) -> ClaimVerdict:
        claim = whole.text
        windows = self._windows(claim, text)
        if not windows:
            return ClaimVerdict("unsupported", "No passage speaks of it", "no_evidence")
        checker = self._checker()
        if not checker.fits(text):
            return ClaimVerdict("inconclusive", "The claim is too long for the claim checker", "too_long")
        read = self._read(checker, text, windows)
        best = max(read, key=lambda r: r.score.supported)
        signals = Signals(
            checker=best.score.supported,
            cosine=max(cosine for _, cosine in windows),
            words=self._evidence.words_held(claim),
            foreign_names=self._evidence.foreign_names(claim) > 0.0,
        )
        probability = round(support_probability(signals, Weights.of(checker.entry)), 6)
        verdict = self._decide(claim, aligned, read, best.window, probability)
        # A table's row is a list of cells, not a sentence: it can't be compared with one word by word.
        if verdict.verdict == "supported" and best.score.supported < HEARD and whole.kind != "table_row":
            differing = near_miss(claim, aligned)
            if differing is not None:
                reason = "The closest sentence differs from it in a word that may matter"
                return verdict_on("inconclusive", reason, "near_miss", differing, probability)
        return verdict

    def _read(self, checker: ClaimChecker, text: str, windows: list[tuple[Stretch, float]]) -> list[_Read]:
        """Return what the claim checker says of the windows in order, up to the first that settles the matter."""
        read: list[_Read] = []
        for window, cosine in windows[:CHECKED_WINDOWS]:
            (score,) = checker.check(text, [in_the_claims_numbers(text, window.text)])
            read.append(_Read(window, cosine, score))
            if score.supported >= SURE:
                break
        return read

    def _decide(
        self, claim: str, aligned: tuple[Stretch, ...], read: list[_Read], best: Stretch, probability: float
    ) -> ClaimVerdict:
        against = conflict(claim, aligned)
        unheard = unheard_numbers(claim, best.text, self._evidence.quantities())
        if against is not None:
            stands = bool(unheard) and against.verdict.rule == "number"
            if stands or probability < against.outweighed_from:
                return replace(against.verdict, probability=probability)
        quote = self._quote(claim, best)
        if unheard:
            return verdict_on("unsupported", "A number stands in no passage", "number", quote, probability, unheard)
        if probability >= 0.5 + BAND:
            return self._supported_unless_numbers(claim, best, quote, probability, against is not None)
        # Near the line a name that no passage holds turns the scale.
        if probability > 0.5 - BAND and not self._evidence.foreign_names(claim):
            return verdict_on("inconclusive", "The evidence is close to the line", "close", quote, probability)
        counter = max(read, key=lambda r: r.score.contradicted)
        if counter.score.contradicted >= CONTRADICTED and counter.window.recall >= ALIGNED:
            quote = self._quote(claim, counter.window)
            return verdict_on("contradicted", "The passage says otherwise", "model", quote, probability)
        return verdict_on("unsupported", "No passage says so", "model", quote, probability)

    def _supported_unless_numbers(
        self, claim: str, window: Stretch, quote: Stretch, probability: float, doubted: bool
    ) -> ClaimVerdict:
        """Return `supported` where the evidence holds the claim's numbers, which stand somewhere in the passages."""
        near = not number_faults(claim, window.text)
        if near or (not doubted and not number_faults(claim, self._evidence.passages[window.passage])):
            return verdict_on("supported", "The passage says so", "model", quote, probability)
        reason = "The passage says so, but the numbers stand elsewhere"
        return verdict_on("inconclusive", reason, "number_elsewhere", quote, probability)

    def _quote(self, claim: str, window: Stretch) -> Stretch:
        found = self._evidence.best_sentences_in(claim, window)
        return found[0] if found else window

    def _in_context(self, claim: Claim) -> str:
        """Return the claim as it is put to a model: a fragment is read after its lead-in or the question."""
        lead = claim.context.strip()
        if not lead and len(set(keys(claim.text))) <= ELLIPTIC:
            lead = self._query.strip()
        return f"{lead} {claim.text}" if lead else claim.text

    def _windows(self, claim: str, text: str) -> list[tuple[Stretch, float]]:
        """Return the windows that share most words with the claim, each with its cosine to it, the nearest first."""
        found = self._evidence.windows(claim, LEXICAL_WINDOWS, self._readable)
        if not found:
            return []
        embedder = self._embedder()
        near = (embedder.embed([w.text for w in found]) @ embedder.embed([text])[0]).tolist()
        order = sorted(range(len(found)), key=lambda i: (-(found[i].recall + near[i]), i))
        return [(found[i], near[i]) for i in order]
