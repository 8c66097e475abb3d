"""One judge's questions to the judge model: each is recorded, and all of them make up what the judge was told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from pydantic import BaseModel, ConfigDict

from glassbox.errors import JudgeError
from glassbox.judges.llm.evaluators import VERSIONS
from glassbox.judges.llm.quoting import RULES, Quoter
from glassbox.llm.types import JudgeModel, Message, Question, ReplyFault
from glassbox_contract.canonical import digest

VARIANT: Final = 1
"""Version of this engine's own words and rules; raised whenever equal replies may give another number."""

Shape = TypeVar("Shape", bound=BaseModel)


class Reply(BaseModel):
    """A reply's shape: strict, and with no field that was not asked for."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


@dataclass(slots=True)
class Asker:
    """Asks on behalf of one judge in one evaluation."""

    model: JudgeModel
    salt: bytes
    first_sample: int = 0
    """Where this run's independent draws begin: repeated runs of a judge must not get the same ones."""
    calls: list[dict[str, Any]] = field(default_factory=list)

    def quoter(self) -> Quoter:
        """Return a quoter for the next question."""
        return Quoter(self.salt)

    def ask(
        self,
        purpose: str,
        prompt: str,
        form: str,
        response: type[Shape],
        quoter: Quoter,
        *,
        check: Callable[[Shape], None] | None = None,
        max_tokens: int = 1024,
        sample: int = 0,
    ) -> Shape:
        """Return the answer to a library's prompt in the extended form; raises JudgeModelError."""

        def checked(value: BaseModel) -> None:
            if check is not None:
                check(response.model_validate(value))

        answer = self.model.ask(
            Question(
                purpose=purpose,
                messages=(Message("system", f"{RULES}\n\n{form}"), Message("user", prompt)),
                response=response,
                check=checked,
                max_tokens=max_tokens,
                sample=self.first_sample + sample,
                fences=quoter.fences,
            )
        )
        self.calls.append(answer.call.to_json())
        return response.model_validate(answer.value)


def judge_identity(model: JudgeModel) -> str:
    """Return `backend:model@sha256:<hex>`: the digest is of the judge's name, the libraries and this engine's words."""
    name = "".join(c if c.isascii() and (c.isalnum() or c in "._/:+-") else "_" for c in model.identity)[:128]
    told = {"judge": model.identity, "libraries": VERSIONS, "rules": RULES, "variant": VARIANT}
    return f"{name}@{digest(told)}"


def check_cover(indices: list[int], size: int) -> None:
    """Raise ReplyFault unless the indices are 0 to size-1, each exactly once, in whatever order."""
    if len(indices) != size:
        raise ReplyFault("count")
    if sorted(indices) != list(range(size)):
        raise ReplyFault("index")


def drive(coroutine: Any) -> Any:
    """Return what a library's coroutine returns, run to its end without an event loop.

    Our models answer without waiting, so that nothing in it may wait: no loop is made, and none that runs is touched.
    """
    try:
        coroutine.send(None)
    except StopIteration as stop:
        return stop.value
    coroutine.close()
    raise JudgeError("An evaluator waited for something that is not the judge model", where="engine llm")
