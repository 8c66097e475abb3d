"""`glassbox llm`: try the judge model before money is spent on it, and see what it costs."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import typer
from rich.console import Console
from rich.table import Table

from glassbox.cli.options import AsJson
from glassbox.cli.output import EXIT_ERROR, console, print_json
from glassbox.errors import UsageError
from glassbox.pipeline.engines import CONFIGURE

if TYPE_CHECKING:
    from glassbox.llm import CheckReport

app = typer.Typer(
    help="Try the configured judge model, and see the prices that costs are computed with.", no_args_is_help=True
)


_MARKS = {"ok": "✓", "note": "·", "problem": "✗"}


@app.command()
def check(as_json: AsJson = False) -> None:
    """Ask the configured judge model one tiny question, and say what works: key, JSON schema, seed, tokens, price.

    It is configured by GLASSBOX_LLM=openai with GLASSBOX_LLM_MODEL, and for an endpoint of your own with
    GLASSBOX_LLM_BASE_URL and GLASSBOX_LLM_API_KEY; or by GLASSBOX_LLM=bedrock with GLASSBOX_LLM_MODEL. Of a jury
    every member is asked. `docs/judge-model.md` has all settings.

    Exit codes: 0 it can judge, 1 it can't.
    """
    from glassbox.llm import LlmSettings, check_model

    settings = LlmSettings.from_env()
    if settings is None:
        raise UsageError("No judge model is configured", where="environment", fix=CONFIGURE)
    asked = [juror.settings for juror in settings.jury] or [settings]
    reports = [check_model(one) for one in asked]
    if as_json:
        told = [report.to_json() for report in reports]
        print_json(told if settings.jury else told[0])
    else:
        for report in reports:
            _print_report(report, console())
    if not all(report.ok for report in reports):
        raise typer.Exit(EXIT_ERROR)


def _print_report(report: CheckReport, screen: Console) -> None:
    verdict = "can judge" if report.ok else "can't judge yet"
    screen.print(f"{report.identity} {verdict}", markup=False, soft_wrap=True)
    if report.served_model is not None and not report.identity.endswith(f":{report.served_model}"):
        screen.print(f"  {_MARKS['note']} The endpoint says that it ran {report.served_model}", markup=False)
    for finding in report.findings:
        fix = f". {finding.fix}" if finding.fix else ""
        screen.print(f"  {_MARKS[finding.level]} {finding.what}{fix}", markup=False, soft_wrap=True)


@app.command()
def prices(as_json: AsJson = False) -> None:
    """Show the price table, its date and the digest that stands in every scorecard that a judge model gave.

    GLASSBOX_LLM_PRICES names a table of your own. A model without a price costs null, never nothing.
    """
    from glassbox.llm import configured_identity
    from glassbox.llm.prices import price_table

    own = os.environ.get("GLASSBOX_LLM_PRICES")
    table = price_table(Path(own) if own else None)
    model = configured_identity()
    if as_json:
        models = {name: {"input": str(p.input), "output": str(p.output)} for name, p in table.models.items()}
        print_json({"date": table.date, "digest": table.digest, "usd_per_million_tokens": models})
        return
    screen = console()
    shown = Table(title=f"US dollars for a million tokens, as of {table.date}", title_justify="left")
    for heading, side in (("model", "left"), ("in", "right"), ("out", "right")):
        shown.add_column(heading, justify=side)  # type: ignore[arg-type]
    for name, price in sorted(table.models.items()):
        shown.add_row(name, str(price.input), str(price.output))
    screen.print(shown, markup=False)
    screen.print(f"Digest: {table.digest}", markup=False, soft_wrap=True)
    if model is not None and model not in table.models:
        screen.print(f"{model} is configured and has no price here: its cost is null.", markup=False, soft_wrap=True)
