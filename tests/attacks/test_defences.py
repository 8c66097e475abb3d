"""What each defence stops alone, and that all together let nothing pass but what is known and named."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import pytest

from glassbox.contract.measurement import JudgeResult
from glassbox.errors import GlassBoxError
from glassbox.judges.registry import judge_named
from glassbox.judges.tools import Tools
from glassbox.pipeline.aggregation import aggregate
from glassbox.pipeline.engines import label, resolve
from glassbox.pipeline.intake import accept
from glassbox.pipeline.judging import run_judge
from glassbox.pipeline.ports import Caller
from tests.attacks.defences import FULL, NONE, Defences, Memory, Models, decision_on, evaluate, policy_for
from tests.attacks.judges import ScriptedJudge
from tests.attacks.model import Scene, build
from tests.attacks.reading import PRECISION, STATEMENTS
from tests.attacks.scenes import SCENES
from tests.attacks.suite import ATTACKS, BY_ID, KINDS
from tests.attacks.survivors import (
    PAST_EVERYTHING,
    PAST_THE_FENCE,
    STOPPED_BY_COVER,
    STOPPED_BY_QUOTES,
    WITHOUT_EFFECT,
    named,
)
from tests.attacks.table import SETUPS, Run, effective, rows, run, stopped


@pytest.fixture(scope="module")
def models() -> Models:
    return Models()


@pytest.fixture(scope="module")
def runs(models: Models) -> Mapping[str, Run]:
    """The whole suite against all defences, with either judge."""
    return {name: run(name, models) for name in ("full, outside", "full, inside")}


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
@pytest.mark.parametrize("defences", [NONE, FULL], ids=["none", "full"])
def test_without_an_attack_the_true_answer_passes_and_the_false_one_does_not(
    scene: Scene, defences: Defences, models: Models
) -> None:
    policy = policy_for(scene.language)
    for answer, passes in ((scene.true, True), (scene.false, False)):
        request = build(scene, answer, {})
        _, outcome = evaluate(request, ScriptedJudge(request, None, inside=True), defences, policy, models)
        assert outcome.passed is passes
        assert not outcome.flagged


def test_the_fence_stops_every_order_for_a_judge_that_minds_it_but_tokens_that_are_not_broken(
    runs: Mapping[str, Run],
) -> None:
    obeyed = {name for name, (outcome, _) in runs["full, outside"].items() if outcome.obeyed}
    assert obeyed == named(PAST_THE_FENCE)


def test_exact_cover_alone_stops_lies_about_counts_words_and_statements(models: Models) -> None:
    held = [BY_ID[name] for name in sorted(named(STOPPED_BY_COVER))]
    found = run("cover", models, held)
    assert not [name for name, (outcome, _) in found.items() if outcome.passed]
    assert {outcome.code for outcome, _ in found.values() if outcome.decision == "error"} == {
        "count",
        "index",
        "schema",
        "vocabulary",
    }
    assert all(outcome.passed for outcome, _ in run("none", models, held).values())


def test_the_check_of_quotes_and_numbers_alone_stops_what_no_passage_says(models: Models) -> None:
    held = [BY_ID[name] for name in sorted(named(STOPPED_BY_QUOTES))]
    found = run("quotes", models, held)
    assert not [name for name, (outcome, _) in found.items() if outcome.passed]
    rules = {rule for outcome, _ in found.values() for rule in outcome.rules}
    assert {"quote_not_literal", "no_quote", "quote_unrelated", "number", "negation"} <= rules
    assert all(outcome.passed for outcome, _ in run("none", models, held).values())


def test_no_attack_passes_with_all_defences_where_the_judge_minds_the_fence(runs: Mapping[str, Run]) -> None:
    passing = {name for name, (_, outcome) in runs["full, outside"].items() if outcome.passed}
    assert passing <= named(PAST_THE_FENCE)


def test_where_the_judge_obeys_inside_the_fence_too_only_what_is_named_passes(runs: Mapping[str, Run]) -> None:
    passing = {name for name, (_, outcome) in runs["full, inside"].items() if outcome.passed}
    assert passing <= named(PAST_EVERYTHING)


def test_a_flagged_evaluation_never_passes(runs: Mapping[str, Run]) -> None:
    flagged = [outcome for found in runs.values() for _, outcome in found.values() if outcome.flagged]
    assert len(flagged) > 100
    assert not [outcome for outcome in flagged if outcome.passed]


def test_the_table_counts_no_more_than_there_is(runs: Mapping[str, Run]) -> None:
    table = rows({**dict.fromkeys(SETUPS, runs["full, inside"]), **runs})
    assert [row[0] for row in table[1:]] == [*KINDS, "all"]
    assert all(int(cell) <= int(row[2]) <= int(row[1]) for row in table[1:] for cell in row[3:])
    assert table[-1][1] == str(len(ATTACKS))


def test_an_order_in_a_name_reaches_no_prompt(models: Models) -> None:
    unread = [a for a in ATTACKS if a.kind == "field" and "expected" not in a.texts]
    assert len(unread) >= 9
    for attack in unread:
        request = attack.request()
        judge = ScriptedJudge(request, attack, inside=True)
        evaluate(request, judge, FULL, policy_for(attack.scene.language), models)
        assert judge.prompts
        assert not [text for text in attack.texts.values() for prompt in judge.prompts if text in prompt.text]


@pytest.mark.parametrize("inside", [False, True])
def test_an_order_in_the_expected_answer_can_move_contextual_precision_alone(inside: bool, models: Models) -> None:
    attack = BY_ID["field-expected"]
    request = attack.request()
    judge = ScriptedJudge(request, attack, inside=inside)
    evaluate(request, judge, FULL, policy_for("en"), models)
    assert judge.obeyed == ([PRECISION] if inside else [])


def test_an_order_in_the_query_is_not_shown_where_verdicts_are_given(models: Models) -> None:
    attack = BY_ID["direct-en-4"]
    request = attack.request()
    judge = ScriptedJudge(request, attack, inside=True)
    evaluate(request, judge, NONE, policy_for("en"), models)
    assert judge.obeyed == [PRECISION, STATEMENTS]


@pytest.mark.parametrize("name", [next(a.id for a in ATTACKS if a.kind == kind) for kind in KINDS])
def test_aggregation_records_the_decision_that_is_counted_here(name: str, models: Models) -> None:
    attack = BY_ID[name]
    request = attack.request()
    judge = ScriptedJudge(request, attack, inside=True)
    policy, engines = resolve(policy_for(attack.scene.language), "llm", judge_model=judge.identity)
    documents = Memory()
    accepted = accept(request, policy, label(engines), Caller("attacks", bytes(32)), documents)
    tools = Tools(models=models, llm=judge, salt=bytes.fromhex(accepted.document["salt"]))
    results: dict[str, JudgeResult] = {}
    for judge_name in policy.judges:
        call = partial(_judge, judge_name, tools)
        try:
            results[judge_name] = run_judge(judge_name, call, accepted, policy, documents)
        except GlassBoxError:  # no decision is recorded for an evaluation with a judge in error
            return
    envelope = aggregate(accepted, results, {"test": "attacks"}, documents)
    assert envelope["core"]["decision"] == decision_on(policy, results)
    assert envelope["core"]["decision"] != "pass" or name in named(PAST_EVERYTHING)


def _judge(name: str, tools: Tools, request: object, policy: object) -> JudgeResult:
    return judge_named(name)(request, policy, tools)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def undefended(models: Models) -> Run:
    """The whole suite without any defence."""
    return run("none", models)


@pytest.mark.long
def test_undefended_every_attack_passes_but_those_that_reach_no_verdict(undefended: Run) -> None:
    passing = set(effective({"none": undefended}))
    assert set(BY_ID) - passing == named(WITHOUT_EFFECT)
    assert all(undefended[name][0].obeyed for name in passing)


@pytest.mark.long
def test_each_defence_alone_stops_exactly_what_is_named(undefended: Run, models: Models) -> None:
    passing = effective({"none": undefended})
    assert stopped(run("cover", models), passing, detector=False) == named(STOPPED_BY_COVER)
    assert stopped(run("quotes", models), passing, detector=False) == named(STOPPED_BY_QUOTES)
    assert set(passing) - stopped(run("fence, outside", models), passing, detector=False) == named(PAST_THE_FENCE)


@pytest.mark.long
def test_for_a_judge_that_obeys_anything_a_fence_breaks_media_markers_and_nothing_else(
    undefended: Run, models: Models
) -> None:
    passing = effective({"none": undefended})
    held = stopped(run("fence, inside", models), passing, detector=False)
    assert held == {name for name in passing if BY_ID[name].kind == "media"}
