"""The generated classes of Fabric's protocol under one roof; they carry no types of their own, so each is Any."""

from __future__ import annotations

from typing import Any

from fabric_protos.common import common_pb2
from fabric_protos.ledger.queryresult import kv_query_result_pb2
from fabric_protos.msp import identities_pb2
from fabric_protos.peer import (
    chaincode_event_pb2,
    chaincode_pb2,
    chaincode_shim_pb2,
    proposal_pb2,
    proposal_response_pb2,
)
from google.protobuf import message

common: Any = common_pb2
queryresult: Any = kv_query_result_pb2
identities: Any = identities_pb2
events: Any = chaincode_event_pb2
chaincode: Any = chaincode_pb2
shim: Any = chaincode_shim_pb2
proposals: Any = proposal_pb2
responses: Any = proposal_response_pb2
Message: Any = chaincode_shim_pb2.ChaincodeMessage  # type: ignore[attr-defined, unused-ignore]
DecodeError: type[Exception] = message.DecodeError


def parsed(kind: Any, data: bytes) -> Any:
    """Return the message of class `kind` in `data`; raises DecodeError."""
    return kind.FromString(data)


def kind_name(number: int) -> str:
    """Return the name of a message type for a log line, or TYPE_ and its number."""
    try:
        return str(Message.Type.Name(number))
    except ValueError:
        return f"TYPE_{number}"
