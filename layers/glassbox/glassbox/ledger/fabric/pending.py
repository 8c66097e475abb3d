"""What is kept of a transaction before it is submitted, so that whoever comes next finds out what became of it."""

from __future__ import annotations

import base64
import binascii
import json
import os
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from glassbox.errors import StoreError

_KEY: Final = re.compile(r"[a-z]{1,16}-[0-9a-f-]{1,100}")


@dataclass(frozen=True, slots=True)
class Pending:
    """A signed transaction that was, or was about to be, submitted."""

    tx_id: str
    envelope: bytes
    """Serialized common.Envelope: the very bytes to submit again."""


class PendingStore(Protocol):
    """A durable place for pending transactions by what they do: `commit-<evaluation id>`, `open-<evaluation id>`.

    Two writers of one key may overwrite each other: each transaction writes a key of the ledger that is written once,
    so at most one of them is found valid.
    """

    def get(self, key: str) -> Pending | None:
        """Return what is kept under a key, None where there is nothing; raises StoreError."""

    def put(self, key: str, pending: Pending) -> None:
        """Keep it durably before returning, in place of an earlier one; raises StoreError."""

    def delete(self, key: str, tx_id: str) -> None:
        """Forget it, unless another transaction is kept there by now; raises StoreError."""


class FilePendingStore:
    """Pending transactions in files `<folder>/<key>.json`, each written whole, readable by their owner only."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def get(self, key: str) -> Pending | None:
        """Return what is kept under a key, None where there is nothing; raises StoreError for a damaged file."""
        path = self._path(key)
        with _as_store_error(path):
            try:
                data = path.read_bytes()
            except FileNotFoundError:
                return None
        try:
            value = json.loads(data)
            return Pending(str(value["tx_id"]), base64.b64decode(value["envelope"], validate=True))
        except (ValueError, KeyError, TypeError, binascii.Error):
            raise StoreError(
                "A pending transaction's file is damaged",
                where=str(path),
                fix="Move it away and run the same command again; the ledger takes each record once",
            ) from None

    def put(self, key: str, pending: Pending) -> None:
        """Keep it: on the disk, under its name, before this returns."""
        path = self._path(key)
        text = json.dumps({"tx_id": pending.tx_id, "envelope": base64.b64encode(pending.envelope).decode()})
        with _as_store_error(path):
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            temporary = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
            descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "w", encoding="ascii") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(path)
            folder = os.open(self._folder, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)

    def delete(self, key: str, tx_id: str) -> None:
        """Forget it, unless another transaction is kept there by now."""
        path = self._path(key)
        held = self.get(key)
        if held is not None and held.tx_id == tx_id:
            with _as_store_error(path):
                path.unlink(missing_ok=True)

    def _path(self, key: str) -> Path:
        if not _KEY.fullmatch(key):
            raise StoreError("Not the key of a pending transaction", where=f"{len(key)} characters")
        return self._folder / f"{key}.json"


@contextmanager
def _as_store_error(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StoreError(
            error.strerror or type(error).__name__,
            where=str(path),
            fix="Check that the folder exists, is writable and has room; nothing was submitted",
        ) from None
