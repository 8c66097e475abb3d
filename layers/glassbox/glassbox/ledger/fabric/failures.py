"""What a failed call means: decided from the peers' own words, since one gRPC code stands for many causes.

Fabric answers a refusal of the contract, a peer that is away and a wrong certificate with codes that overlap; what
tells them apart are the details that peers put into the trailing metadata (`grpc-status-details-bin`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from glassbox.errors import LedgerConflict, LedgerError, LedgerNotFound, LedgerRejected
from glassbox.ledger.fabric import protos
from glassbox.ledger.fabric.errors import (
    CommitUnknown,
    FabricMisconfigured,
    FabricUnavailable,
    Malformed,
    PeersDisagree,
)

DETAILS: Final = "grpc-status-details-bin"
AMBIGUOUS_STAGES: Final = ("submit", "commit-status")
"""Stages after which the transaction may stand on the ledger although the call failed."""

_ERROR_DETAIL: Final = "type.googleapis.com/gateway.ErrorDetail"
_REFUSAL = re.compile(r"chaincode response ([0-9]{3}), (.*)", re.DOTALL)
_CONTRACT = re.compile(r"(INCOMPLETE|INVALID|CONFLICT|UNAUTHORIZED|NOTFOUND): (/[^ ]*): (.*)", re.DOTALL)
_TLS: Final = (
    "CERTIFICATE_VERIFY_FAILED",
    "SSL_ERROR",
    "Hostname Verification",
    "is not in peer certificate",
    "TLSV1_ALERT",
)
_UNCONNECTED: Final = ("No connection established", "failed to connect to all addresses", "Connection refused")
_LOST: Final = ("Socket closed", "Connection reset", "GOAWAY", "Stream removed", "Broken pipe", "recvmsg")
_CLOSED: Final = (
    "A peer that demands a client's certificate (clientAuthRequired) does so: GlassBox shows none, so that the peer "
    "must not demand one; so does a peer that speaks TLS where the profile has no roots, and one that is starting"
)
_WAITABLE: Final = (
    "no combination of peers",
    "failed to collect enough transaction endorsements",
    "could not launch chaincode",
    "no orderers could successfully process",
    "no Raft leader",
    "too many requests",
    "failed to select a set of endorsers",
    "no live",
)
_DIFFERENT: Final = "ProposalResponsePayloads do not match"
_ABSENT: Final = ("no such transaction ID", "no such block number")
_LONGEST: Final = 240


@dataclass(frozen=True, slots=True)
class Failure:
    """A failed call as it came: gRPC code by name, its text, and (address, MSP id, message) from each peer."""

    stage: str
    tx_id: str
    code: str
    text: str
    details: tuple[tuple[str, str, str], ...] = field(default=())

    @property
    def words(self) -> tuple[str, ...]:
        """Every text that came with the failure."""
        return (self.text, *(message for _, _, message in self.details))

    def says(self, *parts: str) -> bool:
        """Whether any text holds one of `parts`."""
        return any(part in word for word in self.words for part in parts)

    @property
    def unconnected(self) -> bool:
        """Whether the call never reached a peer, as after a function that slept: then once more is worth a try."""
        return self.code == "UNAVAILABLE" and not self.says(*_TLS) and self.says(*_UNCONNECTED, *_LOST)


def failure(stage: str, tx_id: str, error: Any) -> Failure:
    """Return what came with a grpc.RpcError."""
    metadata = error.trailing_metadata() or ()
    raw = next((value for key, value in metadata if key == DETAILS), b"")
    text = error.details() or ""
    return Failure(stage, tx_id, error.code().name, text, tuple(status_details(bytes(raw))))


def typed(failed: Failure, endpoint: str) -> LedgerError:
    """Return our error for a failure: a refusal, a passing fault, an open outcome, or a wrong configuration."""
    refusals = [match for match in map(_REFUSAL.search, failed.words) if match]
    if refusals and (error := _refused(refusals, failed)) is not None:
        if _one_sided(failed):
            return PeersDisagree(error, stage=failed.stage, tx_id=failed.tx_id)
        return error
    if failed.stage == "endorse" and failed.says(_DIFFERENT):
        # One peer has the block of another writer that the other lacks: a new proposal soon finds them agreed.
        return PeersDisagree(passing(failed, endpoint), stage=failed.stage, tx_id=failed.tx_id)
    if failed.says(*_ABSENT):
        return LedgerNotFound("The channel holds no such transaction or block", where=endpoint, fix="Check its id")
    if failed.says(*_TLS):
        return FabricMisconfigured(
            f"The TLS connection to the peer failed: {_shown([failed.text])}",
            where=endpoint,
            fix="Check the profile's TLS certificate and, where the peer's certificate has another name, its host name",
        )
    if failed.says("access denied"):
        return FabricMisconfigured(
            "The network refuses this identity",
            where=endpoint,
            fix="Check MSP id, certificate and key in the profile, and that the certificate has not expired",
        )
    if _is_passing(failed):
        return passing(failed, endpoint)
    return FabricMisconfigured(
        f"The network can't do this ({failed.code}): {_shown(failed.words)}",
        where=f"{endpoint}, {failed.stage}",
        fix="Check channel and chaincode of the profile, and that the chaincode is committed on the channel",
    )


def passing(failed: Failure, endpoint: str) -> LedgerError:
    """Return the error for something that may be over later: open where the transaction may have been ordered."""
    late = failed.code == "DEADLINE_EXCEEDED"
    what = "The network did not answer in time" if late else f"The network can't do it now: {_shown(failed.words)}"
    fix = "See that peers, orderers and chaincode run, then try again"
    if failed.code == "UNAVAILABLE" and failed.says(*_UNCONNECTED):
        what = "No peer answers at this address"
        if failed.says(*_LOST):
            what, fix = "The peer takes the connection and closes it before anything is said", _CLOSED
    if failed.stage in AMBIGUOUS_STAGES:
        where = f"{endpoint}, {failed.stage} of transaction {failed.tx_id}"
        return CommitUnknown(what, stage=failed.stage, tx_id=failed.tx_id, where=where)
    return FabricUnavailable(
        what,
        stage=failed.stage,
        tx_id=failed.tx_id,
        where=f"{endpoint}, {failed.stage}",
        fix=f"{fix}; nothing was committed by this call",
    )


def _is_passing(failed: Failure) -> bool:
    if failed.says("failed to get config for channel", "larger than max", "duplicate transaction found"):
        return False
    if failed.code in ("UNAVAILABLE", "DEADLINE_EXCEEDED", "ABORTED", "CANCELLED", "INTERNAL", "UNKNOWN"):
        return True
    return failed.says(*_WAITABLE)


def _refused(matches: Iterable[re.Match[str]], failed: Failure) -> LedgerError | None:
    """Return the error for the contract's own answer; None where the chaincode broke instead of answering."""
    for match in matches:
        status, message = int(match[1]), match[2]
        contract = _CONTRACT.match(message)
        if contract is not None:
            return rejection(contract[1], contract[2], contract[3].strip(), failed.stage)
        if 400 <= status < 500:
            return LedgerRejected(
                f"The chaincode refused the call ({status}): {_shown([message])}",
                where=failed.stage,
                fix="Check that the chaincode of the profile is GlassBox's contract",
            )
    return None


