"""A proof is checked offline, and no byte of it goes unchecked."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from glassbox.ledger import blocks
from glassbox.ledger.keys import SigningKey
from glassbox.ledger.proof import verify_proof
from glassbox_contract import canonical_bytes
from tests.contract.walking import changed, leaves, other_values, places, without
from tests.unit.ledger.support import filled, identifier, record

RECORD = record(1)


@pytest.fixture(scope="module")
def proven(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], str]:
    """A proof of the first record and the ledger's public key."""
    with filled(tmp_path_factory.mktemp("ledger")) as ledger:
        return ledger.proof(identifier(1)), ledger.public_key()


def test_a_true_proof_has_no_findings(proven: tuple[dict[str, Any], str]) -> None:
    proof, key = proven
    assert verify_proof(proof, RECORD, key) == []
    assert verify_proof(json.loads(json.dumps(proof)), RECORD, key) == []


def test_every_change_of_every_leaf_is_found(proven: tuple[dict[str, Any], str]) -> None:
    proof, key = proven
    count = 0
    for place, item in leaves(proof):
        for new in other_values(item):
            count += 1
            assert verify_proof(changed(proof, place, new), RECORD, key), (place, new)
    assert count > 500


def test_every_removal_and_every_addition_is_found(proven: tuple[dict[str, Any], str]) -> None:
    proof, key = proven
    for place, item in places(proof):
        assert verify_proof(without(proof, place), RECORD, key), place
        if isinstance(item, dict):
            assert verify_proof(changed(proof, (*place, "unheard_of"), 1), RECORD, key), place
    assert verify_proof({**proof, "unheard_of": 1}, RECORD, key)


@pytest.mark.parametrize("proof", [None, [], {}, "proof", 1])
def test_what_is_no_proof_is_found(proven: tuple[dict[str, Any], str], proof: Any) -> None:
    assert [finding.code for finding in verify_proof(proof, RECORD, proven[1])] == ["proof"]


def test_every_change_of_the_record_is_found(proven: tuple[dict[str, Any], str]) -> None:
    proof, key = proven
    for place, item in leaves(RECORD):
        found = verify_proof(proof, changed(RECORD, place, other_values(item)[-1]), key)
        assert [finding.code for finding in found] == ["record"], place


def test_another_key_is_not_trusted(proven: tuple[dict[str, Any], str]) -> None:
    other = SigningKey(b"x" * 32).public_key
    codes = [finding.code for finding in verify_proof(proven[0], RECORD, other)]
    assert codes == ["key", "signature", "signature"]


def signed(key: SigningKey, block: dict[str, Any], **edits: Any) -> dict[str, Any]:
    """Return a block with other data, signed like a true one."""
    data = {**block["data"], **edits}
    header = block["header"]
    data["tx_id"] = blocks.transaction_id(
        header["previous_hash"], data["function"], data["args"], data["creator"], data["timestamp"]
    )
    sealed = blocks.seal(
        key,
        ledger=header["ledger"],
        height=header["height"],
        previous_hash=header["previous_hash"],
        data=canonical_bytes(data),
        time=header["time"],
    )
    return sealed.to_json()


def test_the_rules_hold_against_the_holder_of_the_key(proven: tuple[dict[str, Any], str]) -> None:
    proof, key = proven[0], SigningKey(b"k" * 32)
    honest = {
        **proof,
        "public_key": key.public_key,
        "policy": signed(key, proof["policy"]),
        "record": signed(key, proof["record"]),
    }
    assert verify_proof(honest, RECORD, key.public_key) == []
    raised = {**RECORD, "trust": 999_999}
    forged = {**honest, "record": signed(key, proof["record"], args=[canonical_bytes(raised).decode()])}
    found = verify_proof(forged, raised, key.public_key)
    assert ["/trust" in finding.detail for finding in found] == [True]
    late = {**RECORD, "created_at": "2026-01-03T12:00:00.000Z"}
    forged = {**honest, "record": signed(key, proof["record"], args=[canonical_bytes(late).decode()])}
    assert "created_at" in verify_proof(forged, late, key.public_key)[0].detail
    swapped = {**honest, "policy": honest["record"]}
    assert verify_proof(swapped, RECORD, key.public_key)
    by_admin = {**honest, "record": signed(key, proof["record"], creator={"msp": "EvaluatorMSP", "role": "admin"})}
    assert verify_proof(by_admin, RECORD, key.public_key)


def test_a_policy_that_was_registered_later_proves_nothing(proven: tuple[dict[str, Any], str], tmp_path: Path) -> None:
    proof, key = proven
    late = changed(proof, ("policy", "header", "height"), 9)
    assert {"signature", "order"} <= {finding.code for finding in verify_proof(late, RECORD, key)}
    with filled(tmp_path) as other:
        mixed = {**proof, "policy": other.proof(identifier(1))["policy"]}
    assert "signature" in {finding.code for finding in verify_proof(mixed, RECORD, key)}


def test_the_check_reads_no_file_and_opens_no_database(proven: tuple[dict[str, Any], str], tmp_path: Path) -> None:
    (tmp_path / "proof.json").write_text(json.dumps(proven[0]))
    (tmp_path / "record.json").write_text(json.dumps(RECORD))
    script = (
        "import json, sys\n"
        "from glassbox.ledger.proof import verify_proof\n"
        "proof, record = (json.load(open(name)) for name in sys.argv[1:3])\n"
        "verify_proof(proof, record, sys.argv[3])  # whatever is imported late is imported now\n"
        "outside = ('open', 'socket.connect', 'sqlite3.connect')\n"
        "sys.addaudithook(lambda event, _: sys.exit(event) if event in outside else None)\n"
        "print(verify_proof(proof, record, sys.argv[3]))\n"
    )
    arguments = [sys.executable, "-c", script, str(tmp_path / "proof.json"), str(tmp_path / "record.json"), proven[1]]
    done = subprocess.run(arguments, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "[]"), done.stderr


def test_no_private_key_is_in_a_proof(tmp_path: Path) -> None:
    with filled(tmp_path) as ledger:
        text = json.dumps(ledger.proof(identifier(1))) + json.dumps(ledger.checkpoint())
    assert (tmp_path / "ledger.key").read_text().split(":")[1].strip() not in text
