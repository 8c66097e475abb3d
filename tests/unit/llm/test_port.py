"""The port against scripted models: what is taken, repaired, asked again and given up."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from glassbox.errors import JudgeModelError
from glassbox.llm import LlmSettings, Message, Port
from glassbox.llm.backend import BackendError, Raw, Wire
from glassbox.llm.openai import OpenAIBackend
from tests.support.judge_server import (
    Drop,
    Fail,
    Half,
    JudgeServer,
    Say,
    broken,
    lying,
    obedient,
    picky,
    schema_of,
    script,
)
from tests.support.judge_server import (
    Raw as Body,
)
from tests.unit.llm.asking import GOOD, HOSTILE, Clock, Verdicts, question, refused

BROKEN = broken(GOOD)
REPAIRED = {
    "cut_without_a_word": "invalid_json",
    "null": "schema",
    "nan": "not_finite",
    "infinity": "not_finite",
    "too_large_a_number": "not_finite",
    "empty": "empty",
    "blank": "empty",
    "no_content": "empty",
    "prose_only": "invalid_json",
    "two_objects": "invalid_json",
    "in_a_list": "invalid_json",
    "duplicate_key": "invalid_json",
    "single_quotes": "invalid_json",
    "trailing_comma": "invalid_json",
    "extra_member": "schema",
    "missing_member": "schema",
    "raw_newline_in_text": "invalid_json",
}
TAKEN = ("fenced", "prose_before", "prose_around", "thoughts")
Opened = Callable[..., Port]
Started = Callable[..., JudgeServer]


def test_every_broken_output_has_a_test() -> None:
    assert set(BROKEN) == {*REPAIRED, *TAKEN, "truncated", "refusal", "content_filter"}


def test_a_good_answer_is_taken_and_its_call_recorded(serve: Started, opened: Opened) -> None:
    server = serve(lambda _: GOOD)
    answer = opened(server).ask(question())
    assert isinstance(answer.value, Verdicts)
    assert answer.value.model_dump() == GOOD
    call = answer.call.to_json()
    assert call["purpose"] == "test.verdicts"
    assert (call["backend"], call["model"], call["served_model"]) == ("openai", "gpt-4o", "served-judge-1")
    assert (call["attempts"], call["repaired"], call["finish_reason"]) == (1, False, "stop")
    assert (call["seed"], call["temperature"], call["max_tokens"]) == (7, 0.0, 300)
    assert (call["input_tokens"], call["output_tokens"]) == (100, 20)
    assert call["cost_usd"] == 0.00045
    assert call["system_fingerprint"] == "fp_test"
    assert all(call[name].startswith("sha256:") for name in ("prompt_digest", "schema_digest", "reply_digest"))
    assert "pear" not in json.dumps(call)
    assert "pear" not in repr(answer)


def test_what_goes_out_is_what_was_asked(serve: Started, opened: Opened) -> None:
    server = serve(lambda _: GOOD)
    opened(server).ask(question(sample=3))
    sent = server.seen[0]
    assert sent.path == "/v1/chat/completions"
    assert [m["role"] for m in sent.payload["messages"]] == ["system", "user"]
    assert sent.payload["seed"] == 10
    assert sent.payload["temperature"] == 0
    form = sent.payload["response_format"]["json_schema"]
    assert form["strict"] is True
    assert form["name"] == "test_verdicts"
    assert form["schema"]["additionalProperties"] is False


@pytest.mark.parametrize("name", TAKEN)
def test_what_wraps_an_answer_is_taken_off_without_a_repair(serve: Started, opened: Opened, name: str) -> None:
    answer = opened(serve(script(BROKEN[name]))).ask(question())
    assert isinstance(answer.value, Verdicts)
    assert answer.value.model_dump() == GOOD
    assert (answer.call.attempts, answer.call.repaired) == (1, False)


@pytest.mark.parametrize(("name", "code"), REPAIRED.items())
def test_a_broken_answer_is_asked_for_once_more_with_its_fault_and_the_schema(
    serve: Started, opened: Opened, name: str, code: str
) -> None:
    server = serve(script(BROKEN[name], GOOD))
    answer = opened(server).ask(question())
    assert isinstance(answer.value, Verdicts)
    assert answer.value.model_dump() == GOOD
    assert (answer.call.attempts, answer.call.repaired) == (2, True)
    assert (answer.call.input_tokens, answer.call.output_tokens) == (200, 40)
    told = server.seen[1].payload["messages"][-1]["content"]
    assert f"({code})" in told
    schema = schema_of({"messages": [{"content": told}]})
    assert schema == schema_of(server.seen[0].payload)
    assert server.seen[1].payload["messages"][0]["content"] == server.seen[0].payload["messages"][0]["content"]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda items: items[:1], "count"),
        (lambda items: [*items, items[0]], "count"),
        (lambda items: [items[0], items[0]], "index"),
        (lambda items: [items[0], {**items[1], "index": 7}], "index"),
        (lambda items: [items[0], {**items[1], "index": -1}], "schema"),
        (lambda items: [items[0], {**items[1], "verdict": "idk"}], "vocabulary"),
        (lambda items: [items[0], {**items[1], "sureness": 1.5}], "schema"),
    ],
)
def test_a_model_that_lies_about_what_it_was_asked_gives_no_answer(
    serve: Started, opened: Opened, change: Callable[[list[Any]], list[Any]], code: str
) -> None:
    server = serve(lying(lambda _: GOOD, "verdicts", change))
    error = refused(opened(server))
    assert (error.code, error.retryable) == (code, True)
    # The first reply, one repair, one fresh draw; then it is given up.
    assert len(server.seen) == 3
    assert [s.payload["seed"] for s in server.seen] == [7, 7, 1_000_010]
    assert "An earlier reply" not in server.seen[2].prompt


@pytest.mark.parametrize("name", ["refusal", "content_filter"])
def test_a_model_that_declines_is_not_pressed(serve: Started, opened: Opened, name: str) -> None:
    server = serve(script(BROKEN[name], GOOD))
    error = refused(opened(server))
    assert (error.code, error.retryable) == ("refusal", True)
    assert len(server.seen) == 1


def test_a_cut_answer_gets_twice_the_room_once(serve: Started, opened: Opened) -> None:
    server = serve(script(BROKEN["truncated"], GOOD))
    answer = opened(server).ask(question())
    assert answer.call.max_tokens == 600
    assert [s.payload["max_tokens"] for s in server.seen] == [300, 600]
    assert (answer.call.repaired, answer.call.input_tokens) == (False, 200)


def test_an_answer_that_is_cut_again_is_given_up(serve: Started, opened: Opened) -> None:
    server = serve(script(BROKEN["truncated"]))
    error = refused(opened(server))
    assert error.code == "truncated"
    assert "GLASSBOX_LLM_EXTRA_TOKENS" in str(error)
    assert len(server.seen) == 2


def test_a_complete_object_that_the_endpoint_calls_cut_is_not_taken(serve: Started, opened: Opened) -> None:
    refused(opened(serve(script(Say(GOOD, finish="length")))))


def test_room_for_thinking_is_added_to_each_limit(serve: Started, opened: Opened) -> None:
    server = serve(lambda _: GOOD)
    opened(server, extra_tokens=4000).ask(question())
    assert server.seen[0].payload["max_tokens"] == 4300


def test_the_attempts_of_the_settings_end_repairs_too(serve: Started, opened: Opened) -> None:
    server = serve(script("no"))
    refused(opened(server, attempts=1))
    assert len(server.seen) == 1


def test_an_answer_in_another_language_is_as_good(serve: Started, opened: Opened) -> None:
    said = json.loads(json.dumps(GOOD))
    said["note"] = "答案有依据。"
    said["verdicts"][0]["reason"] = "الفقرة تقول ذلك — 「はい」"
    answer = opened(serve(lambda _: f"以下は回答です：\n{json.dumps(said, ensure_ascii=False)}")).ask(question())
    assert isinstance(answer.value, Verdicts)
    assert answer.value.note == "答案有依据。"


def test_the_faulty_reply_is_not_shown_to_the_model_again(serve: Started, opened: Opened) -> None:
    server = serve(script("Sure: the walrus said yes", GOOD))
    opened(server).ask(question())
    assert "walrus" not in server.seen[1].prompt


class TestWhatAnEndpointRefuses:
    """Parameters are given up one by one, remembered, and cost no attempt."""

    @pytest.mark.parametrize(
        ("refuses", "mode", "seed", "temperature"),
        [
            (("json_schema",), "json_object", True, True),
            (("json_schema", "json_object"), "prompt", True, True),
            (("seed",), "json_schema", False, True),
            (("temperature",), "json_schema", True, False),
            (("max_tokens",), "json_schema", True, True),
            (("json_schema", "json_object", "seed", "temperature", "max_tokens"), "prompt", False, False),
        ],
    )
    @pytest.mark.parametrize("status", [400, 422])
    def test_it_is_left_out_from_then_on(
        self,
        serve: Started,
        opened: Opened,
        refuses: tuple[str, ...],
        mode: str,
        seed: bool,
        temperature: bool,
        status: int,
    ) -> None:
        server = serve(picky(obedient, *refuses, status=status))
        port = opened(server, attempts=1)
        first = port.ask(question(check=None))
        assert (port.manner.mode, port.manner.seed, port.manner.temperature) == (mode, seed, temperature)
        assert len(server.seen) == 1 + len(refuses)
        assert first.call.attempts == 1
        assert (first.call.seed is None, first.call.temperature is None) == (not seed, not temperature)
        second = port.ask(question(check=None, sample=1))
        assert second.call.attempts == 1
        assert len(server.seen) == 2 + len(refuses)

    def test_the_schema_is_told_in_words_where_it_can_not_be_sent(self, serve: Started, opened: Opened) -> None:
        server = serve(picky(obedient, "json_schema", "json_object"))
        opened(server).ask(question(check=None))
        assert schema_of(server.seen[0].payload) == schema_of(server.seen[-1].payload)
        assert "response_format" not in server.seen[-1].payload

    def test_what_is_set_by_hand_is_not_given_up(self, serve: Started, opened: Opened) -> None:
        error = refused(opened(serve(picky(obedient, "json_schema")), schema="json_schema"))
        assert (error.code, error.retryable) == ("parameter", False)
        assert "GLASSBOX_LLM_SCHEMA" in str(error)

    def test_a_mode_set_by_hand_is_used_from_the_start(self, serve: Started, opened: Opened) -> None:
        server = serve(obedient)
        opened(server, schema="prompt", seed="none", temperature="none").ask(question(check=None))
        assert not {"response_format", "seed", "temperature"} & set(server.seen[0].payload)

    def test_a_schema_that_the_endpoint_takes_and_ignores_is_told_in_words_as_well(
        self, serve: Started, opened: Opened
    ) -> None:
        def deaf(payload: dict[str, Any]) -> Any:
            return obedient({**payload, "response_format": None})

        server = serve(deaf)
        port = opened(server)
        assert port.ask(question(check=None)).call.repaired
        assert port.ask(question(check=None)).call.attempts == 1

    def test_an_endpoint_that_repeats_the_request_in_its_complaint_gives_up_nothing(
        self, serve: Started, opened: Opened
    ) -> None:
        def echo(payload: dict[str, Any]) -> Any:
            told = {"detail": [{"loc": ["body", "model"], "msg": "unknown", "input": payload}]}
            return Fail(422, body=json.dumps(told).encode())

        port = opened(serve(echo))
        asked = question(messages=(Message("user", "seed and temperature of the soil, json_schema"),))
        assert refused(port, asked).code == "config"
        assert (port.manner.mode, port.manner.seed, port.manner.temperature) == ("json_schema", True, True)

    def test_a_refusal_that_never_ends_ends(self, serve: Started, opened: Opened) -> None:
        server = serve(script(Fail(400, "bad max_completion_tokens, seed, temperature")))
        refused(opened(server))
        assert len(server.seen) <= 8


class TestWhatIsTriedAgain:
    """429, 5xx, time-outs and broken connections, with growing pauses, inside the attempts and the time."""

    @pytest.mark.parametrize(
        "said",
        [
            Fail(429, "slow down"),
            Fail(500, "oops"),
            Fail(502, body=b"<html>bad gateway</html>"),
            Fail(503),
            Fail(529),
            Fail(408),
            Drop(),
            Half(),
            Body(b"<html>not json</html>"),
            Body(b'{"choices": []}'),
            Body(b'{"error": {"message": "upstream", "code": 502}}'),
            Body(b"[" * 100_000),
        ],
    )
    def test_the_next_attempt_may_succeed(self, serve: Started, opened: Opened, clock: Clock, said: Any) -> None:
        answer = opened(serve(script(said, said, GOOD))).ask(question())
        assert answer.call.attempts == 3
        assert not answer.call.repaired
        assert clock.slept == [0.5, 1.0]

    @pytest.mark.parametrize(
        ("said", "known"), [(Fail(500), True), (Fail(429), True), (Drop(), False), (Half(), False)]
    )
    def test_a_request_that_may_have_been_paid_for_makes_the_cost_unknown(
        self, serve: Started, opened: Opened, said: Any, known: bool
    ) -> None:
        call = opened(serve(script(said, GOOD))).ask(question()).call
        assert (call.cost_usd is not None) is known
        assert (call.input_tokens is not None) is known

    def test_it_is_given_up_after_the_attempts_of_the_settings(
        self, serve: Started, opened: Opened, clock: Clock
    ) -> None:
        server = serve(script(Fail(503)))
        error = refused(opened(server, attempts=4))
        assert (error.code, error.retryable) == ("unavailable", True)
        assert len(server.seen) == 4
        assert clock.slept == [0.5, 1.0, 2.0]

    def test_a_model_that_is_too_slow_is_asked_twice_and_no_more(
        self, serve: Started, opened: Opened, settings: Callable[..., LlmSettings]
    ) -> None:
        server = serve(lambda _: GOOD)

        class Slow(OpenAIBackend):
            asked = 0

            def send(self, wire: Wire) -> Raw:
                self.asked += 1
                raise BackendError("timeout", billed=True) if self.asked > 1 else BackendError("unavailable")

        backend = Slow(settings(server))
        error = refused(opened(server, backend=backend))
        assert (error.code, error.retryable) == ("timeout", True)
        assert backend.asked == 3

    @pytest.mark.parametrize(
        ("headers", "pause"),
        [
            ({"retry-after": "7"}, 7.0),
            ({"retry-after": "0.25"}, 0.5),
            ({"retry-after-ms": "2500", "retry-after": "9"}, 2.5),
            ({"retry-after": "soon"}, 0.5),
            ({"retry-after": "-3"}, 0.5),
            ({"retry-after": "nan"}, 0.5),
        ],
    )
    def test_it_waits_as_long_as_the_endpoint_asks(
        self, serve: Started, opened: Opened, clock: Clock, headers: dict[str, str], pause: float
    ) -> None:
        opened(serve(script(Fail(429, headers=headers), GOOD))).ask(question())
        assert sum(clock.slept) == pause

    def test_a_date_to_wait_for_is_read_against_the_endpoints_own_clock(
        self, serve: Started, opened: Opened, clock: Clock
    ) -> None:
        headers = {"Retry-After": "Wed, 21 Oct 2099 07:28:30 GMT"}
        said = Fail(503, headers=headers)
        error = refused(opened(serve(script(said)), attempts=3))
        assert error.code == "unavailable"
        assert clock.slept[:1] == [0.5]

    def test_an_endpoint_that_asks_for_too_long_a_wait_is_given_up_at_once(
        self, serve: Started, opened: Opened, clock: Clock
    ) -> None:
        server = serve(script(Fail(429, headers={"retry-after": "3600"})))
        error = refused(opened(server))
        assert (error.code, error.retryable) == ("rate_limited", True)
        assert "3600 seconds" in str(error)
        assert (len(server.seen), clock.slept) == (1, [])

    def test_others_wait_as_well_and_fewer_ask_at_once(self, serve: Started, opened: Opened, clock: Clock) -> None:
        port = opened(serve(script(Fail(429, headers={"retry-after": "10"}), GOOD)), attempts=1)
        assert refused(port).code == "rate_limited"
        assert port.limit == 4
        port.ask(question())
        assert clock.slept == [10.0]

    @pytest.mark.parametrize(
        ("said", "code"),
        [
            (Fail(401), "auth"),
            (Fail(403), "auth"),
            (Fail(404), "not_found"),
            (Fail(413), "too_long"),
            (Fail(429, code="insufficient_quota"), "quota"),
            (Fail(400, "This model's maximum context length is 8192 tokens."), "too_long"),
            (Fail(400, "max_tokens is too large: 99999."), "too_long"),
            (Fail(400, code="content_filter"), "filtered"),
            (Fail(400, "no idea"), "config"),
            (Fail(418), "config"),
            (Fail(301, headers={"location": "http://127.0.0.1:1/v1"}), "redirect"),
            (Fail(307, headers={"location": "/v2/chat/completions"}), "redirect"),
        ],
    )
    def test_what_waiting_does_not_heal_is_given_up_at_once(
        self, serve: Started, opened: Opened, clock: Clock, said: Fail, code: str
    ) -> None:
        server = serve(script(said))
        error = refused(opened(server))
        assert (error.code, error.retryable) == (code, False)
        assert error.fix
        assert error.where == "test.verdicts"
        assert (len(server.seen), clock.slept) == (1, [])

    def test_what_the_endpoint_says_is_in_no_error(self, serve: Started, opened: Opened) -> None:
        for status in (400, 401, 404, 429, 500):
            error = refused(opened(serve(script(Fail(status, f"your text was: {HOSTILE}"))), attempts=1))
            assert "your text" not in str(error)


class TestDeadline:
    """A question never takes longer than what remains."""

    def test_no_request_is_sent_when_no_time_is_left(self, serve: Started, opened: Opened) -> None:
        server = serve(lambda _: GOOD)
        error = refused(opened(server, seconds=0.01))
        assert (error.code, error.retryable) == ("deadline", True)
        assert server.seen == []

    def test_a_pause_that_would_outlast_it_is_not_begun(self, serve: Started, opened: Opened, clock: Clock) -> None:
        error = refused(opened(serve(script(Fail(503))), seconds=2.0))
        assert error.code == "unavailable"
        assert clock.slept == [0.5, 1.0]

    def test_a_repair_is_not_begun_after_it(self, serve: Started, opened: Opened, clock: Clock) -> None:
        def slow(_: dict[str, Any]) -> str:
            clock.sleep(5.0)
            return "no JSON"

        server = serve(slow)
        assert refused(opened(server, seconds=4.0)).code == "deadline"
        assert len(server.seen) == 1

    def test_each_evaluation_has_its_own_and_shares_what_was_learnt(self, serve: Started, opened: Opened) -> None:
        server = serve(picky(obedient, "seed"))
        port = opened(server)
        port.within(lambda: 100.0).ask(question(check=None))
        assert port.manner.seed is False
        assert refused(port.within(lambda: 0.0)).code == "deadline"
        port.ask(question(check=None))
        assert len(server.seen) == 3


def test_one_prompt_drawn_twice_is_told_apart_by_its_seed(serve: Started, opened: Opened) -> None:
    port = opened(serve(lambda _: GOOD))
    one, other = port.ask(question()).call, port.ask(question(sample=1)).call
    assert (one.seed, other.seed) == (7, 8)
    assert one.prompt_digest == other.prompt_digest


def test_tokens_that_the_endpoint_does_not_tell_are_unknown(serve: Started, opened: Opened) -> None:
    for usage in (None, {}, {"prompt_tokens": "9"}, {"prompt_tokens": -1, "completion_tokens": True}):
        call = opened(serve(script(Say(GOOD, usage=usage)))).ask(question()).call
        assert (call.input_tokens, call.output_tokens, call.cost_usd) == (None, None, None)


def test_messages_of_one_role_are_joined_for_endpoints_that_want_turns(serve: Started, opened: Opened) -> None:
    server = serve(lambda _: GOOD)
    asked = question(messages=(Message("system", "a"), Message("user", "b"), Message("user", "c")))
    opened(server, schema="prompt").ask(asked)
    sent = server.seen[0].payload["messages"]
    assert [m["role"] for m in sent] == ["system", "user"]
    assert sent[1]["content"].startswith("b\n\nc\n\nReply with one JSON object")


def test_a_question_is_the_same_for_every_endpoint(serve: Started, opened: Opened) -> None:
    plain = opened(serve(lambda _: GOOD)).ask(question()).call
    told = opened(serve(picky(lambda _: GOOD, "json_schema"))).ask(question()).call
    assert plain.prompt_digest == told.prompt_digest
    assert plain.schema_digest == told.schema_digest
    assert replace(plain, duration_ms=0) == replace(told, duration_ms=0)


def cost_of(port: Port) -> dict[str, Any] | None:
    """What a question that is given up says that it cost."""
    with pytest.raises(JudgeModelError) as caught:
        port.ask(question())
    return caught.value.cost


def test_a_question_that_is_given_up_says_what_its_replies_cost(serve: Started, opened: Opened) -> None:
    server = serve(lambda _: "no JSON")
    cost = cost_of(opened(server, attempts=3))
    assert cost is not None
    assert len(server.seen) == cost["attempts"] == 3
    assert (cost["input_tokens"], cost["output_tokens"], cost["cost_usd"]) == (300, 60, 0.00135)
    assert (cost["purpose"], cost["model"], cost["error"]) == ("test.verdicts", "gpt-4o", "invalid_json")
    assert cost["price_table"].startswith("sha256:")


def test_a_model_that_declines_was_paid_for_it(serve: Started, opened: Opened) -> None:
    cost = cost_of(opened(serve(lambda _: BROKEN["refusal"])))
    assert cost is not None
    assert (cost["attempts"], cost["input_tokens"], cost["error"]) == (1, 100, "refusal")


def test_an_answer_that_breaks_off_makes_what_was_spent_unknown(serve: Started, opened: Opened) -> None:
    cost = cost_of(opened(serve(script("no JSON", Half())), attempts=2))
    assert cost is not None
    assert (cost["attempts"], cost["input_tokens"], cost["cost_usd"]) == (2, None, None)


@pytest.mark.parametrize("said", [Fail(401), Fail(503)])
def test_a_request_that_is_refused_cost_nothing(serve: Started, opened: Opened, said: Fail) -> None:
    assert cost_of(opened(serve(lambda _: said), attempts=1)) is None


def test_a_question_that_there_is_no_time_for_cost_nothing(serve: Started, opened: Opened) -> None:
    assert cost_of(opened(serve(lambda _: GOOD), seconds=0.0)) is None