def rejection(code: str, path: str, reason: str, stage: str) -> LedgerError:
    """Return the error for a refusal of the contract."""
    reason = _shown([reason])
    if stage == "evaluate":
        if code == "NOTFOUND":
            return LedgerNotFound("Nothing stands on the ledger under this id", where=path, fix="Check the id")
        return LedgerRejected(
            f"The ledger can't answer this ({code}): {reason}",
            code=code,
            where=path,
            fix="Correct the argument that is named; nothing was changed",
        )
    if code == "CONFLICT":
        return LedgerConflict(
            f"The ledger refused the transaction: {reason}",
            where=path,
            fix="What stands on the ledger is never changed; a correction is a new attempt that supersedes it",
        )
    fix = "The record does not follow from its leaves and its policy; evaluate again"
    if code == "UNAUTHORIZED":
        fix = "Use an identity of the role that is named; records are committed by clients, policies by admins"
    if code == "NOTFOUND":
        fix = "Register or commit what is named first"
    return LedgerRejected(f"The ledger refused the transaction ({code}): {reason}", code=code, where=path, fix=fix)


def _one_sided(failed: Failure) -> bool:
    """Whether only some of the peers refused: the gateway asks the others once its own peer has endorsed."""
    return failed.stage == "endorse" and failed.says("failed to collect enough transaction endorsements")


def _shown(words: Iterable[str]) -> str:
    """Return peers' words for a message: printable, one line, not long."""
    text = "; ".join(dict.fromkeys(word for word in words if word))
    return "".join(c if c.isprintable() else " " for c in text)[:_LONGEST] or "no reason given"


def status_details(data: bytes) -> Iterator[tuple[str, str, str]]:
    """Yield (address, MSP id, message) of each gateway.ErrorDetail in a google.rpc.Status; nothing for other bytes."""
    try:
        for number, value in _fields(data):
            if number == 3 and isinstance(value, bytes):
                parts = dict(_fields(value))
                if parts.get(1) == _ERROR_DETAIL.encode():
                    detail = protos.gateway.ErrorDetail.FromString(parts.get(2, b""))
                    yield str(detail.address), str(detail.msp_id), str(detail.message)
    except (Malformed, TypeError, protos.DecodeError):
        return


def _fields(data: bytes) -> Iterator[tuple[int, bytes | int]]:
    """Yield (number, value) of a message's fields in the protobuf wire format; raises Malformed."""
    at = 0
    while at < len(data):
        tag, at = _varint(data, at)
        kind = tag & 7
        if kind == 0:
            value, at = _varint(data, at)
            yield tag >> 3, value
            continue
        if kind == 2:
            size, at = _varint(data, at)
        elif kind in (1, 5):
            size = 8 if kind == 1 else 4
        else:
            raise Malformed("not a protobuf message")
        if at + size > len(data):
            raise Malformed("a protobuf message is cut off")
        yield tag >> 3, data[at : at + size]
        at += size


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = 0
    for shift in range(0, 70, 7):
        if at >= len(data):
            raise Malformed("a protobuf message is cut off")
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
    raise Malformed("a number in a protobuf message is too long")
