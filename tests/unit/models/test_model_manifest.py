"""The manifest accepts what is complete and names every fault of what is not."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest

from glassbox.errors import ModelError
from glassbox.models import parse_manifest

Describe = Callable[..., dict[str, Any]]


def manifest(*entries: dict[str, Any]) -> str:
    return json.dumps({"schema_version": "1", "models": list(entries)})


def test_a_complete_entry_is_read(describe: Describe) -> None:
    entry = parse_manifest(manifest(describe("claim-tiny-3"))).models[0]
    assert entry.task == "claims"
    assert entry.labels == ("supported", "contradicted", "unsupported")
    assert entry.identity == f"claim-tiny-3@{entry.digest}"
    assert entry.digest.startswith("sha256:") and len(entry.digest) == 71


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"surprise": 1}, "/models/0/surprise"),
        ({"task": "chess"}, "/models/0/task"),
        ({"name": "Not A Name"}, "/models/0/name"),
        ({"files": []}, "/models/0/files"),
        ({"licence": ""}, "/models/0/licence"),
        ({"max_tokens": "64"}, "/models/0/max_tokens"),
        ({"thresholds": {"default": 1.5}}, "/models/0/thresholds/default"),
        ({"labels": ["a", "a"]}, "/models/0"),
        ({"labels": [""]}, "/models/0/labels/0"),
        ({"limits": {"max_words": 0}}, "/models/0/limits/max_words"),
    ],
)
def test_a_fault_is_named_by_its_path(describe: Describe, change: dict[str, Any], path: str) -> None:
    with pytest.raises(ModelError, match=f"{path}: "):
        parse_manifest(manifest(describe("claim-tiny-3") | change))


def test_every_required_field_is_missed(describe: Describe) -> None:
    for key in ("name", "task", "architecture", "files", "source", "licence", "attribution", "quantisation"):
        entry = describe("embed-tiny")
        del entry[key]
        with pytest.raises(ModelError, match=f"/models/0/{key}: "):
            parse_manifest(manifest(entry))


def test_all_faults_are_named_at_once(describe: Describe) -> None:
    with pytest.raises(ModelError) as caught:
        parse_manifest(manifest(describe("embed-tiny", licence=""), describe("claim-tiny-2", max_tokens=1)))
    assert "/models/0/licence" in str(caught.value) and "/models/1/max_tokens" in str(caught.value)


@pytest.mark.parametrize("place", ["/etc/passwd", "../model.onnx", "a/../../b", "a\\b", ""])
def test_a_file_stays_inside_its_model(describe: Describe, place: str) -> None:
    entry = describe("embed-tiny")
    entry["files"][0]["path"] = place
    with pytest.raises(ModelError, match="/models/0/files/0/path"):
        parse_manifest(manifest(entry))


@pytest.mark.parametrize("digest", ["", "00", "g" * 64, "A" * 64])
def test_a_digest_is_64_lower_case_hexadecimal_digits(describe: Describe, digest: str) -> None:
    entry = describe("embed-tiny")
    entry["files"][0]["sha256"] = digest
    with pytest.raises(ModelError, match="/models/0/files/0/sha256"):
        parse_manifest(manifest(entry))


def test_a_model_has_one_graph_and_one_tokenizer(describe: Describe) -> None:
    entry = describe("embed-tiny")
    for files in (entry["files"][:1], entry["files"][1:], [*entry["files"], entry["files"][0] | {"path": "b.onnx"}]):
        with pytest.raises(ModelError, match="of role"):
            parse_manifest(manifest(entry | {"files": files}))


def test_names_differ(describe: Describe) -> None:
    with pytest.raises(ModelError, match="twice"):
        parse_manifest(manifest(describe("embed-tiny"), describe("embed-tiny")))


@pytest.mark.parametrize("text", ["", "[", "[]", "null", '{"schema_version": "2", "models": []}', "\ufeff{}"])
def test_what_is_no_manifest_is_refused(text: str) -> None:
    with pytest.raises(ModelError):
        parse_manifest(text)


def test_numbers_are_finite_and_keys_unique(describe: Describe) -> None:
    text = manifest(describe("embed-tiny", measured={"f1": 0.5}))
    for bad in ("NaN", "Infinity", "-Infinity"):
        with pytest.raises(ModelError, match="not a JSON number"):
            parse_manifest(text.replace("0.5", bad))
    with pytest.raises(ModelError, match="twice"):
        parse_manifest(text.replace('"licence"', '"name"', 1))


def test_the_digest_covers_all_that_decides_the_output(describe: Describe) -> None:
    base = describe("gliner-tiny-bert", labels=["person", "date"])
    changed: list[dict[str, Any]] = [base]
    for index in range(len(base["files"])):
        for key, value in (("sha256", "0" * 64), ("bytes", 7), ("path", "elsewhere.bin")):
            other = copy.deepcopy(base)
            other["files"][index][key] = value
            changed.append(other)
    changed += [
        base | {"labels": ["date", "person"]},
        base | {"thresholds": {"default": 0.4}},
        base | {"thresholds": {"by_label": {"date": 0.4}}},
        base | {"calibration": {"temperature": 2.0}},
        base | {"limits": {"max_words": 50}},
        base | {"max_tokens": 128},
    ]
    digests = [parse_manifest(manifest(entry)).models[0].digest for entry in changed]
    assert len(set(digests)) == len(digests)


def test_the_digest_ignores_order_of_files_and_prose(describe: Describe) -> None:
    base = describe("gliner-tiny-bert")
    other = base | {"files": base["files"][::-1], "attribution": "somebody", "measured": {"f1": 0.1}}
    first, second = (parse_manifest(manifest(entry)).models[0].digest for entry in (base, other))
    assert first == second
