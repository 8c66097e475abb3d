"""`glassbox models`: which models judge, where they come from, how good they were measured to be."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import typer
from rich.table import Table

from glassbox.cli.options import AsJson, settings_of
from glassbox.cli.output import EXIT_ERROR, console, print_json

app = typer.Typer(help="List the bundled models and check their digests.", no_args_is_help=True)


def _registry() -> Any:
    from glassbox.models.registry import Registry

    return Registry(settings_of(None).models)


@app.command(name="list")
def list_models(as_json: AsJson = False) -> None:
    """List the models with architecture, size, licence, languages and measured quality."""
    described = _registry().describe()
    if as_json:
        print_json(list(described))
        return
    screen = console()
    for model in described:
        table = Table(title=f"{model['name']}  ({model['architecture']})", title_justify="left", show_header=False)
        table.add_row("task", model["task"])
        table.add_row("identity", model["identity"])
        table.add_row("size", f"{model['bytes'] / 1e6:.1f} MB, {model['quantisation']}")
        table.add_row("licence", model["licence"])
        table.add_row("languages", ", ".join(model["languages"]))
        for name, value in model["measured"].items():
            table.add_row(f"measured: {name}", _plain(value))
        screen.print(table, markup=False)


def _plain(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {_plain(item)}" for key, item in value.items())
    if isinstance(value, list):
        return " to ".join(_plain(item) for item in value)
    return f"{value:.3f}" if isinstance(value, float) else str(value)


@app.command()
def verify(as_json: AsJson = False) -> None:
    """Read every model file and compare it with its digest in the manifest. Exit code 0 all equal, 1 not."""
    checks = _registry().verify()
    sound = all(check.ok for check in checks)
    if as_json:
        print_json([asdict(check) for check in checks])
    else:
        screen = console()
        for check in checks:
            screen.print(
                f"{'ok     ' if check.ok else 'DIFFERS'}  {check.model}/{check.path}  {check.expected}", markup=False
            )
        screen.print("Every file is the one in the manifest." if sound else "Some files are not those of the manifest.")
    if not sound:
        raise typer.Exit(EXIT_ERROR)
