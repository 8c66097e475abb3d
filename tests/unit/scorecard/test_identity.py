"""Ids and digests of an evaluation: the same for the same, and none of them gives a text away."""

from __future__ import annotations

import uuid

from glassbox.scorecard import evaluation_id, request_hmac, session_hmac, session_id_for

SECRET = bytes(range(32))
BASE = {"tenant": "t", "key": "k", "policy_digest": "p", "engine": "local", "attempt": 0}


def test_an_id_depends_on_every_part_and_on_nothing_else() -> None:
    first = evaluation_id(**BASE)  # type: ignore[arg-type]
    assert uuid.UUID(first).version == 5
    assert first == evaluation_id(**BASE)  # type: ignore[arg-type]
    changed = {evaluation_id(**{**BASE, k: 1 if k == "attempt" else "x"}) for k in BASE}  # type: ignore[arg-type]
    assert len(changed | {first}) == 6


def test_parts_can_not_be_shifted_into_each_other() -> None:
    assert evaluation_id(**{**BASE, "tenant": "tk", "key": ""}) != evaluation_id(**BASE)  # type: ignore[arg-type]


def test_the_callback_address_is_no_part_of_a_request() -> None:
    request = {"query": "q", "answer": "a", "retrieved_passages": []}
    assert request_hmac(SECRET, request) == request_hmac(SECRET, {**request, "callback_url": "https://x.example/"})
    assert request_hmac(SECRET, request) != request_hmac(SECRET, {**request, "answer": "b"})


def test_digests_of_texts_need_the_secret() -> None:
    assert session_hmac(SECRET, "s") != session_hmac(bytes(32), "s")
    assert session_hmac(SECRET, "s").startswith("hmac-sha256:")


def test_a_missing_session_id_is_made_the_same_at_every_retry() -> None:
    assert session_id_for("t", "k") == session_id_for("t", "k") != session_id_for("t", "l")
