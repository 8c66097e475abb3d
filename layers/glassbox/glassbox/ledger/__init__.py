"""Ledgers of scorecards: the port that every ledger fits, and the embedded one."""

from __future__ import annotations

from glassbox.ledger.port import ExportKind, Finding, FsckReport, LedgerPort, Page, Receipt

__all__ = ["ExportKind", "Finding", "FsckReport", "LedgerPort", "Page", "Receipt"]
