"""The chaincode package that is installed on a peer: it holds no code, only where the chaincode server is reached."""

from __future__ import annotations

import hashlib
import io
import json
import struct
import tarfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

_BLOCK: Final = 0xFFFF
_EPOCH: Final = 1_577_836_800
"""Time of every entry, so that equal content gives equal bytes."""


def connection(address: str, paths: Mapping[str, Path]) -> dict[str, Any]:
    """Return the content of `connection.json` for mutual TLS; it holds the peer's private key."""
    return {
        "address": address,
        "dial_timeout": "10s",
        "tls_required": True,
        "client_auth_required": True,
        "client_key": paths["client_key"].read_text(),
        "client_cert": paths["client_certificate"].read_text(),
        "root_cert": paths["ca"].read_text(),
    }


def package(label: str, connection_json: bytes) -> bytes:
    """Return the package: the same bytes for the same label and connection, on every machine."""
    metadata = json.dumps({"type": "ccaas", "label": label}, separators=(",", ":")).encode()
    code = _archive({"connection.json": connection_json})
    return _archive({"metadata.json": metadata, "code.tar.gz": code})


def package_id(label: str, data: bytes) -> str:
    """Return the id under which a peer knows a package."""
    return f"{label}:{hashlib.sha256(data).hexdigest()}"


def _archive(entries: Mapping[str, bytes]) -> bytes:
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name in sorted(entries):
            entry = tarfile.TarInfo(name)
            entry.size, entry.mtime, entry.mode = len(entries[name]), _EPOCH, 0o644
            archive.addfile(entry, io.BytesIO(entries[name]))
    return _stored_gzip(plain.getvalue())


def _stored_gzip(data: bytes) -> bytes:
    """Return `data` as a gzip file (RFC 1952) of stored blocks: a compressor's versions differ in what they make."""
    blocks = [data[at : at + _BLOCK] for at in range(0, len(data), _BLOCK)] or [b""]
    parts = [b"\x1f\x8b\x08" + bytes(6) + b"\xff"]
    for number, block in enumerate(blocks):
        last = number == len(blocks) - 1
        parts.append(struct.pack("<BHH", last, len(block), len(block) ^ 0xFFFF) + block)
    parts.append(struct.pack("<II", zlib.crc32(data), len(data) & 0xFFFFFFFF))
    return b"".join(parts)
