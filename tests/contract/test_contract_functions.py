"""The contract's functions: who may write, what is written once, what is answered."""

from __future__ import annotations

import copy
import inspect
import re
from typing import Any

import pytest

import glassbox_contract
from glassbox_contract import ContractError, Creator, Policy, Response, canonical_bytes, default_policy, digest, parse
from glassbox_contract.checks import format_timestamp
from glassbox_contract.schema import FUNCTIONS, TRANSACTIONS
from tests.contract.support import (
    ADMIN,
    AUDITOR,
    CLIENT,
    FIRST,
    NOON,
    REQUEST,
    SECOND,
    SESSION,
    STRANGER,
    MemoryLedger,
    ledger_with,
    policy,
    record_of,
)

DEFAULT = policy()
MINUTE = 60_000


@pytest.fixture
def ledger() -> MemoryLedger:
    return ledger_with(DEFAULT)


def answer(response: Response) -> Any:
    assert response.ok, response.message
    return parse(response.payload)


def commit(ledger: MemoryLedger, record: Any = None, **kwargs: Any) -> Response:
    return ledger.invoke("CommitScorecard", canonical_bytes(record or record_of(DEFAULT)), **kwargs)


def identifier(n: int) -> str:
    return f"00000000-0000-5000-8000-{n:012}"


def test_a_record_is_read_back_as_it_was_sent(ledger: MemoryLedger) -> None:
    record = record_of(DEFAULT)
    assert answer(commit(ledger, record)) == {"status": "committed", "digest": digest(record), "tx_id": "tx2"}
    assert answer(ledger.invoke("GetScorecard", FIRST)) == {
        "digest": digest(record),
        "record": record,
        "tx_id": "tx2",
        "tx_timestamp": NOON,
        "submitter": "EvaluatorMSP",
    }


def test_a_commit_raises_one_event_without_text(ledger: MemoryLedger) -> None:
    record = record_of(DEFAULT)
    commit(ledger, record)
    (event,) = ledger.events
    assert event[0] == "ScorecardCommitted"
    assert parse(event[1]) == {
        "id": FIRST,
        "digest": digest(record),
        "trust": record["trust"],
        "decision": record["decision"],
    }


def test_the_same_record_again_answers_with_the_first_transaction(ledger: MemoryLedger) -> None:
    commit(ledger)
    before = dict(ledger.state)
    assert answer(commit(ledger, time=NOON + MINUTE))["status"] == "duplicate"
    assert answer(commit(ledger))["tx_id"] == "tx2"
    assert (ledger.state, len(ledger.events)) == (before, 1)


def test_another_record_under_the_id_is_a_conflict(ledger: MemoryLedger) -> None:
    commit(ledger)
    before = dict(ledger.state)
    response = commit(ledger, record_of(DEFAULT, core_digest="sha256:" + "3" * 64))
    assert (response.status, response.message[:9]) == (409, "CONFLICT:")
    assert ledger.state == before


@pytest.mark.parametrize(
    ("data", "prefix"),
    [
        (b"", "INVALID"),
        (b"[]", "INVALID"),
        (b"{}", "INCOMPLETE"),
        (b'{"policy_digest":"x"}', "INVALID"),
        (b"x" * 32_769, "INVALID"),
        (b"\xff", "INVALID"),
        (b'{"a":1,"a":2}', "INVALID"),
        (b'{"policy_digest":"sha256:' + b"0" * 64 + b'"}', "NOTFOUND"),
    ],
)
def test_what_is_no_record_is_refused(ledger: MemoryLedger, data: bytes, prefix: str) -> None:
    assert ledger.invoke("CommitScorecard", data).message.startswith(prefix + ":")


def test_bytes_that_are_not_canonical_are_refused(ledger: MemoryLedger) -> None:
    data = canonical_bytes(record_of(DEFAULT))
    for changed in (data + b"\n", data.replace(b":", b": ", 1), data.replace(b'"attempt":0', b'"attempt":0.0')):
        assert ledger.invoke("CommitScorecard", changed).message.startswith("INVALID:")


def test_a_wrong_number_is_refused_with_its_place(ledger: MemoryLedger) -> None:
    record = record_of(DEFAULT)
    record["trust"] += 1
    assert commit(ledger, record).message == (
        "INVALID: /trust: does not follow from the leaves, the flags and the policy"
    )


def test_a_policy_is_registered_before_the_first_record_under_it() -> None:
    empty = MemoryLedger()
    response = commit(empty)
    assert (response.status, response.message[:9]) == (404, "NOTFOUND:")


