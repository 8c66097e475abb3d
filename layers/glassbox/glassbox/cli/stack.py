"""`glassbox stack`: the whole deployment on this machine, and the same handles for one in AWS."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from glassbox.cli.options import AsJson
from glassbox.cli.output import EXIT_ERROR, complain, console, err, exit_code, print_json

app = typer.Typer(
    help=(
        "Run the whole deployment on this machine: webhook, queues, state machine, judges, ledger.\n\n"
        "AWS is simulated by ministack, and without FABRIC_BIN the ledger by the development peer; every output says "
        "so. --aws NAME talks to a deployment in AWS instead, with your credentials."
    ),
    no_args_is_help=True,
)

Folder = Annotated[Path, typer.Option("--folder", help="Where the stack keeps its things.", envvar="GLASSBOX_STACK")]
Aws = Annotated[str | None, typer.Option("--aws", help="A deployment in AWS, by its stack's name.")]
DEFAULT = Path(".glassbox/stack")


@app.command()
def up(
    folder: Folder = DEFAULT,
    policy: Annotated[str, typer.Option(help="Policy of requests that name none.")] = "default",
    models: Annotated[bool, typer.Option(help="Upload the bundled models for the judges.")] = True,
    as_json: AsJson = False,
) -> None:
    """Start the emulator and the network, deploy template.yaml, and print the line that sends an evaluation."""
    from glassbox.models.registry import Registry
    from glassbox.stack.lifecycle import up as start
    from glassbox.stack.sending import curl

    place = Registry(None, threads=1).directory if models else None
    stack = start(folder, Path.cwd(), policy=policy, models=place, say=err().print)
    if as_json:
        print_json({"endpoint": stack.endpoint, "api_url": stack.api_url, "ledger": stack.ledger, **stack.outputs})
        return
    screen = console()
    screen.print("\nSend an evaluation:\n", markup=False)
    print(curl(stack, "examples/requests/1-grounded-discharge-leaflet.json"))
    own = ".venv/bin/glassbox stack"
    screen.print(f"\nor: {own} send examples/requests/*.json; then: {own} status", markup=False)


@app.command()
def send(
    files: Annotated[list[Path], typer.Argument(help="Requests, each a JSON file.")],
    via: Annotated[Literal["webhook", "queue"], typer.Option(help="By which door.")] = "webhook",
    folder: Folder = DEFAULT,
    wait: Annotated[float, typer.Option(help="Seconds to wait for each result; 0 waits for none.")] = 120.0,
    as_json: AsJson = False,
) -> None:
    """Send requests to the running stack and wait for their scorecards; exit codes as of `evaluate`."""
    from glassbox.errors import GlassBoxError
    from glassbox.report import print_scorecard
    from glassbox.stack import sending
    from glassbox.stack.target import target

    there = target(folder, None)
    assert there.stack is not None  # noqa: S101 - only --aws has none
    stack = there.stack
    err().print(there.where, markup=False)
    values: list[dict[str, Any]] = []
    decisions: list[str | None] = []
    bodies = [(str(path), sending.read(path)) for path in files]
    sent = [
        sending.by_webhook(stack, where, body) if via == "webhook" else sending.by_queue(there, where, body)
        for where, body in bodies
    ]
    for one in sent:
        if one.problem is not None:
            values.append({"input": one.where, "error": one.problem})
            decisions.append(None)
            continue
        if wait <= 0:
            values.append({"input": one.where, "id": one.evaluation_id, "idempotency_key": one.key})
            continue
        try:
            found = one.evaluation_id or sending.queue_evaluation(there, stack.tenant, one.key, wait)
            told = sending.wait(stack, found, wait)
        except GlassBoxError as error:
            complain(error)
            decisions.append(None)
            continue
        scorecard = told.get("scorecard")
        values.append({"input": one.where, **(scorecard or told)})
        decisions.append(scorecard["decision"] if scorecard else None)
        if scorecard and not as_json:
            console().print(one.where, markup=False)
            print_scorecard(scorecard, console())
    if as_json:
        print_json(values)
    else:
        for value in values:
            if "error" in value or "reason" in value or wait <= 0:
                err().print(str(value), markup=False)
    raise typer.Exit(exit_code(decisions))


@app.command()
def status(folder: Folder = DEFAULT, aws: Aws = None, as_json: AsJson = False) -> None:
    """Show executions, queues, dead letters, evaluations that need attention, and the ledger's height."""
    from glassbox.stack.target import target
    from glassbox.stack.watching import status as look

    told = look(target(folder, aws))
    if as_json:
        print_json(told)
        return
    screen = console()
    screen.print(told["where"], markup=False)
    for title in ("executions", "evaluations", "batches"):
        counted = ", ".join(f"{name} {count}" for name, count in told[title].items()) or "none"
        screen.print(f"{title}: {counted}", markup=False)
    for name, queue in told["queues"].items():
        screen.print(f"queue {name}: {queue['waiting']} waiting, {queue['under_way']} under way", markup=False)
    if told["ledger"] is not None:
        ledger = told["ledger"]
        said = ledger.get("error") or f"height {ledger.get('height')}"
        screen.print(f"ledger ({ledger['backend']}): {said}", markup=False)
    for item in told["last_errors"]:
        screen.print(f"error: {item['execution']}: {item['error']} {item['cause']}", markup=False, soft_wrap=True)
    for item in told["needs_attention"]:
        screen.print(f"needs attention: {item['id']} ({item['reason']}); glassbox stack redrive", markup=False)


