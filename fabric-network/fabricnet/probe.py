"""Asks the network, as a client would, whether a transaction can be endorsed by both organisations; commits nothing."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Any, Final

import grpc
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from fabric_protos.common import common_pb2
from fabric_protos.gateway import gateway_pb2, gateway_pb2_grpc
from fabric_protos.msp import identities_pb2
from fabric_protos.peer import chaincode_pb2, proposal_pb2

from fabricnet.topology import CHAINCODE, CHANNEL, Layout, Organisation, certificate, private_key

FUNCTION: Final = "GetSchema"
"""A function without arguments that every member may call."""
_P256_ORDER: Final = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
_common: Any = common_pb2
_gateway: Any = gateway_pb2
_services: Any = gateway_pb2_grpc
_identities: Any = identities_pb2
_chaincode: Any = chaincode_pb2
_proposals: Any = proposal_pb2


def fault(layout: Layout, organisation: Organisation, address: str, seconds: float = 5.0) -> str | None:
    """Return why the peer of an organisation can't have a transaction endorsed now, None where it can."""
    user = layout.crypto(organisation).user("User1")
    roots = layout.crypto(organisation).tls_authority.read_bytes()
    tx_id, signed = _proposal(organisation.msp_id, certificate(user), private_key(user))
    request = _gateway.EndorseRequest(transaction_id=tx_id, channel_id=CHANNEL, proposed_transaction=signed)
    with grpc.secure_channel(address, grpc.ssl_channel_credentials(roots)) as channel:
        try:
            _services.GatewayStub(channel).Endorse(request, timeout=seconds)
        except grpc.RpcError as error:
            details: str = error.details() or ""
            return f"{error.code().name}: {details}"[:300]
    return None


def _proposal(msp_id: str, certificate_path: Path, key_path: Path) -> tuple[str, Any]:
    """Return (transaction id, signed proposal) of a call of FUNCTION."""
    creator = _identities.SerializedIdentity(mspid=msp_id, id_bytes=certificate_path.read_bytes()).SerializeToString()
    nonce = os.urandom(24)
    tx_id = hashlib.sha256(nonce + creator).hexdigest()
    chaincode_id = _chaincode.ChaincodeID(name=CHAINCODE)
    channel = _common.ChannelHeader(
        type=_common.ENDORSER_TRANSACTION,
        channel_id=CHANNEL,
        tx_id=tx_id,
        extension=_proposals.ChaincodeHeaderExtension(chaincode_id=chaincode_id).SerializeToString(),
    )
    channel.timestamp.GetCurrentTime()
    header = _common.Header(
        channel_header=channel.SerializeToString(),
        signature_header=_common.SignatureHeader(creator=creator, nonce=nonce).SerializeToString(),
    )
    spec = _chaincode.ChaincodeInvocationSpec(
        chaincode_spec=_chaincode.ChaincodeSpec(
            chaincode_id=chaincode_id, input=_chaincode.ChaincodeInput(args=[FUNCTION.encode()])
        )
    )
    payload = _proposals.ChaincodeProposalPayload(input=spec.SerializeToString()).SerializeToString()
    raw = _proposals.Proposal(header=header.SerializeToString(), payload=payload).SerializeToString()
    return tx_id, _proposals.SignedProposal(proposal_bytes=raw, signature=_sign(key_path.read_bytes(), raw))


def _sign(key_pem: bytes, message: bytes) -> bytes:
    key = load_pem_private_key(key_pem, None)
    if not isinstance(key, ec.EllipticCurvePrivateKey):
        raise TypeError("the client's key is not ECDSA")
    r, s = utils.decode_dss_signature(key.sign(message, ec.ECDSA(hashes.SHA256())))
    # Fabric takes the lower of the two possible values only.
    return utils.encode_dss_signature(r, min(s, _P256_ORDER - s))
