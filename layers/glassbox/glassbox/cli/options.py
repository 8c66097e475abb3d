"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from glassbox.settings import Settings

Home = Annotated[
    Path | None,
    typer.Option(
        "--home",
        help="Folder of the ledger, its keys and the bundles. Default: GLASSBOX_HOME, else .glassbox here.",
        show_default=False,
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON value on stdout and nothing else there.")]


def settings_of(home: Path | None) -> Settings:
    """Return this process's settings, with the folder of `--home` where one is given."""
    return Settings.from_env(home=home)
