"""`glassbox evaluate`: from requests to verified scorecards."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from glassbox.adapters.local.files import FileDocuments
from glassbox.adapters.local.judge_model import Asking, LocalJudgeModel
from glassbox.cli.batch import Done, Job, evaluate_all
from glassbox.cli.files import write_overview, write_report
from glassbox.cli.inputs import Batch, Input, Refused, read_inputs, refusal
from glassbox.cli.output import complain, console, err, exit_code, print_json, printable
from glassbox.cli.policies import find_policy
from glassbox.contract.policy import Policy
from glassbox.contract.policy_changes import Engine
from glassbox.contract.served import in_words, other_models
from glassbox.errors import UsageError
from glassbox.pipeline.engines import label, resolve
from glassbox.report import print_scorecard
from glassbox.settings import Settings


def evaluate(
    files: Sequence[str],
    *,
    policy: str | None,
    engine: Engine | None,
    out: Path | None,
    jobs: int,
    as_json: bool,
    again: bool,
    key: str | None,
    skip_invalid: bool,
    settings: Settings,
    asking: Asking | None = None,
) -> None:
    """Evaluate every request in the files, print a table or JSON for each, and exit with the worst decision."""
    batch = read_inputs(files)
    inputs, refused = batch.inputs, batch.refused
    if refused and not (skip_invalid and inputs):
        raise refusal(refused)
    for one in refused:
        complain(one.error)
    if key is not None and len(inputs) > 1:
        raise UsageError("An idempotency key belongs to one request", where="--key", fix="Evaluate them one by one")
    job = Job(
        settings=settings,
        policy=find_policy(policy or "default").document,
        # An explicit --policy stands above what a request names.
        policies=_named_policies(inputs) if policy is None else {},
        engine=engine,
        again=again,
        idempotency_key=key,
        asking=asking or Asking(),
    )
    done = _run(job, inputs, _at_once(job, jobs), quiet=len(inputs) == 1)
    reports = _write(done, job, out)
    if as_json:
        _print_json(batch, done)
    else:
        _print_tables(done, reports)
    decisions = [d.outcome.scorecard["decision"] if d.outcome else None for d in done]
    raise typer.Exit(exit_code([*decisions, *([None] * len(refused))]))


def _at_once(job: Job, jobs: int) -> int:
    """Return how many evaluations may run at once; what no judge model can do is refused here, before any work.

    Raises UsageError, once and not for every request.
    """
    judge_model = LocalJudgeModel(job.asking)
    documents = (job.policy, *job.policies.values())
    identity = None if job.engine == "local" else judge_model.identity
    labels = {label(resolve(Policy(d), job.engine, judge_model=identity)[1]) for d in documents}
    if "llm" not in labels:
        if job.asking.record or job.asking.replay:
            raise UsageError(
                "No judge of this call asks a judge model, so that there is nothing to record or to replay",
                where="--replay" if job.asking.replay else "--record",
                fix="Leave it out, or use --engine llm",
            )
        return jobs
    most = judge_model.concurrency
    if jobs > most:
        err().print(f"glassbox: {most} at once, as many as GLASSBOX_LLM_CONCURRENCY allows")
    return min(jobs, most)


def _named_policies(inputs: Sequence[Input]) -> dict[str, dict[str, Any]]:
    """Compile each policy that a request names; only built-in names are taken from a request, never a path."""
    from glassbox.contract.policy import built_in

    names = sorted({i.request.policy for i in inputs if i.request.policy})
    return {name: built_in(name).document for name in names}


def _run(job: Job, inputs: Sequence[Input], jobs: int, *, quiet: bool) -> list[Done]:
    columns = (
        TextColumn("evaluating"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[last]}"),
    )
    done: list[Done] = []
    progress_console = err()
    with Progress(*columns, console=progress_console, disable=quiet or not progress_console.is_terminal) as bar:
        task = bar.add_task("evaluating", total=len(inputs), last="")
        for one in evaluate_all(job, inputs, jobs):
            done.append(one)
            decision = one.outcome.scorecard["decision"] if one.outcome else "error"
            bar.update(task, advance=1, last=decision)
            if not quiet and not progress_console.is_terminal:
                progress_console.print(f"{len(done)}/{len(inputs)} {one.where} {decision}")
    return sorted(done, key=lambda d: d.index)


def _write(done: Sequence[Done], job: Job, out: Path | None) -> list[Path | None]:
    """Write the reports and, for several evaluations, the overview; say what could not be evaluated."""
    documents = FileDocuments(job.settings.home)
    reports = [None if d.outcome is None else write_report(d.outcome, documents, out) for d in done]
    for one in done:
        if one.message:
            err().print(f"glassbox: {one.message}")
        for asked, served in () if one.outcome is None else other_models(one.outcome.envelope["content"]):
            told = in_words(printable(asked), printable(served))
            err().print(f"glassbox: {one.where}: {told}", markup=False)
    finished = [(d.where, d.outcome) for d in done if d.outcome is not None]
    if len(finished) > 1:
        reports.append(write_overview(finished, job.settings.home, out))
    return reports


def _print_json(batch: Batch, done: Sequence[Done]) -> None:
    """Print the scorecard of a single request, or for several an array in their order, each with its input."""
    outcomes = iter(done)
    values: list[dict[str, Any]] = []
    for item in batch.items:
        one = None if isinstance(item, Refused) else next(outcomes)
        if isinstance(item, Refused):
            values.append({"input": item.where, "error": item.error.problem()})
        elif one is not None and one.outcome is not None:
            values.append({"input": item.where, **one.outcome.scorecard} if batch.many else one.outcome.scorecard)
            if one.outcome.already:
                err().print(f"glassbox: {item.where}: evaluated before; this is the committed scorecard")
        elif one is not None:
            values.append({"input": item.where, "error": one.problem})
    print_json(values if batch.many else values[0])


def _print_tables(done: Sequence[Done], reports: Sequence[Path | None]) -> None:
    screen = console()
    several = len(reports) > len(done)
    for one, report in zip(done, reports, strict=False):
        if one.outcome is None:
            continue
        if several:
            screen.print(one.where, markup=False)
        print_scorecard(one.outcome.scorecard, screen)
        if one.outcome.already:
            screen.print("Evaluated before: this is the committed scorecard. --again makes a new one.")
        screen.print(f"Report: {report}\n", markup=False, soft_wrap=True)
    if several:
        screen.print(f"Overview: {reports[-1]}", markup=False, soft_wrap=True)
