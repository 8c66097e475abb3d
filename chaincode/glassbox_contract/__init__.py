"""The rules of the GlassBox ledger: the library that builds records and every ledger that keeps them run this code."""

from __future__ import annotations

from glassbox_contract.build import build_record
from glassbox_contract.canonical import (
    canonical_bytes,
    digest,
    digest_bytes,
    hmac_digest,
    parse,
    parse_canonical,
)
from glassbox_contract.conclusion import Conclusion, conclude
from glassbox_contract.contract import Response, call, invoke
from glassbox_contract.default_policy import default_policy
from glassbox_contract.errors import CanonicalError, ContractError
from glassbox_contract.fold import Claims, Leaf, NodeResult, fold
from glassbox_contract.policy import Policy, parse_policy
from glassbox_contract.policy_tree import Node, parse_tree, walk
from glassbox_contract.record import validate_record
from glassbox_contract.stub import Creator, Modification, Stub

__all__ = [
    "CanonicalError",
    "Claims",
    "Conclusion",
    "ContractError",
    "Creator",
    "Leaf",
    "Modification",
    "Node",
    "NodeResult",
    "Policy",
    "Response",
    "Stub",
    "build_record",
    "call",
    "canonical_bytes",
    "conclude",
    "default_policy",
    "digest",
    "digest_bytes",
    "fold",
    "hmac_digest",
    "invoke",
    "parse",
    "parse_canonical",
    "parse_policy",
    "parse_tree",
    "validate_record",
    "walk",
]
