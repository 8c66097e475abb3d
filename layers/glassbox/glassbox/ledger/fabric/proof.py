"""The check of a proof from a Fabric channel: offline, with the record, the policy and the roots that are trusted.

What it shows: the contract accepts the record under the policy; peers of enough organisations endorsed exactly these
writes; orderers signed the block that holds the transaction; and a peer of every organisation found it valid. What it
takes on the endorsing peers' word: what stood on the ledger before, as the versions of the keys that were read say.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from glassbox.ledger.fabric.answers import answer_faults, read_answers
from glassbox.ledger.fabric.block_checks import signature_faults
from glassbox.ledger.fabric.blocks import Block, data_hash
from glassbox.ledger.fabric.contract_run import rerun_faults, shown
from glassbox.ledger.fabric.errors import Malformed
from glassbox.ledger.fabric.proof_parts import block_signatures, hex_hash, octets
from glassbox.ledger.fabric.proving import PROOF_FORMAT
from glassbox.ledger.fabric.transactions import (
    Call,
    Envelope,
    endorsement_faults,
    envelope_faults,
    read_call,
    read_envelope,
)
from glassbox.ledger.fabric.trust import Trust
from glassbox.ledger.port import Finding
from glassbox_contract import checks
from glassbox_contract.canonical import canonical_bytes, digest
from glassbox_contract.errors import ContractError
from glassbox_contract.policy import Policy, parse_policy
from glassbox_contract.record import validate_record
from glassbox_contract.rules import opening_key, policy_key, record_key

PROOF_FIELDS: Final = ("format", "channel", "chaincode", "policy", "record", "block", "index", "answers", "chain")
BLOCK_FIELDS: Final = ("number", "previous_hash", "transactions", "value", "signatures")
CHAIN_FIELDS: Final = ("headers", "value", "signatures")
_MOST_TRANSACTIONS: Final = 100_000
_MOST_HEADERS: Final = 1_000_000

LIMITS: Final = (
    "that the policy was registered, and what else stood on the ledger before: by the word of the peers that endorsed",
    "the time of the transaction, at which certificates are judged: by the submitter's clock, within what the network "
    "allows",
    "certificates that were revoked: a proof does not know of them",
)
"""What a proof can't show by itself, in words."""


def verify_fabric_proof(
    proof: Any, record: Mapping[str, Any], trust: Trust, *, checkpoint: Mapping[str, Any] | None = None
) -> list[Finding]:
    """Return what is wrong with a proof that `record` is valid on the network that is trusted; empty if nothing is.

    With a `checkpoint` the proof's chain of headers has to end in its block. No byte of a proof goes unchecked.
    """
    found: list[Finding] = []
    try:
        found.extend(_faults(proof, record, trust, checkpoint))
    except ContractError as error:
        found.append(_finding("proof", None, f"{error.path or '/'}: {error.reason}"))
    return found


def _finding(code: str, height: int | None, detail: str) -> Finding:
    return Finding(code=code, height=height, detail=detail)


def _faults(
    proof: Any, record: Mapping[str, Any], trust: Trust, checkpoint: Mapping[str, Any] | None
) -> Iterator[Finding]:
    canonical_bytes(proof, floats=False)
    raw = checks.fields(proof, PROOF_FIELDS, "")
    if raw["format"] != PROOF_FORMAT:
        raise ContractError("INVALID", f"must be {PROOF_FORMAT}", "/format")
    for name, trusted in (("channel", trust.channel), ("chaincode", trust.chaincode)):
        if raw[name] != trusted:
            yield _finding(name, None, f"/{name}: not the {name} that is trusted")
    block = _block(raw["block"])
    if canonical_bytes(raw["record"]) != canonical_bytes(dict(record)):
        yield _finding("record", block.number, f"/record: it proves the record {digest(raw['record'])}, not this one")
    index = checks.integer(raw["index"], "/index", 0, len(block.data) - 1)
    answers = read_answers(raw["answers"], "/answers")
    try:
        envelope = read_envelope(block.data[index])
        call = read_call(envelope)
    except Malformed as error:
        raise ContractError("INVALID", str(error), f"/block/transactions/{index}") from None
    for code, detail in signature_faults(block, trust, envelope.timestamp):
        yield _finding(code, block.number, f"/block/signatures: {detail}")
    where = f"/block/transactions/{index}"
    for code, detail in (*envelope_faults(envelope, trust), *endorsement_faults(envelope, call, trust)):
        yield _finding(code, block.number, f"{where}: {detail}")
    for code, path, detail in _contract_faults(raw, envelope, call, trust, block.number):
        yield _finding(code, block.number, f"{path or where}: {detail}")
    for code, path, detail in answer_faults(answers, trust, envelope.tx_id, block.data[index], envelope.timestamp):
        yield _finding(code, block.number, f"{path}: {detail}")
    yield from _chain_faults(raw["chain"], block, trust, envelope.timestamp, checkpoint)


