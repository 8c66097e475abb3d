"""A proof shows offline that a record is valid on the network, and no byte of it can be changed unnoticed."""

from __future__ import annotations

import base64
import copy
import json
import random
from collections.abc import Iterator
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature, encode_dss_signature

from glassbox.ledger.fabric.errors import FabricUnavailable
from glassbox.ledger.fabric.proof import verify_fabric_proof
from glassbox.ledger.fabric.trust import trust_from_json
from glassbox.ledger.port import Finding
from glassbox_contract.canonical import canonical_bytes, parse_canonical
from tests.unit.ledger.support import identifier
from tests.unit.ledger_fabric.authorities import Authority
from tests.unit.ledger_fabric.conftest import Filled
from tests.unit.ledger_fabric.network import Refusal, grpc

ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
UNDETECTED: frozenset[tuple[str | int, ...]] = frozenset()
"""Places of a proof where a change goes undetected: none. docs/verification.md says so."""


@pytest.fixture(scope="module")
def proof(filled: Filled) -> dict[str, Any]:
    return filled.proof(1)


def found(filled: Filled, proof: Any, **more: Any) -> list[Finding]:
    return verify_fabric_proof(proof, filled.first, filled.trust, **more)


def changed(proof: dict[str, Any], path: tuple[str | int, ...], value: Any) -> dict[str, Any]:
    """Return a proof with one place changed; the rest is shared with the old one."""
    copied: Any = copy.copy(proof)
    head, *rest = path
    copied[head] = changed(proof[head], tuple(rest), value) if rest else value  # type: ignore[index]
    return copied  # type: ignore[no-any-return]


