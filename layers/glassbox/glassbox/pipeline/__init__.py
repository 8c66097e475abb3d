"""The steps of an evaluation, each a plain function over ports: the Lambda handlers and the one-machine runner call the same."""

from __future__ import annotations