def _block(value: Any) -> Block:
    raw = checks.fields(value, BLOCK_FIELDS, "/block")
    listed = checks.listing(raw["transactions"], "/block/transactions", _MOST_TRANSACTIONS)
    data = tuple(octets(item, f"/block/transactions/{at}") for at, item in enumerate(listed))
    if not data:
        raise ContractError("INVALID", "a block holds at least one transaction", "/block/transactions")
    return Block(
        number=checks.integer(raw["number"], "/block/number", 1, 2**53 - 1),
        previous_hash=hex_hash(raw["previous_hash"], "/block/previous_hash"),
        data_hash=data_hash(data),
        data=data,
        value=octets(raw["value"], "/block/value"),
        signatures=block_signatures(raw["signatures"], "/block/signatures"),
        codes=b"",
    )


def _contract_faults(
    raw: Mapping[str, Any], envelope: Envelope, call: Call, trust: Trust, number: int
) -> Iterator[tuple[str, str, str]]:
    """Yield (code, path, detail) where the transaction is not the contract's commit of this record."""
    if not envelope.is_transaction or call.chaincode != trust.chaincode:
        yield "contract", "", "it calls another chaincode than the one that is trusted"
        return
    if len(call.args) != 2 or call.args[0] != b"CommitScorecard":
        yield "contract", "", "it commits no record"
        return
    if call.args[1] != canonical_bytes(raw["record"]):
        yield "record", "", "the transaction commits another record than the proof's"
        return
    try:
        policy = parse_policy(raw["policy"])
    except ContractError as error:
        yield "policy", "/policy", f"{error.path or '/'}: {error.reason}"
        return
    if not isinstance(raw["record"], dict) or raw["record"].get("policy_digest") != policy.digest:
        yield "policy", "/policy", "not the policy that the record names"
        return
    try:
        validate_record(raw["record"], policy)
    except ContractError as error:
        yield "record", f"/record{error.path}", error.reason
        return
    for key, version in call.reads.items():
        if version is not None and version[0] >= number:
            yield "contract", "", f"it read {shown(key)} from a block that is not before its own"
    for code, detail in rerun_faults(envelope, call, _before(raw["record"], policy, call)):
        yield code, "", detail


def _before(record: Mapping[str, Any], policy: Policy, call: Call) -> Callable[[str], bytes | None]:
    """Return the state that the endorsing peers say they read: there are values under the keys that have a version."""
    values = {
        policy_key(policy.digest): canonical_bytes({"document": dict(policy.document)}),
        opening_key(str(record["evaluation_id"])): canonical_bytes({"policy_digest": policy.digest}),
    }
    if record["supersedes"] is not None:
        earlier = {"record": {"attempt": int(record["attempt"]) - 1}}
        values[record_key(str(record["supersedes"]))] = canonical_bytes(earlier)
    return lambda key: values.get(key) if call.reads.get(key) is not None else None


def _chain_faults(
    value: Any, block: Block, trust: Trust, at: int, checkpoint: Mapping[str, Any] | None
) -> Iterator[Finding]:
    """Yield what is wrong with the headers that follow the block, and with where they end."""
    last = block
    if value is not None:
        raw = checks.fields(value, CHAIN_FIELDS, "/chain")
        headers = checks.listing(raw["headers"], "/chain/headers", _MOST_HEADERS)
        if not headers:
            raise ContractError("INVALID", "a chain has at least one header", "/chain/headers")
        for number, item in enumerate(headers):
            where = f"/chain/headers/{number}"
            header = checks.fields(item, ("previous_hash", "data_hash"), where)
            previous = hex_hash(header["previous_hash"], where + "/previous_hash")
            if previous != hashlib.sha256(last.header).digest():
                yield _finding("chain", last.number + 1, f"{where}: the block before it is another one")
            hashed = hex_hash(header["data_hash"], where + "/data_hash")
            last = Block(last.number + 1, previous, hashed, (), b"", (), b"")
        last = Block(
            last.number,
            last.previous_hash,
            last.data_hash,
            (),
            octets(raw["value"], "/chain/value"),
            block_signatures(raw["signatures"], "/chain/signatures"),
            b"",
        )
        for code, detail in signature_faults(last, trust, at):
            yield _finding(code, last.number, f"/chain/signatures: {detail}")
    if checkpoint is not None and (last.number, last.hash) != (checkpoint.get("number"), checkpoint.get("hash")):
        yield _finding("checkpoint", last.number, "/chain: it does not end in the block of the checkpoint")
