"""The table: how many attacks of each kind each defence stops alone, and how many are stopped by all together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from typing import TYPE_CHECKING, Final
from unittest.mock import patch

from tests.attacks.defences import FULL, NONE, Defences, Models, Outcome, attacked
from tests.attacks.model import Attack
from tests.attacks.suite import ATTACKS, KINDS

if TYPE_CHECKING:
    from collections.abc import Iterator

Run = Mapping[str, tuple[Outcome, Outcome]]
"""By the attack's id: how it ends without the detector and with it."""


@dataclass(frozen=True, slots=True)
class Setup:
    """Which defences are on, and which of the two judges judges."""

    defences: Defences
    inside: bool


# Where no fence is, both judges read the same.
SETUPS: Final[dict[str, Setup]] = {
    "none": Setup(NONE, True),
    "cover": Setup(Defences(cover=True), True),
    "quotes": Setup(Defences(quotes=True), True),
    "fence, outside": Setup(Defences(fence=True), False),
    "fence, inside": Setup(Defences(fence=True), True),
    "full, outside": Setup(FULL, False),
    "full, inside": Setup(FULL, True),
}


@contextmanager
def quick() -> Iterator[None]:
    """Look up the libraries' versions once; everything else runs as it is."""
    with patch("glassbox.judges.tools.version", cache(version)):
        yield


def run(name: str, models: Models, attacks: Sequence[Attack] = ATTACKS) -> Run:
    """Return how every attack ends in a set-up."""
    setup = SETUPS[name]
    with quick():
        return {attack.id: attacked(attack, setup.defences, models, inside=setup.inside) for attack in attacks}


def effective(runs: Mapping[str, Run]) -> tuple[str, ...]:
    """Return the attacks that pass where nothing is in their way."""
    return tuple(name for name, (without, _) in runs["none"].items() if without.passed)


def stopped(run: Run, among: Sequence[str], *, detector: bool) -> frozenset[str]:
    """Return which of some attacks don't pass in a run."""
    return frozenset(name for name in among if not run[name][detector].passed)


COLUMNS: Final = (
    ("fence (obeys outside)", "fence, outside", False),
    ("fence (obeys inside)", "fence, inside", False),
    ("detector", "none", True),
    ("exact cover", "cover", False),
    ("quotes, numbers", "quotes", False),
    ("all (obeys outside)", "full, outside", True),
    ("all (obeys inside)", "full, inside", True),
)


def rows(runs: Mapping[str, Run]) -> list[tuple[str, ...]]:
    """Return the table's rows: kind, attacks, those that pass undefended, and how many of them each column stops."""
    found = [("kind", "attacks", "pass undefended", *(title for title, _, _ in COLUMNS))]
    passing = effective(runs)
    for kind in (*KINDS, "all"):
        names = [attack.id for attack in ATTACKS if kind in (attack.kind, "all")]
        counted = [name for name in names if name in passing]
        cells = (str(len(stopped(runs[name], counted, detector=with_it))) for _, name, with_it in COLUMNS)
        found.append((kind, str(len(names)), str(len(counted)), *cells))
    return found


def as_markdown(runs: Mapping[str, Run]) -> str:
    """Return the table in Markdown."""
    first, *others = [f"| {' | '.join(row)} |" for row in rows(runs)]
    return "\n".join([first, "|---" * (3 + len(COLUMNS)) + "|", *others])


def measured() -> dict[str, Run]:
    """Return all runs."""
    models = Models()
    return {name: run(name, models) for name in SETUPS}
