"""`glassbox verify`: whether a bundle is what it was when its scorecard was committed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from rich.console import Console

from glassbox.adapters.local.files import FileDocuments, tenant_secret
from glassbox.adapters.local.home import LEDGER, ledger_for_reading
from glassbox.adapters.local.judge_model import Asking, LocalJudgeModel
from glassbox.cli.ledger_arguments import read_checkpoint
from glassbox.cli.output import EXIT_ERROR, EXIT_FAIL, EXIT_INCONCLUSIVE, complain, console, print_json, printable
from glassbox.cli.trust import trusted
from glassbox.errors import GlassBoxError, UsageError
from glassbox.settings import LedgerName, Settings
from glassbox.verification import Verification, verify_bundle
from glassbox.verification.proofs import is_fabric
from glassbox_contract.canonical import parse, parse_canonical
from glassbox_contract.errors import ContractError

if TYPE_CHECKING:
    from glassbox.judges.tools import Models
    from glassbox.verification.proofs import Anchor

_CODES = {"intact": 0, "differs": EXIT_FAIL, "erased": EXIT_INCONCLUSIVE}


def read_json(path: Path) -> dict[str, Any]:
    """Return the JSON object in a file; raises UsageError for anything else."""
    try:
        value = parse(path.read_bytes())
    except OSError as error:
        raise UsageError(
            error.strerror or type(error).__name__, where=printable(str(path)), fix="Check the path"
        ) from None
    except ContractError as error:
        raise UsageError(f"Not JSON that can be read: {error.reason}", where=str(path)) from None
    if not isinstance(value, dict):
        raise UsageError("Not a JSON object", where=str(path), fix="Name a bundle that `evaluate --out` wrote")
    return value


def find_bundle(what: str, settings: Settings) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """Return the bundle in a file, or of an evaluation of this folder by its id with the scorecard stored beside it.

    Raises UsageError where there is neither.
    """
    path = Path(what)
    if path.suffix == ".json" or path.exists():
        return read_json(path), None
    documents = FileDocuments(settings.home)
    found = documents.get(what, "bundle") if documents.known(what) else None
    if found is None:
        raise UsageError(
            "Neither a bundle file nor the id of an evaluation in this folder",
            where=printable(what),
            fix=f"`glassbox ledger show` lists the ids in {settings.home}; --home names another folder",
        )
    return found, documents.get(what, "scorecard")


def verify(
    what: Sequence[str],
    *,
    proof: Path | None,
    trust: str | None,
    recompute: bool,
    as_json: bool,
    settings: Settings,
    replay: Path | None = None,
    checkpoint: Path | None = None,
) -> None:
    """Verify each bundle, say what was checked and what differs, and exit with the worst verdict."""
    against = _Against(
        None if proof is None else read_json(proof),
        proof is None or _is_canonical(proof),
        trusted(trust),
        None if checkpoint is None else read_checkpoint(checkpoint),
    )
    again = _Again.of(settings, replay) if recompute or replay is not None else _Again()
    results: list[Verification] = []
    told: list[dict[str, Any]] = []
    failed = False
    for one in what:
        try:
            results.append(_verify_one(one, settings, against, again))
            told.append({"target": printable(one), **results[-1].to_json()})
        except GlassBoxError as error:
            complain(error)
            told.append({"target": printable(one), "error": error.problem()})
            failed = True
    if as_json:
        print_json(told[0] if len(what) == 1 else told)
    else:
        for result in results:
            _print(result, console())
        _print_scope(results, console())
    codes = {_CODES[r.verdict] for r in results} | ({EXIT_ERROR} if failed else set())
    raise typer.Exit(next((c for c in (EXIT_ERROR, EXIT_FAIL, EXIT_INCONCLUSIVE) if c in codes), 0))


@dataclass(frozen=True, slots=True)
class _Again:
    """What judges run again with: nothing, the bundled models, and the recorded answers of a judge model."""

    models: Models | None = None
    recorded: LocalJudgeModel | None = None

    @classmethod
    def of(cls, settings: Settings, replay: Path | None) -> _Again:
        from glassbox.models.registry import Registry

        models = Registry(settings.models, threads=settings.threads)
        return cls(models, None if replay is None else LocalJudgeModel(Asking(replay=replay)))


@dataclass(frozen=True, slots=True)
class _Against:
    """What bundles are checked against, apart from a ledger."""

    proof: dict[str, Any] | None
    canonical: bool
    """Whether the proof's file is the one that was exported, byte for byte in form."""
    trusted: Anchor | None
    checkpoint: dict[str, Any] | None