@app.command()
def redrive(
    evaluation_id: Annotated[str | None, typer.Argument(help="One evaluation; all of them by default.")] = None,
    messages: Annotated[bool, typer.Option("--messages", help="Hand unreadable messages over again too.")] = False,
    folder: Folder = DEFAULT,
    aws: Aws = None,
    as_json: AsJson = False,
) -> None:
    """Run evaluations again that need attention; what was judged before is used again."""
    from glassbox.stack import redriving
    from glassbox.stack.target import target

    there = target(folder, aws)
    told = {
        "started": redriving.redrive(there, evaluation_id),
        "messages": redriving.dead_letters(there, again=messages),
    }
    if as_json:
        print_json(told)
        return
    screen = console()
    for item in told["started"]:
        screen.print(f"{item['id']}: run {item['run']} (was {item['reason']})", markup=False)
    for item in told["messages"]:
        what = "handed over again" if messages else "unreadable"
        screen.print(f"message {item['message_id']}: {what}: {item['problem'].get('title', 'no reason')}", markup=False)
    screen.print(f"{len(told['started'])} started, {len(told['messages'])} messages in the dead letters", markup=False)


@app.command()
def tenant(
    name: Annotated[str, typer.Argument(help="The tenant.")],
    api_key: Annotated[str, typer.Option(help="Id of an API key that stands for it.")] = "",
    sender: Annotated[str, typer.Option(help="Unique id of the user or role that sends to the queue.")] = "",
    folder: Folder = DEFAULT,
    aws: Aws = None,
) -> None:
    """Let an API key or a queue's sender stand for a tenant."""
    from glassbox.errors import UsageError
    from glassbox.stack.lifecycle import name_tenant
    from glassbox.stack.target import target

    if not api_key and not sender:
        raise UsageError("Nothing was named", where="stack tenant", fix="Give --api-key, --sender, or both")
    there = target(folder, aws)
    name_tenant(there.client, there.outputs, name, api_key_id=api_key, sender=sender)
    console().print(f"{name}: done ({there.where})", markup=False)


@app.command()
def batch(
    address: Annotated[str, typer.Argument(help="s3://payloads-bucket/tenants/TENANT/uploads/file.jsonl.")],
    tenant: Annotated[str, typer.Option(help="Whose evaluations they are.")] = "local",
    folder: Folder = DEFAULT,
    aws: Aws = None,
    as_json: AsJson = False,
) -> None:
    """Start a Distributed Map that puts every line of a dataset into the evaluations queue."""
    from glassbox.stack.batching import start_batch
    from glassbox.stack.target import target

    told = start_batch(target(folder, aws), address, tenant)
    if as_json:
        print_json(told)
    else:
        console().print(f"Started {told['execution']}; glassbox stack status shows its evaluations", markup=False)


@app.command()
def erase(
    evaluation_id: Annotated[str, typer.Argument(help="The evaluation whose texts are to be destroyed.")],
    yes: Annotated[bool, typer.Option("--yes", help="Don't ask.")] = False,
    folder: Folder = DEFAULT,
    aws: Aws = None,
) -> None:
    """Destroy the key under which an evaluation's texts are encrypted: they are gone for good, also from locked copies.

    The record on the ledger stays, which holds scores and digests and no text; `verify` then says `erased`.
    """
    from glassbox.stack.redriving import erase as destroy
    from glassbox.stack.target import target

    there = target(folder, aws)
    if not yes:
        typer.confirm(f"Destroy the texts of {evaluation_id} at {there.where}? This can't be undone", abort=True)
    destroy(there, evaluation_id)
    console().print(f"{evaluation_id}: erased; its record stays on the ledger", markup=False)


@app.command()
def down(
    folder: Folder = DEFAULT,
    wipe: Annotated[bool, typer.Option("--wipe", help="Remove the whole folder, logs too.")] = False,
    keep_ledger: Annotated[bool, typer.Option("--keep-ledger", help="Leave the network's data where it is.")] = False,
) -> None:
    """End the emulator and the network. Records, texts, tenants and the ledger are gone then; the log stays."""
    from glassbox.errors import UsageError
    from glassbox.stack.lifecycle import down as stop
    from glassbox.stack.packaging import project_root
    from glassbox.stack.state import load

    try:
        stack = load(folder)
    except UsageError as error:
        complain(error)
        raise typer.Exit(EXIT_ERROR) from None
    stop(stack, project_root(Path.cwd()), wipe=wipe, keep_ledger=keep_ledger, say=err().print)
