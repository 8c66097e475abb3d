"""Block 0, the channel's configuration: whose members belong to it, and what its policies are."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any, Final

from devpeer import protos
from devpeer.blocks import CODES, new_block
from devpeer.config import Authorities, Config

_RULES: Final = {"any": "ANY", "majority": "MAJORITY", "all": "ALL"}
_ROLES: Final = ("client", "peer", "admin", "orderer")


def genesis_block(config: Config) -> Any:
    """Return the configuration block of the channel, the same for the same configuration."""
    body = protos.configtx.Config(sequence=0, channel_group=_channel(config))
    channel_header = protos.common.ChannelHeader(
        type=protos.common.CONFIG, version=1, channel_id=config.channel, tx_id=_name(config.channel)
    )
    signature_header = protos.common.SignatureHeader(nonce=hashlib.sha256(config.channel.encode()).digest()[:24])
    header = protos.common.Header(
        channel_header=protos.encoded(channel_header), signature_header=protos.encoded(signature_header)
    )
    data = protos.encoded(protos.configtx.ConfigEnvelope(config=body))
    payload = protos.encoded(protos.common.Payload(header=header, data=data))
    block = new_block(0, b"", [protos.encoded(protos.common.Envelope(payload=payload))])
    block.metadata.metadata[CODES] = bytes([protos.transactions.VALID])
    return block


def _name(channel: str) -> str:
    nonce = hashlib.sha256(channel.encode()).digest()[:24]
    return hashlib.sha256(nonce).hexdigest()


def _channel(config: Config) -> Any:
    group = protos.configtx.ConfigGroup(mod_policy="Admins")
    group.groups["Application"].CopyFrom(_application(config))
    group.groups["Orderer"].CopyFrom(_orderer(config))
    for name in ("Readers", "Writers"):
        _implicit(group, name, "ANY", name)
    _implicit(group, "Admins", "MAJORITY", "Admins")
    _value(group, "HashingAlgorithm", protos.configuration.HashingAlgorithm(name="SHA256"))
    _value(group, "BlockDataHashingStructure", protos.configuration.BlockDataHashingStructure(width=2**32 - 1))
    _value(group, "Capabilities", _capabilities("V2_0"))
    return group


def _application(config: Config) -> Any:
    group = protos.configtx.ConfigGroup(mod_policy="Admins")
    for name, authorities in config.organisations.items():
        one = _organisation(name, authorities)
        _signature(one, "Writers", name, ("admin", "client"))
        _signature(one, "Endorsement", name, ("peer",))
        group.groups[name].CopyFrom(one)
    for name in ("Readers", "Writers"):
        _implicit(group, name, "ANY", name)
    _implicit(group, "Admins", "MAJORITY", "Admins")
    _implicit(group, "Endorsement", _RULES[config.endorsement], "Endorsement")
    _implicit(group, "LifecycleEndorsement", "MAJORITY", "Endorsement")
    _value(group, "Capabilities", _capabilities("V2_5"))
    return group


def _orderer(config: Config) -> Any:
    group = protos.configtx.ConfigGroup(mod_policy="Admins")
    for name, authorities in config.orderers.items():
        one = _organisation(name, authorities)
        _signature(one, "Writers", name, ("admin", "client", "orderer", "peer"))
        group.groups[name].CopyFrom(one)
    for name in ("Readers", "Writers"):
        _implicit(group, name, "ANY", name)
    _implicit(group, "Admins", "MAJORITY", "Admins")
    _implicit(group, "BlockValidation", "ANY", "Writers")
    batch, orderers = config.batch, protos.orderer_configuration
    size = orderers.BatchSize(
        max_message_count=batch.max_messages, absolute_max_bytes=batch.max_bytes, preferred_max_bytes=batch.max_bytes
    )
    _value(group, "BatchSize", size)
    _value(group, "BatchTimeout", orderers.BatchTimeout(timeout=f"{batch.timeout_ms}ms"))
    # No name of a consensus that Fabric knows: this is one process that orders alone.
    _value(group, "ConsensusType", orderers.ConsensusType(type="development-peer"))
    _value(group, "Capabilities", _capabilities("V2_0"))
    return group


def _organisation(name: str, authorities: Authorities) -> Any:
    group = protos.configtx.ConfigGroup(mod_policy="Admins")
    _value(group, "MSP", _msp(name, authorities))
    _signature(group, "Readers", name, ("admin", "client", "orderer", "peer"))
    _signature(group, "Admins", name, ("admin",))
    return group


def _msp(name: str, authorities: Authorities) -> Any:
    msp = protos.msp_config
    units = {f"{role}_ou_identifier": msp.FabricOUIdentifier(organizational_unit_identifier=role) for role in _ROLES}
    body = msp.FabricMSPConfig(
        name=name,
        root_certs=authorities.roots,
        intermediate_certs=authorities.intermediates,
        crypto_config=msp.FabricCryptoConfig(signature_hash_family="SHA2", identity_identifier_hash_function="SHA256"),
        fabric_node_ous=msp.FabricNodeOUs(enable=True, **units),
    )
    return msp.MSPConfig(type=0, config=protos.encoded(body))


def _capabilities(name: str) -> Any:
    found = protos.configuration.Capabilities()
    found.capabilities[name].CopyFrom(protos.configuration.Capability())
    return found


def _value(group: Any, name: str, message: Any) -> None:
    group.values[name].CopyFrom(protos.configtx.ConfigValue(value=protos.encoded(message), mod_policy="Admins"))


def _implicit(group: Any, name: str, rule: str, sub_policy: str) -> None:
    kind = protos.policies.ImplicitMetaPolicy
    body = kind(sub_policy=sub_policy, rule=kind.Rule.Value(rule))
    _policy(group, name, protos.policies.Policy.IMPLICIT_META, body)


def _signature(group: Any, name: str, msp_id: str, roles: Iterable[str]) -> None:
    """Put in a policy that one signature of any of these roles satisfies."""
    principals, policies = protos.msp_principal, protos.policies
    kinds: Mapping[str, int] = {role: principals.MSPRole.MSPRoleType.Value(role.upper()) for role in roles}
    identities = [
        principals.MSPPrincipal(
            principal_classification=principals.MSPPrincipal.ROLE,
            principal=protos.encoded(principals.MSPRole(msp_identifier=msp_id, role=kind)),
        )
        for kind in kinds.values()
    ]
    any_of = policies.SignaturePolicy.NOutOf(
        n=1, rules=[policies.SignaturePolicy(signed_by=at) for at in range(len(identities))]
    )
    rule = policies.SignaturePolicy(n_out_of=any_of)
    body = policies.SignaturePolicyEnvelope(version=0, rule=rule, identities=identities)
    _policy(group, name, policies.Policy.SIGNATURE, body)


def _policy(group: Any, name: str, kind: int, body: Any) -> None:
    policy = protos.policies.Policy(type=kind, value=protos.encoded(body))
    group.policies[name].CopyFrom(protos.configtx.ConfigPolicy(policy=policy, mod_policy="Admins"))
