"""The ledger's Ed25519 key: a file of its own, outside the database, readable by its owner only."""

from __future__ import annotations

import os
import re
import secrets
import stat
from pathlib import Path
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from glassbox.errors import LedgerError
from glassbox.ledger.errors import LedgerKeyUnusable, LedgerReadOnly

PUBLIC_KEY: Final = re.compile(r"ed25519:[0-9a-f]{64}")
SIGNATURE: Final = re.compile(r"ed25519:[0-9a-f]{128}")
_SECRET: Final = re.compile(rb"glassbox-ledger-key-1:[0-9a-f]{64}\n")
_PREFIX: Final = "ed25519:"


class SigningKey:
    """A private key in memory; its repr shows the public half alone."""

    def __init__(self, seed: bytes) -> None:
        self._private = Ed25519PrivateKey.from_private_bytes(seed)

    def __repr__(self) -> str:
        return f"SigningKey({self.public_key})"

    @property
    def public_key(self) -> str:
        """The public key as `ed25519:` and 64 hex digits."""
        return _PREFIX + self._private.public_key().public_bytes_raw().hex()

    def sign(self, message: bytes) -> str:
        """Return the signature of a message as `ed25519:` and 128 hex digits."""
        return _PREFIX + self._private.sign(message).hex()


def verify(public_key: str, signature: str, message: bytes) -> bool:
    """Return whether `signature` is one of `message` under `public_key`; false for anything malformed."""
    if not PUBLIC_KEY.fullmatch(public_key) or not SIGNATURE.fullmatch(signature):
        return False
    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(public_key.removeprefix(_PREFIX)))
        key.verify(bytes.fromhex(signature.removeprefix(_PREFIX)), message)
    except (InvalidSignature, ValueError):
        return False
    return True


def load(path: Path) -> SigningKey:
    """Return the key in a file; raises LedgerKeyUnusable saying what to do."""
    try:
        mode = path.stat().st_mode
        data = path.read_bytes()
    except FileNotFoundError:
        raise LedgerKeyUnusable(
            "The ledger's signing key is missing",
            where=str(path),
            fix="Restore it from a backup; without it the ledger can be read and checked, but takes no new record",
        ) from None
    except IsADirectoryError:
        raise LedgerKeyUnusable(
            "A folder stands where the ledger's signing key should be",
            where=str(path),
            fix="Move it away and restore the key from a backup",
        ) from None
    except OSError as error:
        raise LedgerKeyUnusable(
            f"The ledger's signing key can't be read ({error.strerror})",
            where=str(path),
            fix="Check its owner and mode",
        ) from None
    if stat.S_IMODE(mode) & 0o077 and os.name == "posix":
        raise LedgerKeyUnusable(
            "The ledger's signing key can be read by others", where=str(path), fix="Run chmod 600 on it"
        )
    if not _SECRET.fullmatch(data):
        raise LedgerKeyUnusable("The ledger's signing key is damaged", where=str(path), fix="Restore it from a backup")
    return SigningKey(bytes.fromhex(data[-65:-1].decode("ascii")))


def create(path: Path) -> SigningKey:
    """Return a new key that stands in a new file, or the key that another process put there first.

    The file appears whole or not at all, since it is linked into place after it was written.
    """
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    try:
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(b"glassbox-ledger-key-1:" + secrets.token_bytes(32).hex().encode("ascii") + b"\n")
            file.flush()
            os.fsync(file.fileno())
        link(temporary, path)
        temporary.unlink()
        sync_folder(path.parent)
    except OSError as error:
        raise not_writable(path, error) from None
    return load(path)


def link(source: Path, target: Path) -> None:
    """Give a file a second name unless the name is taken."""
    try:
        os.link(source, target)
    except FileExistsError:
        return


def sync_folder(folder: Path) -> None:
    """Wait until the names in a folder are on the disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def not_writable(path: Path, error: OSError) -> LedgerError:
    """Return the typed error for a file that can't be made or changed."""
    return LedgerReadOnly(
        f"The ledger's folder can't be written ({error.strerror or type(error).__name__})",
        where=str(path.parent),
        fix="Check that it exists, belongs to you and has room, or name another folder",
    )
