"""Faithfulness by Ragas on a judge model: every sentence judged, every quote looked up, every number checked."""

from __future__ import annotations

from typing import Any

import pytest

from glassbox.contract.measurement import JudgeResult, Status
from glassbox.errors import JudgeModelError
from glassbox.judges import semantic_faithfulness
from glassbox.llm.schema import strict_schema
from tests.unit.judges.support import codes, policy, request, value
from tests.unit.judges_llm.support import STATEMENTS, VERDICTS, Asked, Scripted, tools

PASSAGES = [
    "The harbour tower opened on 3 May 1931. It was designed by Ada Brook.",
    "The tower is 381 metres tall. Guided tours leave every hour and cost 12 euros.",
]
QUERY = "What is known of the harbour tower?"
ANSWER = (
    "The harbour tower opened on 3 May 1931. It was designed by Ada Brook. The tower is 381 metres tall. "
    "The lift was imported from Norway. Pigeons are welcome on the roof."
)


def judged(scripts: dict[str, Any], answer: str = ANSWER, passages: list[str] | None = None) -> tuple[Any, Any]:
    model = Scripted(scripts)
    asked = request(QUERY, answer, PASSAGES if passages is None else passages)
    return semantic_faithfulness.judge(asked, policy(), tools(model)), model


def verdict(statement: str, passage: int | None, quote: str | None, word: int, index: int = 1) -> dict[str, Any]:
    told = {"index": index, "statement": statement, "reason": "because", "passage": passage, "quote": quote}
    return {**told, "verdict": word}


def one(claim: str, passage: int | None, quote: str | None, word: int, passages: list[str] | None = None) -> Any:
    """Return the evidence of an answer of one claim that got this verdict."""
    reply = {"statements": [verdict(claim, passage, quote, word)]}
    result, _ = judged({STATEMENTS: {"statements": [claim]}, VERDICTS: reply}, claim, passages)
    return value(result, "faithfulness").evidence[0], result


def rules(result: JudgeResult) -> list[tuple[str, str]]:
    return [(item["verdict"], item["rule"]) for item in value(result, "faithfulness").evidence]


def test_three_of_five_supported_claims_give_six_tenths() -> None:
    result, model = judged({})
    found = value(result, "faithfulness")
    assert (found.micros, found.num, found.den) == (600_000, 3, 5)
    assert [item["verdict"] for item in found.evidence] == ["supported"] * 3 + ["unsupported"] * 2
    assert model.purposes()[:2] == [STATEMENTS, VERDICTS]


def test_each_claim_keeps_verdict_reason_passage_and_literal_quote() -> None:
    result, _ = judged({})
    first, last = value(result, "faithfulness").evidence[2], value(result, "faithfulness").evidence[4]
    assert (first["passage"], first["quote"], first["reason"]) == (1, "The tower is 381 metres tall.", "because")
    assert (last["passage"], last["quote"]) == (None, None)
    for item in value(result, "faithfulness").evidence:
        assert ANSWER[item["start"] : item["end"]] == item["claim"]


@pytest.mark.parametrize(
    "quote",
    [
        "The harbour tower opened on 3 May 1931.",
        "harbour tower  opened\non 3 May 1931",
        '"The harbour tower opened on 3 May 1931."',
        "...The harbour tower opened on 3 May 1931…",
    ],
)
def test_a_quote_is_found_whatever_its_white_space_and_marks(quote: str) -> None:
    item, _ = one("The harbour tower opened on 3 May 1931.", 1, quote, 1)
    assert item["verdict"] == "supported"
    assert item["quote"] in PASSAGES[0]


@pytest.mark.parametrize(
    ("passage", "quote", "rule"),
    [
        (1, "The tower opened in spring.", "quote_not_literal"),
        (2, "The harbour tower opened on 3 May 1931.", "quote_not_literal"),
        (1, "the harbour tower opened on 3 may 1931.", "quote_not_literal"),
        (None, "The harbour tower opened on 3 May 1931.", "no_quote"),
        (1, None, "no_quote"),
        (1, "  ", "no_quote"),
        (1, "...", "quote_not_literal"),
        (2, "Guided tours leave every hour", "quote_unrelated"),
    ],
)
def test_support_without_literal_words_that_bear_on_it_is_inconclusive(
    passage: int | None, quote: str | None, rule: str
) -> None:
    item, result = one("The harbour tower opened on 3 May 1931.", passage, quote, 1)
    assert (item["verdict"], item["rule"]) == ("inconclusive", rule)
    assert value(result, "faithfulness").status is Status.INCONCLUSIVE


def test_a_number_that_the_evidence_gives_otherwise_contradicts_whatever_the_model_says() -> None:
    item, result = one("The harbour tower opened on 4 May 1931.", 1, "The harbour tower opened on 3 May 1931.", 1)
    assert (item["verdict"], item["rule"]) == ("contradicted", "number")
    assert {"contradicted_claim", "number_mismatch"} <= set(codes(result))
    item, result = one("The harbour tower opened on 4 May 1931.", None, None, 0)
    assert (item["verdict"], item["rule"]) == ("contradicted", "number")


