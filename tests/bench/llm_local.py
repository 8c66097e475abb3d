"""The local engine on the rows that a judge model scored, so that the two can be compared row by row.

Its scores are kept beside the cassettes, under a digest of the row, the models and the code: an evaluation takes up to
a second, and the same row gives the same score.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from judged import JudgedClaim
from llm_found import Found, read
from llm_rows import Job, policy_of
from llm_running import Outcome, Progress
from provenance import digest as file_digest

import glassbox
from glassbox.errors import GlassBoxError
from glassbox.judges.registry import judge_named
from glassbox.judges.tools import Tools
from glassbox.models.registry import Registry
from glassbox_contract.canonical import digest

KEPT = "local-engine.jsonl"


def local(outcomes: Sequence[Outcome], registry: Registry, folder: Path, progress: Progress) -> list[Found | None]:
    """Return what the local engine finds on each row that was judged, None on the others and where it failed.

    Ctrl-C leaves the rest of the rows out.
    """
    tools = Tools(models=registry)
    models = [_code(), *sorted(entry.identity for entry in registry.manifest.models)]
    kept, found = _read(folder / KEPT), list[Found | None]()
    try:
        for one in outcomes:
            found.append(_one(one, tools, models, kept, folder / KEPT))
            progress.step()
    except KeyboardInterrupt:
        pass
    progress.end()
    return [*found, *[None] * (len(outcomes) - len(found))]


def _one(one: Outcome, tools: Tools, models: list[str], kept: dict[str, Found], path: Path) -> Found | None:
    if one.found is None:
        return None
    key = _key(one.job, models)
    if key not in kept:
        try:
            result = judge_named(one.job.judge)(one.job.local_request, policy_of(one.job.task), tools)
        except GlassBoxError:
            return None
        kept[key] = read(one.job.task, result)
        _keep(path, key, kept[key])
    return kept[key]


def _key(job: Job, models: list[str]) -> str:
    told: dict[str, Any] = {"task": job.task, "models": models}
    return digest({**told, "policy": policy_of(job.task).digest, "request": job.local_request.model_dump(mode="json")})


def _code() -> str:
    return file_digest(sorted(Path(glassbox.__file__).parent.rglob("*.py")))


def _read(path: Path) -> dict[str, Found]:
    found = {}
    try:
        lines = path.read_text("utf-8").splitlines()
    except OSError:
        return {}
    for line in lines:
        try:
            item = json.loads(line)
            claims = tuple(JudgedClaim(*claim, None) for claim in item["found"].pop("claims"))
            found[item["key"]] = Found(**item["found"], claims=claims)
        except (ValueError, KeyError, TypeError):
            continue
    return found


def _keep(path: Path, key: str, found: Found) -> None:
    claims = [[claim.verdict, claim.rule, claim.probability] for claim in found.claims]
    line = json.dumps({"key": key, "found": {**asdict(found), "claims": claims}})
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    except OSError:
        # A replay may lie where nothing can be written.
        return
    with os.fdopen(descriptor, "a", encoding="utf-8") as file:
        file.write(line + "\n")