def leaves(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    if isinstance(value, dict):
        for key in sorted(value):
            yield from leaves(value[key], (*path, key))
    elif isinstance(value, list):
        for at, item in enumerate(value):
            yield from leaves(item, (*path, at))
    else:
        yield path, value


def octets_of(path: tuple[str | int, ...], value: Any) -> bytes | None:
    """Return the bytes of a Base64 leaf, None for any other."""
    if path[0] not in ("block", "answers", "chain") or not isinstance(value, str):
        return None
    if path[-1] in ("previous_hash", "data_hash"):
        return None
    return base64.b64decode(value, validate=True)


def variants(path: tuple[str | int, ...], value: Any, step: int, rng: random.Random) -> Iterator[Any]:
    """Yield other values of a leaf: with bytes flipped, cut, longer, of another type."""
    raw = octets_of(path, value)
    if raw is not None:
        places = sorted({*range(rng.randrange(step), len(raw), step), 0, len(raw) - 1})
        for at in places:
            yield base64.b64encode(raw[:at] + bytes([raw[at] ^ (1 << rng.randrange(8))]) + raw[at + 1 :]).decode()
        yield base64.b64encode(raw + b"\x00").decode()
        yield base64.b64encode(raw[:-1]).decode()
        yield value + "\n"
    elif isinstance(value, str):
        yield from (value + "0", value[:-1], None)
        if value.swapcase() != value:
            yield value.swapcase()
    elif isinstance(value, bool):
        yield from (not value, int(value), None)
    elif isinstance(value, int):
        yield from (value + 1, value - 1, float(value), str(value), None)
    else:
        yield from (0, "", False, [])


def undetected(filled: Filled, proof: dict[str, Any], record: dict[str, Any], step: int) -> list[tuple[Any, ...]]:
    rng = random.Random(20260102)
    missed = []
    for path, value in leaves(proof):
        for other in variants(path, value, step, rng):
            findings = verify_fabric_proof(changed(proof, path, other), record, filled.trust)
            if not findings and path not in UNDETECTED:
                missed.append((path, str(other)[:60]))
    return missed


def test_a_proof_of_a_record_holds(filled: Filled, proof: dict[str, Any]) -> None:
    assert found(filled, proof) == []
    assert verify_fabric_proof(filled.proof(2), filled.second, filled.trust) == []
    assert parse_canonical(canonical_bytes(proof)) == proof


def test_every_leaf_of_a_proof_is_covered(filled: Filled, proof: dict[str, Any]) -> None:
    assert undetected(filled, proof, filled.first, step=211) == []


@pytest.mark.long
def test_every_byte_of_a_proof_is_covered(filled: Filled) -> None:
    for n, record in ((1, filled.first), (2, filled.second)):
        whole = filled.ledger.proof_until(identifier(n), 5)
        assert undetected(filled, whole, record, step=1) == []


def removals(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    """Yield each object or array of a proof without one of its members, and arrays in another order."""
    if isinstance(value, dict):
        yield path, {**value, "more": 1}
        for key in sorted(value):
            yield path, {name: item for name, item in value.items() if name != key}
            yield from removals(value[key], (*path, key))
    elif isinstance(value, list):
        yield path, [*value, value[-1] if value else 1]
        for at, item in enumerate(value):
            yield path, value[:at] + value[at + 1 :]
            yield from removals(item, (*path, at))
        if len(value) > 1:
            yield path, value[::-1]


def test_nothing_can_be_left_out_added_or_put_in_another_order(filled: Filled) -> None:
    proof = filled.ledger.proof_until(identifier(1), 5)
    count = 0
    for path, other in removals(proof):
        if path:
            count += 1
            assert found(filled, changed(proof, path, other)), path
        else:
            assert found(filled, other)
    assert count > 100


def test_findings_name_the_part_that_was_changed(filled: Filled, proof: dict[str, Any]) -> None:
    def first(path: tuple[str | int, ...], value: Any) -> Finding:
        return found(filled, changed(proof, path, value))[0]

    other = json.loads(json.dumps(proof["record"]).replace("0.9", "0.8")) | {"bundle_digest": "sha256:" + "0" * 64}
    assert first(("record",), other).code == "record"
    assert first(("block", "number"), proof["block"]["number"] + 1).code == "orderer"
    assert first(("block", "previous_hash"), "0" * 64).detail.startswith("/block/signatures")
    assert first(("channel",), "other").detail.startswith("/channel")
    assert first(("policy", "bar", "value"), 1).code == "policy"
    flipped = base64.b64decode(proof["answers"][0]["answer"])
    flipped = flipped[:-1] + bytes([flipped[-1] ^ 1])
    finding = first(("answers", 0, "answer"), base64.b64encode(flipped).decode())
    assert (finding.code, "AuditorMSP.peer" in finding.detail) == ("answer", True)


@pytest.mark.parametrize("path", [("block", "signatures", 0, "signature"), ("answers", 1, "signature")])
def test_the_other_value_of_s_is_refused_by_name(
    filled: Filled, proof: dict[str, Any], path: tuple[str | int, ...]
) -> None:
    value: Any = proof
    for part in path:
        value = value[part]
    r, s = decode_dss_signature(base64.b64decode(value))
    high = base64.b64encode(encode_dss_signature(r, ORDER - s)).decode()
    assert "the high s, which Fabric refuses" in " ".join(f.detail for f in found(filled, changed(proof, path, high)))


def test_the_proof_of_one_record_is_none_of_another(filled: Filled, proof: dict[str, Any]) -> None:
    findings = verify_fabric_proof(proof, filled.second, filled.trust)
    assert [finding.code for finding in findings] == ["record"]


def test_answers_about_another_transaction_don_t_count(filled: Filled, proof: dict[str, Any]) -> None:
    findings = found(filled, {**proof, "answers": filled.proof(2)["answers"]})
    assert any("not what became of this transaction" in finding.detail for finding in findings)


def test_with_other_roots_nobody_is_believed(filled: Filled, proof: dict[str, Any]) -> None:
    roots = filled.trust.to_json()
    stranger = Authority("EvaluatorMSP").certificate.decode()
    roots["organisations"]["EvaluatorMSP"]["roots"] = [stranger]
    codes = {f.code for f in verify_fabric_proof(proof, filled.first, trust_from_json(roots))}
    assert codes == {"submitter", "endorsement", "answer"}
    roots = filled.trust.to_json()
    roots["orderers"]["OrdererMSP"]["roots"] = [stranger]
    assert {f.code for f in verify_fabric_proof(proof, filled.first, trust_from_json(roots))} == {"orderer"}


def test_a_transaction_that_the_peers_found_invalid_proves_nothing(filled: Filled) -> None:
    metadata = filled.channel.blocks[filled.ledger.get(identifier(1))["block"]].metadata.metadata
    metadata[2] = b"\x0b"
    try:
        findings = found(filled, filled.proof(1))
    finally:
        metadata[2] = b"\x00"
    assert [f.code for f in findings] == ["answer", "answer"]
    assert "found the transaction MVCC_READ_CONFLICT" in findings[0].detail


def test_an_endorsement_of_one_organisation_is_too_little(filled: Filled, proof: dict[str, Any]) -> None:
    roots = filled.trust.to_json()
    third = Authority("ThirdMSP")
    roots["organisations"]["ThirdMSP"] = {"roots": [third.certificate.decode()], "intermediates": []}
    roots["endorsement"] = "all"
    details = [f.detail for f in verify_fabric_proof(proof, filled.first, trust_from_json(roots))]
    assert any("all of 3 organisations) is not met" in detail for detail in details)
    assert any("no sound answer of a peer of ThirdMSP" in detail for detail in details)


def test_a_proof_leads_to_a_checkpoint(filled: Filled) -> None:
    checkpoint = filled.ledger.checkpoint()
    proof = filled.ledger.proof_until(identifier(1), checkpoint["number"])
    assert len(proof["chain"]["headers"]) == 1
    assert found(filled, proof, checkpoint=checkpoint) == []
    assert [f.code for f in found(filled, filled.proof(1), checkpoint=checkpoint)] == ["checkpoint"]
    forged = changed(proof, ("chain", "headers", 0, "data_hash"), "0" * 64)
    assert {f.code for f in found(filled, forged, checkpoint=checkpoint)} == {"orderer", "checkpoint"}


@pytest.mark.parametrize("proof", [None, [], {}, "x", 3, {"format": "glassbox-fabric-proof/1"}])
def test_what_is_no_proof_is_refused(filled: Filled, proof: Any) -> None:
    assert [f.code for f in found(filled, proof)] == ["proof"]


def test_a_proof_needs_the_answer_of_each_organisation(filled: Filled) -> None:
    filled.peers.before["ProcessProposal"] = [Refusal(grpc.StatusCode.UNAVAILABLE, "away")]
    with pytest.raises(FabricUnavailable, match="needs the answer of a peer of AuditorMSP"):
        filled.proof(1)
