"""What the command line says and how it ends."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable
from typing import Any

from rich.console import Console

from glassbox.errors import GlassBoxError

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
    """Return the console for people: standard output, as wide as the terminal, at least 80 columns."""
    return Console(
        highlight=False, soft_wrap=False, width=_width(), no_color=True if os.environ.get("NO_COLOR") else None
    )


def _width() -> int | None:
    """A pipe or a file has no width: 100 columns are readable anywhere."""
    return None if sys.stdout.isatty() else 100


def err() -> Console:
    """Return the console for progress and errors: standard error."""
    return Console(stderr=True, highlight=False, markup=False, soft_wrap=True)


def print_json(value: Any) -> None:
    """Print one JSON value on standard output and nothing else."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False) + "\n")


def complain(error: GlassBoxError) -> None:
    """Say on standard error what happened, where, and what to do."""
    err().print(f"glassbox: {error}")
