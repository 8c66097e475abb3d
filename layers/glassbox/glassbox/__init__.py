"""GlassBox measures how far an LLM answer can be trusted and leaves a record nobody can quietly change."""

from __future__ import annotations

__version__ = "0.1.0"
