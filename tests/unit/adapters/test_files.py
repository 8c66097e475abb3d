"""Documents are private, whole or absent, and safe for two writers at once."""

from __future__ import annotations

import json
import stat
import threading
from pathlib import Path

import pytest

from glassbox.adapters.local.files import FileDocuments, tenant_secret
from glassbox.errors import StoreError

ID = "11111111-2222-5333-8444-555555555555"


def test_what_was_put_is_got(tmp_path: Path) -> None:
    documents = FileDocuments(tmp_path)
    documents.put(ID, "bundle", {"answer": "Straße 東京 🙂", "value": 0.1})
    assert documents.get(ID, "bundle") == {"answer": "Straße 東京 🙂", "value": 0.1}
    assert documents.get(ID, "scorecard") is None
    assert documents.ids() == [ID]


def test_only_the_owner_can_read(tmp_path: Path) -> None:
    documents = FileDocuments(tmp_path / "home")
    documents.put(ID, "bundle", {"a": 1})
    path = documents.path(ID, "bundle")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    tenant_secret(tmp_path / "home")
    assert stat.S_IMODE((tmp_path / "home" / "tenant.key").stat().st_mode) == 0o600


def test_the_first_of_two_new_documents_stands(tmp_path: Path) -> None:
    documents = FileDocuments(tmp_path)
    assert documents.put_new(ID, "intake", {"n": 1}) == {"n": 1}
    assert documents.put_new(ID, "intake", {"n": 2}) == {"n": 1}


def test_many_writers_agree_on_one_document(tmp_path: Path) -> None:
    seen: list[object] = []
    barrier = threading.Barrier(8)

    def write(number: int) -> None:
        barrier.wait()
        seen.append(FileDocuments(tmp_path).put_new(ID, "intake", {"n": number})["n"])

    threads = [threading.Thread(target=write, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(seen) == 8
    assert len(set(seen)) == 1


def test_no_half_written_file_is_left(tmp_path: Path) -> None:
    documents = FileDocuments(tmp_path)
    documents.put(ID, "bundle", {"a": 1})
    documents.put_new(ID, "bundle", {"a": 2})
    assert [p.name for p in documents.path(ID, "bundle").parent.iterdir()] == ["bundle.json"]


@pytest.mark.parametrize("name", ["../../etc/passwd", "", "x" * 36, ID + "/..", "ABCDEF00" + ID[8:]])
def test_nothing_but_an_id_names_a_folder(tmp_path: Path, name: str) -> None:
    with pytest.raises(StoreError):
        FileDocuments(tmp_path).get(name, "bundle")


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b'{"a":NaN}', b'{"a":1,"a":2}'])
def test_a_damaged_document_is_an_error_with_its_path(tmp_path: Path, damage: bytes) -> None:
    documents = FileDocuments(tmp_path)
    documents.put(ID, "bundle", {"a": 1})
    documents.path(ID, "bundle").write_bytes(damage)
    with pytest.raises(StoreError, match=r"bundle\.json"):
        documents.get(ID, "bundle")


def test_nan_is_never_written(tmp_path: Path) -> None:
    from glassbox_contract.errors import ContractError

    with pytest.raises(ContractError):
        FileDocuments(tmp_path).put(ID, "bundle", {"a": float("nan")})


def test_a_folder_that_is_a_file_is_an_error_that_says_so(tmp_path: Path) -> None:
    (tmp_path / "evaluations").write_text("x")
    with pytest.raises(StoreError, match="--home"):
        FileDocuments(tmp_path).put(ID, "bundle", {"a": 1})


def test_the_secret_stays_and_a_damaged_one_is_refused(tmp_path: Path) -> None:
    first = tenant_secret(tmp_path)
    assert len(first) == 32
    assert tenant_secret(tmp_path) == first
    (tmp_path / "tenant.key").write_text("short")
    with pytest.raises(StoreError, match="damaged"):
        tenant_secret(tmp_path)


def test_stored_files_are_json_for_people(tmp_path: Path) -> None:
    documents = FileDocuments(tmp_path)
    documents.put(ID, "bundle", {"b": 1, "a": "é"})
    text = documents.path(ID, "bundle").read_text("utf-8")
    assert json.loads(text) == {"a": "é", "b": 1}
    assert text.index('"a"') < text.index('"b"')
    assert "é" in text
