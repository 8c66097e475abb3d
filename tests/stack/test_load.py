"""Load: a thousand evaluations by queue, fifty of them with the real models, each committed exactly once."""

from __future__ import annotations

import json
import time
from collections import Counter

import pytest

from glassbox.ledger.fabric.ledger import FabricLedger
from glassbox.ledger.fabric.pending import FilePendingStore
from glassbox.ledger.fabric.profile import read_profile
from glassbox.stack.state import load
from glassbox.stack.watching import scan_records
from tests.functions.requests import body
from tests.stack.conftest import Running

SIZE = 1000
WITH_MODELS = 50
DOUBLED = 100


@pytest.mark.long
def test_a_thousand_evaluations_by_queue_are_committed_once_each(running: Running) -> None:
    sqs, url = running.client("sqs"), running.target.outputs["EvaluationsQueueUrl"]
    before = {r["id"] for r in scan_records(running.target)}
    texts = [body(**({"policy": "default"} if n < WITH_MODELS else {})) for n in range(SIZE)]
    began = time.monotonic()
    # Some come twice, as a queue may deliver them: the same key has one effect.
    for number, text in enumerate([*texts, *texts[:DOUBLED]]):
        key = {"idempotency_key": {"DataType": "String", "StringValue": f"load-{number % SIZE}"}}
        sqs.send_message(QueueUrl=url, MessageBody=text, MessageAttributes=key)
    sent = time.monotonic() - began
    states: Counter[str] = Counter()
    while time.monotonic() - began < 3600:
        records = [r for r in scan_records(running.target) if r["id"] not in before]
        states = Counter(r["state"] for r in records)
        if states["committed"] + states["needs_attention"] >= SIZE:
            break
        time.sleep(2)
    took = time.monotonic() - began
    assert states == {"committed": SIZE}
    print(f"{SIZE} evaluations: sent in {sent:.0f} s, committed after {took:.0f} s, {SIZE / took:.1f} a second")
    stack = load(running.folder)
    with FabricLedger(read_profile(stack.profile), FilePendingStore(running.folder / "pending")) as ledger:
        report = ledger.fsck()
        held = Counter(json.loads(line)["record"]["evaluation_id"] for line in ledger.export())
    assert report.intact, report.findings
    assert {r["id"] for r in records} <= set(held)
    assert set(held.values()) == {1}
    assert running.command("status")["queues"]["judges, dead letters"]["waiting"] == 0
