"""The verdict on one claim: exact evidence first, then the claim checker, then the numbers and negations again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

from glassbox.judges.evidence import PassageEvidence, Stretch
from glassbox.judges.exact_evidence import (
    ALIGNED,
    SAME_SUBJECT,
    NumberFault,
    aligned_number_faults,
    loose_recall,
    near_word_for_word,
    number_faults,
    opposed,
    word_for_word,
    wordless_numbers,
)
from glassbox.judges.languages import Languages
from glassbox.judges.tools import ClaimChecker, Embedder
from glassbox.judges.words import keys, tokens
from glassbox.models.types import ClaimScore
from glassbox.text.claims import Claim

Verdict = Literal["supported", "contradicted", "unsupported", "inconclusive"]

LEXICAL_WINDOWS: Final = 12
"""Windows that share most words with a claim; the embedder picks from these."""
CHECKED_WINDOWS: Final = 3
"""Windows that the claim checker reads for one claim."""
ALIGNED_SENTENCES: Final = 5
BAND: Final = 0.08
"""Half the width of the band around the threshold in which the claim checker's probability decides nothing."""
CONTRADICTED: Final = 0.80
"""Probability from which the claim checker alone may call a claim contradicted."""
ELLIPTIC: Final = 3
"""A claim of at most this many content words is read together with the question."""


@dataclass(frozen=True, slots=True)
class ClaimVerdict:
    """A verdict with the passage and literal quote it rests on; both None where nothing bears on the claim."""

    verdict: Verdict
    reason: str
    rule: str
    passage: int | None = None
    quote: str | None = None
    probability: float | None = None
    """Calibrated probability that the claim is supported, where the claim checker spoke."""
    numbers: tuple[NumberFault, ...] = ()
    """The claim's numbers that its evidence lacks or contradicts, where the evidence otherwise bears on the claim."""


class ClaimJudge:
    """Judges the claims of one answer against its passages; the claim checker is opened only when it is needed."""

    def __init__(
        self,
        query: str,
        evidence: PassageEvidence,
        languages: Languages,
        embedder: Callable[[], Embedder],
        checker: Callable[[], ClaimChecker],
    ) -> None:
        self._query = query
        self._evidence = evidence
        self._languages = languages
        self._embedder = embedder
        self._checker = checker

    def judge(self, claim: Claim, measured: bool) -> ClaimVerdict:
        """Return the verdict; `measured` says whether claim and passages are in the claim checker's languages."""
        aligned = self._evidence.sentences(claim.text, ALIGNED_SENTENCES)
        same = word_for_word if measured else near_word_for_word
        for stretch in aligned:
            if any(same(reading, stretch) for reading in _readings(claim)):
                return _verdict("supported", "The passage says so almost word for word", "exact", stretch)
        if not measured:
            return _without_model(claim.text, aligned)
        return self._by_model(claim.text, self._in_context(claim), aligned)

    def _by_model(self, claim: str, text: str, aligned: tuple[Stretch, ...]) -> ClaimVerdict:
        windows = self._windows(claim, text)
        checker = self._checker()
        if not windows:
            return ClaimVerdict("unsupported", "No passage speaks of it", "no_evidence")
        if not checker.fits(text):
            return ClaimVerdict("inconclusive", "The claim is too long for the claim checker", "too_long")
        scores = self._scores(checker, text, windows)
        best = max(range(len(scores)), key=lambda i: (scores[i].supported, -i))
        against = max(range(len(scores)), key=lambda i: (scores[i].contradicted, -i))
        return self._decide(claim, aligned, (windows[best], scores[best]), (windows[against], scores[against]), checker)

    def _scores(self, checker: ClaimChecker, text: str, windows: tuple[Stretch, ...]) -> list[ClaimScore]:
        """Return the scores of the windows in order, up to the first that settles the matter."""
        scores: list[ClaimScore] = []
        for window in windows:
            scores += checker.check(text, [window.text])
            if scores[-1].supported >= 1.0 - BAND:
                break
        return scores

    def _decide(
        self,
        claim: str,
        aligned: tuple[Stretch, ...],
        best: tuple[Stretch, ClaimScore],
        against: tuple[Stretch, ClaimScore],
        checker: ClaimChecker,
    ) -> ClaimVerdict:
        probability = round(best[1].supported, 6)
        threshold = checker.entry.thresholds.of("supported")
        quote = self._quote(claim, best[0])
        conflict = _conflict(claim, aligned)
        if conflict is not None and (conflict.rule == "negation" or probability < 1.0 - BAND):
            return _with(conflict, probability)
        if probability >= threshold + BAND:
            return self._supported_unless_numbers(claim, best[0], quote, probability)
        if probability > threshold - BAND:
            return ClaimVerdict(
                "inconclusive", "The evidence is close to the line", "close", quote.passage, quote.text, probability
            )
        if against[1].contradicted >= CONTRADICTED and against[0].recall >= ALIGNED:
            counter = self._quote(claim, against[0])
            return _verdict("contradicted", "The passage says otherwise", "model", counter, probability)
        return _verdict("unsupported", "No passage says so", "model", quote, probability)

    def _supported_unless_numbers(
        self, claim: str, window: Stretch, quote: Stretch, probability: float
    ) -> ClaimVerdict:
        passage = self._evidence.passages[window.passage]
        faults = number_faults(claim, window.text) and number_faults(claim, passage)
        if not faults:
            return _verdict("supported", "The passage says so", "model", quote, probability)
        if any(fault.conflicting for fault in faults):
            reason = "The passage gives another number"
            return _verdict("contradicted", reason, "number", quote, probability, faults)
        return _verdict("unsupported", "A number does not stand in the passage", "number", quote, probability, faults)

    def _quote(self, claim: str, window: Stretch) -> Stretch:
        found = self._evidence.best_sentences_in(claim, window)
        return found[0] if found else window

    def _in_context(self, claim: Claim) -> str:
        """Return the claim as it is put to a model: a fragment is read after its lead-in or the question."""
        lead = claim.context.strip()
        if not lead and len(set(keys(claim.text))) <= ELLIPTIC:
            lead = self._query.strip()
        return f"{lead} {claim.text}" if lead else claim.text

    def _windows(self, claim: str, text: str) -> tuple[Stretch, ...]:
        found = self._evidence.windows(claim, LEXICAL_WINDOWS)
        if len(found) <= CHECKED_WINDOWS:
            return found
        embedder = self._embedder()
        near = embedder.embed([w.text for w in found]) @ embedder.embed([text])[0]
        order = sorted(range(len(found)), key=lambda i: (-(found[i].recall + float(near[i])), i))
        return tuple(found[i] for i in order[:CHECKED_WINDOWS])


