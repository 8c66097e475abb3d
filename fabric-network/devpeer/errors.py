"""How a call ends that did not succeed: a gRPC status, and what each peer said in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import grpc

from devpeer import protos

_TYPE = b"type.googleapis.com/gateway.ErrorDetail"


class ConfigError(Exception):
    """The configuration or the data folder is not in order; the text says what, where and what to do."""


@dataclass(frozen=True, slots=True)
class Detail:
    """What one peer or orderer said."""

    address: str
    msp_id: str
    message: str


class Refused(Exception):
    """The status that a call ends with, with the details that Fabric's gateway puts into the trailing metadata."""

    def __init__(self, code: grpc.StatusCode, message: str, details: Sequence[Detail] = ()) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.details = tuple(details)

    @property
    def trailing(self) -> tuple[tuple[str, bytes], ...]:
        """The trailing metadata: a google.rpc.Status with the details, nothing where there are none."""
        if not self.details:
            return ()
        return (("grpc-status-details-bin", status_bytes(int(self.code.value[0]), self.message, self.details)),)


def status_bytes(code: int, message: str, details: Sequence[Detail]) -> bytes:
    """Return a google.rpc.Status {code, message, details as Any of gateway.ErrorDetail} in the wire format."""
    status = b"\x08" + _varint(code) + _field(2, message.encode())
    for one in details:
        value = protos.gateway.ErrorDetail(address=one.address, msp_id=one.msp_id, message=one.message)
        status += _field(3, _field(1, _TYPE) + _field(2, value.SerializeToString()))
    return status


def _field(number: int, data: bytes) -> bytes:
    return _varint(number << 3 | 2) + _varint(len(data)) + data


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)
