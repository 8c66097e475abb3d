"""What an evaluation used, where the steps look for it."""

from __future__ import annotations

from glassbox.scorecard.usage import usage_of

__all__ = ["usage_of"]
