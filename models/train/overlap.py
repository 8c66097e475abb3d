"""Keep the texts a model is measured on out of the texts it is trained on."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

WORD = re.compile(r"\w+")


def words_of(text: str) -> list[str]:
    """Return the lower-cased words of ``text``, punctuation left out."""
    return WORD.findall(text.lower())


def runs(words: list[str], size: int) -> Iterator[int]:
    """Yield a hash of every run of ``size`` neighbouring words; nothing for a shorter list."""
    for start in range(len(words) - size + 1):
        yield hash(tuple(words[start : start + size]))


def _strings(value: Any) -> Iterator[str]:
    """Yield every string inside a decoded JSON value, object keys left out."""
    pending = [value]
    while pending:
        item = pending.pop()
        if isinstance(item, str):
            yield item
        elif isinstance(item, dict):
            pending.extend(item.values())
        elif isinstance(item, list):
            pending.extend(item)


class HeldOut:
    """The runs of words of every measuring file in a folder.

    ``size`` is the length of a run in words. Membership is by hash: a collision would drop one training text too many,
    never let one through.
    """

    def __init__(self, folder: Path, size: int = 8) -> None:
        self.size = size
        self._runs: set[int] = set()
        for path in sorted(folder.glob("*.jsonl")):
            with path.open(encoding="utf-8") as lines:
                for line in lines:
                    for text in _strings(json.loads(line)):
                        self._runs.update(runs(words_of(text), size))

    def shares(self, words: Iterable[str]) -> bool:
        """Return whether a text, given as tokens, has a run of ``size`` words in common with the measuring files."""
        return any(run in self._runs for run in runs(words_of(" ".join(words)), self.size))
