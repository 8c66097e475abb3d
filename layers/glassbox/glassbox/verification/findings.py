"""What a verification says: each check that was made, and each difference by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

MAX_FINDINGS = 500
"""How many differences of one comparison are listed; more are counted."""

_SHOWN = 72


@dataclass(frozen=True, slots=True)
class Finding:
    """One difference: a stable code, the JSON Pointer of the place, and what was expected and found there."""

    code: str
    path: str
    message: str
    expected: str | None = None
    found: str | None = None

    def to_json(self) -> dict[str, str | None]:
        """Return the finding as a JSON object."""
        return {
            "code": self.code,
            "path": self.path,
            "message": self.message,
            "expected": self.expected,
            "found": self.found,
        }


@dataclass(slots=True)
class Verification:
    """The outcome of checking one bundle."""

    evaluation_id: str
    checks: list[str] = field(default_factory=list)
    """What was checked, in words."""
    not_checked: list[str] = field(default_factory=list)
    """What was not, and why."""
    warnings: list[str] = field(default_factory=list)
    """What is no difference, and a reader has to know all the same."""
    findings: list[Finding] = field(default_factory=list)
    erased: bool = False
    """Whether the content was erased on purpose, so that only the record can be checked."""

    @property
    def verdict(self) -> str:
        """`intact`, `differs`, or `erased`."""
        if self.findings:
            return "differs"
        return "erased" if self.erased else "intact"

    def add(self, code: str, path: str, message: str, expected: Any = None, found: Any = None) -> None:
        """Note a difference; texts are shown by their length only."""
        self.findings.append(Finding(code, path, message, shown(expected), shown(found)))

    def to_json(self) -> dict[str, Any]:
        """Return the verification as a JSON object."""
        return {
            "evaluation_id": self.evaluation_id,
            "verdict": self.verdict,
            "checks": self.checks,
            "not_checked": self.not_checked,
            "warnings": self.warnings,
            "findings": [f.to_json() for f in self.findings],
        }


def shown(value: Any) -> str | None:
    """Return how a value appears in a finding: numbers, codes and digests as they are, texts by their length only."""
    if value is None:
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, str):
        plain = value.isascii() and value.isprintable() and " " not in value and len(value) <= _SHOWN
        return value if plain else f"text of {len(value)} characters"
    if isinstance(value, Mapping):
        return f"object of {len(value)} members"
    if isinstance(value, list | tuple):
        return f"array of {len(value)} items"
    return type(value).__name__


MISSING = object()


def differences(expected: Any, found: Any, path: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Yield (JSON Pointer, expected, found) for every place where two JSON values differ; MISSING marks an absence."""
    stack: list[tuple[str, Any, Any]] = [(path, expected, found)]
    while stack:
        where, a, b = stack.pop()
        if isinstance(a, Mapping) and isinstance(b, Mapping):
            for key in sorted(a.keys() | b.keys(), reverse=True):
                token = key.replace("~", "~0").replace("/", "~1")
                stack.append((f"{where}/{token}", a.get(key, MISSING), b.get(key, MISSING)))
        elif isinstance(a, list | tuple) and isinstance(b, list | tuple):
            longest = max(len(a), len(b))
            for i in range(longest - 1, -1, -1):
                stack.append((f"{where}/{i}", a[i] if i < len(a) else MISSING, b[i] if i < len(b) else MISSING))
        elif not _same(a, b):
            yield where, a, b


def _same(a: Any, b: Any) -> bool:
    """JSON equality: true is not 1; 1 and 1.0 are the same number, as canonical JSON writes them the same."""
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    return bool(a == b) and (type(a) is type(b) or isinstance(a, int | float))


def compare(verification: Verification, code: str, expected: Any, found: Any, path: str, message: str) -> None:
    """Note every difference between two JSON values, at most 500 by name."""
    for count, (where, a, b) in enumerate(differences(expected, found, path)):
        if count == MAX_FINDINGS:
            verification.add(code, path, f"{message}; more than {MAX_FINDINGS} differences, the rest is not listed")
            return
        if a is MISSING:
            verification.add(code, where, f"{message}: not expected here", None, b)
        elif b is MISSING:
            verification.add(code, where, f"{message}: missing here", a, None)
        else:
            verification.add(code, where, message, a, b)
