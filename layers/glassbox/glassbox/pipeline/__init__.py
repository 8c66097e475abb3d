"""The steps of an evaluation, each a plain function over ports, so that every runner calls the same ones."""

from __future__ import annotations
