"""A policy written as changes to another one.

::

    {"name": "clinic", "extends": "default",
     "targets": {"semantic_faithfulness/faithfulness": 0.97}, "disable": ["structural_fidelity/relation_faithfulness"]}
"""

from __future__ import annotations

import copy
from collections.abc import Collection, Iterator
from decimal import ROUND_HALF_UP, Decimal
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError

from glassbox.contract.faults import message_of, path_of
from glassbox.contract.measurement import Effect, Frozen
from glassbox.errors import Violation
from glassbox_contract.arithmetic import MICRO
from glassbox_contract.policy import MAX_MODELS, MAX_RETENTION_DAYS

Engine = Literal["auto", "local", "llm"]
Comparator = Literal[">", ">="]
Share = Annotated[Decimal, Field(ge=0, le=1)]
Name = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_.-]{0,63}$")]

_NODE_MAPS = ("weights", "targets", "comparators", "on_absence")
_TERMINOLOGY = "structural_fidelity/nlp_score"
_READINGS = {
    "aligned": {"bleu_4": "aligned_bleu_4", "rouge_l": "aligned_rouge_l"},
    "document": {"aligned_bleu_4": "bleu_4", "aligned_rouge_l": "rouge_l"},
}


class Bar(Frozen):
    """The overall pass bar on the trust score."""

    value: Share
    comparator: Comparator = ">="


class PolicyChanges(Frozen):
    """A policy written as changes to another one; every path names a node of that policy's tree."""

    name: Name
    extends: str
    disable: tuple[str, ...] = ()
    """Nodes to take out of the tree: a judge, a group or a single measurement."""
    weights: dict[str, Annotated[int, Field(ge=1, le=MICRO, strict=True)]] = Field(default_factory=dict)
    targets: dict[str, Share | None] = Field(default_factory=dict)
    """Targets as decimals; null takes a target away."""
    comparators: dict[str, Comparator] = Field(default_factory=dict)
    on_absence: dict[str, Literal["inconclusive", "renormalise"]] = Field(default_factory=dict)
    bar: Bar | None = None
    flags: dict[str, Effect] = Field(default_factory=dict)
    """Effects of flags that differ from the policy extended; a policy can't make up a flag that no judge raises."""
    engines: dict[str, Engine] = Field(default_factory=dict)
    judge_models: dict[
        Annotated[str, Field(pattern=r"^[a-z0-9_]{1,64}$")], Annotated[str, Field(pattern=r"^[!-~]{1,200}$")]
    ] = Field(default_factory=dict, max_length=MAX_MODELS)
    terminology_reading: Literal["aligned", "document"] | None = None
    anonymisation: Name | None = None
    retention_days: Annotated[int, Field(ge=1, le=MAX_RETENTION_DAYS, strict=True)] = 3650
    open_on_ledger: Annotated[bool, Field(strict=True)] = False


def read_changes(value: dict[str, Any], base: dict[str, Any]) -> tuple[PolicyChanges | None, list[Violation]]:
    """Return the changes in a JSON object to the policy document `base`, or None and every fault of them."""
    faults = _unknown_names(value, base)
    try:
        changes = PolicyChanges.model_validate(value)
    except ValidationError as error:
        faults += [Violation(path_of(_without_marks(e["loc"])), message_of(e)) for e in error.errors()]
        return None, faults
    return (None if faults else changes), faults


def _without_marks(location: tuple[int | str, ...]) -> tuple[int | str, ...]:
    """Drop pydantic's own `[key]`, which says that a key of an object is at fault."""
    return location[:-1] if location[-1:] == ("[key]",) else location


