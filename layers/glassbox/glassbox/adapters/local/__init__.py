"""One machine: documents in files, a secret in a file, the embedded ledger."""

from __future__ import annotations
