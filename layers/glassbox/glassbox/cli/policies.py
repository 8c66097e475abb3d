"""Finding a policy by its name or its file."""

from __future__ import annotations

from pathlib import Path

from glassbox.contract.policy import BUILT_IN, Policy, built_in, compile_policy
from glassbox.errors import PolicyInvalid, UsageError, Violation
from glassbox_contract.canonical import parse
from glassbox_contract.errors import ContractError


def find_policy(name: str) -> Policy:
    """Return a built-in policy by name or the policy in a file; raises UsageError or PolicyInvalid."""
    if name in BUILT_IN:
        return built_in(name)
    path = Path(name)
    if not path.suffix and not path.exists():
        return built_in(name)
    try:
        value = parse(path.read_bytes())
    except OSError as error:
        raise UsageError(
            error.strerror or type(error).__name__, where=name, fix=f"Name a file, or one of {', '.join(BUILT_IN)}"
        ) from None
    except ContractError as error:
        raise PolicyInvalid(
            "The policy is no JSON that can be read", where=name, violations=[Violation("$", error.reason)]
        ) from None
    try:
        return compile_policy(value)
    except PolicyInvalid as error:
        error.where = name
        raise
