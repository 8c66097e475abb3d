"""What a bundle of the llm engine still proves without the judge model: bits, claims, quotes, numbers, questions."""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import Any

import pytest

from glassbox.judges import contextual_precision, semantic_faithfulness
from glassbox.llm import Member
from glassbox.verification.findings import Verification
from glassbox.verification.leaves import check_leaves
from tests.unit.judges.support import policy, request
from tests.unit.judges_llm.support import PRECISION, QUESTION, VERDICTS, Scripted, questions, tools

QUERY = "What is known of the tower?"
ANSWER = "The tower opened in 1931. Whales sing in four keys."
PASSAGES = ["The tower opened in 1931.", "Tickets are sold.", "", "The tower opened in 1931."]


def content(**more: Any) -> dict[str, Any]:
    """Return the part of a bundle that the leaves are derived from."""
    asked = request(QUERY, ANSWER, PASSAGES)
    bound = policy(disable=["structural_fidelity"])
    model = Scripted({QUESTION: questions("What opened?", "Which tower?", "How do whales sing?")})
    used = replace(tools(model), **more)
    results = {
        "contextual_precision": contextual_precision.judge(asked, bound, used),
        "semantic_faithfulness": semantic_faithfulness.judge(asked, bound, used),
    }
    return {
        "policy": bound.document,
        "request": asked.content(),
        "results": {name: result.model_dump(mode="json") for name, result in results.items()},
    }


@pytest.fixture(scope="module")
def of_a_jury() -> dict[str, Any]:
    """The same by three judge models, of which the last calls everything unsupported and every passage useless."""
    no = {"verdicts": [{"index": n, "reason": "r", "verdict": "no"} for n in (1, 2)]}
    word = {"passage": None, "quote": None, "reason": "r", "verdict": 0}
    nothing = {"statements": [{"index": n, "statement": "", **word} for n in (1, 2)]}
    members = [
        Scripted({QUESTION: questions("What opened?")}, identity="openai:a"),
        Scripted({QUESTION: questions("Which tower?")}, identity="openai:b"),
        Scripted({PRECISION: no, VERDICTS: nothing, QUESTION: questions("Why?")}, identity="openai:c"),
    ]
    return content(jury=tuple(Member(model, weight) for model, weight in zip(members, (1.0, 2.0, 1.0), strict=True)))


@pytest.fixture(scope="module")
def bundle() -> dict[str, Any]:
    return content()


def findings(changed: dict[str, Any]) -> list[str]:
    verification = Verification("x")
    check_leaves(changed, verification)
    return [finding.message for finding in verification.findings]


def measurement(changed: dict[str, Any], judge: str, name: str) -> Any:
    return next(m for m in changed["results"][judge]["measurements"] if m["name"] == name)


def test_an_untouched_bundle_has_no_finding(bundle: dict[str, Any]) -> None:
    assert findings(bundle) == []


def spoil(bundle: dict[str, Any], judge: str, name: str, change: Any) -> list[str]:
    changed = copy.deepcopy(bundle)
    change(measurement(changed, judge, name))
    return findings(changed)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda m: m["evidence"].pop(), "is left out"),
        (lambda m: m["evidence"][0].update(quote="The tower opened"), None),
        (lambda m: m["evidence"][0].update(quote="opened in 1932"), "does not stand in its passage"),
        (lambda m: m["evidence"][0].update(quote=""), "does not stand in its passage"),
        (lambda m: m["evidence"][0].update(quote=None), "without a quote"),
        (lambda m: m["evidence"][0].update(passage=9), "a quote from no passage"),
        (lambda m: m["evidence"][1].update(verdict="supported"), "without a quote"),
        (lambda m: m["evidence"][1].update(verdict="fine"), "no verdict"),
        (lambda m: m["evidence"][0].update(claim="The tower opened in 1941."), "that the answer doesn't make"),
        (lambda m: m["evidence"][0].update(start=50_000, end=50_010), "from no place of the answer"),
        (lambda m: m.update(micros=1_000_000, num=2), "is not what the texts"),
        (lambda m: m["counts"].update(supported=2), "not the number of claims"),
    ],
)
def test_a_changed_claim_is_found(bundle: dict[str, Any], change: Any, message: str | None) -> None:
    found = spoil(bundle, "semantic_faithfulness", "faithfulness", change)
    assert (found == []) if message is None else any(message in one for one in found)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda m: m["evidence"][0].update(cosine=0.99), "not the mean of the questions' cosines"),
        (lambda m: m["evidence"][0].update(noncommittal=True), None),
        (lambda m: [item.update(noncommittal=True) for item in m["evidence"]], "not the mean"),
        (lambda m: m.update(micros=999_999), "is not what the texts"),
        (lambda m: m["detail"].update(cosine=0.5), "not the mean"),
    ],
)
def test_a_changed_question_is_found(bundle: dict[str, Any], change: Any, message: str | None) -> None:
    found = spoil(bundle, "semantic_faithfulness", "answer_relevancy", change)
    assert (found == []) if message is None else any(message in one for one in found)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda m: m.update(bits="1111"), "the bits are not those of the verdicts"),
        (lambda m: m["evidence"][1].update(relevant=True), "the bits are not those of the verdicts"),
        (lambda m: m["evidence"].pop(), "not one verdict for each passage"),
        (lambda m: (m["evidence"][3].update(relevant=False), m.update(bits="1000")), "on the equal passage before it"),
        (lambda m: (m["evidence"][2].update(relevant=True), m.update(bits="1011")), "on the equal passage before it"),
        (lambda m: m.update(micros=1), "is not what the texts"),
    ],
)
def test_a_changed_passage_verdict_is_found(bundle: dict[str, Any], change: Any, message: str) -> None:
    assert any(message in one for one in spoil(bundle, "contextual_precision", "contextual_precision", change))


def test_a_jurys_bundle_has_no_finding_and_shows_each_changed_vote(of_a_jury: dict[str, Any]) -> None:
    assert findings(of_a_jury) == []
    for judge, name, votes in (
        ("contextual_precision", "contextual_precision", "0000"),
        ("semantic_faithfulness", "faithfulness", "uu"),
    ):

        def change(m: Any, votes: str = votes) -> None:
            m["detail"]["runs"][1]["votes"] = votes

        assert "not the verdict that the votes give" in spoil(of_a_jury, judge, name, change)


def test_a_jurys_relevancy_follows_from_its_members_and_weights(of_a_jury: dict[str, Any]) -> None:
    def weigh(m: Any) -> None:
        m["detail"]["jury"]["members"][1]["weight"] = 9.0

    def agree(m: Any) -> None:
        m["detail"]["jury"]["consensus"] = "median"

    for change in (weigh, agree):
        assert "not the mean of the questions' cosines" in spoil(
            of_a_jury, "semantic_faithfulness", "answer_relevancy", change
        )
