"""`glassbox llm`: try the judge model before money is spent on it, and see what it costs."""

from __future__ import annotations

import os
from pathlib import Path

import typer
from rich.table import Table

from glassbox.cli.options import AsJson
from glassbox.cli.output import console, print_json

app = typer.Typer(
    help="Try the configured judge model, and see the prices that costs are computed with.", no_args_is_help=True
)


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