def _unknown_names(value: dict[str, Any], base: dict[str, Any]) -> list[Violation]:
    """Check each name that can be read, whatever the kinds of the values beside it."""
    document = copy.deepcopy(base)
    _read_terminology(document, value.get("terminology_reading"))
    nodes = dict(_walk(document["tree"]))
    judges = [child["name"] for child in document["tree"]["children"]]
    no_node = "no node of the policy extended; `glassbox policy show` prints its paths"
    faults = []
    for field in _NODE_MAPS:
        faults += _unknown_keys(value, field, nodes, no_node)
    faults += _unknown_keys(value, "engines", judges, f"no judge of the policy extended; it has {', '.join(judges)}")
    codes = document["flag_effects"]
    faults += _unknown_keys(value, "flags", codes, f"no flag; the flags are {', '.join(sorted(codes))}")
    disable = value.get("disable")
    if isinstance(disable, list | tuple):
        named = [(i, path) for i, path in enumerate(disable) if isinstance(path, str)]
        faults += [Violation(path_of(("disable", i)), no_node) for i, path in named if path not in nodes]
        _prune(document["tree"], "", frozenset(path for _, path in named))
        if not document["tree"]["children"]:
            faults.append(Violation("$.disable", "nothing is left to measure; leave at least one measurement in"))
    return faults


def _unknown_keys(value: dict[str, Any], field: str, known: Collection[str], message: str) -> list[Violation]:
    given = value.get(field)
    keys = [str(key) for key in given] if isinstance(given, dict) else []
    return [Violation(path_of((field, key)), message) for key in keys if key not in known]


def changed_document(base: dict[str, Any], changes: PolicyChanges) -> dict[str, Any]:
    """Return the policy document `base` with the changes, which `read_changes` found to name what it has."""
    document = copy.deepcopy(base)
    document["name"] = changes.name
    if changes.terminology_reading is not None:
        document["terminology_reading"] = changes.terminology_reading
        _read_terminology(document, changes.terminology_reading)
    by_path = dict(_walk(document["tree"]))
    for path, weight in changes.weights.items():
        by_path[path]["weight"] = weight
    for path, target in changes.targets.items():
        by_path[path]["target"] = None if target is None else _micros(target)
    for path, comparator in changes.comparators.items():
        by_path[path]["comparator"] = comparator
    for path, effect in changes.on_absence.items():
        by_path[path]["on_absence"] = effect
    document["flag_effects"] = {**document["flag_effects"], **changes.flags}
    document["judge_models"] = {**document["judge_models"], **changes.judge_models}
    if changes.bar is not None:
        document["bar"] = {"value": _micros(changes.bar.value), "comparator": changes.bar.comparator}
    for field in ("anonymisation", "retention_days", "open_on_ledger"):
        if field in changes.model_fields_set:
            document[field] = getattr(changes, field)
    _prune(document["tree"], "", frozenset(changes.disable))
    remaining = [child["name"] for child in document["tree"]["children"]]
    engines = {**document["engines"], **changes.engines}
    document["engines"] = {judge: engine for judge, engine in engines.items() if judge in remaining}
    return document


def _micros(share: Decimal) -> int:
    return int((share * MICRO).to_integral_value(rounding=ROUND_HALF_UP))


def _read_terminology(document: dict[str, Any], reading: Any) -> None:
    """Name the leaves of nlp_score after the reading that is scored."""
    names = _READINGS.get(reading, {}) if isinstance(reading, str) else {}
    for path, node in list(_walk(document["tree"])):
        if path.startswith(f"{_TERMINOLOGY}/"):
            node["name"] = names.get(node["name"], node["name"])


def _prune(node: dict[str, Any], prefix: str, disabled: frozenset[str]) -> None:
    """Take the disabled nodes out, and every group that is left empty; what is left of a harmonic mean stands alone."""
    kept = []
    for child in node["children"]:
        path = f"{prefix}{child['name']}"
        if path in disabled:
            continue
        _prune(child, f"{path}/", disabled)
        if child["op"] == "leaf" or child["children"]:
            kept.append(child)
    node["children"] = kept
    if node["op"] == "hmean" and len(kept) == 1:
        node["op"] = "mean"


def _walk(node: dict[str, Any], prefix: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    for child in node["children"]:
        path = f"{prefix}{child['name']}"
        yield path, child
        yield from _walk(child, f"{path}/")
