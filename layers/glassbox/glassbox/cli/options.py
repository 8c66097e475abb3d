"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from glassbox.settings import LedgerName, Settings

Home = Annotated[
    Path | None,
    typer.Option(
        "--home",
        help="Folder of the ledger, its keys and the bundles. Default: GLASSBOX_HOME, else .glassbox here.",
        show_default=False,
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON value on stdout and nothing else there.")]
LedgerOption = Annotated[
    LedgerName | None,
    typer.Option(
        "--ledger",
        help="The ledger: embedded (in the folder) or fabric (a network). Default: GLASSBOX_LEDGER, else embedded.",
        show_default=False,
    ),
]
Profile = Annotated[
    str | None,
    typer.Option(
        "--profile",
        metavar="FILE",
        help="Connection profile of the Fabric network. Default: GLASSBOX_FABRIC_PROFILE.",
        show_default=False,
    ),
]


def settings_of(home: Path | None, ledger: LedgerName | None = None, profile: str | None = None) -> Settings:
    """Return this process's settings, with the folder, ledger and profile that were given as options."""
    return Settings.from_env(home=home, ledger=ledger, profile=profile)
