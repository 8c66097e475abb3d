"""A record is complete, exact, and says nothing that doesn't follow."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from glassbox_contract import Claims, ContractError, Leaf, canonical_bytes, default_policy, validate_record
from glassbox_contract.record import RECORD_FIELDS
from tests.contract.support import (
    BLEU,
    CALIBRATION,
    ENTITIES,
    FAITHFULNESS,
    PRECISION,
    SECOND,
    good_leaves,
    policy,
    record_of,
    rich_record,
)
from tests.contract.walking import Path, changed, other_values, places, without

DEFAULT = policy()
RICH = rich_record(DEFAULT)
GOOD = record_of(DEFAULT)

objects = [path for path, item in [((), RICH), *places(RICH)] if isinstance(item, dict)]
members = [path for path, _ in places(RICH) if isinstance(path[-1], str)]


def refusal(record: Any) -> ContractError:
    with pytest.raises(ContractError) as caught:
        validate_record(record, DEFAULT)
    return caught.value


def accepted(record: Any) -> bool:
    try:
        validate_record(record, DEFAULT)
    except ContractError:
        return False
    return True


def test_the_fields_are_those_of_the_schema_in_every_record() -> None:
    for record in (RICH, GOOD):
        validate_record(record, DEFAULT)
        assert set(record) == set(RECORD_FIELDS)


@pytest.mark.parametrize("path", members, ids=lambda p: ".".join(map(str, p)))
def test_every_member_at_every_depth_is_required(path: Path) -> None:
    found = refusal(without(RICH, path))
    assert found.code == "INCOMPLETE"
    assert found.reason.endswith(str(path[-1])) or path[0] in ("relevance", "claims")


@pytest.mark.parametrize("path", objects, ids=lambda p: ".".join(map(str, p)) or "record")
def test_an_unknown_member_at_any_depth_is_refused(path: Path) -> None:
    found = refusal(changed(RICH, (*path, "unheard_of"), 0))
    assert found.code == "INVALID"


@pytest.mark.parametrize("path", [path for path, item in places(RICH) if isinstance(item, int | str)])
def test_a_float_anywhere_is_refused(path: Path) -> None:
    item = RICH
    for key in path:
        item = item[key]  # type: ignore[index]
    assert refusal(changed(RICH, path, float(item) if isinstance(item, int) else 0.5)).code == "INVALID"


@pytest.mark.parametrize("record", [None, [], "x", 1, True, 0.5])
def test_a_record_is_an_object(record: Any) -> None:
    assert refusal(record).code == "INVALID"


# Fields that only the evidence bundle can check: any well-formed value is legal here.
FREE = {
    "evaluation_id": "the ledger's key",
    "supersedes": "checked against the ledger, not by the record alone",
    "attempt": "any number above 0 of a record that supersedes another",
    "created_at": "checked against the transaction's time",
    "session_hmac": "a digest of what is not on the ledger",
    "bundle_digest": "a digest of what is not on the ledger",
    "core_digest": "a digest of what is not on the ledger",
    "judges": "provenance; the policy limits only the engine",
}


def test_every_single_change_is_refused_or_touches_a_documented_free_field() -> None:
    undetected = set()
    for record in (RICH, GOOD):
        for path, item in places(record):
            for new in other_values(item):
                if accepted(changed(record, path, new)):
                    undetected.add(path)
    in_judges = {path[3] if len(path) > 3 else path[2] for path in undetected if path[0] == "judges"}
    assert {str(path[0]) for path in undetected} - set(FREE) <= {"nodes", "relevance", "claims", "flags"}
    assert in_judges <= {"engine", "models", "libraries", 0, 1}
    # Leaves are the client's word; a change of one is seen where it moves a rounded value above it. What follows is
    # each place where the changes above went unseen.
    assert {path for path in undetected if path[0] == "nodes"} <= {
        ("nodes", "contextual_precision/retrieval_calibration/mean_similarity", "value"),
        ("nodes", "semantic_faithfulness/answer_relevancy", "value"),
        ("nodes", "structural_fidelity/nlp_score/aligned_bleu_4", "value"),
        ("nodes", "structural_fidelity/nlp_score/aligned_rouge_l", "value"),
    }
    assert {path for path in undetected if path[0] == "relevance"} <= {("relevance", PRECISION)}
    assert {path for path in undetected if path[0] == "claims"} <= {("claims", FAITHFULNESS, "inconclusive")}
    # Of a flag that a judge raised, its count, and no flag that the contract counts itself.
    flags = {RICH["flags"][path[1]]["code"] for path in undetected if path[0] == "flags" and len(path) > 1}
    assert flags <= {"novel_entity", "duplicate_passages"}


def test_no_value_above_the_leaves_may_differ() -> None:
    inner = [path for path, node in DEFAULT.nodes.items() if node.op != "leaf"]
    for path in inner:
        value = GOOD["nodes"][path]["value"]
        for new in (value - 1, value + 1, None, 0):
            found = refusal(changed(GOOD, ("nodes", path, "value"), new))
            assert (found.code, "follow" in found.reason) == ("INVALID", True)
            assert found.path == f"/nodes/{path.replace('/', '~1')}/value"


@pytest.mark.parametrize(
    ("path", "new", "where"),
    [
        (("trust",), 900_000, "/trust"),
        (("trust",), None, "/trust"),
        (("decision",), "inconclusive", "/decision"),
        (("states", "operational"), "failed", "/states/operational"),
        (("states", "evidence"), "partial", "/states/evidence"),
        (("states", "quality"), "fail", "/states/quality"),
        (("states", "publication"), "withheld", "/states/publication"),
        (("flags",), [], "/flags"),
        (("flags", 0, "count"), 5, "/flags"),
        (("renormalised",), [], "/renormalised"),
        (("renormalised",), ["trust", CALIBRATION], "/renormalised"),
        (("nodes", ENTITIES, "passed"), True, "/nodes/structural_fidelity~1entity_precision/passed"),
        (("nodes", ENTITIES, "passed"), None, "/nodes/structural_fidelity~1entity_precision/passed"),
        (("nodes", ENTITIES, "num"), 2, "/nodes/structural_fidelity~1entity_precision/value"),
        (("nodes", ENTITIES, "status"), "skipped", "/nodes/structural_fidelity~1entity_precision/value"),
        (("nodes", ENTITIES, "status"), "error", "/nodes/structural_fidelity~1entity_precision/status"),
        (("nodes", PRECISION, "num"), 1, "/nodes/contextual_precision~1contextual_precision/num"),
        (("relevance", PRECISION), "011", "/nodes/contextual_precision~1contextual_precision/value"),
        (("claims", FAITHFULNESS, "contradicted"), 1, "/nodes/semantic_faithfulness~1faithfulness/value"),
        (("relevance", ENTITIES), "1", "/relevance"),
        (("claims", ENTITIES), {}, "/claims"),
    ],
)
def test_a_statement_that_does_not_follow_is_named(path: Path, new: Any, where: str) -> None:
    leaves = {**good_leaves(DEFAULT), ENTITIES: Leaf(num=1, den=3)}
    record = record_of(DEFAULT, leaves)
    found = refusal(changed(record, path, new))
    assert found.code in ("INVALID", "INCOMPLETE")
    assert found.path.startswith(where)


def test_a_contradiction_can_not_be_left_out_of_the_flags() -> None:
    found = copy.deepcopy(RICH)
    found["flags"] = [flag for flag in RICH["flags"] if flag["code"] != "contradicted_claim"]
    assert refusal(found).path == "/flags"
    found = copy.deepcopy(RICH)
    next(flag for flag in found["flags"] if flag["code"] == "contradicted_claim")["count"] = 2
    assert refusal(found).path == "/flags"


def test_flags_are_sorted_known_and_counted_once() -> None:
    for flags in (
        [{"code": "novel_entity", "count": 1}, {"code": "agent_drift", "count": 1}],
        [{"code": "agent_drift", "count": 1}, {"code": "agent_drift", "count": 1}],
        [{"code": "unheard_of", "count": 1}],
        [{"code": "agent_drift", "count": 0}],
        [{"code": "contradicted_claim", "count": 1}],
        [{"code": "below_target", "count": 1}],
    ):
        assert refusal(changed(GOOD, ("flags",), flags)).path.startswith("/flags")


def test_only_scored_leaves_have_evidence() -> None:
    leaves = {**good_leaves(DEFAULT), PRECISION: Leaf.absent("inconclusive"), FAITHFULNESS: Leaf.absent("inconclusive")}
    record = record_of(DEFAULT, leaves)
    assert (record["relevance"], record["claims"]) == ({}, {})
    assert refusal(changed(record, ("relevance", PRECISION), "1")).path == "/relevance"
    counts = Claims(supported=9, contradicted=0, unsupported=0, inconclusive=0).to_json()
    assert refusal(changed(record, ("claims", FAITHFULNESS), counts)).code == "INVALID"


def test_undecided_claims_keep_their_counts() -> None:
    counts = Claims(supported=19, contradicted=0, unsupported=0, inconclusive=1)
    record = record_of(DEFAULT, {**good_leaves(DEFAULT), FAITHFULNESS: Leaf(claims=counts)})
    assert record["claims"][FAITHFULNESS] == counts.to_json()
    assert (record["nodes"][FAITHFULNESS]["status"], record["trust"], record["decision"]) == (
        "inconclusive",
        None,
        "inconclusive",
    )


def test_the_first_attempt_supersedes_nothing_and_a_later_one_something() -> None:
    assert refusal(changed(GOOD, ("supersedes",), SECOND)).path == "/supersedes"
    assert refusal(changed(RICH, ("supersedes",), None)).path == "/supersedes"
    assert refusal(changed(RICH, ("supersedes",), RICH["evaluation_id"])).path == "/supersedes"


@pytest.mark.parametrize(
    "time",
    [
        "2026-01-02T12:00:00Z",
        "2026-01-02T12:00:00.000000Z",
        "2026-01-02T12:00:00.000+00:00",
        "2026-01-02 12:00:00.000Z",
        "2026-02-30T12:00:00.000Z",
        "2026-01-02T24:00:00.000Z",
        "2026-01-02T23:59:60.000Z",
        "1969-12-31T23:59:59.999Z",
        "0000-01-01T00:00:00.000Z",
        "２026-01-02T12:00:00.000Z",
        "2026-01-02T12:00:00.000Z\n",
    ],
)
def test_times_are_utc_with_milliseconds(time: str) -> None:
    assert refusal(changed(GOOD, ("created_at",), time)).path == "/created_at"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("engine", "gpu"),
        ("engine", None),
        ("models", ["b@sha256:" + "0" * 64, "a@sha256:" + "0" * 64]),
        ("models", ["a@sha256:" + "0" * 64] * 2),
        ("models", ["a"]),
        ("models", ["a b@sha256:" + "0" * 64]),
        ("models", [f"m{n:02}@sha256:" + "0" * 64 for n in range(33)]),
        ("libraries", ["sacrebleu"]),
        ("libraries", ["sacrebleu 2.6.0 extra"]),
        ("libraries", ["b 1", "a 1"]),
    ],
)
def test_provenance_is_exact(field: str, value: Any) -> None:
    assert refusal(changed(GOOD, ("judges", "semantic_faithfulness", field), value)).path.startswith(
        f"/judges/semantic_faithfulness/{field}"
    )


def test_a_judge_uses_the_engine_that_the_policy_demands() -> None:
    engines = {**default_policy()["engines"], "structural_fidelity": "llm"}
    under = policy(engines=engines)
    with pytest.raises(ContractError, match="engine that the policy demands"):
        record_of(under)


def test_a_judge_that_did_not_run_names_no_engine() -> None:
    leaves = {path: Leaf.absent("not_applicable") for path in DEFAULT.leaves}
    nothing = {judge: {"engine": None, "models": [], "libraries": []} for judge in DEFAULT.judges}
    assert record_of(DEFAULT, leaves, judges=nothing)["decision"] == "inconclusive"


def test_a_record_has_at_most_32_kilobytes() -> None:
    document = default_policy()
    extra = [
        {**document["tree"]["children"][1]["children"][1], "name": f"measurement_with_a_long_name_{n:03}_{'x' * 30}"}
        for n in range(170)
    ]
    document["tree"]["children"][1]["children"] += extra
    under = policy(tree=document["tree"])
    leaves = {
        path: Leaf(value=900_000) if node.basis == "value" else Leaf.absent("skipped")
        for path, node in under.leaves.items()
    }
    models = [f"{'m' * 100}{n:02}@sha256:" + "0" * 64 for n in range(32)]
    used = {judge: {"engine": "local", "models": models, "libraries": []} for judge in under.judges}
    with pytest.raises(ContractError, match="at most 32768 bytes"):
        record_of(under, leaves, judges=used)


def test_a_common_record_is_small() -> None:
    assert len(canonical_bytes(RICH)) < 4096


def test_another_policy_is_refused() -> None:
    assert refusal(changed(GOOD, ("policy_digest",), "sha256:" + "0" * 64)).path == "/policy_digest"


def test_a_refusal_names_the_place_but_never_the_value() -> None:
    secret = "the patient's own words"
    for path in (
        ("decision",),
        ("nodes", BLEU, "status"),
        ("judges", "semantic_faithfulness", "models", 0),
        ("created_at",),
    ):
        assert secret not in str(refusal(changed(GOOD, path, secret)))
    assert secret not in str(refusal({**GOOD, secret: 1}))
    assert secret not in str(refusal(changed(GOOD, ("nodes", secret), {})))
    assert secret not in str(refusal(changed(GOOD, ("claims", secret), {})))
