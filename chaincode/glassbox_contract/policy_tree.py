"""The policy's tree: which measurements exist, what each weighs, what it must reach.

A path is the names from below the root down to a node, joined by "/"; the root's own path is "trust". The children of
the root are the judges. Besides record.md's fields a leaf names its ``basis``, what its number is computed from, so
that the contract recomputes every leaf without knowing any judge by name:

========  ====================================================================
bits      average precision over relevance bits in rank order
claims    supported / (supported + contradicted + unsupported)
ratio     num / den
value     a float of a library, rounded once by the client; taken as it is
========  ====================================================================
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from glassbox_contract import checks
from glassbox_contract.arithmetic import MAX_WEIGHT, MICRO, Comparator
from glassbox_contract.errors import ContractError, pointer

Op = Literal["leaf", "mean", "hmean"]
OnAbsence = Literal["inconclusive", "renormalise"]
Basis = Literal["bits", "claims", "ratio", "value"]

OPS: Final[tuple[Op, ...]] = ("leaf", "mean", "hmean")
COMPARATORS: Final[tuple[Comparator, ...]] = (">", ">=")
ON_ABSENCE: Final[tuple[OnAbsence, ...]] = ("inconclusive", "renormalise")
BASES: Final[tuple[Basis, ...]] = ("bits", "claims", "ratio", "value")

ROOT: Final = "trust"
MAX_LEVELS: Final = 8
"""Most nodes on the way from the root to a leaf, both included."""
MAX_NODES: Final = 200

NODE_FIELDS: Final = ("name", "op", "weight", "target", "comparator", "on_absence", "basis", "children")


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """One node; ``target`` in micros or None, ``basis`` None but for a leaf."""

    name: str
    op: Op
    weight: int = 1
    target: int | None = None
    comparator: Comparator = ">="
    on_absence: OnAbsence = "inconclusive"
    basis: Basis | None = None
    children: tuple[Node, ...] = field(default=())

    def to_json(self) -> dict[str, Any]:
        """Return the node as the JSON object that `parse_tree` reads."""
        return {
            "name": self.name,
            "op": self.op,
            "weight": self.weight,
            "target": self.target,
            "comparator": self.comparator,
            "on_absence": self.on_absence,
            "basis": self.basis,
            "children": [child.to_json() for child in self.children],
        }


def leaf(name: str, basis: Basis, weight: int = 1, *, over: int | None = None) -> Node:
    """Return a leaf; ``over`` is a target in micros that has to be exceeded."""
    return Node(name=name, op="leaf", basis=basis, weight=weight, target=over, comparator=">=" if over is None else ">")


def walk(tree: Node) -> Iterator[tuple[str, Node]]:
    """Yield (path, node) for every node, parents before children, siblings in the tree's order."""
    stack = [(ROOT, tree)]
    while stack:
        path, node = stack.pop()
        yield path, node
        stack.extend((join(path, child.name), child) for child in reversed(node.children))


def join(parent: str, name: str) -> str:
    """Return the path of the child ``name`` of the node at ``parent``."""
    return name if parent == ROOT else f"{parent}/{name}"


def parse_tree(value: Any, path: str = "") -> Node:
    """Return the tree in a JSON value; raises ContractError naming the first field that breaks a rule.

    Rules: exact fields; names ``[a-z0-9_]{1,64}``, different among siblings, no judge called "trust"; weights
    1..1_000_000; at most 8 levels and 200 nodes; a leaf has a basis and no children, a mean at least one child, a
    harmonic mean exactly two; the root is a mean called "trust" without a target, whose absences its judges decide.
    """
    count = [0]
    root = _parse(value, path, 1, count)
    if root.name != ROOT or root.op != "mean":
        raise ContractError("INVALID", "the root must be a mean called trust", path)
    if root.target is not None or root.on_absence != "inconclusive" or root.weight != 1:
        raise ContractError("INVALID", "the root has weight 1, no target, and on_absence inconclusive", path)
    if any(judge.name == ROOT for judge in root.children):
        raise ContractError("INVALID", "a judge may not be called trust", path + pointer("children"))
    return root


def _parse(value: Any, path: str, level: int, count: list[int]) -> Node:
    count[0] += 1
    if level > MAX_LEVELS:
        raise ContractError("INVALID", f"more than {MAX_LEVELS} levels", path)
    if count[0] > MAX_NODES:
        raise ContractError("INVALID", f"more than {MAX_NODES} nodes", path)
    raw = checks.fields(value, NODE_FIELDS, path)
    name = checks.text(raw["name"], path + "/name", checks.NAME, "1 to 64 of a-z, 0-9, _")
    op = checks.choice(raw["op"], path + "/op", OPS)
    target, basis = raw["target"], raw["basis"]
    children = [
        _parse(child, path + pointer("children", at), level + 1, count)
        for at, child in enumerate(checks.listing(raw["children"], path + "/children", MAX_NODES))
    ]
    _check_shape(op, basis, children, path)
    return Node(
        name=name,
        op=op,
        weight=checks.integer(raw["weight"], path + "/weight", 1, MAX_WEIGHT),
        target=None if target is None else checks.integer(target, path + "/target", 0, MICRO),
        comparator=checks.choice(raw["comparator"], path + "/comparator", COMPARATORS),
        on_absence=checks.choice(raw["on_absence"], path + "/on_absence", ON_ABSENCE),
        basis=None if basis is None else checks.choice(basis, path + "/basis", BASES),
        children=tuple(children),
    )


def _check_shape(op: Op, basis: Any, children: list[Node], path: str) -> None:
    if (op == "leaf") != (basis is not None):
        raise ContractError("INVALID", "a leaf has a basis, another node has none", path + "/basis")
    fits = {"leaf": not children, "mean": bool(children), "hmean": len(children) == 2}[op]
    if not fits:
        raise ContractError("INVALID", f"wrong number of children for {op}", path + "/children")
    if len({child.name for child in children}) != len(children):
        raise ContractError("INVALID", "two children have one name", path + "/children")
