"""The judges by name. A new judge is one module and one entry here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Final, cast

from glassbox.errors import UsageError

if TYPE_CHECKING:
    from glassbox.contract.measurement import JudgeResult
    from glassbox.contract.policy import Policy
    from glassbox.contract.request import Request
    from glassbox.judges.tools import Tools

    Judge = Callable[[Request, Policy, Tools], JudgeResult]


@dataclass(frozen=True, slots=True)
class Entry:
    """A judge: the question that it answers, and the module that holds its `judge` function."""

    question: str
    module: str

    def load(self) -> Judge:
        """Return the judge's function; its module is imported on the first call only."""
        return cast("Judge", import_module(self.module).judge)


JUDGES: Final[dict[str, Entry]] = {
    "contextual_precision": Entry(
        "Did the retriever surface the right content?", "glassbox.judges.contextual_precision"
    ),
    "semantic_faithfulness": Entry(
        "Is the answer grounded in the retrieved context?", "glassbox.judges.semantic_faithfulness"
    ),
    "structural_fidelity": Entry(
        "Does the answer preserve the terminology, entities, and relationships present in the source documents?",
        "glassbox.judges.structural_fidelity",
    ),
}


def judge_named(name: str) -> Judge:
    """Return the judge of that name; raises UsageError for another name."""
    if name not in JUDGES:
        raise UsageError(f"There is no judge of that name among {', '.join(JUDGES)}", where="judges")
    return JUDGES[name].load()