def _verify_one(what: str, settings: Settings, against: _Against, again: _Again) -> Verification:
    envelope, scorecard = find_bundle(what, settings)
    check = partial(verify_bundle, envelope, trusted=against.trusted, models=again.models, recorded=again.recorded)
    if against.proof is not None:
        result = check(proof=against.proof, checkpoint=against.checkpoint)
        if is_fabric(against.proof) and not against.canonical:
            result.add("proof-form", "/proof", "the file is not canonical JSON, as proofs are exported")
        return result
    settings = replace(settings, ledger=_ledger_of(envelope, scorecard, settings))
    own = envelope.get("proof")
    if isinstance(own, dict) and _is_away(settings):
        # Away from the ledger a bundle's own proof is the next best thing.
        return check(proof=own, checkpoint=against.checkpoint)
    with ledger_for_reading(settings) as ledger:
        secret = tenant_secret(settings.home) if (settings.home / "tenant.key").exists() else None
        return check(ledger=ledger, scorecard=scorecard, secret=secret)


def _is_canonical(path: Path) -> bool:
    """Return whether a file that was just read is canonical JSON in one line."""
    try:
        data = path.read_bytes()
        parse_canonical(data.removesuffix(b"\n"))
    except (OSError, ContractError):
        return False
    return True


def _ledger_of(envelope: dict[str, Any], scorecard: dict[str, Any] | None, settings: Settings) -> LedgerName:
    """Return which ledger a bundle stands on: as the scorecard beside it or its own proof says, else as is set."""
    placed = (scorecard or {}).get("ledger")
    proof = envelope.get("proof")
    if isinstance(placed, dict) and placed.get("backend") in ("embedded", "fabric"):
        return "fabric" if placed["backend"] == "fabric" else "embedded"
    if isinstance(proof, dict) and is_fabric(proof):
        return "fabric"
    return settings.ledger


def _is_away(settings: Settings) -> bool:
    """Return whether there is no ledger to ask: no profile of its network, or none in the folder."""
    if settings.ledger == "fabric":
        return settings.fabric_profile is None
    return not (settings.home / LEDGER).exists()


def _print(result: Verification, screen: Console) -> None:
    words = {
        "intact": "INTACT   everything checked is as it was committed",
        "differs": f"DIFFERS  {len(result.findings)} difference{'s' if len(result.findings) != 1 else ''}",
        "erased": "ERASED   the content was erased on purpose; the record stands",
    }
    screen.print(f"{result.evaluation_id}  {words[result.verdict]}", markup=False)
    for finding in result.findings:
        values = ""
        if finding.expected is not None or finding.found is not None:
            values = f" (expected {finding.expected}, found {finding.found})"
        screen.print(f"  ✗ {finding.path}: {finding.message}{values}", markup=False, soft_wrap=True)


def _print_scope(results: Sequence[Verification], screen: Console) -> None:
    """Say once what was checked and what was not, however many bundles there were, and what else has to be known."""
    for warning in dict.fromkeys(warning for result in results for warning in result.warnings):
        screen.print(f"  ! {warning}", markup=False, soft_wrap=True)
    for check in dict.fromkeys(check for result in results for check in result.checks):
        screen.print(f"  checked: {check}", markup=False, soft_wrap=True)
    for gap in dict.fromkeys(gap for result in results for gap in result.not_checked):
        screen.print(f"  not checked: {gap}", markup=False, soft_wrap=True)
