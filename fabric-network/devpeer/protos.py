"""The generated classes of Fabric's protocol under one roof; they carry no types of their own, so each is Any."""

from __future__ import annotations

from typing import Any

from fabric_protos.common import common_pb2, configtx_pb2, configuration_pb2, ledger_pb2, policies_pb2
from fabric_protos.gateway import gateway_pb2, gateway_pb2_grpc
from fabric_protos.ledger.queryresult import kv_query_result_pb2
from fabric_protos.ledger.rwset import rwset_pb2
from fabric_protos.ledger.rwset.kvrwset import kv_rwset_pb2
from fabric_protos.msp import identities_pb2, msp_config_pb2, msp_principal_pb2
from fabric_protos.orderer import ab_pb2
from fabric_protos.orderer import configuration_pb2 as orderer_configuration_pb2
from fabric_protos.peer import (
    chaincode_event_pb2,
    chaincode_pb2,
    chaincode_shim_pb2,
    chaincode_shim_pb2_grpc,
    events_pb2,
    events_pb2_grpc,
    peer_pb2_grpc,
    proposal_pb2,
    proposal_response_pb2,
    transaction_pb2,
)
from google.protobuf import message, timestamp_pb2

ab: Any = ab_pb2
chaincode: Any = chaincode_pb2
common: Any = common_pb2
configtx: Any = configtx_pb2
configuration: Any = configuration_pb2
events: Any = chaincode_event_pb2
gateway: Any = gateway_pb2
gateway_grpc: Any = gateway_pb2_grpc
identities: Any = identities_pb2
kvrwset: Any = kv_rwset_pb2
ledger: Any = ledger_pb2
msp_config: Any = msp_config_pb2
msp_principal: Any = msp_principal_pb2
orderer_configuration: Any = orderer_configuration_pb2
peer_events: Any = events_pb2
peer_events_grpc: Any = events_pb2_grpc
peer_grpc: Any = peer_pb2_grpc
policies: Any = policies_pb2
proposals: Any = proposal_pb2
query_results: Any = kv_query_result_pb2
responses: Any = proposal_response_pb2
rwset: Any = rwset_pb2
shim: Any = chaincode_shim_pb2
shim_grpc: Any = chaincode_shim_pb2_grpc
timestamp: Any = timestamp_pb2
transactions: Any = transaction_pb2
DecodeError: type[Exception] = message.DecodeError


def code_name(code: int) -> str:
    """Return the name of a validation code."""
    return str(transactions.TxValidationCode.Name(code))


def encoded(value: Any) -> bytes:
    """Return a message's bytes, the same for the same message every time."""
    data: bytes = value.SerializeToString(deterministic=True)
    return data
