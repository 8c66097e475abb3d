"""The three commands that most people type: their options, and help that teaches."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from glassbox.cli.options import AsJson, Home, LedgerOption, Profile, settings_of

EngineName = Literal["auto", "local", "llm"]
Reader = Literal["business", "risk", "engineering"]


Files = Annotated[
    list[str],
    typer.Argument(metavar="FILE...", help="Requests: .json (one), .jsonl (one a line), or - for standard input."),
]
PolicyOption = Annotated[
    str | None,
    typer.Option(
        "--policy",
        help="A policy's name or file. Default: the one the request names, else `default`.",
        show_default=False,
    ),
]
EngineOption = Annotated[
    EngineName | None,
    typer.Option(
        "--engine",
        help="Run every judge on this engine; recorded as a policy of its own. llm: the configured judge model.",
        show_default=False,
    ),
]
Out = Annotated[
    Path | None,
    typer.Option("--out", help="Also write scorecard, bundle and report to this folder.", show_default=False),
]
Jobs = Annotated[int, typer.Option("--jobs", "-j", min=1, max=64, help="Evaluate this many requests at once.")]
Again = Annotated[
    bool,
    typer.Option("--again", help="Evaluate anew what is committed already; the new record supersedes the old."),
]
Key = Annotated[
    str | None,
    typer.Option("--key", help="Idempotency key: the same key is the same evaluation.", show_default=False),
]
SkipInvalid = Annotated[
    bool,
    typer.Option("--skip-invalid", help="Evaluate the valid requests although others are refused (exit code 1)."),
]
Record = Annotated[
    Path | None,
    typer.Option(
        "--record", help="Keep the judge model's answers in this folder; they quote the texts.", show_default=False
    ),
]
Replay = Annotated[
    Path | None,
    typer.Option(
        "--replay",
        help="Take the answers of such a folder: no key, no network, the same scores.",
        show_default=False,
    ),
]
Jury = Annotated[
    str | None,
    typer.Option(
        "--jury",
        metavar="MODEL,MODEL|FILE.json",
        help="Let several judge models judge together: openai:A,bedrock:B, or a file that says more of each.",
        show_default=False,
    ),
]
Consensus = Annotated[
    Literal["mean", "median", "trimmed_mean"] | None,
    typer.Option("--consensus", help="How the scores of a jury become one. Default: mean.", show_default=False),
]
Repeats = Annotated[
    int | None,
    typer.Option(
        "--repeats",
        min=1,
        max=25,
        help="Ask each judge model this often, to see how far its scores scatter.",
        show_default=False,
    ),
]
Timeout = Annotated[
    float | None,
    typer.Option(
        "--timeout",
        min=0.1,
        metavar="SECONDS",
        help="Stop asking the judge model after this time, for each request.",
        show_default=False,
    ),
]


def evaluate_command(
    files: Files,
    policy_name: PolicyOption = None,
    engine: EngineOption = None,
    out: Out = None,
    jobs: Jobs = 1,
    as_json: AsJson = False,
    again: Again = False,
    key: Key = None,
    skip_invalid: SkipInvalid = False,
    record: Record = None,
    replay: Replay = None,
    timeout: Timeout = None,
    jury: Jury = None,
    consensus: Consensus = None,
    repeats: Repeats = None,
    ledger: LedgerOption = None,
    profile: Profile = None,
    home: Home = None,
) -> None:
    """Score requests, commit their scorecards, and show what is wrong with each answer.

    The engine is `llm` where GLASSBOX_LLM configures a judge model, else `local`: the bundled models, without a key.
    `glassbox llm check` tries a judge model before money is spent on it.

    Exit codes: 0 pass, 9 fail, 11 inconclusive, 1 usage, input or I/O error or a judge in error; of several requests
    the worst, in the order 1, 9, 11, 0. An evaluation that is committed already is shown again, not made again.
    """
    from glassbox.adapters.local.judge_model import Asking
    from glassbox.cli.evaluate import evaluate

    evaluate(
        files,
        policy=policy_name,
        engine=engine,
        out=out,
        jobs=jobs,
        as_json=as_json,
        again=again,
        key=key,
        skip_invalid=skip_invalid,
        settings=settings_of(home, ledger, profile),
        asking=Asking(record=record, replay=replay, timeout=timeout, jury=jury, consensus=consensus, repeats=repeats),
    )


def verify_command(
    what: Annotated[list[str], typer.Argument(metavar="BUNDLE|ID...", help="Bundle files, or ids of evaluations.")],
    proof: Annotated[
        Path | None,
        typer.Option("--proof", help="Check against this exported proof instead of a ledger.", show_default=False),
    ] = None,
    trust: Annotated[
        str | None,
        typer.Option(
            "--trust",
            help="Whom you trust: the ledger's public key (`glassbox ledger key`) or a file with it; for Fabric the "
            "network's roots (`glassbox ledger trust`).",
            show_default=False,
        ),
    ] = None,
    recompute: Annotated[
        bool, typer.Option("--recompute", help="Also run the bundled models again and compare their scores.")
    ] = False,
    replay: Annotated[
        Path | None,
        typer.Option(
            "--replay",
            help="With --recompute: run the judges again over a judge model's answers that `evaluate --record` kept.",
            show_default=False,
        ),
    ] = None,
    checkpoint: Annotated[
        Path | None,
        typer.Option(
            "--checkpoint",
            help="A checkpoint of a Fabric channel that the proof's chain has to lead to.",
            show_default=False,
        ),
    ] = None,
    as_json: AsJson = False,
    ledger: LedgerOption = None,
    profile: Profile = None,
    home: Home = None,
) -> None:
    """Check that nothing in a bundle, its scores or its ledger record was changed; list each difference.

    Away from the ledger a bundle is checked by the proof in it, or by the one of --proof.

    Exit codes: 0 intact, 9 differs, 11 erased (only the record is left), 1 can't be checked.
    """
    from glassbox.cli.verify import verify

    verify(
        what,
        proof=proof,
        trust=trust,
        recompute=recompute,
        as_json=as_json,
        settings=settings_of(home, ledger, profile),
        replay=replay,
        checkpoint=checkpoint,
    )


def report_command(
    what: Annotated[str, typer.Argument(metavar="ID|BUNDLE", help="The id of an evaluation, or a bundle file.")],
    reader: Annotated[Reader, typer.Option("--reader", help="Who will read it; the record is the same.")] = "business",
    out: Annotated[
        Path | None, typer.Option("--out", help="Where to write it; - prints it.", show_default="beside the bundle")
    ] = None,
    home: Home = None,
) -> None:
    """Write one HTML page: scores, claims and their evidence, passages, provenance. It loads nothing from anywhere."""
    from glassbox.cli.report import report

    report(what, reader=reader, out=out, home=home)
