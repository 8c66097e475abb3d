"""The check of an exported proof: offline, with nothing but the record and a public key that the checker trusts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from glassbox.ledger.blocks import Block, Transaction, block_faults, block_from_json, transaction_from, transaction_id
from glassbox.ledger.port import Finding
from glassbox.ledger.reading import PROOF_FORMAT
from glassbox_contract import checks
from glassbox_contract.canonical import canonical_bytes, digest_bytes, parse_canonical
from glassbox_contract.errors import ContractError
from glassbox_contract.policy import Policy, parse_policy
from glassbox_contract.record import validate_record
from glassbox_contract.rules import CLOCK_TOLERANCE_MS, EVALUATOR

PROOF_FIELDS: Final = ("format", "public_key", "policy", "record")


def verify_proof(proof: Any, record: Mapping[str, Any], trusted_public_key: str) -> list[Finding]:
    """Return what is wrong with a proof that `record` stands on the ledger with this public key; empty if nothing is.

    Checked: the proof's exact fields; both blocks' hashes and signatures under the trusted key; transaction ids and
    times; that one block registers the record's policy and a later one of the same ledger commits exactly this
    record; and that the contract's rules accept the record under that policy. No byte of a proof goes unchecked.
    """
    findings: list[Finding] = []
    try:
        raw = checks.fields(proof, PROOF_FIELDS, "")
        if raw["format"] != PROOF_FORMAT:
            raise ContractError("INVALID", f"must be {PROOF_FORMAT}", "/format")
        if raw["public_key"] != trusted_public_key:
            findings.append(_finding("key", None, "/public_key: not the key that is trusted"))
        policy_block = _Checked("policy", raw["policy"], trusted_public_key, findings)
        record_block = _Checked("record", raw["record"], trusted_public_key, findings)
        policy = policy_block.registered_policy()
        _check_places(policy_block, record_block, findings)
        record_block.check_record(record, policy, findings)
    except ContractError as error:
        findings.append(_finding("proof", None, str(error)))
    return findings


def _finding(code: str, height: int | None, detail: str) -> Finding:
    return Finding(code=code, height=height, detail=detail)


class _Checked:
    """One block of a proof, checked in itself."""

    def __init__(self, name: str, value: Any, public_key: str, findings: list[Finding]) -> None:
        self.name = name
        self.block: Block = block_from_json(value, "/" + name)
        self.header = self.block.fields()
        self.height = int(self.header["height"])
        for code, detail in block_faults(self.block, public_key):
            findings.append(_finding(code, self.height, f"/{name}: {detail}"))
        self.transaction: Transaction = transaction_from(self.block.data)
        self._check_transaction(findings)

    def _check_transaction(self, findings: list[Finding]) -> None:
        found = self.transaction
        expected = transaction_id(
            self.header["previous_hash"], found.function, found.args, found.creator, found.timestamp
        )
        if found.tx_id != expected:
            findings.append(_finding("transaction", self.height, f"/{self.name}/data/tx_id: not of this transaction"))
        if self.header["time"] != checks.format_timestamp(found.timestamp):
            findings.append(_finding("transaction", self.height, f"/{self.name}/header/time: not the transaction's"))

    def _demand(self, function: str, role: str, count: int) -> None:
        found = self.transaction
        if (found.function, len(found.args), dict(found.creator)) != (
            function,
            count,
            {"msp": EVALUATOR, "role": role},
        ):
            raise ContractError("INVALID", f"not a {function} by a {role} of {EVALUATOR}", f"/{self.name}/data")

    def registered_policy(self) -> Policy:
        """Return the policy that this block registers; raises ContractError if it registers none."""
        self._demand("RegisterPolicy", "admin", 1)
        return parse_policy(parse_canonical(self.transaction.args[0].encode()))

    def check_record(self, record: Mapping[str, Any], policy: Policy, findings: list[Finding]) -> None:
        """Note what keeps this block from being the commit of `record` under `policy`."""
        self._demand("CommitScorecard", "client", 1)
        committed = self.transaction.args[0].encode()
        if committed != canonical_bytes(dict(record)):
            detail = f"the ledger holds a record with digest {digest_bytes(committed)}, not this one"
            findings.append(_finding("record", self.height, detail))
        document = parse_canonical(committed)
        validate_record(document, policy)
        if checks.timestamp(document["created_at"], "/created_at") > self.transaction.timestamp + CLOCK_TOLERANCE_MS:
            findings.append(_finding("record", self.height, "/created_at: more than 15 minutes after the transaction"))


def _check_places(policy: _Checked, record: _Checked, findings: list[Finding]) -> None:
    if policy.header["ledger"] != record.header["ledger"]:
        findings.append(_finding("chain", record.height, "policy and record stand on two ledgers"))
    if policy.height >= record.height:
        findings.append(_finding("order", record.height, "the policy was not registered before the record"))
