"""Requests of our own writing, each a little different, so that every test has evaluations of its own."""

from __future__ import annotations

import itertools
import json
from typing import Any

_COUNTER = itertools.count(1)


def body(**changes: Any) -> str:
    """Return the JSON of a new request; `changes` replace its members."""
    number = next(_COUNTER)
    request = {
        "query": f"How long is the warranty of kettle number {number}?",
        "answer": f"Kettle number {number} comes with a warranty of 24 months.",
        "retrieved_passages": [
            {"text": f"Kettle number {number} comes with a warranty of 24 months from the purchase.", "score": 0.9},
            {"text": "The shop opens at nine on weekdays.", "score": 0.2},
            {"text": "Repairs under the warranty of 24 months are free of charge.", "score": 0.7},
        ],
    }
    return json.dumps({**request, **changes})
