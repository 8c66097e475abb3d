"""The policy: which judges run, what they weigh, what they must reach; its digest stands in every scorecard.

A policy file is either the whole canonical document or a few changes to a known policy::

    {"name": "clinic", "extends": "default",
     "targets": {"semantic_faithfulness/faithfulness": 0.97}, "disable": ["structural_fidelity/relation_faithfulness"]}
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from decimal import ROUND_HALF_UP, Decimal
from functools import cached_property
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError

from glassbox.contract.measurement import Effect, Frozen
from glassbox.errors import PolicyInvalid, UsageError, Violation
from glassbox_contract.arithmetic import MICRO
from glassbox_contract.default_policy import default_policy
from glassbox_contract.errors import ContractError
from glassbox_contract.policy import Policy as ContractPolicy
from glassbox_contract.policy import parse_policy
from glassbox_contract.policy_tree import ROOT, Node

Engine = Literal["auto", "local", "llm"]
Comparator = Literal[">", ">="]
Share = Annotated[Decimal, Field(ge=0, le=1)]

BUILT_IN = ("default", "strict", "no-models", "document-reading")
"""Names of the policies that come with GlassBox."""

_FIX = "Correct the paths listed; `glassbox policy show default --json` prints a whole policy to start from"


class Bar(Frozen):
    """The overall pass bar on the trust score."""

    value: Share
    comparator: Comparator = ">="


class PolicyChanges(Frozen):
    """A policy written as changes to another one; every path names a node of that policy's tree."""

    name: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_.-]{0,63}$")]
    extends: str
    disable: tuple[str, ...] = ()
    """Nodes to take out of the tree: a judge, a group or a single measurement."""
    weights: dict[str, Annotated[int, Field(ge=1, le=MICRO)]] = Field(default_factory=dict)
    targets: dict[str, Share | None] = Field(default_factory=dict)
    """Targets as decimals; null takes a target away."""
    comparators: dict[str, Comparator] = Field(default_factory=dict)
    on_absence: dict[str, Literal["inconclusive", "renormalise"]] = Field(default_factory=dict)
    bar: Bar | None = None
    flags: dict[str, Effect] = Field(default_factory=dict)
    """Effects of flags that differ from the policy extended."""
    engines: dict[str, Engine] = Field(default_factory=dict)
    judge_models: dict[str, str] = Field(default_factory=dict)
    terminology_reading: Literal["aligned", "document"] | None = None
    anonymisation: str | None = None
    retention_days: Annotated[int, Field(ge=1, le=36_500)] | None = None
    open_on_ledger: bool | None = None


class Policy:
    """A compiled policy: the canonical document that is registered on the ledger, with questions answered about it."""

    def __init__(self, document: Any) -> None:
        try:
            self.contract: ContractPolicy = parse_policy(document)
        except ContractError as error:
            path = "$" + error.path.replace("/", ".")
            raise PolicyInvalid(
                "The policy breaks the contract",
                where="policy",
                fix=_FIX,
                violations=[Violation(path, error.reason)],
            ) from None

    @property
    def document(self) -> dict[str, Any]:
        """A copy of the canonical document (JSON without floats)."""
        return copy.deepcopy(dict(self.contract.document))

    @property
    def digest(self) -> str:
        """`sha256:` and the hex digest of the canonical document."""
        return self.contract.digest

    @property
    def name(self) -> str:
        """The policy's own name."""
        return self.contract.name

    @property
    def judges(self) -> tuple[str, ...]:
        """Names of the enabled judges, in the tree's order."""
        return self.contract.judges

    @property
    def terminology_reading(self) -> str:
        """`aligned` or `document`: which reading of BLEU and ROUGE is scored."""
        return str(self.contract.document["terminology_reading"])

    def engine(self, judge: str) -> str:
        """Return `auto`, `local` or `llm` for a judge."""
        return self.contract.engines.get(judge, "auto")

    @cached_property
    def nodes(self) -> dict[str, Node]:
        """Every node below the root by its path, such as `semantic_faithfulness/faithfulness`."""
        return {path: node for path, node in self.contract.nodes.items() if path != ROOT}

    def enabled(self, path: str) -> bool:
        """Return whether the tree has a node at that path."""
        return path in self.nodes

    def target(self, path: str) -> int | None:
        """Return the target at that path in micros, or None where there is none or the node is off."""
        node = self.nodes.get(path)
        return None if node is None else node.target

    def comparator(self, path: str) -> Comparator:
        """Return the comparator of the node at that path; raises KeyError for a node that is off."""
        return self.nodes[path].comparator

    def effect(self, code: str) -> str:
        """Return what a flag does: fail, inconclusive, review or info; raises KeyError for an unknown code."""
        return self.contract.flag_effects[code]

    def with_engine(self, engine: Engine) -> Policy:
        """Return this policy with every judge bound to one engine; another digest unless it was so already."""
        document = self.document
        document["engines"] = dict.fromkeys(document["engines"], engine)
        return Policy(document)


