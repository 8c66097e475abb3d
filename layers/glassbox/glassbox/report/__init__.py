"""Reports of an evaluation: an HTML page for three readers, an overview page, and a table for the terminal."""

from __future__ import annotations

from glassbox.report.html import READERS, Reader, render
from glassbox.report.index import Row, render_index
from glassbox.report.terminal import print_scorecard

__all__ = ["READERS", "Reader", "Row", "print_scorecard", "render", "render_index"]
