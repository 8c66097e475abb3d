"""The same request gives the same bytes: repeats, threads, hash seeds, `--jobs` and the order of requests varied."""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import clock
import workload

REPEATS = 20
REQUESTS = 6
SCORES = """
import hashlib, json, sys
sys.path.insert(0, sys.argv[1])
import workload
from glassbox.contract.policy import built_in
from glassbox.contract.request import Request
from glassbox.judges.registry import JUDGES, judge_named
from glassbox.judges.tools import Tools
from glassbox.models.registry import Registry
tools, policy = Tools(models=Registry(sys.argv[2] or None, threads=int(sys.argv[3]))), built_in("default")
for _ in range(int(sys.argv[4])):
    found = []
    for number in range(int(sys.argv[5])):
        request = Request.model_validate(workload.request(300 + number))
        found += [judge_named(name)(request, policy, tools).model_dump(mode="json") for name in JUDGES]
    text = json.dumps(found, sort_keys=True, ensure_ascii=False)
    print(hashlib.sha256(text.encode()).hexdigest())
"""


def determinism(models: Path | None, repeats: int = REPEATS) -> dict[str, Any]:
    """Return how many different results each variation gave; 1 everywhere means byte-identical results.

    `repeats` and `threads` compare everything the judges return, evidence included. `jobs` and `order` compare the
    measurements of the scorecards that the command line makes.
    """
    first = _results(models, threads=1, repeats=repeats, seed="0", requests=2)
    other = [_results(models, threads=t, repeats=1, seed=s, requests=2) for t, s in ((2, "1"), (1, "2"), (2, "3"))]
    digests = [*first, *(d for run in other for d in run)]
    batches = {
        "jobs 1": _batch(models, range(REQUESTS), 1),
        "jobs 2": _batch(models, range(REQUESTS), 2),
        "shuffled, jobs 2": _batch(models, Random(5).sample(range(REQUESTS), REQUESTS), 2),
        "reversed, jobs 1": _batch(models, range(REQUESTS - 1, -1, -1), 1),
    }
    return {
        "repeats": {"runs": len(first), "different_results": len(set(first))},
        "threads 1 and 2, hash seeds": {"runs": len(digests), "different_results": len(set(digests))},
        "jobs and order": {"runs": len(batches), "different_results": len({json.dumps(b) for b in batches.values()})},
        "digest": f"sha256:{first[0]}",
    }


def _results(models: Path | None, *, threads: int, repeats: int, seed: str, requests: int) -> list[str]:
    arguments = [str(Path(__file__).parent), str(models or ""), str(threads), str(repeats), str(requests)]
    return clock.run(["-c", SCORES, *arguments], {"PYTHONHASHSEED": seed}).output.split()


def _batch(models: Path | None, numbers: Sequence[int], jobs: int) -> list[tuple[str, str]]:
    """Return the digest of each request's measurements by its question, in the order of the questions."""
    with tempfile.TemporaryDirectory() as folder:
        batch = Path(folder, "batch.jsonl")
        requests = {n: workload.request(400 + n) for n in numbers}
        batch.write_text("".join(json.dumps(requests[n]) + "\n" for n in numbers), encoding="utf-8")
        surroundings = {"GLASSBOX_HOME": str(Path(folder, "home")), "GLASSBOX_MODELS": str(models or "")}
        arguments = ["evaluate", str(batch), "--jobs", str(jobs), "--engine", "local", "--json"]
        cards = json.loads(clock.run_module("glassbox.cli", arguments, surroundings).output)
    found = {n: _digest(card) for n, card in zip(numbers, cards, strict=True)}
    return [(str(n), found[n]) for n in sorted(found)]


def _digest(card: dict[str, Any]) -> str:
    kept = {name: card[name] for name in ("judges", "trust_score", "flags", "decision")}
    return hashlib.sha256(json.dumps(kept, sort_keys=True).encode()).hexdigest()
