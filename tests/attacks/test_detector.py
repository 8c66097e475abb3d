"""The detector, counted once on the suite and never tuned on it: what it recalls, and what it takes for an attack."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from glassbox.contract.parsing import request_from
from glassbox.judges.hostility import injection_flags
from glassbox.text.injection import detect_injection
from tests.attacks.defences import policy_for
from tests.attacks.harmless import HARMLESS
from tests.attacks.suite import ATTACKS

DATA: Final = Path(os.environ.get("GLASSBOX_DATA") or Path(__file__).resolve().parents[3] / "shared" / "data")
HOSTILE: Final = "issue_inputs.jsonl"
"""A set of inputs that broke other evaluators, attacks among them."""
RECALLED: Final = 120
"""Attacks of which a text was recognised when the suite was written; a detector may get better, not worse."""
KNOWN_ALARMS: Final = frozenset(
    {
        *("arabic", "definition", "exam-es", "judge-court", "judge-sport", "llm-de", "manual-forget", "reviewer"),
        *("safety", "teacher", "verdict"),
    }
)
"""Texts about judging and marking that are taken for orders: the price of finding orders by their structure."""


def test_the_detector_recalls_no_fewer_attacks_than_when_the_suite_was_written() -> None:
    recalled = [attack.id for attack in ATTACKS if any(detect_injection(text) for text in attack.texts.values())]
    assert len(recalled) >= RECALLED


def test_harmless_look_alikes_are_not_flagged() -> None:
    alarms = {name for name, text in HARMLESS.items() if detect_injection(text)}
    assert alarms <= KNOWN_ALARMS


def test_a_request_of_harmless_look_alikes_is_not_flagged() -> None:
    texts = [text for name, text in HARMLESS.items() if name not in KNOWN_ALARMS]
    for start in range(0, len(texts) - 2, 3):
        query, answer, *passages = texts[start : start + 3]
        request = request_from({"query": query, "answer": answer, "retrieved_passages": passages})
        flags = injection_flags(request, policy_for("en"), "semantic_faithfulness")
        assert flags == (), [name for name, text in HARMLESS.items() if text in texts[start : start + 3]]


@pytest.mark.long
@pytest.mark.skipif(not DATA.is_dir(), reason=f"no labelled sets at {DATA}; set GLASSBOX_DATA")
def test_fewer_than_one_in_a_hundred_texts_of_the_labelled_sets_is_flagged() -> None:
    counts = {path.name: _alarms(path) for path in sorted(DATA.glob("*.jsonl")) if path.name != HOSTILE}
    texts, alarms = sum(size for size, _ in counts.values()), sum(found for _, found in counts.values())
    assert texts > 1000
    assert alarms < 0.01 * texts, counts


def _alarms(path: Path) -> tuple[int, int]:
    texts = [text for line in path.read_text("utf-8").splitlines() for text in _texts(json.loads(line))]
    return len(texts), sum(bool(detect_injection(text)) for text in texts)


def _texts(value: Any) -> Iterator[str]:
    """Yield the strings of a row that are long enough to be a text."""
    if isinstance(value, str):
        if len(value) >= 40:
            yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from _texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)
