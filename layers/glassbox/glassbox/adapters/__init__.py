"""Implementations of the pipeline's ports."""

from __future__ import annotations
