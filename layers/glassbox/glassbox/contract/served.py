"""Which model an endpoint says that it ran, beside the one that was asked for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

_DATED: Final = re.compile(r"[-@:](?:\d{4}-\d{2}-\d{2}|\d{3,8}|v\d{1,3}(?::\d{1,3})?|latest)")
"""What stands behind a model's name where an endpoint tells which release of it answered."""


def is_another(asked: str, served: str) -> bool:
    """Return whether `served` names another model than `asked`: neither the same nor a dated release of it.

    Case and what stands before the last `/` don't count: gateways put a vendor's name there.
    """
    wanted, ran = (name.rpartition("/")[2].casefold() for name in (asked, served))
    return ran != wanted and not (ran.startswith(wanted) and _DATED.fullmatch(ran, len(wanted)))


def other_models(content: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """Return each (asked, served) of a bundle's content where another model ran than the one that was asked.

    Both are the names in the calls, as they stand there; neither is fit to be shown as it is.
    """
    results = content.get("results")
    found = (
        (call.get("model"), call.get("served_model"))
        for result in (results.values() if isinstance(results, Mapping) else ())
        for call in _calls(result)
    )
    pairs = ((a, s) for a, s in found if isinstance(a, str) and isinstance(s, str) and s and is_another(a, s))
    return tuple(dict.fromkeys(pairs))


def _calls(result: Any) -> Iterable[Mapping[str, Any]]:
    calls = result.get("calls") if isinstance(result, Mapping) else None
    return [call for call in calls if isinstance(call, Mapping)] if isinstance(calls, list | tuple) else []


def in_words(asked: str, served: str) -> str:
    """Return what a reader has to know of such a pair; both names must be fit to be shown."""
    return f"the judge model {asked} was asked, and the endpoint says that {served} answered: check that you mean it"