def test_a_policy_is_registered_once_and_read_back(ledger: MemoryLedger) -> None:
    data = canonical_bytes(default_policy())
    again = answer(ledger.invoke("RegisterPolicy", data, creator=ADMIN))
    assert again == {"status": "duplicate", "digest": DEFAULT.digest, "tx_id": "tx1"}
    assert answer(ledger.invoke("GetPolicy", DEFAULT.digest))["document"] == default_policy()
    assert ledger.invoke("GetPolicy", "sha256:" + "0" * 64).status == 404
    assert ledger.invoke("RegisterPolicy", b"{}", creator=ADMIN).message.startswith("INCOMPLETE:")
    assert ledger.invoke("RegisterPolicy", b" " * 65_537, creator=ADMIN).message.startswith("INVALID:")


@pytest.mark.parametrize("creator", [ADMIN, AUDITOR, STRANGER, Creator("EvaluatorMSP", "peer"), Creator("", "")])
def test_only_clients_of_the_evaluator_commit_and_open(ledger: MemoryLedger, creator: Creator) -> None:
    for response in (
        commit(ledger, creator=creator),
        ledger.invoke("OpenEvaluation", FIRST, REQUEST, DEFAULT.digest, creator=creator),
    ):
        assert (response.status, response.message[:13]) == (403, "UNAUTHORIZED:")


@pytest.mark.parametrize("creator", [CLIENT, AUDITOR, STRANGER, Creator("AuditorMSP", "admin")])
def test_only_admins_of_the_evaluator_register_policies(creator: Creator) -> None:
    response = MemoryLedger().invoke("RegisterPolicy", canonical_bytes(default_policy()), creator=creator)
    assert response.status == 403


def questions() -> list[tuple[str, tuple[str, ...]]]:
    return [
        ("GetPolicy", (DEFAULT.digest,)),
        ("GetScorecard", (FIRST,)),
        ("GetHistory", (FIRST,)),
        ("VerifyDigest", (FIRST, "sha256:" + "0" * 64)),
        ("ListBySession", (SESSION, "10", "")),
        ("ListByDay", ("2026-01-02", "10", "")),
        ("ListOpen", ("10", "")),
        ("GetSchema", ()),
    ]


def test_members_of_both_organisations_read_and_others_do_not(ledger: MemoryLedger) -> None:
    commit(ledger)
    for function, args in questions():
        assert ledger.invoke(function, *args, creator=AUDITOR).ok
        assert ledger.invoke(function, *args, creator=STRANGER).status == 403


def test_no_question_writes(ledger: MemoryLedger) -> None:
    commit(ledger)
    before = dict(ledger.state)
    for function, args in questions():
        ledger.invoke(function, *args)
    assert ledger.state == before
    assert {function for function, _ in questions()} | set(TRANSACTIONS) == set(FUNCTIONS)


@pytest.mark.parametrize("function", ["Delete", "DeleteScorecard", "DelState", "commitScorecard", "", "__init__"])
def test_there_is_nothing_else_to_call(ledger: MemoryLedger, function: str) -> None:
    assert ledger.invoke(function, FIRST).message.startswith("INVALID: /: no such function")


def test_the_state_port_has_no_delete() -> None:
    assert not [name for name in dir(glassbox_contract.Stub) if name.startswith("del")]


def test_the_number_of_arguments_is_exact(ledger: MemoryLedger) -> None:
    for function, parameters in FUNCTIONS.items():
        response = ledger.invoke(function, *["x"] * (len(parameters) + 1))
        assert response.message.startswith(f"INVALID: /: {function} takes {len(parameters)}")


@pytest.mark.parametrize(("late", "ok"), [(15 * MINUTE, True), (15 * MINUTE + 1, False), (-(10**9), True)])
def test_a_record_is_made_at_most_fifteen_minutes_after_its_transaction(
    ledger: MemoryLedger, late: int, ok: bool
) -> None:
    record = record_of(DEFAULT, created_at=format_timestamp(NOON + late))
    response = commit(ledger, record)
    assert response.ok is ok
    assert ok or response.message.startswith("INVALID: /created_at")


def test_a_correction_is_a_new_record_that_names_the_old_one(ledger: MemoryLedger) -> None:
    later = record_of(DEFAULT, evaluation_id=SECOND, attempt=1, supersedes=FIRST)
    assert commit(ledger, later).message.startswith("NOTFOUND: /supersedes")
    commit(ledger)
    assert commit(ledger, later).ok
    old, new = (answer(ledger.invoke("GetHistory", i)) for i in (FIRST, SECOND))
    assert (old["supersedes"], old["superseded_by"]) == (None, [SECOND])
    assert (new["supersedes"], new["superseded_by"]) == (FIRST, [])


