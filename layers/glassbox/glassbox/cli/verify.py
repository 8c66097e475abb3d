"""`glassbox verify`: whether a bundle is what it was when its scorecard was committed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import typer
from rich.console import Console

from glassbox.adapters.local.files import FileDocuments, tenant_secret
from glassbox.adapters.local.home import open_ledger
from glassbox.cli.options import settings_of
from glassbox.cli.output import EXIT_ERROR, EXIT_FAIL, EXIT_INCONCLUSIVE, complain, console, print_json
from glassbox.errors import GlassBoxError, UsageError
from glassbox.settings import Settings
from glassbox.verification import Verification, verify_bundle
from glassbox_contract.canonical import parse
from glassbox_contract.errors import ContractError

_CODES = {"intact": 0, "differs": EXIT_FAIL, "erased": EXIT_INCONCLUSIVE}


def read_json(path: Path) -> dict[str, Any]:
    """Return the JSON object in a file; raises UsageError for anything else."""
    try:
        value = parse(path.read_bytes())
    except OSError as error:
        raise UsageError(error.strerror or type(error).__name__, where=str(path), fix="Check the path") from None
    except ContractError as error:
        raise UsageError(f"Not JSON that can be read: {error.reason}", where=str(path)) from None
    if not isinstance(value, dict):
        raise UsageError("Not a JSON object", where=str(path), fix="Name a bundle that `evaluate --out` wrote")
    return value


def find_bundle(what: str, settings: Settings) -> dict[str, Any]:
    """Return the bundle in a file, or of an evaluation of this folder by its id; raises UsageError."""
    path = Path(what)
    if path.suffix == ".json" or path.exists():
        return read_json(path)
    documents = FileDocuments(settings.home)
    found = documents.get(what, "bundle") if documents.known(what) else None
    if found is None:
        raise UsageError(
            "Neither a bundle file nor the id of an evaluation in this folder",
            where=what if len(what) <= 200 else f"{len(what)} characters",
            fix=f"`glassbox ledger show` lists the ids in {settings.home}; --home names another folder",
        )
    return found


def verify(
    what: Sequence[str], *, proof: Path | None, trust: str | None, recompute: bool, as_json: bool, home: Path | None
) -> None:
    """Verify each bundle, say what was checked and what differs, and exit with the worst verdict."""
    settings = settings_of(home)
    results: list[Verification] = []
    failed = False
    for one in what:
        try:
            results.append(_verify_one(one, settings, proof, trust, recompute))
        except GlassBoxError as error:
            complain(error)
            failed = True
    if as_json:
        values = [r.to_json() for r in results]
        print_json(values[0] if len(what) == 1 and values else values)
    else:
        for result in results:
            _print(result, console())
    codes = {_CODES[r.verdict] for r in results} | ({EXIT_ERROR} if failed else set())
    raise typer.Exit(next((c for c in (EXIT_ERROR, EXIT_FAIL, EXIT_INCONCLUSIVE) if c in codes), 0))


def _verify_one(what: str, settings: Settings, proof: Path | None, trust: str | None, recompute: bool) -> Verification:
    envelope = find_bundle(what, settings)
    models = None
    if recompute:
        from glassbox.models.registry import Registry

        models = Registry(settings.models, threads=settings.threads)
    if proof is not None:
        return verify_bundle(envelope, proof=read_json(proof), trusted_key=_key(trust), models=models)
    with open_ledger(settings.home) as ledger:
        secret = tenant_secret(settings.home) if (settings.home / "tenant.key").exists() else None
        return verify_bundle(envelope, ledger=ledger, secret=secret, models=models)


def _key(trust: str | None) -> str | None:
    """Return the trusted key, read from a file where the option names one."""
    if trust is None:
        return None
    path = Path(trust)
    text = path.read_text("utf-8").strip() if len(trust) != 64 and path.exists() else trust
    if len(text) != 64 or any(c not in "0123456789abcdef" for c in text):
        raise UsageError("Not an Ed25519 public key", where="--trust", fix="Give 64 hex digits, or a file with them")
    return text


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
    for check in result.checks:
        screen.print(f"  checked: {check}", markup=False, soft_wrap=True)
    for gap in result.not_checked:
        screen.print(f"  not checked: {gap}", markup=False, soft_wrap=True)