def test_a_unit_counts_as_much_as_its_number() -> None:
    item, _ = one("The tower is 381 feet tall.", 2, "The tower is 381 metres tall.", 1)
    assert item["verdict"] in ("contradicted", "unsupported", "inconclusive")
    assert item["verdict"] != "supported"


def test_a_number_that_no_passage_holds_is_not_supported() -> None:
    item, result = one("Guided tours leave every hour for 900 people.", 2, "Guided tours leave every hour", 1)
    assert (item["verdict"], item["rule"], item["numbers"]) == ("unsupported", "number", ["900"])
    assert "number_mismatch" in codes(result)


def test_a_number_of_another_passage_leaves_the_claim_open() -> None:
    item, _ = one("Guided tours leave every hour since 1931.", 2, "Guided tours leave every hour", 1)
    assert (item["verdict"], item["rule"]) == ("inconclusive", "number_elsewhere")


def test_a_negated_quote_does_not_support() -> None:
    passages = ["The museum is not open on Mondays."]
    item, _ = one("The museum is open on Mondays.", 1, "The museum is not open on Mondays.", 1, passages)
    assert item["verdict"] == "contradicted"
    item, _ = one("The museum is open on Mondays.", None, None, 0, passages)
    assert (item["verdict"], item["rule"]) == ("contradicted", "negation")


def test_an_unsupported_claim_needs_no_quote_and_keeps_a_literal_one() -> None:
    item, _ = one("The harbour tower was painted green.", 1, "designed by Ada Brook", 0)
    assert (item["verdict"], item["quote"]) == ("unsupported", "designed by Ada Brook")
    item, _ = one("The harbour tower was painted green.", 1, "painted red", 0)
    assert (item["verdict"], item["quote"], item["passage"]) == ("unsupported", None, None)


def test_a_sentence_that_the_statements_leave_out_is_judged_as_it_stands() -> None:
    kept = ["The harbour tower opened on 3 May 1931.", "The tower is 381 metres tall."]
    result, _ = judged({STATEMENTS: {"statements": kept}})
    found = value(result, "faithfulness")
    assert [item["claim"] for item in found.evidence[2:]] == [
        "It was designed by Ada Brook.",
        "The lift was imported from Norway.",
        "Pigeons are welcome on the roof.",
    ]
    assert (found.micros, found.detail["left_out"]) == (600_000, [2, 3, 4])


def test_an_empty_list_of_statements_hides_nothing() -> None:
    result, _ = judged({STATEMENTS: {"statements": []}})
    assert value(result, "faithfulness").micros == 600_000


@pytest.mark.parametrize(
    ("sentence", "statement"),
    [
        ("Tours cost 12 euros and last 3 hours.", "Tours cost 12 euros."),
        ("Dogs are not allowed on the roof of the tower.", "Dogs are allowed on the roof of the tower."),
    ],
)
def test_a_number_or_a_negation_that_a_statement_drops_is_left_out_too(sentence: str, statement: str) -> None:
    result, _ = judged({STATEMENTS: {"statements": [statement]}}, sentence)
    assert [item["claim"] for item in value(result, "faithfulness").evidence] == [statement, sentence]


@pytest.mark.parametrize(
    "invented",
    [
        "Albert Einstein was a German-born theoretical physicist.",
        "The harbour tower opened on 3 May 1931 for 700 guests.",
        "The harbour tower was designed by Ada Brook and Elias Stone.",
    ],
)
def test_a_statement_that_the_answer_does_not_make_is_open_and_not_asked(invented: str) -> None:
    told = {"statements": ["The harbour tower opened on 3 May 1931.", invented]}
    answer = "The harbour tower opened on 3 May 1931. It was designed by Ada Brook."
    result, model = judged({STATEMENTS: told}, answer)
    found = value(result, "faithfulness")
    assert (found.evidence[1]["verdict"], found.evidence[1]["rule"]) == ("inconclusive", "not_in_answer")
    assert found.detail["not_in_answer"] == [1]
    assert invented not in model.prompts(VERDICTS)[0]


def test_a_repeated_statement_counts_once() -> None:
    told = {"statements": ["The tower is 381 metres tall."] * 3}
    result, _ = judged({STATEMENTS: told}, "The tower is 381 metres tall.")
    found = value(result, "faithfulness")
    assert (found.num, found.den, found.detail["repeated"]) == (1, 1, 2)


