"""How far judges lie apart, in words: the members of a jury, and the repeated runs of one judge model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from glassbox.report import bounds
from glassbox.report.plain import shorten
from glassbox.report.read import array, index, listed, mapping, number, objects, of_n, text

_KEYS: Final = ("jury", "stability", "runs")
_FIGURES: Final = ("mean", "median", "sigma")
_MEMBERS: Final = 15
_SCORES: Final = 10


def scatter_of(detail: Mapping[str, Any]) -> tuple[str, ...]:
    """Return a line on the jury of a measurement and one on each judge model that was asked repeatedly."""
    jury, stability = mapping(detail.get("jury")), mapping(detail.get("stability"))
    lines = [_jury(jury)] if jury else []
    lines += [_runs(judge, mapping(told)) for judge, told in stability.items()]
    return listed([line for line in lines if line], _MEMBERS)


def without_scatter(detail: Mapping[str, Any]) -> dict[str, Any]:
    """Return the details that are no part of those lines."""
    return {key: value for key, value in detail.items() if key not in _KEYS}


def _jury(jury: Mapping[str, Any]) -> str:
    members = objects(jury.get("members"))
    each = listed([_member(member) for member in members], _MEMBERS)
    outliers = [index(number_, len(members)) for number_ in array(jury.get("outliers"))]
    names = [_name(members[i].get("judge")) for i in outliers if i is not None]
    parts = [f"Jury of {len(members)}: {'; '.join(each)}"]
    parts += [f"{name} {_share(jury.get(name))}" for name in _FIGURES if number(jury.get(name)) is not None]
    parts += [f"stands apart: {', '.join(names)}"] if names else []
    return " · ".join(parts)


def _member(member: Mapping[str, Any]) -> str:
    name = _name(member.get("judge"))
    if member.get("error") is not None:
        return f"{name} left out ({shorten(text(member['error']), 40)})"
    return f"{name} {_share(member.get('score'))}"


def _runs(judge: str, told: Mapping[str, Any]) -> str:
    scores = array(told.get("scores"))
    if not scores:
        return ""
    shown = ", ".join(listed([_share(score) for score in scores], _SCORES))
    return f"{_name(judge)}, {of_n(len(scores), 'run')}: {shown} · sigma {_share(told.get('sigma'))}"


def _share(value: Any) -> str:
    found = number(value)
    return "no score" if found is None else f"{found:.3f}"


def _name(value: Any) -> str:
    return shorten(text(value), bounds.FIELD)
