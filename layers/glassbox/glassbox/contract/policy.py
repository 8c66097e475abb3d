"""The policy: which judges run, what they weigh, what they must reach; its digest stands in every scorecard.

A policy file is either the whole canonical document (`contract.policy_document`) or a few changes to a known policy
(`contract.policy_changes`).
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

from glassbox.contract.faults import counted, ordered, path_of, pointer_location
from glassbox.contract.policy_changes import Comparator, Engine, PolicyChanges, changed_document, read_changes
from glassbox.contract.policy_document import document_faults
from glassbox.errors import PolicyInvalid, UsageError, Violation
from glassbox_contract.default_policy import default_policy
from glassbox_contract.errors import ContractError
from glassbox_contract.policy import Policy as ContractPolicy
from glassbox_contract.policy import parse_policy
from glassbox_contract.policy_tree import ROOT, Node

BUILT_IN = ("default", "strict", "no-models", "document-reading")
"""Names of the policies that come with GlassBox."""

_FIX = "Correct the paths listed; `glassbox policy show default --json` prints a whole policy to start from"


class Policy:
    """A compiled policy: the canonical document that is registered on the ledger, with questions answered about it."""

    def __init__(self, document: Any) -> None:
        try:
            self.contract: ContractPolicy = parse_policy(document)
        except ContractError as error:
            path = path_of(pointer_location(error.path))
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

    def judge_model(self, judge: str) -> str | None:
        """Return the identity of the judge model that a judge is bound to, None where the policy names none."""
        model = self.contract.document["judge_models"].get(judge)
        return None if model is None else str(model)

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

    def with_engines(self, engines: Mapping[str, Engine]) -> Policy:
        """Return this policy with judges bound to engines; another digest unless they were so already."""
        document = self.document
        document["engines"] = {**document["engines"], **engines}
        return Policy(document)

    def with_judge_model(self, judges: Iterable[str], identity: str) -> Policy:
        """Return this policy with judges bound to the `llm` engine and to one judge model.

        Another digest unless they were so already; raises PolicyInvalid for an identity that a policy can't hold.
        """
        document, bound = self.document, list(judges)
        document["engines"] = {**document["engines"], **dict.fromkeys(bound, "llm")}
        document["judge_models"] = {**document["judge_models"], **dict.fromkeys(bound, identity)}
        return Policy(document)


def compile_policy(value: Any, known: Mapping[str, Policy] | None = None) -> Policy:
    """Return the policy in a JSON value, a whole document or changes to a policy that is `known` or built in.

    Raises PolicyInvalid naming every path; a policy may bear a built-in name only if it has that policy's digest.
    """
    if not isinstance(value, dict):
        raise _invalid([Violation("$", "must be an object")])
    if "tree" in value:
        faults, document = document_faults(value), value
    else:
        faults, document = _changed(value, known or {})
    if faults:
        raise _invalid([*faults, *_borrowed_name(value.get("name"), None)])
    policy = Policy(document)
    if borrowed := _borrowed_name(policy.name, policy.digest):
        raise _invalid(borrowed)
    return policy


def _changed(value: dict[str, Any], known: Mapping[str, Policy]) -> tuple[list[Violation], dict[str, Any]]:
    """Return the faults of a policy written as changes, and the document it makes where there are none."""
    extends = value.get("extends")
    names = [*BUILT_IN, *(name for name in known if name not in BUILT_IN)]
    if isinstance(extends, str) and extends in names:
        base = (known.get(extends) or built_in(extends)).document
        changes, faults = read_changes(value, base)
        return faults, {} if changes is None else changed_document(base, changes)
    # Without a base the paths are checked against the default policy, the one with every judge.
    _, faults = read_changes(value, default_policy())
    if isinstance(extends, str):
        faults.append(Violation("$.extends", f"no policy of that name; there are {', '.join(names)}"))
    return faults, {}


def _borrowed_name(name: Any, digest: str | None) -> list[Violation]:
    """A scorecard shows the policy's name, so a built-in name must not stand for other content."""
    if not isinstance(name, str) or name not in BUILT_IN or built_in(name).digest == digest:
        return []
    return [Violation("$.name", f"{name} is a built-in policy with other content; choose another name")]


def _invalid(faults: list[Violation]) -> PolicyInvalid:
    violations = ordered(faults)
    return PolicyInvalid(counted("policy", len(violations)), where="policy", fix=_FIX, violations=violations)


def built_in(name: str) -> Policy:
    """Return a policy that comes with GlassBox; raises UsageError for another name."""
    if name not in BUILT_IN:
        raise UsageError(
            "No built-in policy has that name",
            where="policy",
            fix=f"Use one of {', '.join(BUILT_IN)}, or the path of a policy file",
        )
    changes = _CHANGES.get(name)
    document = default_policy()
    return Policy(document if changes is None else changed_document(document, PolicyChanges.model_validate(changes)))


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
