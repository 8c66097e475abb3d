"""Verification: whether a bundle, its scores and its ledger record are what they were, and what exactly is not."""

from __future__ import annotations

from glassbox.verification.findings import Finding, Verification
from glassbox.verification.verify import verify_bundle

__all__ = ["Finding", "Verification", "verify_bundle"]
