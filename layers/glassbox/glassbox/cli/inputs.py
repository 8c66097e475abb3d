"""Reading requests: a JSON file, a file with one request a line, or standard input; all faults before any work."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from glassbox.cli.output import printable
from glassbox.contract.limits import FILE, Limits
from glassbox.contract.parsing import parse_request
from glassbox.contract.policy import BUILT_IN
from glassbox.contract.request import Request
from glassbox.errors import InputError, RequestInvalid, UsageError, Violation

MAX_LISTED = 20
LINES = (".jsonl", ".ndjson")
"""Endings of files that hold one request a line."""


@dataclass(frozen=True, slots=True)
class Input:
    """One request and where it came from."""

    where: str
    request: Request


@dataclass(frozen=True, slots=True)
class Refused:
    """One request that can't be evaluated, and why."""

    where: str
    error: InputError


@dataclass(frozen=True, slots=True)
class Batch:
    """Everything that a call was given, in its order, and whether it may hold more than one request."""

    items: tuple[Input | Refused, ...]
    many: bool

    @property
    def inputs(self) -> list[Input]:
        """The requests that can be evaluated."""
        return [item for item in self.items if isinstance(item, Input)]

    @property
    def refused(self) -> list[Refused]:
        """The requests that can't."""
        return [item for item in self.items if isinstance(item, Refused)]


def read_inputs(names: Sequence[str], limits: Limits = FILE) -> Batch:
    """Return the requests in files (`.jsonl`, `.ndjson`: one a line; `-`: standard input) and those that are refused.

    A file that can't be read, or holds no request, is refused like a request.
    """
    items: list[Input | Refused] = []
    many = len(names) > 1
    for name in names:
        try:
            bodies = list(_bodies(name))
        except UsageError as error:
            items.append(Refused(printable(name), error))
            continue
        many = many or len(bodies) > 1 or name.lower().endswith(LINES)
        items += [_read_one(where, data, limits) for where, data in bodies]
    return Batch(tuple(items), many)


def _read_one(where: str, data: bytes, limits: Limits) -> Input | Refused:
    try:
        request = parse_request(data, where=where, limits=limits)
    except RequestInvalid as error:
        return Refused(where, error)
    if request.policy is not None and request.policy not in BUILT_IN:
        # The name is the request's own text and is not repeated; only built-in names may come with a request.
        known = ", ".join(BUILT_IN)
        unknown = RequestInvalid(
            "The request has 1 fault",
            where=where,
            fix="Name a built-in policy, or leave it out and give a file with --policy",
            violations=[Violation("$.policy", f"no policy of that name; there are {known}")],
        )
        return Refused(where, unknown)
    return Input(where, request)


def _bodies(name: str) -> Iterator[tuple[str, bytes]]:
    data = _read(name)
    shown = "standard input" if name == "-" else printable(name)
    if not data.strip():
        raise UsageError("There is no request in it", where=shown, fix="Give one JSON request, or one a line")
    if name.lower().endswith(LINES) or (name == "-" and _is_lines(data)):
        for number, line in enumerate(data.split(b"\n"), start=1):
            if line.strip():
                yield f"{shown}:{number}", line
    else:
        yield shown, data


def _is_lines(data: bytes) -> bool:
    """Whether standard input holds one request a line: more than one line that begins and ends as an object."""
    lines = [line.strip() for line in data.splitlines() if line.strip()]
    return len(lines) > 1 and all(line.startswith(b"{") and line.endswith(b"}") for line in lines)


def _read(name: str) -> bytes:
    if name == "-":
        # A closed standard input is replaced by an empty text stream, which has no bytes beneath it.
        binary = getattr(sys.stdin, "buffer", None)
        return b"" if binary is None else bytes(binary.read())
    try:
        return Path(name).read_bytes()
    except IsADirectoryError:
        raise UsageError("This is a folder", where=printable(name), fix="Name the request files in it") from None
    except (OSError, ValueError) as error:
        what = getattr(error, "strerror", None) or type(error).__name__
        raise UsageError(what, where=printable(name), fix="Check the path") from None


def refusal(refused: Iterable[Refused]) -> InputError:
    """Return one error that lists every fault of every refused request, at most 20 requests by name."""
    every = list(refused)
    if len(every) == 1:
        return every[0].error
    listed = [
        violation
        for one in every[:MAX_LISTED]
        for violation in (
            [Violation(f"{one.where} {v.path}", v.message) for v in one.error.violations]
            or [Violation(one.where, one.error.what)]
        )
    ]
    more = f", {len(every) - MAX_LISTED} of them not listed" if len(every) > MAX_LISTED else ""
    return RequestInvalid(
        f"{len(every)} requests can't be evaluated{more}; nothing was evaluated",
        where=f"{every[0].where} and others",
        fix="Correct them, or evaluate the others with --skip-invalid",
        violations=listed,
    )
