"""Every leaf of a bundle is under the digest of something: whatever is changed in it is found, and named."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from glassbox.adapters.local.files import FileDocuments, tenant_secret
from glassbox.adapters.local.home import open_ledger
from glassbox.verification import Verification, verify_bundle

Path_ = tuple[str | int, ...]

UNDETECTED: frozenset[str] = frozenset()
"""Leaves whose change no check finds; the list is empty, and may only grow with a reason beside the entry."""

SAMPLE = 160


def leaves(value: Any, path: Path_ = ()) -> Iterator[Path_]:
    """Yield the path of every scalar and every empty container."""
    if isinstance(value, dict) and value:
        for key in value:
            yield from leaves(value[key], (*path, key))
    elif isinstance(value, list) and value:
        for index in range(len(value)):
            yield from leaves(value[index], (*path, index))
    else:
        yield path


def containers(value: Any, path: Path_ = ()) -> Iterator[Path_]:
    """Yield the path of every object and array."""
    if isinstance(value, dict):
        yield path
        for key in value:
            yield from containers(value[key], (*path, key))
    elif isinstance(value, list):
        yield path
        for index in range(len(value)):
            yield from containers(value[index], (*path, index))


def changed(value: Any) -> Any:
    """Return another value of the same kind, as near as possible."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, float):
        return value + 1e-6
    if isinstance(value, str):
        return (value[:-1] + ("a" if value[-1] != "a" else "b")) if value else "x"
    return {"x": 1} if value == [] else 1


def parent_of(envelope: Any, path: Path_) -> Any:
    for part in path[:-1]:
        envelope = envelope[part]
    return envelope


def pointer(path: Path_) -> str:
    return "".join("/" + str(p).replace("~", "~0").replace("/", "~1") for p in path)


def names(verification: Verification, path: Path_) -> bool:
    """Whether a finding names the place, something inside it, or the part that holds it."""
    where = pointer(path) + "/"
    return any(
        where.startswith(f.path + "/") or (f.path + "/").startswith(where)
        for f in verification.findings
        if f.path.count("/") > 1 or f.path in ("/format", "/parts", "/proof", pointer(path))
    )


@pytest.fixture(scope="module")
def bundles(evaluated: Path) -> list[dict[str, Any]]:
    """The bundles in an order of their requests: by their ids they would come in another order in every run."""
    documents = FileDocuments(evaluated)
    read = [json.loads(documents.path(i, "bundle").read_text("utf-8")) for i in documents.ids()]
    return sorted(read, key=lambda envelope: json.dumps(envelope["content"]["request"], sort_keys=True))


@pytest.fixture(scope="module")
def with_claims(bundles: list[dict[str, Any]]) -> dict[str, Any]:
    """The first bundle whose answer was taken apart into claims."""
    for envelope in bundles:
        if envelope["content"]["results"]["semantic_faithfulness"]["measurements"][0]["evidence"]:
            return envelope
    pytest.fail("no example has claims")


def verify(home: Path, envelope: dict[str, Any]) -> Verification:
    with open_ledger(home) as ledger:
        return verify_bundle(envelope, ledger=ledger, secret=tenant_secret(home))


def test_untouched_bundles_are_intact(evaluated: Path, bundles: list[dict[str, Any]]) -> None:
    for envelope in bundles:
        verification = verify(evaluated, envelope)
        assert verification.findings == []
        assert verification.verdict == "intact"


def mutations(envelope: dict[str, Any]) -> Iterator[tuple[str, Path_]]:
    """Yield every single change: each leaf changed, each member removed, something added to each container."""
    for path in leaves(envelope):
        yield "change", path
        yield "remove", path
    for path in containers(envelope):
        yield "add", path


def apply(envelope: dict[str, Any], kind: str, path: Path_) -> tuple[dict[str, Any], Path_]:
    """Return a changed copy and the path of what was changed."""
    mutated = copy.deepcopy(envelope)
    if kind == "add":
        target = mutated
        for part in path:
            target = target[part]
        if isinstance(target, dict):
            target["extra"] = 1
            return mutated, (*path, "extra")
        target.append(1)
        return mutated, (*path, len(target) - 1)
    parent = parent_of(mutated, path)
    if kind == "remove":
        del parent[path[-1]]
    else:
        parent[path[-1]] = changed(parent[path[-1]])
    return mutated, path


def check(home: Path, envelope: dict[str, Any], chosen: list[tuple[str, Path_]]) -> list[str]:
    missed = []
    for kind, path in chosen:
        mutated, where = apply(envelope, kind, path)
        if where == ("proof",) and kind == "remove":
            continue
        verification = verify(home, mutated)
        if verification.verdict != "differs":
            missed.append(f"{kind} {pointer(where)}: not found")
        elif not names(verification, where):
            missed.append(f"{kind} {pointer(where)}: found but not named")
    return [m for m in missed if m not in UNDETECTED]


def test_a_sample_of_changes_is_found_and_named(evaluated: Path, bundles: list[dict[str, Any]]) -> None:
    for number, envelope in enumerate(bundles):
        every = list(mutations(envelope))
        chosen = random.Random(number).sample(every, min(len(every), SAMPLE // len(bundles)))
        assert check(evaluated, envelope, chosen) == []


@pytest.mark.long
def test_every_change_is_found_and_named(evaluated: Path, bundles: list[dict[str, Any]]) -> None:
    for envelope in bundles:
        assert check(evaluated, envelope, list(mutations(envelope))) == []


@pytest.mark.parametrize(
    "path",
    [
        ("content", "request", "answer"),
        ("content", "request", "retrieved_passages", 0, "text"),
        ("content", "results", "semantic_faithfulness", "measurements", 0, "evidence", 0, "verdict"),
        ("content", "results", "semantic_faithfulness", "measurements", 0, "micros"),
        ("content", "results", "contextual_precision", "models", 0),
        ("content", "policy", "bar", "value"),
        ("core", "trust_score"),
        ("core", "decision"),
        ("record", "trust"),
        ("record", "bundle_digest"),
    ],
)
def test_what_matters_most_is_named_by_its_own_path(evaluated: Path, with_claims: dict[str, Any], path: Path_) -> None:
    envelope = copy.deepcopy(with_claims)
    parent = parent_of(envelope, path)
    if path[-1] == 0 and not parent:
        pytest.fail("the example holds no model to change")
    parent[path[-1]] = changed(parent[path[-1]])
    verification = verify(evaluated, envelope)
    assert any(pointer(path).startswith(f.path) and f.path.count("/") >= 2 for f in verification.findings)


def test_a_forger_who_makes_everything_consistent_is_found_by_the_ledger(
    evaluated: Path, bundles: list[dict[str, Any]]
) -> None:
    from glassbox.scorecard import derive

    content = copy.deepcopy(bundles[0]["content"])
    content["request"]["query"] = "another question"
    forged = {**derive(content).envelope(content), "proof": bundles[0]["proof"]}
    codes = {f.code for f in verify(evaluated, forged).findings}
    assert "ledger" in codes


def test_findings_quote_no_text(evaluated: Path, bundles: list[dict[str, Any]]) -> None:
    envelope = copy.deepcopy(bundles[0])
    envelope["core"]["session_id"] = "patient Mary Holloway of ward 7"
    shown = json.dumps(verify(evaluated, envelope).to_json())
    assert "Holloway" not in shown
