"""The judge model's settings, read from an environment."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from glassbox.errors import UsageError
from glassbox.llm import LlmSettings, configured_identity, judge_model, port
from tests.unit.llm.asking import KEY

ENV = {"GLASSBOX_LLM": "openai", "GLASSBOX_LLM_MODEL": "gpt-4o", "GLASSBOX_LLM_API_KEY": KEY}
BEDROCK = {"GLASSBOX_LLM": "bedrock", "GLASSBOX_LLM_MODEL": "amazon.nova-lite-v1:0"}


def read(**changes: str) -> LlmSettings:
    found = LlmSettings.from_env({**ENV, **{f"GLASSBOX_LLM_{k}": v for k, v in changes.items()}})
    assert found is not None
    return found


def refusal(env: dict[str, str]) -> str:
    with pytest.raises(UsageError) as raised:
        LlmSettings.from_env(env)
    assert KEY not in str(raised.value)
    assert raised.value.fix
    return str(raised.value)


def test_nothing_is_configured_where_the_variable_is_not_set() -> None:
    assert LlmSettings.from_env({}) is None
    assert LlmSettings.from_env({"GLASSBOX_LLM": " ", "GLASSBOX_LLM_MODEL": "x"}) is None
    assert configured_identity({}) is None


def test_the_defaults_are_those_of_the_documentation() -> None:
    found = read()
    assert (found.identity, found.base_url) == ("openai:gpt-4o", "https://api.openai.com/v1")
    assert (found.schema, found.seed, found.temperature) == ("auto", 7, 0.0)
    assert (found.timeout, found.attempts, found.concurrency, found.repeats) == (60.0, 6, 8, 1)
    assert found.api_key.reveal() == KEY
    assert found.judge == found.identity


def test_every_variable_is_read() -> None:
    found = read(
        BASE_URL="http://127.0.0.1:8080/v1/",
        API_VERSION="2024-10-21",
        CA_BUNDLE="ca.pem",
        SCHEMA="json_object",
        SEED="none",
        TEMPERATURE="0.5",
        EXTRA_TOKENS="2048",
        TIMEOUT="12.5",
        ATTEMPTS="3",
        CONCURRENCY="2",
        PRICES="prices.json",
        REPEATS="5",
    )
    assert found.base_url == "http://127.0.0.1:8080/v1"
    assert (found.api_version, found.ca_bundle, found.prices) == ("2024-10-21", Path("ca.pem"), Path("prices.json"))
    assert (found.schema, found.seed, found.temperature) == ("json_object", None, 0.5)
    assert (found.extra_tokens, found.timeout, found.attempts) == (2048, 12.5, 3)
    assert (found.concurrency, found.repeats) == (2, 5)


def test_an_address_may_be_given_up_to_its_last_part() -> None:
    assert read(BASE_URL="https://host/v1/chat/completions").base_url == "https://host/v1"


def test_everything_that_is_missing_is_listed_at_once() -> None:
    told = refusal({"GLASSBOX_LLM": "openai"})
    assert "GLASSBOX_LLM_MODEL and GLASSBOX_LLM_API_KEY are not set" in told
    assert "GLASSBOX_LLM_API_KEY_SECRET" in told


def test_an_endpoint_of_ones_own_and_bedrock_want_no_key_and_neither_does_a_replay() -> None:
    keyless = {k: v for k, v in ENV.items() if "KEY" not in k}
    for env in ({**keyless, "GLASSBOX_LLM_BASE_URL": "http://127.0.0.1:8080/v1"}, BEDROCK):
        found = LlmSettings.from_env(env)
        assert found is not None
        assert not found.api_key
    assert configured_identity(keyless) == "openai:gpt-4o"
    azure = {**keyless, "GLASSBOX_LLM_BASE_URL": "https://mine.openai.azure.com/openai/v1"}
    assert "GLASSBOX_LLM_API_KEY" in refusal(azure)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("", "gemini"),
        ("_MODEL", "two words"),
        ("_MODEL", "m" * 200),
        ("_BASE_URL", "host/v1"),
        ("_BASE_URL", "ftp://host/v1"),
        ("_BASE_URL", f"https://me:{KEY}@host/v1"),
        ("_BASE_URL", f"https://host/v1?key={KEY}"),
        ("_BASE_URL", "https://host:99999/v1"),
        ("_BASE_URL", "https://[::1/v1"),
        ("_BASE_URL", "https://host/v1\r\nx: y"),
        ("_BASE_URL", "https:///v1"),
        ("_API_KEY", f"{KEY}\n{KEY}"),
        ("_API_KEY", f"{KEY} {KEY}"),
        ("_API_KEY", KEY + "é"),
        ("_API_KEY", KEY * 400),
        ("_API_KEY_SECRET", "also/this"),
        ("_API_VERSION", "2024 & more"),
        ("_SCHEMA", "xml"),
        ("_SEED", "-1"),
        ("_SEED", "seven"),
        ("_TEMPERATURE", "nan"),
        ("_TEMPERATURE", "2.1"),
        ("_TIMEOUT", "0"),
        ("_TIMEOUT", "inf"),
        ("_ATTEMPTS", "0"),
        ("_ATTEMPTS", "1.5"),
        ("_CONCURRENCY", "257"),
        ("_REPEATS", "26"),
        ("_EXTRA_TOKENS", "-5"),
    ],
)
def test_a_value_that_cannot_be_used_is_named_with_a_fix(name: str, value: str) -> None:
    assert f"GLASSBOX_LLM{name}" in refusal({**ENV, f"GLASSBOX_LLM{name}": value})


def test_settings_can_be_changed_but_not_taken_apart_with_their_key() -> None:
    found = read()
    assert replace(found, attempts=1).api_key is found.api_key
    assert KEY not in repr(found)
    with pytest.raises(TypeError):
        json.dumps(found)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"settings": None}, "No judge model is configured"),
        ({"settings": None, "record": Path("a"), "replay": Path("b")}, "exclude each other"),
    ],
)
def test_a_judge_model_from_nothing_is_refused(given: dict[str, Any], says: str) -> None:
    with pytest.raises(UsageError, match=says):
        judge_model(**given)


class TestJury:
    """Several models that judge together."""

    def test_a_list_of_identities_shares_the_rest(self) -> None:
        found = read(JURY="openai:gpt-4o, openai:gpt-4.1,bedrock:amazon.nova-pro-v1:0", TIMEOUT="9")
        assert [j.settings.identity for j in found.jury] == [
            "openai:gpt-4o",
            "openai:gpt-4.1",
            "bedrock:amazon.nova-pro-v1:0",
        ]
        assert [bool(j.settings.api_key) for j in found.jury] == [True, True, False]
        assert {j.settings.timeout for j in found.jury} == {9.0}
        assert {j.weight for j in found.jury} == {1.0}
        assert found.judge.startswith("jury:3:")

    def test_a_file_gives_each_its_own(self, tmp_path: Path) -> None:
        members = [
            {"model": "openai:gpt-4o", "weight": 2.5, "seed": None, "temperature": None},
            {"model": "openai:mine", "base_url": "http://10.0.0.1:8000/v1", "schema": "prompt", "timeout": 300.0},
            {"model": "openai:theirs", "base_url": "https://there/v1", "api_key_env": "THEIR_KEY"},
        ]
        path = tmp_path / "jury.json"
        path.write_text(json.dumps(members), "utf-8")
        found = LlmSettings.from_env({**ENV, "GLASSBOX_LLM_JURY": str(path), "THEIR_KEY": "sk-theirs"})
        assert found is not None
        first, second, third = (juror.settings for juror in found.jury)
        assert (first.seed, first.temperature, found.jury[0].weight) == (None, None, 2.5)
        assert (second.schema, second.timeout, second.seed) == ("prompt", 300.0, 7)
        assert third.api_key.reveal() == "sk-theirs"

    def test_a_key_never_goes_to_another_address_than_its_own(self, tmp_path: Path) -> None:
        path = tmp_path / "jury.json"
        members = [{"model": "openai:gpt-4o"}, {"model": "openai:mine", "base_url": "http://10.0.0.1:8000/v1"}]
        path.write_text(json.dumps(members), "utf-8")
        jury = read(JURY=str(path)).jury
        assert jury[0].settings.api_key.reveal() == KEY
        assert not jury[1].settings.api_key

    def test_who_sits_on_it_and_with_what_weight_makes_its_identity(self, tmp_path: Path) -> None:
        seen = {
            read(JURY=members).judge
            for members in ("openai:a,openai:b", "openai:b,openai:a", "openai:a,openai:c", "openai:a,openai:b,openai:c")
        }
        path = tmp_path / "jury.json"
        path.write_text(json.dumps([{"model": "openai:a", "weight": 2.0}, {"model": "openai:b"}]), "utf-8")
        seen.add(read(JURY=str(path)).judge)
        assert len(seen) == 5
        assert configured_identity({**ENV, "GLASSBOX_LLM_JURY": "openai:a,openai:b"}) in seen

    @pytest.mark.parametrize(
        "members",
        [
            "openai:gpt-4o",
            "openai:a,openai:a",
            "gpt-4o,gpt-4.1",
            "openai:,openai:b",
            "gemini:a,openai:b",
            ",".join(f"openai:m{n}" for n in range(16)),
            "nowhere.json",
        ],
    )
    def test_what_is_no_jury_is_refused(self, members: str) -> None:
        assert "GLASSBOX_LLM_JURY" in refusal({**ENV, "GLASSBOX_LLM_JURY": members}) or "nowhere.json" in members

    @pytest.mark.parametrize(
        "text",
        [
            "{",
            "{}",
            '[{"model": "openai:a", "wait": 1}, {"model": "openai:b"}]',
            '[{"model": "openai:a", "weight": 0}, {"model": "openai:b"}]',
            '[{"model": "openai:a", "weight": NaN}, {"model": "openai:b"}]',
            '[{"model": "openai:a", "api_key_env": "NOT_SET"}, {"model": "openai:b"}]',
            '[{"model": "openai:a", "base_url": "https://me:p@h/v1"}, {"model": "openai:b"}]',
        ],
    )
    def test_a_file_that_is_no_jury_is_refused(self, tmp_path: Path, text: str) -> None:
        path = tmp_path / "jury.json"
        path.write_text(text, "utf-8")
        refusal({**ENV, "GLASSBOX_LLM_JURY": str(path)})

    def test_no_port_asks_one_model_where_several_are_to_judge(self) -> None:
        with pytest.raises(UsageError, match="jury"):
            port(read(JURY="openai:a,openai:b"))
