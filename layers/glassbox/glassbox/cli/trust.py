"""What `--trust` names: the public key of an embedded ledger, or the roots of a Fabric network."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from glassbox.errors import UsageError

if TYPE_CHECKING:
    from glassbox.verification.proofs import Anchor

_KEY = re.compile(r"(?:ed25519:)?([0-9a-f]{64})")
_LONGEST_KEY_FILE = 1000


def trusted(trust: str | None) -> Anchor | None:
    """Return an embedded ledger's key, `ed25519:` and 64 hex digits, or a network's roots; raises UsageError.

    The option holds the key, with or without its prefix, or names a file with it, or the roots that
    `glassbox ledger trust` wrote.
    """
    if trust is None:
        return None
    found = _KEY.fullmatch(trust.strip())
    if found is None:
        path = Path(trust)
        try:
            if path.is_dir() or path.read_bytes()[:_LONGEST_KEY_FILE].lstrip().startswith(b"{"):
                from glassbox.ledger.fabric.trust import read_trust

                return read_trust(path)
            found = _KEY.fullmatch(path.read_bytes()[:_LONGEST_KEY_FILE].decode("ascii", "replace").strip())
        except (OSError, ValueError):
            found = None
    if found is None:
        raise UsageError(
            "Neither an Ed25519 public key nor the roots of a Fabric network",
            where="--trust",
            fix="Give what `glassbox ledger key` prints (ed25519: and 64 hex digits), a file with it, or the file that "
            "`glassbox ledger trust --out FILE` wrote",
        )
    return f"ed25519:{found[1]}"
