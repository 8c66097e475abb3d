"""Refusals: an answer that declines states nothing to check; what matters is whether it had to decline."""

from __future__ import annotations

from collections.abc import Sequence

from glassbox.contract.measurement import Flag
from glassbox.judges.relevance import PassageVerdict


def refusal_flag(verdicts: Sequence[PassageVerdict], rule: str) -> Flag | None:
    """Return `appropriate_refusal` where no passage is relevant, `unwarranted_refusal` where one is.

    Returns None where no passage is known to be relevant and at least one could not be judged.
    """
    relevant = [v.index for v in verdicts if v.relevant]
    if relevant:
        return Flag(code="unwarranted_refusal", detail={"rule": rule, "relevant_passages": relevant})
    if any(v.relevant is None for v in verdicts):
        return None
    return Flag(code="appropriate_refusal", detail={"rule": rule, "passages": len(verdicts)})
