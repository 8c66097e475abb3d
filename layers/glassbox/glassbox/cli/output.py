"""What the command line says and how it ends."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Iterable
from typing import Any

from rich.console import Console

from glassbox.errors import GlassBoxError

LEAST_WIDTH = 80
PIPE_WIDTH = 100
MOST_SHOWN = 200

EXIT_PASS = 0
EXIT_ERROR = 1
EXIT_FAIL = 9
EXIT_INCONCLUSIVE = 11

_SEVERITY = (EXIT_ERROR, EXIT_FAIL, EXIT_INCONCLUSIVE, EXIT_PASS)
_OF_DECISION = {"pass": EXIT_PASS, "fail": EXIT_FAIL, "inconclusive": EXIT_INCONCLUSIVE}


def exit_code(decisions: Iterable[str | None]) -> int:
    """Return the worst exit code of several decisions, in the order 1, 9, 11, 0; None stands for an error."""
    codes = {EXIT_ERROR if d is None else _OF_DECISION[d] for d in decisions}
    return next((code for code in _SEVERITY if code in codes), EXIT_PASS)


def console() -> Console:
    """Return the console for people: standard output, as wide as the terminal but at least 80 columns.

    A narrower terminal wraps the lines: that is ugly, but no column is lost.
    """
    found = Console(highlight=False, soft_wrap=False, no_color=True if os.environ.get("NO_COLOR") else None)
    # A pipe or a file has no width: 100 columns are readable anywhere.
    found.width = max(LEAST_WIDTH, found.width) if sys.stdout.isatty() else PIPE_WIDTH
    return found


def printable(name: str) -> str:
    """Return a name from outside as it may be shown: control characters and broken bytes as escapes, 200 at most."""
    shown = "".join(c if c.isprintable() else c.encode("unicode_escape", "replace").decode() for c in name)
    return shown if len(shown) <= MOST_SHOWN else f"{shown[:MOST_SHOWN]}… ({len(shown)} characters)"


def prepare_streams() -> None:
    """Let no terminal's encoding and no closed stream break a command after its work is done."""
    for name in ("stdin", "stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "r" if name == "stdin" else "w", encoding="utf-8"))  # noqa: SIM115
        elif name != "stdin" and isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def err() -> Console:
    """Return the console for progress and errors: standard error."""
    return Console(stderr=True, highlight=False, markup=False, soft_wrap=True)


def print_json(value: Any) -> None:
    """Print one JSON value on standard output and nothing else; always UTF-8, as JSON is."""
    write_utf8(json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False) + "\n")


def write_utf8(text: str) -> None:
    """Write a text to standard output as UTF-8 whatever the terminal's encoding."""
    data = text.encode("utf-8", "backslashreplace")
    binary = getattr(sys.stdout, "buffer", None)
    if binary is None:
        sys.stdout.write(text)
    else:
        sys.stdout.flush()
        binary.write(data)
    sys.stdout.flush()


def complain(error: GlassBoxError) -> None:
    """Say on standard error what happened, where, and what to do."""
    err().print(f"glassbox: {error}")
