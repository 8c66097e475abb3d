"""Cassettes: record once, replay for ever."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from glassbox.errors import JudgeModelError, StoreError, UsageError
from glassbox.llm import (
    LlmSettings,
    Message,
    Port,
    Recorder,
    Replayer,
    judge_model,
    live_panel,
    recorded_panel,
    replayed_panel,
)
from glassbox.llm.cassettes import INDEX
from tests.support.judge_server import JudgeServer, Say, obedient, script
from tests.unit.llm.asking import GOOD, KEY, Verdicts, covers_two, question

Started = Callable[..., JudgeServer]
Opened = Callable[..., Port]
Made = Callable[..., LlmSettings]


def fenced(fence: str, **changes: Any) -> Any:
    return question(messages=(Message("user", f"{fence} pear {fence}"),), fences=(fence,), **changes)


def miss(model: Replayer, asked: Any) -> JudgeModelError:
    with pytest.raises(JudgeModelError) as raised:
        model.ask(asked)
    assert "pear" not in str(raised.value)
    return raised.value


def files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file() and path.name != INDEX)


def test_a_replay_gives_the_same_answers_and_calls_and_asks_nobody(
    serve: Started, opened: Opened, tmp_path: Path
) -> None:
    server = serve(script("no JSON", Say(f"```json\n{json.dumps(GOOD)}\n```")))
    recorded = Recorder(opened(server), tmp_path / "tape").ask(question())
    asked = len(server.seen)
    replayed = Replayer(tmp_path / "tape")
    again = replayed.ask(question())
    assert again == recorded
    assert json.dumps(again.call.to_json()) == json.dumps(recorded.call.to_json())
    assert again.call.repaired
    assert replayed.identity == "openai:gpt-4o"
    assert len(server.seen) == asked


def test_files_are_private_and_hold_no_key(serve: Started, opened: Opened, tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        Recorder(opened(serve(lambda _: GOOD)), tmp_path / "new" / "tape").ask(question())
    finally:
        os.umask(before)
    folder = tmp_path / "new" / "tape"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o600}
    assert len(list(folder.iterdir())) == 2
    assert all(KEY not in path.read_text("utf-8") for path in folder.iterdir())


@pytest.mark.parametrize(
    "change",
    [
        {"purpose": "test.other"},
        {"messages": (Message("user", "pear?"),)},
        {"max_tokens": 301},
        {"sample": 1},
    ],
)
def test_another_question_is_a_miss_that_names_key_and_purpose(
    serve: Started, opened: Opened, tmp_path: Path, change: dict[str, Any]
) -> None:
    Recorder(opened(serve(lambda _: GOOD)), tmp_path).ask(question())
    asked = question(**change)
    error = miss(Replayer(tmp_path), asked)
    assert (error.code, error.retryable) == ("cassette", False)
    assert asked.purpose in str(error)
    assert Replayer(tmp_path).path(asked).stem[:12] in str(error)


def test_one_prompt_drawn_twice_has_two_cassettes(serve: Started, opened: Opened, tmp_path: Path) -> None:
    recorder = Recorder(opened(serve(script(GOOD, {**GOOD, "note": "other"}))), tmp_path)
    for sample in (0, 1):
        recorder.ask(question(sample=sample))
    notes = [Replayer(tmp_path).ask(question(sample=sample)).value for sample in (0, 1)]
    assert [note.note for note in notes if isinstance(note, Verdicts)] == ["a word", "other"]


def test_a_reply_that_quotes_the_fence_comes_back_with_the_fence_of_the_run(
    serve: Started, opened: Opened, tmp_path: Path
) -> None:
    said = {**GOOD, "note": "inside f00df00d it says GB-FENCE-0000-CONSTANT-0000000000"}
    Recorder(opened(serve(lambda _: said)), tmp_path).ask(fenced("f00df00d"))
    assert all("f00df00d" not in path.read_text("utf-8") for path in files(tmp_path))
    value = Replayer(tmp_path).ask(fenced("beefbeef")).value
    assert isinstance(value, Verdicts)
    assert value.note == "inside beefbeef it says GB-FENCE-0000-CONSTANT-0000000000"


def test_what_is_kept_is_not_asked_again_and_a_stopped_run_goes_on(
    serve: Started, opened: Opened, tmp_path: Path
) -> None:
    server = serve(script(GOOD, {**GOOD, "note": "later"}))
    first = Recorder(opened(server), tmp_path).ask(question())
    again = Recorder(opened(server), tmp_path).ask(question())
    assert again == first
    assert len(server.seen) == 1


def test_many_at_once_all_go_on_with_the_answer_that_is_kept(serve: Started, opened: Opened, tmp_path: Path) -> None:
    server = serve(lambda p: Say({**GOOD, "note": f"{len(server.seen)}"}, delay=0.01))
    port = opened(server)
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: Recorder(port, tmp_path).ask(question()), range(8)))
    assert all(answer == Replayer(tmp_path).ask(question()) for answer in answers)
    assert [path.suffix for path in files(tmp_path)] == [".json"]


def test_the_check_is_run_on_a_replayed_answer_too(serve: Started, opened: Opened, tmp_path: Path) -> None:
    short = {**GOOD, "verdicts": GOOD["verdicts"][:1]}
    Recorder(opened(serve(lambda _: short)), tmp_path).ask(question(check=None))
    Replayer(tmp_path).ask(question(check=None))
    assert miss(Replayer(tmp_path), question(check=covers_two)).code == "cassette"


def test_an_error_of_the_model_is_not_kept(serve: Started, opened: Opened, tmp_path: Path) -> None:
    recorder = Recorder(opened(serve(script("no JSON")), attempts=1), tmp_path)
    with pytest.raises(JudgeModelError):
        recorder.ask(question())
    assert files(tmp_path) == []


@pytest.mark.parametrize(
    "spoil",
    [
        lambda text: "",
        lambda text: text[:-20],
        lambda text: "[]",
        lambda text: text.replace("glassbox-cassette/1", "glassbox-cassette/0"),
        lambda text: text.replace("a word", "another word"),
        lambda text: text.replace('"attempts"', '"tries"'),
        lambda text: text.replace('"call"', '"cell"'),
        lambda text: text.replace('"reply"', '"reply_"'),
        lambda text: "[" * 100_000,
    ],
)
def test_a_changed_cassette_is_refused(
    serve: Started, opened: Opened, tmp_path: Path, spoil: Callable[[str], str]
) -> None:
    Recorder(opened(serve(lambda _: GOOD)), tmp_path).ask(question())
    (path,) = files(tmp_path)
    path.write_text(spoil(path.read_text("utf-8")), "utf-8")
    error = miss(Replayer(tmp_path), question())
    assert (error.code, error.retryable) == ("cassette", False)


def test_one_folder_holds_one_model_drawn_in_one_way(serve: Started, opened: Opened, tmp_path: Path) -> None:
    server = serve(lambda _: GOOD)
    Recorder(opened(server), tmp_path)
    for changes in ({"model": "gpt-4.1"}, {"seed": 8}, {"temperature": "none"}):
        with pytest.raises(UsageError, match="folder of its own"):
            Recorder(opened(server, **changes), tmp_path)
    Recorder(opened(server, timeout=5), tmp_path)


def test_a_folder_that_is_none_is_refused(serve: Started, opened: Opened, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--record"):
        Replayer(tmp_path)
    with pytest.raises(StoreError, match="No such file"):
        Replayer(tmp_path / "nowhere")
    (tmp_path / "file").write_text("x", "utf-8")
    with pytest.raises(StoreError):
        Recorder(opened(serve(lambda _: GOOD)), tmp_path / "file")
    (tmp_path / INDEX).write_text('{"format": "other"}', "utf-8")
    with pytest.raises(UsageError):
        Recorder(opened(serve(lambda _: GOOD)), tmp_path)


def test_a_folder_that_holds_other_things_keeps_its_rights(serve: Started, opened: Opened, tmp_path: Path) -> None:
    (tmp_path / "other").write_text("x", "utf-8")
    tmp_path.chmod(0o755)
    Recorder(opened(serve(lambda _: GOOD)), tmp_path).ask(question())
    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o755
    assert {stat.S_IMODE(path.stat().st_mode) for path in files(tmp_path) if path.suffix == ".json"} == {0o600}


def test_a_judge_model_is_recorded_and_replayed_from_settings_alone(
    serve: Started, settings: Made, tmp_path: Path
) -> None:
    server = serve(obedient)
    given = settings(server)
    recorder = judge_model(given, record=tmp_path)
    assert isinstance(recorder, Recorder)
    recorded = recorder.ask(question(check=None))
    recorder.close()
    assert judge_model(None, replay=tmp_path).ask(question(check=None)) == recorded
    live = judge_model(given)
    assert isinstance(live, Port)
    live.close()


def test_a_jury_is_recorded_and_replayed_member_by_member(serve: Started, settings: Made, tmp_path: Path) -> None:
    server = serve(lambda p: {**GOOD, "note": p["model"]})
    given = settings(server, jury="openai:one,openai:two")
    live = live_panel(given)
    kept = recorded_panel(live, tmp_path)
    notes = [m.model.ask(question()) for m in kept.members]
    kept.close()
    replayed = replayed_panel(tmp_path)
    assert replayed.identity == kept.identity == given.judge
    assert [m.model.identity for m in replayed.members] == ["openai:one", "openai:two"]
    assert [m.model.ask(question()) for m in replayed.members] == notes
    other = replace(given, jury=tuple(reversed(given.jury)))
    with pytest.raises(UsageError, match="another jury"):
        recorded_panel(live_panel(other), tmp_path)


def test_one_model_is_a_panel_of_one(serve: Started, settings: Made, tmp_path: Path) -> None:
    live = live_panel(settings(serve(lambda _: GOOD)))
    answer = recorded_panel(live, tmp_path).members[0].model.ask(question())
    assert replayed_panel(tmp_path).members[0].model.ask(question()) == answer
    with pytest.raises(UsageError):
        replayed_panel(tmp_path / "nowhere")
    live.close()