def test_a_record_supersedes_one_of_an_earlier_attempt(ledger: MemoryLedger) -> None:
    commit(ledger)
    commit(ledger, record_of(DEFAULT, evaluation_id=SECOND, attempt=2, supersedes=FIRST))
    for attempt, ok in ((1, False), (2, False), (3, True)):
        record = record_of(DEFAULT, evaluation_id=identifier(attempt), attempt=attempt, supersedes=SECOND)
        assert commit(ledger, record).ok is ok


def test_the_history_of_a_record_is_its_one_write(ledger: MemoryLedger) -> None:
    record = record_of(DEFAULT)
    commit(ledger, record)
    commit(ledger, record)
    found = answer(ledger.invoke("GetHistory", FIRST))
    assert found["writes"] == [{"tx_id": "tx2", "tx_timestamp": NOON, "digest": digest(record)}]
    assert ledger.invoke("GetHistory", SECOND).status == 404


def test_a_digest_is_compared(ledger: MemoryLedger) -> None:
    record = record_of(DEFAULT)
    commit(ledger, record)
    assert answer(ledger.invoke("VerifyDigest", FIRST, digest(record)))["matches"] is True
    found = answer(ledger.invoke("VerifyDigest", FIRST, "sha256:" + "0" * 64))
    assert found == {"id": FIRST, "digest": digest(record), "matches": False}
    assert ledger.invoke("VerifyDigest", SECOND, digest(record)).status == 404
    assert ledger.invoke("VerifyDigest", FIRST, "abc").status == 400


def all_pages(ledger: MemoryLedger, function: str, *args: str, size: int) -> list[list[dict[str, Any]]]:
    pages, bookmark = [], ""
    while True:
        page = answer(ledger.invoke(function, *args, str(size), bookmark))
        pages.append(page["items"])
        bookmark = page["bookmark"]
        if not bookmark:
            return pages


def test_lists_are_paged_oldest_first_and_complete(ledger: MemoryLedger) -> None:
    other_session = "hmac-sha256:" + "5" * 64
    for n in range(25):
        record = record_of(
            DEFAULT,
            evaluation_id=identifier(99 - n),
            created_at=format_timestamp(NOON - 30 * MINUTE + n * MINUTE),
            session_hmac=SESSION if n % 5 else other_session,
        )
        assert commit(ledger, record).ok
    yesterday = record_of(DEFAULT, evaluation_id=identifier(1), created_at=format_timestamp(NOON - 24 * 60 * MINUTE))
    commit(ledger, yesterday)
    pages = all_pages(ledger, "ListByDay", "2026-01-02", size=10)
    assert [len(page) for page in pages] == [10, 10, 5]
    listed = [item for page in pages for item in page]
    assert [item["id"] for item in listed] == [identifier(99 - n) for n in range(25)]
    assert [item["created_at"] for item in listed] == sorted(item["created_at"] for item in listed)
    assert [len(p) for p in all_pages(ledger, "ListBySession", other_session, size=5)] == [5]
    assert sum(len(p) for p in all_pages(ledger, "ListBySession", SESSION, size=7)) == 21
    assert all_pages(ledger, "ListByDay", "2026-01-03", size=10) == [[]]
    assert all_pages(ledger, "ListByDay", "2026-01-01", size=1)[0][0]["id"] == identifier(1)


@pytest.mark.parametrize(
    "args",
    [
        ("2026-02-30", "10", ""),
        ("20260102", "10", ""),
        ("2026-01-02", "0", ""),
        ("2026-01-02", "201", ""),
        ("2026-01-02", "-1", ""),
        ("2026-01-02", "ten", ""),
        ("2026-01-02", "１", ""),
        ("2026-01-02", "10", "\x00day"),
        ("2026-01-02", "10", "../.."),
        ("2026-01-02", "10", "x" * 200),
    ],
)
def test_a_page_that_can_not_be_is_refused(ledger: MemoryLedger, args: tuple[str, ...]) -> None:
    assert ledger.invoke("ListByDay", *args).message.startswith("INVALID:")


