"""A policy is found by its built-in name or in its file, and what is wrong with a file is said with its place."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from glassbox.cli.policies import find_policy
from glassbox.contract.policy import BUILT_IN, built_in
from glassbox.errors import PolicyInvalid, UsageError


def refused(path: Path, data: bytes) -> PolicyInvalid:
    path.write_bytes(data)
    with pytest.raises(PolicyInvalid) as caught:
        find_policy(str(path))
    assert caught.value.where == str(path)
    return caught.value


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_built_in_policy_is_found_by_its_name(name: str) -> None:
    assert find_policy(name).digest == built_in(name).digest


def test_a_file_may_be_called_anything(tmp_path: Path) -> None:
    for name in ("mine", "mine.json", "mine.v2"):
        (tmp_path / name).write_text(json.dumps({"name": "mine", "extends": "strict"}))
        assert find_policy(str(tmp_path / name)).name == "mine"


@pytest.mark.parametrize("name", ["nofile", "nofile.json", "no/such/file", "defualt", "", "a\x00b"])
def test_what_is_neither_is_said_to_be_neither(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError) as caught:
        find_policy(name)
    if name:
        assert caught.value.what == "There is neither a built-in policy nor a file of that name"
    assert "default, strict" in str(caught.value)
    assert "--policy" not in str(caught.value)


def test_a_folder_is_no_policy(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="directory"):
        find_policy(str(tmp_path))


def test_faults_of_the_text_have_their_line(tmp_path: Path) -> None:
    error = refused(tmp_path / "p.json", b'{"name": "x",\n "extends": "default",\n "extends": "strict", "bar": NaN}')
    assert error.what == "The policy has 2 faults"
    assert [(v.path, v.message.split(", at ")[1]) for v in error.violations] == [
        ("$.extends", "line 3, column 2"),
        ("$.bar", "line 3, column 30"),
    ]


def test_a_byte_order_mark_is_named(tmp_path: Path) -> None:
    error = refused(tmp_path / "p.json", b"\xef\xbb\xbf{}")
    assert "save the file as UTF-8 without it" in error.violations[0].message


def test_a_file_that_calls_itself_default_is_refused(tmp_path: Path) -> None:
    document = {**built_in("default").document, "bar": {"value": 0, "comparator": ">="}}
    error = refused(tmp_path / "p.json", json.dumps(document).encode())
    assert [v.path for v in error.violations] == ["$.name"]


def test_a_large_integer_stays_a_fault_of_a_policy(tmp_path: Path) -> None:
    error = refused(tmp_path / "p.json", b'{"name": "x", "extends": "default", "retention_days": 123456789012345678}')
    assert [v.path for v in error.violations] == ["$.retention_days"]
