"""Whether a passage supports or contradicts a claim, by a cross-encoder over both."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from tokenizers import Encoding

from glassbox.errors import ModelError
from glassbox.models.files import LoadedModel
from glassbox.models.session import FloatArray, Graph, IntArray, sigmoid
from glassbox.models.tokenizer import load_tokenizer
from glassbox.models.types import ClaimScore, Doubt

KNOWN_INPUTS = ("input_ids", "attention_mask", "token_type_ids")
OVERLAP_TOKENS = 64
LEAST_WINDOW_TOKENS = 32
# The names that published models of natural language inference give to the same three classes.
CLASSES = {
    "supported": "supported",
    "entailment": "supported",
    "contradicted": "contradicted",
    "contradiction": "contradicted",
    "unsupported": "unsupported",
    "neutral": "unsupported",
    "not_entailment": "unsupported",
}


class ClaimTooLong(ModelError):
    """A claim leaves no room for evidence in the model's input; nothing can be said about it."""

    kind = "claim-too-long"


class ClaimChecker:
    """Scores a claim against passage windows; each pair runs alone, so its score depends on nothing else."""

    def __init__(self, model: LoadedModel, *, threads: int = 1) -> None:
        """Load the model; raise ModelError unless the manifest names two or three known classes."""
        self.entry = model.entry
        self._graph = Graph(model, threads=threads)
        self._graph.require(KNOWN_INPUTS[:1], KNOWN_INPUTS, kind="a cross-encoder")
        self._tokenizer = load_tokenizer(model, literal=True)
        self.classes = self._class_order()
        self._temperature = self._positive_number("temperature", 1.0)
        self._claim_first = self._order() == "claim-passage"
        self._room = self.entry.max_tokens - self._tokenizer.num_special_tokens_to_add(is_pair=True)
        overlap = self.entry.limits.overlap_tokens
        self._overlap = OVERLAP_TOKENS if overlap is None else overlap

    def fits(self, claim: str) -> bool:
        """Return whether `claim` leaves room for evidence in the model's input."""
        return self._tokens(claim) <= self._room - LEAST_WINDOW_TOKENS

    def check(self, claim: str, windows: Sequence[str]) -> tuple[ClaimScore, ...]:
        """Return one score for each window, in their order.

        Three probabilities that sum to 1, from the softmax of the logits divided by the manifest's temperature. A
        window that is too long for the input beside the claim is split into overlapping parts; the part with the
        highest probability of being supported or contradicted speaks for it, and `parts` says how many there were.
        Raises ClaimTooLong if the claim itself leaves no room (`fits`), ModelError if the graph fails.
        """
        if not self.fits(claim):
            raise ClaimTooLong(
                f"The claim of {len(claim)} characters leaves no room for evidence in {self.entry.max_tokens} tokens",
                where=self.entry.name,
            )
        room = self._room - self._tokens(claim)
        return tuple(self._best(claim, self._parts(window, room)) for window in windows)

    def logits(self, claim: str, window: str) -> FloatArray:
        """Return the raw scores of one pair, float32 [classes] in the order of the manifest's labels."""
        _, feed = self._encode(claim, window)
        if feed["input_ids"].shape[1] > self.entry.max_tokens:
            size = feed["input_ids"].shape[1]
            raise ModelError(f"A pair of {size} tokens exceeds the model's input", where=self.entry.name)
        scores = self._graph.run(feed, output="logits")
        if scores.shape != (1, len(self.classes)):
            raise ModelError(f"The graph gave shape {scores.shape} for one pair", where=self.entry.name)
        row: FloatArray = scores[0]
        return row

    def doubts(self, claim: str, window: str) -> tuple[Doubt, ...]:
        """Return the stretches of `claim` that the model thinks wrong beside `window`, in order.

        Only models whose graph has an output `token_logits` (above 0: wrong) know; for others, and for a pair that
        exceeds the model's input, the result is empty. Touching tokens are one stretch, with their highest probability.
        """
        if "token_logits" not in self._graph.outputs:
            return ()
        encoding, feed = self._encode(claim, window)
        if feed["input_ids"].shape[1] > self.entry.max_tokens:
            return ()
        scores = sigmoid(self._graph.run(feed, output="token_logits")[0])
        segment = 0 if self._claim_first else 1
        found: list[Doubt] = []
        for sequence, (start, end), score in zip(encoding.sequence_ids, encoding.offsets, scores.tolist(), strict=True):
            if sequence != segment or score <= 0.5:
                continue
            if found and not claim[found[-1].end : start].strip():
                found[-1] = Doubt(found[-1].start, end, max(found[-1].probability, score))
            else:
                found.append(Doubt(start, end, score))
        return tuple(found)

    def _encode(self, claim: str, window: str) -> tuple[Encoding, dict[str, IntArray]]:
        first, second = (claim, window) if self._claim_first else (window, claim)
        encoding = self._tokenizer.encode(first, second)
        ids = np.asarray([encoding.ids], dtype=np.int64)
        types = np.asarray([encoding.type_ids], dtype=np.int64)
        return encoding, {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": types}

    def _best(self, claim: str, parts: Sequence[str]) -> ClaimScore:
        scores = [self._probabilities(claim, part) for part in parts]
        best = max(range(len(scores)), key=lambda i: (max(scores[i][:2]), -i))
        supported, contradicted, unsupported = scores[best]
        return ClaimScore(supported, contradicted, unsupported, parts=len(parts))

    def _probabilities(self, claim: str, window: str) -> tuple[float, float, float]:
        scaled = self.logits(claim, window).astype(np.float64) / self._temperature
        powers = np.exp(scaled - scaled.max())
        by_class = dict(zip(self.classes, (powers / powers.sum()).tolist(), strict=True))
        return by_class["supported"], by_class.get("contradicted", 0.0), by_class["unsupported"]

    def _parts(self, window: str, room: int) -> list[str]:
        offsets = self._tokenizer.encode(window, add_special_tokens=False).offsets
        if len(offsets) <= room:
            return [window]
        # A part encoded by itself may take more tokens than in its place, so some room stays free.
        step = max(1, room - room // 8)
        overlap = min(self._overlap, step // 2)
        parts: list[str] = []
        start = 0
        while start < len(offsets):
            end = min(start + step, len(offsets))
            parts += self._shrink(window[offsets[start][0] : offsets[end - 1][1]], room)
            if end == len(offsets):
                break
            start = end - overlap
        return parts

    def _shrink(self, part: str, room: int) -> list[str]:
        """Return the part, or its halves and theirs until each fits."""
        pending, fitting = [part], []
        while pending:
            item = pending.pop()
            if self._tokens(item) <= room:
                fitting.append(item)
            elif len(item) < 2:
                raise ModelError("One character of a window exceeds the model's input", where=self.entry.name)
            else:
                pending += [item[len(item) // 2 :], item[: len(item) // 2]]
        return fitting

    def _tokens(self, text: str) -> int:
        return len(self._tokenizer.encode(text, add_special_tokens=False).ids)

    def _class_order(self) -> tuple[str, ...]:
        classes = tuple(CLASSES.get(label.lower(), "") for label in self.entry.labels)
        if sorted(classes) not in (["supported", "unsupported"], ["contradicted", "supported", "unsupported"]):
            raise ModelError(
                f"The manifest's labels {list(self.entry.labels)} are not supported and unsupported, with or without "
                "contradicted",
                where=self.entry.name,
            )
        return classes

    def _positive_number(self, key: str, default: float) -> float:
        value = self.entry.calibration.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int | float) or value <= 0:
            raise ModelError(f"The manifest's calibration {key} is not a positive number", where=self.entry.name)
        return float(value)

    def _order(self) -> str:
        order = self.entry.calibration.get("input_order", "passage-claim")
        if order not in ("passage-claim", "claim-passage"):
            raise ModelError("The manifest's calibration input_order is unknown", where=self.entry.name)
        return str(order)