def test_what_was_opened_and_never_scored_is_listed(ledger: MemoryLedger) -> None:
    for n in range(5):
        assert ledger.invoke("OpenEvaluation", identifier(n), REQUEST, DEFAULT.digest, time=NOON + n).ok
    for n in (1, 3):
        commit(ledger, record_of(DEFAULT, evaluation_id=identifier(n)))
    items = [item for page in all_pages(ledger, "ListOpen", size=2) for item in page]
    assert [item["evaluation_id"] for item in items] == [identifier(0), identifier(2), identifier(4)]
    assert items[0]["request_hmac"] == REQUEST


def test_an_evaluation_is_opened_once_before_it_is_scored(ledger: MemoryLedger) -> None:
    assert answer(ledger.invoke("OpenEvaluation", FIRST, REQUEST, DEFAULT.digest))["status"] == "opened"
    assert answer(ledger.invoke("OpenEvaluation", FIRST, REQUEST, DEFAULT.digest)) == {
        "status": "duplicate",
        "tx_id": "tx2",
    }
    assert ledger.invoke("OpenEvaluation", FIRST, SESSION, DEFAULT.digest).status == 409
    commit(ledger)
    assert answer(ledger.invoke("OpenEvaluation", FIRST, REQUEST, DEFAULT.digest))["status"] == "duplicate"
    commit(ledger, record_of(DEFAULT, evaluation_id=SECOND))
    assert ledger.invoke("OpenEvaluation", SECOND, REQUEST, DEFAULT.digest).status == 409
    assert ledger.invoke("OpenEvaluation", identifier(1), REQUEST, "sha256:" + "0" * 64).status == 404


def strict() -> Policy:
    return policy(open_on_ledger=True)


def test_a_policy_may_demand_that_an_evaluation_is_opened_first() -> None:
    under = strict()
    ledger = ledger_with(under)
    record = record_of(under)
    assert commit(ledger, record).message.startswith("CONFLICT: /evaluation_id")
    ledger.invoke("OpenEvaluation", FIRST, REQUEST, under.digest)
    assert commit(ledger, record).ok


def test_what_was_opened_under_one_policy_is_not_scored_under_another(ledger: MemoryLedger) -> None:
    under = strict()
    ledger.invoke("RegisterPolicy", canonical_bytes(dict(under.document)), creator=ADMIN)
    ledger.invoke("OpenEvaluation", FIRST, REQUEST, DEFAULT.digest)
    assert commit(ledger, record_of(under)).message.startswith("CONFLICT: /policy_digest")


@pytest.mark.parametrize("time", [-1, 253_402_300_800_000, 10**30])
def test_a_transaction_time_beyond_the_calendar_is_refused(ledger: MemoryLedger, time: int) -> None:
    response = ledger.invoke("OpenEvaluation", FIRST, REQUEST, DEFAULT.digest, time=time)
    assert response.message.startswith("INVALID: /timestamp")


def test_arguments_may_come_as_bytes_or_text(ledger: MemoryLedger) -> None:
    commit(ledger)
    assert ledger.invoke("GetScorecard", FIRST.encode()).ok
    assert ledger.invoke("GetScorecard", b"\xff").message == "INVALID: /evaluation_id: not UTF-8"


def test_the_schema_describes_every_function_and_field(ledger: MemoryLedger) -> None:
    found = answer(ledger.invoke("GetSchema"))
    assert {name: tuple(args) for name, args in found["functions"].items()} == FUNCTIONS
    record = record_of(DEFAULT)
    assert sorted(found["record"]["required"]) == sorted(found["record"]["properties"])
    assert set(found["record"]["required"]) == set(record)
    assert set(found["policy"]["fields"]) == set(default_policy())


def test_state_values_are_canonical_and_hold_no_float(ledger: MemoryLedger) -> None:
    commit(ledger)
    for key, value in ledger.state.items():
        assert value == b"\x01" or canonical_bytes(parse(value)) == value, key


def test_a_refusal_is_an_exception_with_code_reason_and_path_for_python_callers() -> None:
    error = ContractError("INVALID", "must be an integer", "/trust")
    assert (error.code, error.reason, error.path) == ("INVALID", "must be an integer", "/trust")
    assert str(copy.copy(error)) == str(error) == "INVALID: /trust: must be an integer"


def test_the_contract_reads_no_clock_no_file_and_no_random_number() -> None:
    for module in vars(glassbox_contract).values():
        if inspect.ismodule(module):
            source = inspect.getsource(module)
            for forbidden in (
                r"import (time|random|os|secrets|uuid|pathlib|io)\b",
                r"\b(open|now|today|hash|id)\(",
                "environ",
            ):
                assert not re.search(forbidden, source), (module.__name__, forbidden)
