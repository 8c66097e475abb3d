"""Running a library's coroutine to its end without an event loop: nothing that it awaits is ever pending."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any, TypeVar

from glassbox.errors import JudgeError

Result = TypeVar("Result")


def run_to_end(coroutine: Coroutine[Any, Any, Result]) -> Result:
    """Return what a coroutine returns; raises what it raises.

    The judge model is asked synchronously inside the libraries' asynchronous methods, so that they never wait for
    anything. So no loop is made, none that already runs is touched, and any number of threads may do this at once.
    Raises JudgeError where a coroutine waits all the same, which a new release of a library might.
    """
    try:
        coroutine.send(None)
    except StopIteration as end:
        result: Result = end.value
        return result
    finally:
        coroutine.close()
    raise JudgeError("An evaluation library waited for an event loop", where="engine llm")
