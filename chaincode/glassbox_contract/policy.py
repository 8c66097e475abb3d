"""The policy document: what is measured, how it is weighed, what passes. Its digest stands in every record."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, Literal

from glassbox_contract import checks
from glassbox_contract.arithmetic import MICRO, Comparator
from glassbox_contract.canonical import canonical_bytes, digest_bytes, parse_canonical
from glassbox_contract.errors import ContractError, names, pointer
from glassbox_contract.policy_tree import COMPARATORS, Node, parse_tree, walk

Effect = Literal["fail", "inconclusive", "review", "info"]
Engine = Literal["auto", "local", "llm"]

SCHEMA_VERSION: Final = "1"
EFFECTS: Final[tuple[Effect, ...]] = ("fail", "inconclusive", "review", "info")
ENGINES: Final[tuple[Engine, ...]] = ("auto", "local", "llm")
TERMINOLOGY_READINGS: Final = ("aligned", "document")
DERIVED_FLAGS: Final = ("below_target", "contradicted_claim")
"""Flags that the contract counts itself; every policy says what they effect."""

MAX_POLICY_BYTES: Final = 65_536
MAX_FLAGS: Final = 64
MAX_MODELS: Final = 32
MAX_RETENTION_DAYS: Final = 36_525

POLICY_FIELDS: Final = (
    "schema_version",
    "name",
    "tree",
    "bar",
    "flag_effects",
    "engines",
    "judge_models",
    "terminology_reading",
    "anonymisation",
    "retention_days",
    "open_on_ledger",
)
POLICY_NAME: Final = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")
_ANONYMISATION: Final = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")
_MODEL: Final = re.compile(r"[\x21-\x7e]{1,200}")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Policy:
    """A validated policy; ``document`` is its JSON value and ``digest`` the digest of that."""

    document: Mapping[str, Any]
    digest: str
    name: str
    tree: Node
    bar: int
    comparator: Comparator
    flag_effects: Mapping[str, Effect]
    engines: Mapping[str, Engine]
    open_on_ledger: bool

    @property
    def judges(self) -> tuple[str, ...]:
        """Names of the judges, in the tree's order."""
        return tuple(judge.name for judge in self.tree.children)

    @property
    def nodes(self) -> dict[str, Node]:
        """Every node by path, parents before children."""
        return dict(walk(self.tree))

    @property
    def leaves(self) -> dict[str, Node]:
        """Every leaf by path."""
        return {path: node for path, node in walk(self.tree) if node.op == "leaf"}


def parse_policy(document: Any) -> Policy:
    """Return the policy in a JSON value; raises ContractError naming the first field that breaks the schema."""
    raw = checks.fields(document, POLICY_FIELDS, "")
    if raw["schema_version"] != SCHEMA_VERSION:
        raise ContractError("INVALID", f"must be {SCHEMA_VERSION}", "/schema_version")
    data = canonical_bytes(raw)
    if len(data) > MAX_POLICY_BYTES:
        raise ContractError("INVALID", f"a policy has at most {MAX_POLICY_BYTES} bytes")
    # The caller's object may change later; the policy keeps its own copy. A float is refused on the way.
    raw = parse_canonical(data)
    name = checks.text(raw["name"], "/name", POLICY_NAME, "1 to 64 of a-z, 0-9, . _ -")
    tree = parse_tree(raw["tree"], "/tree")
    bar = checks.fields(raw["bar"], ("value", "comparator"), "/bar")
    policy = Policy(
        document=MappingProxyType(raw),
        digest=digest_bytes(data),
        name=name,
        tree=tree,
        bar=checks.integer(bar["value"], "/bar/value", 0, MICRO),
        comparator=checks.choice(bar["comparator"], "/bar/comparator", COMPARATORS),
        flag_effects=MappingProxyType(_flag_effects(raw["flag_effects"])),
        engines=MappingProxyType(_engines(raw["engines"], tree)),
        open_on_ledger=checks.boolean(raw["open_on_ledger"], "/open_on_ledger"),
    )
    _check_client_settings(raw)
    return policy


def policy_bytes(policy: Policy) -> bytes:
    """Return the canonical bytes of a policy, as registered on the ledger."""
    return canonical_bytes(dict(policy.document))


def _mapping(value: Any, path: str, most: int) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ContractError("INVALID", "must be an object", path)
    if len(value) > most:
        raise ContractError("INVALID", f"more than {most} entries", path)
    for key in value:
        checks.text(key, path + pointer(key), checks.NAME, "named with 1 to 64 of a-z, 0-9, _")
    return value


def _flag_effects(value: Any) -> dict[str, Effect]:
    raw = _mapping(value, "/flag_effects", MAX_FLAGS)
    if missing := set(DERIVED_FLAGS) - raw.keys():
        raise ContractError("INCOMPLETE", f"missing: {names(missing)}", "/flag_effects")
    return {code: checks.choice(raw[code], "/flag_effects" + pointer(code), EFFECTS) for code in sorted(raw)}


def _engines(value: Any, tree: Node) -> dict[str, Engine]:
    judges = sorted(judge.name for judge in tree.children)
    raw = checks.fields(value, judges, "/engines")
    return {judge: checks.choice(raw[judge], "/engines" + pointer(judge), ENGINES) for judge in judges}


def _check_client_settings(raw: Mapping[str, Any]) -> None:
    """Check what the client acts on and the contract only keeps."""
    for key, model in _mapping(raw["judge_models"], "/judge_models", MAX_MODELS).items():
        checks.text(model, "/judge_models" + pointer(key), _MODEL, "1 to 200 printable ASCII characters, no space")
    checks.choice(raw["terminology_reading"], "/terminology_reading", TERMINOLOGY_READINGS)
    if raw["anonymisation"] is not None:
        checks.text(raw["anonymisation"], "/anonymisation", _ANONYMISATION, "null or 1 to 64 of a-z, 0-9, . _ -")
    checks.integer(raw["retention_days"], "/retention_days", 1, MAX_RETENTION_DAYS)