def all_replies(change: Any) -> Any:
    def script(asked: Asked) -> Any:
        found = [verdict(text, 1, "The harbour tower", 1, n) for n, text in enumerate(asked.statements, start=1)]
        return {"statements": change(found)}

    return script


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (lambda v: v[:-1], "count"),
        (lambda v: [*v, {**v[0], "index": 6}], "count"),
        (lambda v: [], "count"),
        (lambda v: [*v[:-1], v[0]], "index"),
        (lambda v: [{**item, "index": item["index"] - 1} for item in v], "index"),
        (lambda v: [{**v[0], "passage": 3}, *v[1:]], "index"),
        (lambda v: [{**v[0], "passage": 0}, *v[1:]], "index"),
        (lambda v: [{**v[0], "verdict": -1}, *v[1:]], "vocabulary"),
        (lambda v: [{**v[0], "verdict": 2}, *v[1:]], "vocabulary"),
        (lambda v: [{**v[0], "verdict": "1"}, *v[1:]], "vocabulary"),
        (lambda v: [{**v[0], "verdict": True}, *v[1:]], "vocabulary"),
        (lambda v: [{**v[0], "verdict": 1.0}, *v[1:]], "vocabulary"),
        (lambda v: [{**v[0], "verdict": None}, *v[1:]], "vocabulary"),
        (lambda v: [{**v[0], "quote": 7}, *v[1:]], "schema"),
        (lambda v: [{k: x for k, x in v[0].items() if k != "quote"}, *v[1:]], "schema"),
        (lambda v: [{**v[0], "statement": v[1]["statement"]}, *v[1:]], "index"),
    ],
)
def test_a_reply_that_does_not_cover_the_claims_is_never_scored(change: Any, fault: str) -> None:
    with pytest.raises(JudgeModelError) as caught:
        judged({VERDICTS: all_replies(change)})
    assert caught.value.code == fault


def test_a_reply_that_names_each_statement_is_the_one_that_is_asked_for() -> None:
    word = {"statement": "s", "passage": 1, "quote": "opened on 3 May 1931", "reason": "r", "verdict": 1}
    claim = "The harbour tower opened on 3 May 1931."
    result, model = judged({VERDICTS: {"statements": {"statement_1": word}}}, claim)
    assert value(result, "faithfulness").micros == 1_000_000
    asked = next(question for question in model.asked if question.purpose == VERDICTS)
    assert strict_schema(asked.response)["properties"]["statements"]["required"] == ["statement_1"]
    with pytest.raises(JudgeModelError):
        judged({VERDICTS: {"statements": {"statement_1": word}}})


@pytest.mark.parametrize(
    ("reply", "fault"),
    [({"statements": [""]}, "empty"), ({"statements": "x"}, "schema"), ({"statements": ["x"] * 401}, "count")],
)
def test_statements_that_are_none_are_refused(reply: Any, fault: str) -> None:
    with pytest.raises(JudgeModelError) as caught:
        judged({STATEMENTS: reply})
    assert caught.value.code == fault


def test_many_claims_are_asked_in_batches_of_ten() -> None:
    answer = " ".join(f"Room {n} of the tower holds {n + 2} clocks." for n in range(23))
    result, model = judged({}, answer, [answer])
    assert [prompt.count("Statement ") - 4 for prompt in model.prompts(VERDICTS)] == [10, 10, 3]
    assert value(result, "faithfulness").micros == 1_000_000


def test_a_long_answer_is_broken_down_in_parts() -> None:
    answer = " ".join(f"Room {n} of the tower holds {n + 2} clocks from the old town hall." for n in range(150))
    result, model = judged({}, answer, [answer])
    assert len(model.prompts(STATEMENTS)) == 2
    assert value(result, "faithfulness").den == 150


def test_long_passages_are_read_where_the_claims_words_stand() -> None:
    filler = [" ".join(f"Ledger {n}-{k} lists {k} crates of apples." for k in range(900)) for n in range(4)]
    filler[2] += " The harbour tower opened on 3 May 1931."
    result, model = judged({}, "The harbour tower opened on 3 May 1931.", filler)
    found = value(result, "faithfulness")
    assert (found.evidence[0]["verdict"], found.evidence[0]["passage"]) == ("supported", 2)
    assert found.detail["passage_parts_read"] < found.detail["passage_parts"]
    assert len(model.prompts(VERDICTS)[0]) < 60_000


def test_equal_passages_are_shown_once() -> None:
    _, model = judged({}, passages=[PASSAGES[0], PASSAGES[1], PASSAGES[0]])
    assert model.prompts(VERDICTS)[0].count("Ada Brook. ") + model.prompts(VERDICTS)[0].count("Ada Brook.\\n") <= 2
    assert "Passage 3" not in model.prompts(VERDICTS)[0]


def test_a_refused_call_is_the_judges_error() -> None:
    with pytest.raises(JudgeModelError):
        judged({VERDICTS: "I can't help with that."})


def test_the_models_own_count_stands_beside_ours() -> None:
    _, result = one("The harbour tower opened on 4 May 1931.", 1, "The harbour tower opened on 3 May 1931.", 1)
    detail = value(result, "faithfulness").detail
    assert (detail["judge_supported"], detail["judge_asked"]) == (1, 1)
    assert value(result, "faithfulness").signature.startswith(
        "faithfulness|engine:llm|lib:ragas-0.4.3|judge:openai:scripted-1|claims:1|"
    )