def compile_policy(value: Any, known: Mapping[str, Policy] | None = None) -> Policy:
    """Return the policy in a JSON value, a whole document or changes; raises PolicyInvalid naming every path."""
    if not isinstance(value, dict):
        raise PolicyInvalid("A policy is a JSON object", fix=_FIX, violations=[Violation("$", "must be an object")])
    if "tree" in value:
        return Policy(value)
    try:
        changes = PolicyChanges.model_validate(value)
    except ValidationError as error:
        violations = [Violation("$" + "".join(f".{p}" for p in e["loc"]), _plain(e)) for e in error.errors()]
        raise PolicyInvalid(
            f"The policy has {len(violations)} faults", where="policy", fix=_FIX, violations=violations
        ) from None
    return apply_changes((known or {}).get(changes.extends) or built_in(changes.extends), changes)


def _plain(error: Any) -> str:
    return "unknown field" if error["type"] == "extra_forbidden" else str(error["msg"])


def built_in(name: str) -> Policy:
    """Return a policy that comes with GlassBox; raises UsageError for another name."""
    if name not in BUILT_IN:
        raise UsageError(
            f"There is no policy named {name!r}",
            where="--policy",
            fix=f"Use one of {', '.join(BUILT_IN)}, or the path of a policy file",
        )
    base = Policy(default_policy())
    changes = _CHANGES.get(name)
    return base if changes is None else apply_changes(base, PolicyChanges.model_validate(changes))


_CHANGES: dict[str, dict[str, Any]] = {
    # Any missed target fails, and so does anything that a person would have to look at.
    "strict": {
        "name": "strict",
        "extends": "default",
        "bar": {"value": "0.9"},
        "flags": {"below_target": "fail", "novel_entity": "fail", "novel_relation": "fail"},
    },
    # Only what needs no model: words, numbers and literal evidence.
    "no-models": {
        "name": "no-models",
        "extends": "default",
        "disable": [
            "contextual_precision",
            "semantic_faithfulness",
            "structural_fidelity/entity_precision",
            "structural_fidelity/relation_faithfulness",
        ],
    },
    # BLEU and ROUGE against whole documents, as the seed's formula reads literally.
    "document-reading": {"name": "document-reading", "extends": "default", "terminology_reading": "document"},
}


def apply_changes(base: Policy, changes: PolicyChanges) -> Policy:
    """Return `base` with the changes; raises PolicyInvalid for a path that its tree does not have."""
    document = base.document
    document["name"] = changes.name
    _check_paths(base, changes)
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
    document["engines"] = {**document["engines"], **changes.engines}
    document["judge_models"] = {**document["judge_models"], **changes.judge_models}
    if changes.bar is not None:
        document["bar"] = {"value": _micros(changes.bar.value), "comparator": changes.bar.comparator}
    for field in ("anonymisation", "retention_days", "open_on_ledger"):
        if field in changes.model_fields_set:
            document[field] = getattr(changes, field)
    if changes.terminology_reading is not None:
        document["terminology_reading"] = changes.terminology_reading
        _read_terminology(by_path, changes.terminology_reading)
    _prune(document["tree"], "", frozenset(changes.disable))
    remaining = {child["name"] for child in document["tree"]["children"]}
    document["engines"] = {judge: engine for judge, engine in document["engines"].items() if judge in remaining}
    return Policy(document)


def _check_paths(base: Policy, changes: PolicyChanges) -> None:
    faults = [
        Violation(f"$.{field}", f"{path!r} is no node of the policy {base.name!r}")
        for field in ("disable", "weights", "targets", "comparators", "on_absence")
        for path in getattr(changes, field)
        if path not in base.nodes
    ]
    faults += [
        Violation("$.engines", f"{judge!r} is no judge of the policy {base.name!r}")
        for judge in changes.engines
        if judge not in base.judges
    ]
    if faults:
        raise PolicyInvalid(f"The policy has {len(faults)} faults", where="policy", fix=_FIX, violations=faults)


def _micros(share: Decimal) -> int:
    return int((share * MICRO).to_integral_value(rounding=ROUND_HALF_UP))


def _read_terminology(by_path: dict[str, dict[str, Any]], reading: str) -> None:
    """Name the two leaves of nlp_score after the reading that is scored."""
    node = by_path.get("structural_fidelity/nlp_score")
    if node is not None:
        names = ("aligned_bleu_4", "aligned_rouge_l") if reading == "aligned" else ("bleu_4", "rouge_l")
        for child, name in zip(node["children"], names, strict=True):
            child["name"] = name


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
