"""Finding a policy by its name or its file."""

from __future__ import annotations

from pathlib import Path

from glassbox.cli.output import printable
from glassbox.contract.faults import counted
from glassbox.contract.json_text import read_json
from glassbox.contract.policy import BUILT_IN, Policy, built_in, compile_policy
from glassbox.errors import PolicyInvalid, UsageError


def find_policy(name: str) -> Policy:
    """Return a built-in policy by name or the policy in a file; raises UsageError or PolicyInvalid."""
    if name in BUILT_IN:
        return built_in(name)
    shown = printable(name)
    reading = read_json(_read(name, shown))
    if reading.faults:
        raise PolicyInvalid(
            counted("policy", len(reading.faults)),
            where=shown,
            fix="Correct the places listed; a policy is one JSON object in UTF-8",
            violations=reading.faults,
        )
    try:
        return compile_policy(reading.value)
    except PolicyInvalid as error:
        error.where = shown
        raise


def _read(name: str, shown: str) -> bytes:
    known = f"Name a file, or one of {', '.join(BUILT_IN)}"
    try:
        return Path(name).read_bytes()
    except (FileNotFoundError, NotADirectoryError, ValueError):
        raise UsageError("There is neither a built-in policy nor a file of that name", where=shown, fix=known) from None
    except OSError as error:
        raise UsageError(error.strerror or type(error).__name__, where=shown, fix=known) from None
