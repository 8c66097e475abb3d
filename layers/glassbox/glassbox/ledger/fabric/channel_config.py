"""The configuration that stands in a channel, compared with what the profile trusts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from glassbox.ledger.fabric import protos
from glassbox.ledger.fabric.errors import Malformed
from glassbox.ledger.fabric.identities import Organisation
from glassbox.ledger.fabric.messages import parsed
from glassbox.ledger.fabric.transactions import Envelope
from glassbox.ledger.fabric.trust import Trust, pem_certificates
from glassbox_contract.errors import ContractError

_IMPLICIT_META: Final = 3
_FABRIC: Final = 0
"""Kind of an MSP whose members have X.509 certificates."""


@dataclass(frozen=True, slots=True)
class ChannelConfig:
    """The part of a configuration that proofs rely on."""

    organisations: Mapping[str, frozenset[bytes]]
    """Root certificates of each organisation whose peers may endorse, PEM."""
    orderers: Mapping[str, frozenset[bytes]]
    endorsement: str | None
    """any, majority or all; None for a rule of another kind."""
    block_validation: str | None


def read_config(envelope: Envelope) -> ChannelConfig:
    """Return the configuration in an entry of the kind CONFIG; raises Malformed."""
    group = parsed(protos.configtx.ConfigEnvelope, envelope.data, "configuration").config.channel_group
    application, orderer = group.groups["Application"], group.groups["Orderer"]
    return ChannelConfig(
        organisations=_roots(application),
        orderers=_roots(orderer),
        endorsement=_rule(application, "Endorsement"),
        block_validation=_rule(orderer, "BlockValidation"),
    )


def _roots(group: Any) -> dict[str, frozenset[bytes]]:
    found = {}
    for name in sorted(group.groups):
        raw = parsed(protos.msp_config.MSPConfig, group.groups[name].values["MSP"].value, "MSP")
        if raw.type != _FABRIC:
            continue
        msp = parsed(protos.msp_config.FabricMSPConfig, raw.config, "MSP")
        try:
            pems = [pem for root in msp.root_certs for pem in pem_certificates(bytes(root), "")]
        except ContractError:
            raise Malformed("a root certificate can't be read") from None
        found[str(msp.name)] = frozenset(pems)
    return found


def _rule(group: Any, name: str) -> str | None:
    policy = group.policies[name].policy
    if policy.type != _IMPLICIT_META:
        return None
    rule = parsed(protos.policies.ImplicitMetaPolicy, policy.value, "policy").rule
    return str(protos.policies.ImplicitMetaPolicy.Rule.Name(rule)).lower()


def config_faults(config: ChannelConfig, trust: Trust) -> Iterator[str]:
    """Yield where the profile trusts something else than the channel is configured with."""
    yield from _group_faults("organisations", config.organisations, trust.organisations)
    yield from _group_faults("orderers", config.orderers, trust.orderers)
    for name, found, trusted in (
        ("endorsement", config.endorsement, trust.endorsement),
        ("block_validation", config.block_validation, trust.block_validation),
    ):
        if found is not None and found != trusted:
            yield f"the profile's {name} is {trusted}, the channel's {found}"


def _group_faults(
    kind: str, found: Mapping[str, frozenset[bytes]], trusted: Mapping[str, Organisation]
) -> Iterator[str]:
    for msp_id in sorted(found.keys() | trusted.keys()):
        if msp_id not in found:
            yield f"the profile names {msp_id} among the {kind}, the channel does not"
        elif msp_id not in trusted:
            yield f"the channel names {msp_id} among the {kind}, the profile does not"
        elif not set(trusted[msp_id].roots) <= found[msp_id]:
            yield f"the profile trusts a root for {msp_id} that the channel does not name"
