"""What a peer finds of the transactions in a block, each with one of Fabric's codes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, Final

from devpeer import protos
from devpeer.identities import Denied, Members
from devpeer.proposals import proposal_hash, transaction_id
from devpeer.rwset import RangeRead, ReadWriteSet, read_rwset
from devpeer.world import Version, World

_T: Any = protos.transactions
_CONTEXT: Final = (protos.DecodeError, ValueError)


class Invalid(Exception):
    """A transaction that does not count; `code` says why."""

    def __init__(self, code: int) -> None:
        super().__init__(protos.code_name(code))
        self.code = code


@dataclass(frozen=True, slots=True)
class Transaction:
    """A transaction as it stands in a block, in order in itself."""

    tx_id: str
    channel: str
    timestamp: Any
    rwset: ReadWriteSet
    event: Any
    """ChaincodeEvent, or None."""


@dataclass(frozen=True, slots=True)
class Rules:
    """What transactions are judged by."""

    channel: str
    chaincode: str
    endorsement: str
    members: Members

    def enough(self, msp_ids: set[str]) -> bool:
        """Return whether endorsements of these organisations satisfy the policy."""
        whole = len(self.members.groups)
        return len(msp_ids) >= {"any": 1, "majority": whole // 2 + 1, "all": whole}[self.endorsement]


def judge(data: bytes, rules: Rules, seen: Callable[[str], bool]) -> Transaction:
    """Return a transaction that is in order but for the versions of what it read; raises Invalid."""
    try:
        envelope = protos.common.Envelope.FromString(data)
        payload = protos.common.Payload.FromString(envelope.payload)
    except _CONTEXT:
        raise Invalid(_T.BAD_PAYLOAD) from None
    channel, signer = _headers(payload.header)
    try:
        rules.members.signed(signer.creator, envelope.payload, envelope.signature)
    except Denied:
        raise Invalid(_T.BAD_CREATOR_SIGNATURE) from None
    if channel.type != protos.common.ENDORSER_TRANSACTION:
        raise Invalid(_T.UNKNOWN_TX_TYPE)
    if channel.tx_id != transaction_id(signer.nonce, signer.creator):
        raise Invalid(_T.BAD_PROPOSAL_TXID)
    action, response = _action(payload)
    if channel.channel_id != rules.channel:
        raise Invalid(_T.TARGET_CHAIN_NOT_FOUND)
    if seen(channel.tx_id):
        raise Invalid(_T.DUPLICATE_TXID)
    if action.chaincode_id.name != rules.chaincode:
        raise Invalid(_T.INVALID_CHAINCODE)
    if not rules.enough(_endorsers(response, rules.members)):
        raise Invalid(_T.ENDORSEMENT_POLICY_FAILURE)
    rwset = read_rwset(action.results, rules.chaincode)
    if not rwset.plain:
        raise Invalid(_T.INVALID_OTHER_REASON)
    return _transaction(channel, action, rwset)


def transaction_name(data: bytes) -> str:
    """Return the id that an envelope claims, "" where it can't be read."""
    try:
        payload = protos.common.Payload.FromString(protos.common.Envelope.FromString(data).payload)
        return str(protos.common.ChannelHeader.FromString(payload.header.channel_header).tx_id)
    except protos.DecodeError:
        return ""


def read_transaction(data: bytes, chaincode: str) -> Transaction:
    """Return a transaction that was judged before, without judging it again; raises Invalid where it can't be read."""
    payload = protos.common.Payload.FromString(protos.common.Envelope.FromString(data).payload)
    channel, _ = _headers(payload.header)
    action, _ = _action(payload)
    return _transaction(channel, action, read_rwset(action.results, chaincode))


def _transaction(channel: Any, action: Any, rwset: ReadWriteSet) -> Transaction:
    event = protos.events.ChaincodeEvent.FromString(action.events) if action.events else None
    return Transaction(str(channel.tx_id), str(channel.channel_id), channel.timestamp, rwset, event)


def _headers(header: Any) -> tuple[Any, Any]:
    try:
        channel = protos.common.ChannelHeader.FromString(header.channel_header)
        signer = protos.common.SignatureHeader.FromString(header.signature_header)
    except _CONTEXT:
        raise Invalid(_T.BAD_COMMON_HEADER) from None
    if channel.epoch != 0 or not signer.nonce or not signer.creator:
        raise Invalid(_T.BAD_COMMON_HEADER)
    return channel, signer


def _action(payload: Any) -> tuple[Any, Any]:
    """Return (ChaincodeAction, ChaincodeEndorsedAction) of a transaction that is one of its proposal."""
    try:
        actions = _T.Transaction.FromString(payload.data).actions
        if len(actions) != 1:
            raise ValueError("not one action")
        body = _T.ChaincodeActionPayload.FromString(actions[0].payload)
        answer = protos.responses.ProposalResponsePayload.FromString(body.action.proposal_response_payload)
        action = protos.proposals.ChaincodeAction.FromString(answer.extension)
        signer = protos.common.SignatureHeader.FromString(actions[0].header)
    except _CONTEXT:
        raise Invalid(_T.INVALID_ENDORSER_TRANSACTION) from None
    hashed = proposal_hash(payload.header.channel_header, actions[0].header, body.chaincode_proposal_payload)
    if hashed != answer.proposal_hash or not signer.nonce or not signer.creator:
        raise Invalid(_T.INVALID_ENDORSER_TRANSACTION)
    return action, body.action


def _endorsers(action: Any, members: Members) -> set[str]:
    """Return the organisations of whose peers there is a signature that holds."""
    found = set()
    for one in action.endorsements:
        try:
            member = members.signed(one.endorser, action.proposal_response_payload + one.endorser, one.signature)
        except Denied:
            continue
        if member.role == "peer":
            found.add(member.msp_id)
    return found


class Conflicts:
    """Which reads of a block's transactions no longer hold: after earlier blocks, or after earlier ones in it."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._written: dict[str, Version | None] = {}

    def check(self, rwset: ReadWriteSet) -> None:
        """Raise Invalid where a key that was read has another version by now, or a range holds other keys."""
        for key, version in rwset.reads.items():
            if key in self._written or self._world.version(key) != version:
                raise Invalid(_T.MVCC_READ_CONFLICT)
        for one in rwset.ranges:
            if not self._same(one):
                raise Invalid(_T.PHANTOM_READ_CONFLICT)

    def take(self, rwset: ReadWriteSet, version: Version) -> None:
        """Note what a valid transaction of the block writes."""
        self._written.update({key: None if value is None else version for key, value in rwset.writes.items()})

    def _same(self, read: RangeRead) -> bool:
        end = read.end if read.exhausted else read.end + "\0"
        before = {key: version for key, _, version in self._world.scan(read.start, end)}
        changed = {
            key: version for key, version in self._written.items() if read.start <= key and (not end or key < end)
        }
        now: Sequence[tuple[str, Version]] = sorted(
            (key, version) for key, version in {**before, **changed}.items() if version is not None
        )
        return all(found == there for found, there in zip_longest(read.found, now))
