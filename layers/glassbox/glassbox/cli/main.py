"""The `glassbox` command: what can be asked, with help that teaches."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from glassbox import __version__
from glassbox.cli import ledger, llm, models, policy, stack
from glassbox.cli.commands import evaluate_command, report_command, verify_command
from glassbox.cli.output import EXIT_ERROR, complain, err, prepare_streams, print_json
from glassbox.errors import GlassBoxError, UsageError
from glassbox.pipeline.judging import place_of

app = typer.Typer(
    name="glassbox",
    help=(
        "Measure how far an LLM answer can be trusted, and keep a record nobody can quietly change.\n\n"
        "A request is JSON with query, answer and retrieved_passages. Three judges score it; the scorecard is "
        "committed to a ledger; `verify` shows years later that nothing was changed."
    ),
    epilog="Start with: glassbox evaluate request.json",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command(name="evaluate")(evaluate_command)
app.command(name="verify")(verify_command)
app.command(name="report")(report_command)
app.add_typer(ledger.app, name="ledger")
app.add_typer(policy.app, name="policy")
app.add_typer(models.app, name="models")
app.add_typer(llm.app, name="llm")
app.add_typer(stack.app, name="stack")


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"glassbox {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Nothing of its own: every command does its part."""


_USAGE = 2
_INTERRUPTED = 130


def wants_json() -> bool:
    """Return whether this call is to answer in JSON, even where its options can't be read."""
    return "--json" in sys.argv[1:]


def main() -> None:
    """Run the command line and exit with a documented code; no traceback and no evaluated text on any way out."""
    prepare_streams()
    try:
        app()
    except SystemExit as done:
        if done.code == _USAGE and wants_json():
            print_json({"error": UsageError("Wrong use", fix="Standard error says what is wrong").problem()})
        if done.code == _INTERRUPTED:
            err().print("glassbox: stopped; what was committed stays, and the same command goes on from there")
        # Usage errors end like every other error of input.
        sys.exit(EXIT_ERROR if done.code in (_USAGE, _INTERRUPTED) else done.code)
    except GlassBoxError as error:
        complain(error)
        if wants_json():
            print_json({"error": error.problem()})
        sys.exit(EXIT_ERROR)
    except BrokenPipeError:
        # The reader of our output has gone (`| head`): no fault of ours, and nothing left to say.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(EXIT_ERROR)
    except OSError as error:
        err().print(f"glassbox: {error.strerror or type(error).__name__} while the answer was written")
        sys.exit(EXIT_ERROR)
    except Exception as error:
        if os.environ.get("GLASSBOX_DEBUG") == "1":
            raise
        err().print(
            f"glassbox: a fault of GlassBox itself: {type(error).__name__} at {place_of(error)}. "
            "GLASSBOX_DEBUG=1 shows the traceback, which may quote evaluated text"
        )
        sys.exit(EXIT_ERROR)
