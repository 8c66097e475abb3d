"""Clients that die, nodes that are killed, messages that are lost: what was acknowledged stands exactly once."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from glassbox.ledger.fabric.ledger import FabricLedger
from glassbox.ledger.port import Receipt
from tests.fabric.proxy import LossyConnection
from tests.fabric.stage import DEFAULT, NODES, Cards, Stage, assert_exactly, insisted

PROBE = Path(__file__).with_name("commit_probe.py")
STEPS = ("endorsed", "kept", "submitted", "committed", "forgotten")


def test_a_client_that_is_killed_at_any_step_is_followed_by_one_that_finishes(stage: Stage, cards: Cards) -> None:
    records = dict(zip(STEPS, cards.make(len(STEPS)), strict=True))
    folders = dict(zip(STEPS, (stage.folder for _ in STEPS), strict=True))
    dying = []
    for step, record in records.items():
        file = folders[step] / "record.json"
        file.write_text(json.dumps(record))
        argv = [sys.executable, str(PROBE), str(stage.network.profile), str(folders[step]), str(file), step]
        dying.append(subprocess.Popen(argv))
    assert [one.wait(60) for one in dying] == [-signal.SIGKILL] * len(STEPS)
    done: dict[str, Receipt] = {}
    for step, record in records.items():
        done[step] = stage.ledger(folder=folders[step]).commit(record, DEFAULT)
    # What was submitted before is found, not sent anew; what was not is committed now.
    assert [done[step].duplicate for step in STEPS] == [False, True, True, True, True]
    assert_exactly(stage.ledger(), cards, list(records.values()))


@pytest.mark.parametrize("stage_name", ["Evaluate", "Endorse", "Submit", "CommitStatus"])
@pytest.mark.parametrize("lost", ["requests", "replies"])
def test_lost_messages_lose_and_double_nothing(stage: Stage, cards: Cards, stage_name: str, lost: str) -> None:
    with LossyConnection(stage.evaluator.gateway) as connection:
        ledger = stage.ledger(connection.of(stage.evaluator))
        records = cards.make(2)
        for record in records:
            getattr(connection, lost)[stage_name] = 3
            insisted(ledger, record)
            connection.requests.clear()
            connection.replies.clear()
        ledger.close()
    assert_exactly(stage.ledger(), cards, records)


def test_many_messages_lost_at_random_among_many_writers(stage: Stage, cards: Cards) -> None:
    records = cards.make(16)
    chance = random.Random(7)
    with LossyConnection(stage.evaluator.gateway) as connection:
        ledger = stage.ledger(connection.of(stage.evaluator))
        over = threading.Event()

        def lose() -> None:
            for _ in range(40):
                kind = chance.choice((connection.requests, connection.replies))
                kind[chance.choice(("Evaluate", "Endorse", "Submit", "CommitStatus"))] += 1
                if over.wait(0.02):
                    return

        loser = threading.Thread(target=lose)
        loser.start()
        try:
            with ThreadPoolExecutor(8) as pool:
                receipts = list(pool.map(lambda record: insisted(ledger, record), records))
        finally:
            over.set()
            loser.join()
        ledger.close()
    assert len({receipt.transaction_id for receipt in receipts}) == len(records)
    assert_exactly(stage.ledger(), cards, records)


def test_everything_is_killed_and_comes_back_with_all_that_was_acknowledged(broken: Stage, cards: Cards) -> None:
    before = cards.make(3)
    ledger = broken.ledger()
    receipts = [ledger.commit(record, DEFAULT) for record in before]
    broken.kill_all()
    broken.restore()
    again = [insisted(ledger, record) for record in before]
    assert [one.to_json() for one in again] == [one.to_json() for one in receipts]
    after = cards.one()
    insisted(ledger, after)
    assert_exactly(broken.ledger(), cards, [*before, after])


def commit_through(stage: Stage, cards: Cards, names: Sequence[str], *, count: int, kills: int) -> None:
    """Commit records by eight writers while nodes are killed and started again; assert that all stand exactly once."""
    records = cards.make(count)
    ledger = stage.ledger()
    with ThreadPoolExecutor(8) as pool:
        running = [pool.submit(insisted, ledger, record, 240) for record in records]
        for _ in range(kills):
            time.sleep(0.2)
            if names:
                stage.kill(*names)
            else:
                stage.kill_all()
            time.sleep(0.2)
            stage.restore()
        receipts = [one.result() for one in running]
    assert len({receipt.transaction_id for receipt in receipts}) == count
    assert_exactly(stage.ledger(), cards, records)


@pytest.mark.parametrize("names", [(), ("orderer",), ("peer-auditor",)], ids=["all", "orderer", "one peer"])
def test_writers_outlive_the_death_of_nodes(broken: Stage, cards: Cards, names: tuple[str, ...]) -> None:
    commit_through(broken, cards, names, count=16, kills=1)


@pytest.mark.parametrize("name", ["chaincode-evaluator", "chaincode-auditor"])
def test_writers_outlive_the_death_of_a_chaincode_process(broken: Stage, cards: Cards, name: str) -> None:
    commit_through(broken, cards, (name,), count=12, kills=1)


@pytest.mark.long
@pytest.mark.parametrize("names", [(), *((node,) for node in NODES), ("chaincode-auditor",)], ids=str)
def test_writers_outlive_many_deaths(broken: Stage, cards: Cards, names: tuple[str, ...]) -> None:
    commit_through(broken, cards, names, count=300, kills=8)


def test_and_fsck_finds_nothing_amiss(ledger: FabricLedger) -> None:
    report = ledger.fsck()
    assert report.intact, report.findings
