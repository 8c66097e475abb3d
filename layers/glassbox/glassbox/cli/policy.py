"""`glassbox policy`: the rules that evaluations run under."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from rich.table import Table

from glassbox.cli.options import AsJson, Home, LedgerOption, Profile, settings_of
from glassbox.cli.output import console, print_json
from glassbox.cli.policies import find_policy
from glassbox.contract.policy import BUILT_IN, Policy
from glassbox.contract.policy_changes import Engine
from glassbox_contract.arithmetic import MICRO

app = typer.Typer(help="Show and check policies: judges, weights, targets, the pass bar.", no_args_is_help=True)

PolicyName = Annotated[
    str, typer.Argument(metavar="NAME|FILE", help=f"One of {', '.join(BUILT_IN)}, or a policy file.")
]


@app.command()
def show(name: PolicyName = "default", as_json: AsJson = False) -> None:
    """Show a policy's tree, targets and flags; --json prints the canonical document that its digest is taken of."""
    policy = find_policy(name)
    if as_json:
        print_json(policy.document)
        return
    screen = console()
    bar = policy.contract
    screen.print(f"Policy {policy.name}   {policy.digest}")
    screen.print(f"Pass bar: trust {bar.comparator} {bar.bar / MICRO:g}")
    screen.print(_tree(policy))
    screen.print(_flags(policy.document))


def _tree(policy: Policy) -> Table:
    table = Table(title="What is measured", title_justify="left")
    for heading in ("measurement", "weight", "target", "made of", "if absent"):
        table.add_column(heading)
    for path, node in policy.nodes.items():
        depth = path.count("/")
        target = "" if node.target is None else f"{node.comparator} {node.target / MICRO:g}"
        made = node.basis or {"mean": "weighted mean", "hmean": "harmonic mean"}.get(node.op, node.op)
        table.add_row("  " * depth + node.name, str(node.weight), target, made, node.on_absence)
    return table


def _flags(document: dict[str, Any]) -> Table:
    table = Table(title="What a flag does", title_justify="left")
    table.add_column("flag")
    table.add_column("effect")
    for code, effect in sorted(document["flag_effects"].items(), key=lambda item: (item[1], item[0])):
        table.add_row(code, effect)
    return table


@app.command(name="list")
def list_policies(as_json: AsJson = False) -> None:
    """List the policies that come with GlassBox, with their digests."""
    found = [find_policy(name) for name in BUILT_IN]
    if as_json:
        print_json([{"name": p.name, "digest": p.digest, "judges": list(p.judges)} for p in found])
        return
    table = Table()
    for heading in ("policy", "judges", "digest"):
        table.add_column(heading)
    for policy in found:
        table.add_row(policy.name, "\n".join(policy.judges), policy.digest[:23] + "…")
    console().print(table)


@app.command()
def validate(name: PolicyName, as_json: AsJson = False) -> None:
    """Check a policy file; every fault is listed with its path. Exit code 0 valid, 1 not."""
    policy = find_policy(name)
    if as_json:
        print_json({"valid": True, "name": policy.name, "digest": policy.digest})
    else:
        console().print(f"{name}: valid policy {policy.name}, {len(policy.nodes)} nodes, {policy.digest}", markup=False)


@app.command()
def register(
    name: PolicyName = "default",
    engine: Annotated[
        Engine | None,
        typer.Option("--engine", help="The policy as `evaluate --engine` derives it.", show_default=False),
    ] = None,
    judge_model: Annotated[
        str | None,
        typer.Option(
            "--judge-model",
            help="The judge model that evaluations name, as `openai:MODEL`. Default: the configured one.",
            show_default=False,
        ),
    ] = None,
    as_json: AsJson = False,
    home: Home = None,
    ledger: LedgerOption = None,
    profile: Profile = None,
) -> None:
    """Put a policy on the ledger, so that records under it are taken. On Fabric this needs an admin's identity.

    Engine and judge model are part of the policy that evaluations run under: give the same as they do. A policy that
    stands there already is left as it is, and its first registration is shown.
    """
    from glassbox.adapters.local.home import begin_ledger, fabric_ledger
    from glassbox.adapters.local.judge_model import Asking, LocalJudgeModel
    from glassbox.pipeline.engines import resolve

    policy, _ = resolve(find_policy(name), engine, judge_model=judge_model or LocalJudgeModel(Asking()).identity)
    settings = settings_of(home, ledger, profile)
    with fabric_ledger(settings) if settings.ledger == "fabric" else begin_ledger(settings.home) as held:
        receipt = held.register_policy(policy.contract)
    if as_json:
        print_json(receipt.to_json())
        return
    words = "was registered before" if receipt.duplicate else "is registered"
    console().print(f"policy {policy.name} {words}: block {receipt.block}, {policy.digest}", markup=False)
