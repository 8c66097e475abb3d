"""A jury and repeats: majorities, consensus, scatter, a member that fails, and what the record says of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glassbox.contract.measurement import JudgeResult, Status
from glassbox.errors import JudgeModelError
from glassbox.judges import contextual_precision, semantic_faithfulness
from glassbox.judges.llm.jury import consensus, majority, mean, outliers, prevailing, sigma, summary, trimmed_mean
from tests.unit.judges.support import policy, request, value
from tests.unit.judges_llm.support import PRECISION, QUESTION, STATEMENTS, VERDICTS, Scripted, questions, tools

PASSAGES = ["The harbour tower opened on 3 May 1931.", "Tickets are sold at the pier."]
QUERY = "When did the harbour tower open?"
ANSWER = "The harbour tower opened on 3 May 1931. Tickets are sold at the pier."
SCORES = st.lists(st.floats(0, 1), min_size=1, max_size=9)


@dataclass(frozen=True)
class Seat:
    model: Any
    weight: float = 1.0


def member(name: str, **scripts: Any) -> Scripted:
    return Scripted(scripts, identity=f"openai:{name}")


def passages_said(*words: str) -> dict[str, Any]:
    return {"verdicts": [{"index": n, "reason": f"r{n}", "verdict": w} for n, w in enumerate(words, 1)]}


def claims_said(*words: int) -> dict[str, Any]:
    return {
        "statements": [
            {"index": n, "statement": "", "passage": n, "quote": PASSAGES[n - 1], "reason": "r", "verdict": w}
            for n, w in enumerate(words, 1)
        ]
    }


def by(judge: Any, *seats: Seat, **more: Any) -> JudgeResult:
    used = replace(tools(None), jury=seats, **more)
    found: JudgeResult = judge.judge(request(QUERY, ANSWER, PASSAGES), policy(), used)
    return found


def test_the_majority_of_a_jury_decides_on_each_passage() -> None:
    seats = [
        Seat(member(name, **{PRECISION: passages_said(*words)}))
        for name, words in (("a", ("yes", "no")), ("b", ("yes", "yes")), ("c", ("no", "no")))
    ]
    found = value(by(contextual_precision, *seats), "contextual_precision")
    assert (found.bits, found.micros) == ("10", 1_000_000)
    assert [run["votes"] for run in found.detail["runs"]] == ["10", "11", "00"]
    assert [m["score"] for m in found.detail["jury"]["members"]] == [1.0, 1.0, 0.0]


def test_a_split_jury_leaves_a_passage_open() -> None:
    seats = [
        Seat(member(name, **{PRECISION: passages_said(*w)})) for name, w in (("a", ("yes", "no")), ("b", ("no", "no")))
    ]
    found = value(by(contextual_precision, *seats), "contextual_precision")
    assert (found.status, found.reason, found.detail["undecided"]) == (Status.INCONCLUSIVE, "split", [0])


def test_votes_have_weight() -> None:
    seats = [
        Seat(member("a", **{PRECISION: passages_said("yes", "no")}), 2.5),
        Seat(member("b", **{PRECISION: passages_said("no", "yes")})),
        Seat(member("c", **{PRECISION: passages_said("no", "yes")})),
    ]
    assert value(by(contextual_precision, *seats), "contextual_precision").bits == "10"


def test_the_majority_decides_on_each_claim_and_its_evidence_is_kept() -> None:
    seats = [
        Seat(member(name, **{VERDICTS: claims_said(*words), QUESTION: questions(QUERY)}))
        for name, words in (("a", (1, 0)), ("b", (1, 1)), ("c", (0, 0)))
    ]
    result = by(semantic_faithfulness, *seats)
    found = value(result, "faithfulness")
    assert [item["verdict"] for item in found.evidence] == ["supported", "unsupported"]
    assert [run["votes"] for run in found.detail["runs"]] == ["su", "ss", "uu"]
    assert found.evidence[0]["quote"] == PASSAGES[0]
    assert found.micros == 500_000
    # The first member makes the statements; each gives verdicts and asks three questions.
    assert [call["purpose"] for call in result.calls].count(STATEMENTS) == 1
    assert len(result.calls) == 1 + 3 * (1 + 3)
    assert len([model for model in result.models if model.startswith("openai:")]) == 3


def test_a_jury_that_is_split_over_a_claim_leaves_it_open() -> None:
    seats = [Seat(member(n, **{VERDICTS: claims_said(*w)})) for n, w in (("a", (1, 1)), ("b", (0, 1)))]
    item = value(by(semantic_faithfulness, *seats), "faithfulness").evidence[0]
    assert (item["verdict"], item["rule"]) == ("inconclusive", "split")


@pytest.mark.parametrize("how", ["mean", "median", "trimmed_mean"])
def test_the_relevancy_is_the_consensus_of_the_members(how: Any) -> None:
    told = (QUERY, "What is sold at the pier?", "When did the tower open?")
    seats = [Seat(member(str(n), **{QUESTION: questions(text)}), float(n + 1)) for n, text in enumerate(told)]
    found = value(by(semantic_faithfulness, *seats, consensus=how), "answer_relevancy")
    members = [m["score"] for m in found.detail["jury"]["members"]]
    assert found.micros == pytest.approx(1e6 * consensus(members, [1.0, 2.0, 3.0], how), abs=2)
    assert found.detail["jury"]["consensus"] == how


def test_a_member_that_fails_is_left_out_and_named() -> None:
    class Broken(Scripted):
        def ask(self, question: Any) -> Any:
            raise JudgeModelError("away", code="unavailable", retryable=True)

    seats = [Seat(Broken(identity="openai:gone")), Seat(member("b")), Seat(member("c"))]
    result = by(contextual_precision, *seats)
    members = value(result, "contextual_precision").detail["jury"]["members"]
    assert [(m["judge"], m["error"], m["score"] is None) for m in members] == [
        ("openai:gone", "unavailable", True),
        ("openai:b", None, False),
        ("openai:c", None, False),
    ]
    assert not any(model.startswith("openai:gone") for model in result.models)
    assert value(by(semantic_faithfulness, *seats), "faithfulness").status is Status.SCORED


def test_a_jury_of_which_half_fails_is_an_error() -> None:
    class Broken(Scripted):
        def ask(self, question: Any) -> Any:
            raise JudgeModelError("away", code="unavailable", retryable=True)

    with pytest.raises(JudgeModelError):
        by(contextual_precision, Seat(Broken()), Seat(member("b")))


def test_repeats_show_how_far_a_judge_scatters() -> None:
    def script(asked: Any) -> Any:
        words = [("yes", "no"), ("no", "yes"), ("yes", "yes")][asked.question.sample // 3]
        return passages_said(*words)

    model = member("a", **{PRECISION: script})
    used = replace(tools(model), repeats=3)
    result = contextual_precision.judge(request(QUERY, ANSWER, PASSAGES), policy(), used)
    found = value(result, "contextual_precision")
    assert found.bits == "11"
    assert found.detail["stability"] == {"openai:a": {"scores": [1.0, 0.5, 1.0], "sigma": 0.235702}}
    assert "jury" not in found.detail
    assert [question.sample for question in model.asked] == [0, 3, 6]


def test_repeats_of_the_questions_draw_anew() -> None:
    model = member("a", **{QUESTION: questions(QUERY, "Why?", "Where?", "Who?", "How?", "What?")})
    used = replace(tools(model), repeats=2)
    result = semantic_faithfulness.judge(request(QUERY, ANSWER, PASSAGES), policy(), used)
    assert [q.sample for q in model.asked if q.purpose == QUESTION] == [0, 1, 2, 3, 4, 5]
    assert [q.sample for q in model.asked if q.purpose == VERDICTS] == [0, 3]
    assert len(value(result, "answer_relevancy").evidence) == 6


def test_one_model_asked_once_has_no_jury_in_its_record() -> None:
    result = contextual_precision.judge(request(QUERY, ANSWER, PASSAGES), policy(), tools(member("a")))
    assert not {"jury", "stability", "runs"} & set(value(result, "contextual_precision").detail)


def test_the_signature_names_the_jury_as_the_policy_does() -> None:
    bound = policy().with_judge_model(["contextual_precision"], "jury:2:0123456789abcdef")
    used = replace(tools(None), jury=(Seat(member("a")), Seat(member("b"))))
    result = contextual_precision.judge(request(QUERY, ANSWER, PASSAGES), bound, used)
    assert "|judge:jury:2:0123456789abcdef|" in value(result, "contextual_precision").signature


def test_majorities() -> None:
    assert majority([("a", 1.0), ("b", 1.0), ("a", 1.0)]) == "a"
    assert majority([("a", 1.0), ("b", 1.0)]) is None
    assert majority([("a", 1.0), ("b", 1.0), ("c", 1.0)]) is None
    assert majority([("a", 1.0), ("b", 3.0)]) == "b"
    assert prevailing([("supported", 1.0), ("unsupported", 1.0), ("contradicted", 1.0)]) == "unsupported"
    assert prevailing([("supported", 1.0), ("contradicted", 2.0), ("unsupported", 1.0)]) == "contradicted"
    assert prevailing([("supported", 1.0), ("unsupported", 1.0), ("inconclusive", 1.0)]) is None


def test_aggregates_are_exact() -> None:
    scores = [0.2, 0.8, 0.9, 1.0]
    assert mean(scores) == pytest.approx(0.725)
    assert mean(scores, [1, 1, 1, 3]) == pytest.approx(4.9 / 6)
    assert trimmed_mean(scores) == pytest.approx(0.85)
    assert consensus(scores, [1] * 4, "median") == pytest.approx(0.85)
    assert sigma([0.0, 1.0]) == 0.5
    assert outliers([0.8, 0.82, 0.81, 0.1]) == [3]
    assert outliers([0.8, 0.85, 0.9]) == []
    assert outliers([0.1, 0.9]) == []
    assert summary([None, 0.5], [1.0, 2.0])["weighted_mean"] == 0.5
    assert summary([None], [1.0]) == {}


@given(SCORES)
def test_every_consensus_lies_between_the_lowest_and_the_highest(scores: list[float]) -> None:
    for how in ("mean", "median", "trimmed_mean"):
        found = consensus(scores, [1.0] * len(scores), how)
        assert min(scores) - 1e-9 <= found <= max(scores) + 1e-9
    assert sigma(scores) <= 0.5 + 1e-9


@given(SCORES, st.randoms())
def test_the_order_of_the_members_changes_nothing(scores: list[float], chance: Any) -> None:
    mixed = list(scores)
    chance.shuffle(mixed)
    for how in ("mean", "median", "trimmed_mean"):
        ones = [1.0] * len(scores)
        assert consensus(scores, ones, how) == pytest.approx(consensus(mixed, ones, how))
    assert sorted(scores[n] for n in outliers(scores)) == sorted(mixed[n] for n in outliers(mixed))
