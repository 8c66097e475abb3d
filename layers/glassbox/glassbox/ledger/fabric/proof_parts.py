"""Reading the JSON of a proof: every text has one form only, so that no change of it says the same."""

from __future__ import annotations

import base64
import binascii
import re
from typing import Any, Final

from glassbox.ledger.fabric.blocks import BlockSignature
from glassbox_contract import checks
from glassbox_contract.errors import ContractError

_HEX_HASH: Final = re.compile(r"[0-9a-f]{64}")
_MOST_SIGNATURES: Final = 100


def octets(value: Any, path: str) -> bytes:
    """Return the bytes in a Base64 text; raises ContractError unless it is their one form."""
    if isinstance(value, str):
        try:
            data = base64.b64decode(value.encode("ascii"), validate=True)
        except (UnicodeEncodeError, binascii.Error, ValueError):
            data = b""
        if data and base64.b64encode(data).decode("ascii") == value:
            return data
    raise ContractError("INVALID", "must be Base64", path)


def hex_hash(value: Any, path: str) -> bytes:
    """Return the 32 bytes of a hash in lower-case hex; raises ContractError."""
    return bytes.fromhex(checks.text(value, path, _HEX_HASH, "64 hex digits"))


def block_signatures(value: Any, path: str) -> tuple[BlockSignature, ...]:
    """Return the signatures of a block; raises ContractError unless they are in order, each once."""
    found: list[BlockSignature] = []
    for at, item in enumerate(checks.listing(value, path, _MOST_SIGNATURES)):
        where = f"{path}/{at}"
        raw = checks.fields(item, ("header", "signature"), where)
        one = BlockSignature(octets(raw["header"], where + "/header"), octets(raw["signature"], where + "/signature"))
        if found and one.header <= found[-1].header:
            raise ContractError("INVALID", "signatures must be sorted by their headers, each once", where)
        found.append(one)
    return tuple(found)
