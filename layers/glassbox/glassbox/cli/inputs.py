"""Reading requests: a JSON file, a file with one request a line, or standard input; all faults before any work."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from glassbox.contract.limits import FILE, Limits
from glassbox.contract.parsing import parse_request
from glassbox.contract.request import Request
from glassbox.errors import InputError, RequestInvalid, UsageError

MAX_LISTED = 20


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


def read_inputs(names: Sequence[str], limits: Limits = FILE) -> tuple[list[Input], list[Refused]]:
    """Return the requests in files (`.jsonl`: one a line; `-`: standard input) and those that are refused.

    Raises UsageError for a file that can't be read.
    """
    inputs: list[Input] = []
    refused: list[Refused] = []
    for name in names:
        for where, data in _bodies(name):
            try:
                inputs.append(Input(where, parse_request(data, where=where, limits=limits)))
            except RequestInvalid as error:
                refused.append(Refused(where, error))
    return inputs, refused


def _bodies(name: str) -> Iterator[tuple[str, bytes]]:
    data = _read(name)
    shown = "standard input" if name == "-" else name
    if name.endswith(".jsonl") or (name == "-" and _is_lines(data)):
        for number, line in enumerate(data.split(b"\n"), start=1):
            if line.strip():
                yield f"{shown}:{number}", line
    elif data.strip():
        yield shown, data
    else:
        raise UsageError("There is nothing in it", where=shown, fix="Give one JSON request, or one a line")


def _is_lines(data: bytes) -> bool:
    """Whether standard input holds one request a line: more than one line that begins and ends as an object."""
    lines = [line.strip() for line in data.splitlines() if line.strip()]
    return len(lines) > 1 and all(line.startswith(b"{") and line.endswith(b"}") for line in lines)


def _read(name: str) -> bytes:
    if name == "-":
        return sys.stdin.buffer.read()
    path = Path(name)
    try:
        return path.read_bytes()
    except IsADirectoryError:
        raise UsageError("This is a folder", where=name, fix="Name the request files in it") from None
    except OSError as error:
        raise UsageError(error.strerror or type(error).__name__, where=name, fix="Check the path") from None


def refusal(refused: Iterable[Refused]) -> RequestInvalid:
    """Return one error that lists every fault of every refused request, at most 20 requests by name."""
    every = list(refused)
    violations = [v for r in every[:MAX_LISTED] for v in r.error.violations]
    if len(every) == 1:
        return RequestInvalid(every[0].error.what, where=every[0].where, fix=every[0].error.fix, violations=violations)
    listed = [type(v)(f"{r.where} {v.path}", v.message) for r in every[:MAX_LISTED] for v in r.error.violations]
    return RequestInvalid(
        f"{len(every)} requests can't be evaluated; nothing was evaluated",
        where=f"{every[0].where} and others",
        fix="Correct them, or evaluate the others with --skip-invalid",
        violations=listed,
    )
