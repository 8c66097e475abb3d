"""The judge model of one machine: nothing is fetched, opened or sent before the first judge asks."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from glassbox.adapters.local.judge_model import Asking, LocalJudgeModel
from glassbox.errors import GlassBoxError, UsageError
from glassbox.llm import Port

ENV = {
    "GLASSBOX_LLM": "openai",
    "GLASSBOX_LLM_BASE_URL": "http://127.0.0.1:9/v1",
    "GLASSBOX_LLM_API_KEY": "sk-canary",
    "GLASSBOX_LLM_MODEL": "judge-small",
    "GLASSBOX_LLM_CONCURRENCY": "9",
}


def test_without_configuration_there_is_no_judge_model() -> None:
    found = LocalJudgeModel(Asking(), {})
    assert found.identity is None
    with pytest.raises(UsageError, match="GLASSBOX_LLM=openai"):
        found.begin()


def test_the_identity_is_known_without_a_key_and_holds_no_address() -> None:
    by_reference = {**ENV, "GLASSBOX_LLM_API_KEY": "", "GLASSBOX_LLM_API_KEY_SECRET": "no/such/secret"}
    assert LocalJudgeModel(Asking(), by_reference).identity == "openai:judge-small"


def test_what_is_recorded_is_not_replayed() -> None:
    with pytest.raises(UsageError, match="--record, --replay"):
        Asking(record=Path("a"), replay=Path("b"))


def test_there_is_nothing_to_record_without_a_judge_model(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--record"):
        _ = LocalJudgeModel(Asking(record=tmp_path / "cassettes"), {}).identity
    assert not (tmp_path / "cassettes").exists()


def test_a_folder_that_was_not_recorded_is_refused(tmp_path: Path) -> None:
    with pytest.raises(GlassBoxError, match="cassettes"):
        _ = LocalJudgeModel(Asking(replay=tmp_path), {}).identity


def test_a_replay_needs_no_configuration(tmp_path: Path) -> None:
    LocalJudgeModel(Asking(record=tmp_path), ENV).begin()
    replayed = LocalJudgeModel(Asking(replay=tmp_path), {})
    assert replayed.identity == "openai:judge-small"
    assert replayed.begin().identity == "openai:judge-small"


def test_processes_share_the_concurrency_and_none_goes_without() -> None:
    for sharers, each in ((1, 9), (4, 2), (20, 1)):
        panel = LocalJudgeModel(Asking(sharers=sharers), ENV).begin()
        assert [m.model.limit for m in panel.members if isinstance(m.model, Port)] == [each]
    assert LocalJudgeModel(Asking(), ENV).concurrency == 9


def test_options_of_a_call_stand_above_the_environment() -> None:
    env = {**ENV, "GLASSBOX_LLM_JURY": "openai:a,openai:b", "GLASSBOX_LLM_REPEATS": "2"}
    assert LocalJudgeModel(Asking(), env).begin().identity.startswith("jury:2:")
    mine = LocalJudgeModel(Asking(jury="openai:a,openai:b,openai:c"), env).begin()
    assert mine.identity.startswith("jury:3:")
    assert [m.model.identity for m in mine.members] == ["openai:a", "openai:b", "openai:c"]


def test_how_it_is_asked_can_be_handed_to_another_process_and_holds_no_key() -> None:
    asking = Asking(record=Path("cassettes"), timeout=3.5, jury="openai:a,openai:b", repeats=3, sharers=2)
    data = pickle.dumps(asking)
    assert pickle.loads(data) == asking
    assert b"canary" not in data


def test_every_evaluation_begins_with_the_whole_time_and_shares_the_rest() -> None:
    model = LocalJudgeModel(Asking(timeout=50.0), ENV)
    ports = [member.model for panel in (model.begin(), model.begin()) for member in panel.members]
    first, second = (port for port in ports if isinstance(port, Port))
    assert first is not second
    assert first._endpoint is second._endpoint
    model.close()
