"""Passages that say the same text more than once: judged once, counted at every rank, reported."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import regex

from glassbox.contract.measurement import Flag
from glassbox.text.normalise import normalise

# A label such as "[doc-2]", "(3)" or "[12] " that a retriever puts before a passage is not part of what it says.
_TAG_RE: Final = regex.compile(r"^\s*(?:[\[(]\s*(?:[\p{L}_]{1,20}[\s_#:.-]*)?\d{1,6}\s*[\])]\s*:?\s*)+")


def untagged(text: str) -> str:
    """Return the text without a leading label such as `[doc-2]`, or unchanged where nothing would be left."""
    rest = _TAG_RE.sub("", text, count=1)
    return rest if rest.strip() else text


def first_of_each(texts: Sequence[str]) -> tuple[int | None, ...]:
    """Return for each text the index of the first text that says the same, or None for a blank one.

    Two texts say the same when they are equal after normalisation and without a leading label.
    """
    first: dict[str, int] = {}
    return tuple(
        first.setdefault(normalise(untagged(text)), index) if text.strip() else None for index, text in enumerate(texts)
    )


def duplicate_flags(representatives: Sequence[int | None]) -> tuple[Flag, ...]:
    """Return one `duplicate_passages` flag that lists the groups of equal passages, or none."""
    groups: dict[int, list[int]] = {}
    for index, first in enumerate(representatives):
        if first is not None:
            groups.setdefault(first, []).append(index)
    repeated = [group for group in groups.values() if len(group) > 1]
    if not repeated:
        return ()
    unique = len(groups)
    return (Flag(code="duplicate_passages", detail={"groups": repeated, "unique": unique}),)
