"""Walking a JSON value: every path in it, and copies with one place changed."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

Path = tuple[str | int, ...]


def places(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Yield (path, value) of every value inside ``value``, objects and arrays included, the whole excluded."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield (*path, key), item
        yield from places(item, (*path, key))


def leaves(value: Any) -> Iterator[tuple[Path, Any]]:
    """Yield (path, value) of everything that is no object or array with content."""
    return ((path, item) for path, item in places(value) if not isinstance(item, dict | list) or not item)


def at(value: Any, path: Path) -> Any:
    """Return what stands at ``path``."""
    for key in path:
        value = value[key]
    return value


def changed(value: Any, path: Path, new: Any) -> Any:
    """Return a copy with ``new`` at ``path``."""
    copied = copy.deepcopy(value)
    at(copied, path[:-1])[path[-1]] = new
    return copied


def without(value: Any, path: Path) -> Any:
    """Return a copy without what stands at ``path``."""
    copied = copy.deepcopy(value)
    del at(copied, path[:-1])[path[-1]]
    return copied


def other_values(item: Any) -> list[Any]:
    """Return values that differ from ``item`` in type, in range, or by as little as can be."""
    others: list[Any] = [None, True, False, 0, 1, -1, 2**53 - 1, 0.5, "", "x", [], {}, [item], {"x": item}]
    if isinstance(item, int) and not isinstance(item, bool):
        others += [item + 1, item - 1, float(item), str(item), 10_000_001]
    if isinstance(item, str):
        others += [item + "0", item[:-1], item.upper(), " " + item, item + "\n", item.replace("0", "1", 1), item * 2]
        others += [
            item[:at] + ("1" if bit == "0" else "0") + item[at + 1 :] for at, bit in enumerate(item) if bit in "01"
        ][:12]
    return [new for new in others if type(new) is not type(item) or new != item]
