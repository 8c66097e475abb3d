"""Documents in files: private, written whole or not at all, and safe for two processes at once."""

from __future__ import annotations

import json
import os
import re
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from glassbox.errors import StoreError
from glassbox.pipeline.ports import Json
from glassbox_contract.canonical import canonical_bytes, parse
from glassbox_contract.errors import ContractError

_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_NAME = re.compile(r"[a-z][a-z0-9_.]{0,80}")
_FIX = "Check that the folder exists, is writable and has room; --home or GLASSBOX_HOME names another"


@contextmanager
def _as_store_error(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StoreError(error.strerror or type(error).__name__, where=str(path), fix=_FIX) from None


class FileDocuments:
    """JSON documents at `<home>/evaluations/<id>/<name>.json`, readable by their owner only."""

    def __init__(self, home: Path) -> None:
        self._root = home / "evaluations"

    def path(self, evaluation_id: str, name: str) -> Path:
        """Return the file of a document; raises StoreError for an id or a name that is none."""
        if not _ID.fullmatch(evaluation_id) or not _NAME.fullmatch(name):
            raise StoreError("Not the id of an evaluation", where=f"{len(evaluation_id)} characters", fix=None)
        return self._root / evaluation_id / f"{name}.json"

    def get(self, evaluation_id: str, name: str) -> Json | None:
        """Return the document, or None where there is none; raises StoreError for a damaged one."""
        path = self.path(evaluation_id, name)
        with _as_store_error(path):
            try:
                data = path.read_bytes()
            except FileNotFoundError:
                return None
        try:
            value = parse(data)
        except ContractError as error:
            raise StoreError(
                f"A stored document is damaged: {error.reason}", where=str(path), fix="Restore it from a backup"
            ) from None
        if not isinstance(value, dict):
            raise StoreError(
                "A stored document is damaged: not an object", where=str(path), fix="Restore it from a backup"
            )
        return value

    def put(self, evaluation_id: str, name: str, document: Mapping[str, Any]) -> None:
        """Store the document durably, replacing an older one in one step."""
        path = self.path(evaluation_id, name)
        with _as_store_error(path):
            temporary = self._write(path, document)
            temporary.replace(path)
            _sync(path.parent)

    def put_new(self, evaluation_id: str, name: str, document: Mapping[str, Any]) -> Json:
        """Store the document unless there is one, and return the one that now stands."""
        path = self.path(evaluation_id, name)
        with _as_store_error(path):
            temporary = self._write(path, document)
            try:
                # A link fails where the name is taken, so of two writers exactly one wins and both read the winner.
                os.link(temporary, path)
            except FileExistsError:
                pass
            finally:
                temporary.unlink()
            _sync(path.parent)
        standing = self.get(evaluation_id, name)
        if standing is None:
            raise StoreError("A document vanished while it was written", where=str(path))
        return standing

    def delete(self, evaluation_id: str, name: str) -> None:
        """Remove the document if it is there."""
        path = self.path(evaluation_id, name)
        with _as_store_error(path):
            path.unlink(missing_ok=True)

    def uri(self, evaluation_id: str, name: str) -> str:
        """Return the file's path below the home, so that moving the folder breaks nothing."""
        return f"evaluations/{evaluation_id}/{self.path(evaluation_id, name).name}"

    def known(self, evaluation_id: str) -> bool:
        """Return whether this is an id, and the folder has an evaluation of it."""
        return bool(_ID.fullmatch(evaluation_id)) and (self._root / evaluation_id).is_dir()

    def ids(self) -> list[str]:
        """Return the ids of all evaluations in the folder, sorted."""
        with _as_store_error(self._root):
            return sorted(p.name for p in self._root.iterdir() if _ID.fullmatch(p.name)) if self._root.exists() else []

    def _write(self, path: Path, document: Mapping[str, Any]) -> Path:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        temporary = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
        write_private(temporary, pretty(document))
        return temporary


def pretty(document: Mapping[str, Any]) -> bytes:
    """Return a document as indented JSON in UTF-8 with sorted keys; NaN and Infinity are refused."""
    canonical_bytes(dict(document))
    return (json.dumps(document, ensure_ascii=False, indent=1, sort_keys=True, allow_nan=False) + "\n").encode()


def write_private(path: Path, data: bytes) -> None:
    """Write a new file that only its owner can read, and wait until it is on the disk."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def tenant_secret(home: Path) -> bytes:
    """Return the 32 bytes under which this folder's texts are digested, made at first use (file mode 0600)."""
    path = home / "tenant.key"
    if home.exists() and not home.is_dir():
        raise StoreError("This is no folder", where=str(home), fix="--home or GLASSBOX_HOME names another one")
    with _as_store_error(path):
        if not path.exists():
            home.mkdir(mode=0o700, parents=True, exist_ok=True)
            temporary = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
            write_private(temporary, secrets.token_hex(32).encode())
            try:
                os.link(temporary, path)
            except FileExistsError:
                pass
            finally:
                temporary.unlink()
        text = path.read_bytes().decode("ascii", "replace").strip()
    if not re.fullmatch(r"[0-9a-f]{64}", text):
        raise StoreError("The tenant's secret is damaged", where=str(path), fix="Restore it from a backup")
    return bytes.fromhex(text)