def _readings(claim: Claim) -> tuple[str, ...]:
    """Return the texts under which a claim may stand in a passage: a table's row also without the column names."""
    if claim.kind != "table_row":
        return (claim.text,)
    cells = " ".join(part.partition(": ")[2] or part for part in claim.text.split("; "))
    return (claim.text, cells)


def _without_model(claim: str, aligned: tuple[Stretch, ...]) -> ClaimVerdict:
    """Decide where no model was measured in the language: a number conflict contradicts, the rest stays open."""
    wanted = [token.form for token in tokens(wordless_numbers(claim))]
    for stretch in aligned:
        if loose_recall(wanted, [token.form for token in tokens(stretch.text)]) >= SAME_SUBJECT:
            faults = aligned_number_faults(claim, stretch.text)
            if any(fault.conflicting for fault in faults):
                reason = "The passage gives another number"
                return _verdict("contradicted", reason, "number", stretch, numbers=faults)
    best = aligned[0] if aligned else None
    return ClaimVerdict(
        "inconclusive",
        "No model was measured in this language, and the words alone don't decide",
        "language",
        best.passage if best else None,
        best.text if best else None,
    )


def _conflict(claim: str, aligned: tuple[Stretch, ...]) -> ClaimVerdict | None:
    """Return a contradiction that words and numbers show by themselves, in the sentence closest to the claim."""
    bare = set(keys(wordless_numbers(claim)))
    for stretch in aligned:
        held = set(keys(stretch.text))
        shared = len(bare & held) / len(bare) if bare else 0.0
        if shared < ALIGNED:
            continue
        faults = (aligned_number_faults if shared >= SAME_SUBJECT else number_faults)(claim, stretch.text)
        if not faults and opposed(claim, stretch.text):
            return _verdict("contradicted", "The passage says the opposite", "negation", stretch)
        if any(fault.conflicting for fault in faults):
            return _verdict("contradicted", "The passage gives another number", "number", stretch, numbers=faults)
        return None
    return None


def _verdict(
    verdict: Verdict,
    reason: str,
    rule: str,
    stretch: Stretch,
    probability: float | None = None,
    numbers: tuple[NumberFault, ...] = (),
) -> ClaimVerdict:
    return ClaimVerdict(verdict, reason, rule, stretch.passage, stretch.text, probability, numbers)


def _with(found: ClaimVerdict, probability: float) -> ClaimVerdict:
    return ClaimVerdict(found.verdict, found.reason, found.rule, found.passage, found.quote, probability, found.numbers)
