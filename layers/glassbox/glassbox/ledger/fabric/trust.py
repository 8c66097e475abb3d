"""What a checker trusts: the roots of each organisation, and how many of them must have agreed. ROOTS of `--trust`.

The document holds no secret. Whoever checks a proof gets it from somebody they trust, and compares its fingerprint.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding

from glassbox.errors import UsageError
from glassbox.ledger.fabric.errors import Malformed
from glassbox.ledger.fabric.identities import Identity, Organisation, read_identity
from glassbox_contract import checks
from glassbox_contract.canonical import digest, parse
from glassbox_contract.errors import ContractError

FORMAT: Final = "glassbox-fabric-trust/1"
FILE: Final = "trust.json"
FIELDS: Final = ("format", "channel", "chaincode", "organisations", "orderers", "endorsement", "block_validation")
RULES: Final = ("any", "majority", "all")
_MOST_ORGANISATIONS: Final = 100


@dataclass(frozen=True, slots=True)
class Trust:
    """The network as a checker trusts it."""

    channel: str
    chaincode: str
    organisations: Mapping[str, Organisation]
    """Those whose peers endorse and validate, by MSP id."""
    orderers: Mapping[str, Organisation]
    """Those whose orderers sign blocks, by MSP id."""
    endorsement: str
    """How many of the organisations must have endorsed: any, majority or all."""
    block_validation: str
    """How many of the orderers' organisations must have signed a block."""

    @property
    def fingerprint(self) -> str:
        """The digest to compare with the one that the network's administrators publish."""
        return digest(self.to_json())

    def to_json(self) -> dict[str, Any]:
        """Return the trust document."""
        return {
            "format": FORMAT,
            "channel": self.channel,
            "chaincode": self.chaincode,
            "organisations": _group_json(self.organisations),
            "orderers": _group_json(self.orderers),
            "endorsement": self.endorsement,
            "block_validation": self.block_validation,
        }

    def peer_fault(self, data: bytes, at: int) -> tuple[Identity, str | None]:
        """Return a serialized identity and why it is no peer of the organisations at a time; raises Malformed."""
        return _member(data, self.organisations, "peer", at)

    def orderer_fault(self, data: bytes, at: int) -> tuple[Identity, str | None]:
        """Return a serialized identity and why it is no orderer of this network at a time; raises Malformed."""
        return _member(data, self.orderers, "orderer", at)

    def submitter_fault(self, data: bytes, at: int) -> tuple[Identity, str | None]:
        """Return a serialized identity and why it is of none of the organisations at a time; raises Malformed."""
        return _member(data, self.organisations, None, at)

    def endorsed(self, msp_ids: Iterable[str]) -> bool:
        """Return whether endorsements of these organisations satisfy the policy."""
        return _enough(self.endorsement, msp_ids, self.organisations)

    def validated(self, msp_ids: Iterable[str]) -> bool:
        """Return whether block signatures of these organisations satisfy the policy."""
        return _enough(self.block_validation, msp_ids, self.orderers)


def _member(data: bytes, group: Mapping[str, Organisation], role: str | None, at: int) -> tuple[Identity, str | None]:
    identity = read_identity(data)
    organisation = group.get(identity.msp_id)
    if organisation is None:
        return identity, f"{identity.msp_id or 'an organisation without a name'} is not among those that are trusted"
    if role is not None and identity.role != role:
        return identity, f"its certificate does not carry the role {role}"
    return identity, organisation.fault(identity, at)


def _enough(rule: str, msp_ids: Iterable[str], group: Mapping[str, Organisation]) -> bool:
    count, whole = len(set(msp_ids) & set(group)), len(group)
    return count >= {"any": 1, "majority": whole // 2 + 1, "all": whole}[rule]


def _group_json(group: Mapping[str, Organisation]) -> dict[str, Any]:
    return {
        name: {
            "roots": [pem.decode("ascii") for pem in group[name].roots],
            "intermediates": [pem.decode("ascii") for pem in group[name].intermediates],
        }
        for name in sorted(group)
    }


def trust_from_json(value: Any) -> Trust:
    """Return the trust in a document; raises ContractError naming the place."""
    raw = checks.fields(value, FIELDS, "")
    if raw["format"] != FORMAT:
        raise ContractError("INVALID", f"must be {FORMAT}", "/format")
    for name in ("channel", "chaincode"):
        if not isinstance(raw[name], str) or not raw[name]:
            raise ContractError("INVALID", "must be a name", f"/{name}")
    return Trust(
        channel=raw["channel"],
        chaincode=raw["chaincode"],
        organisations=_group(raw["organisations"], "/organisations"),
        orderers=_group(raw["orderers"], "/orderers"),
        endorsement=checks.choice(raw["endorsement"], "/endorsement", RULES),
        block_validation=checks.choice(raw["block_validation"], "/block_validation", RULES),
    )


def _group(value: Any, path: str) -> dict[str, Organisation]:
    if not isinstance(value, dict) or not 1 <= len(value) <= _MOST_ORGANISATIONS:
        raise ContractError("INVALID", "must be an object with at least one organisation", path)
    found = {}
    for msp_id in sorted(value):
        where = f"{path}/{msp_id}" if msp_id.isprintable() else path
        raw = checks.fields(value[msp_id], ("roots", "intermediates"), where)
        roots = certificates(raw["roots"], where + "/roots")
        if not roots:
            raise ContractError("INCOMPLETE", "an organisation needs a root certificate", where + "/roots")
        found[msp_id] = Organisation(msp_id, roots, certificates(raw["intermediates"], where + "/intermediates"))
    return found


def certificates(value: Any, path: str) -> tuple[bytes, ...]:
    """Return certificates (PEM texts, each of one certificate) in one form and order; raises ContractError."""
    found = []
    for at, text in enumerate(checks.listing(value, path, 20)):
        if not isinstance(text, str):
            raise ContractError("INVALID", "must be a certificate in PEM", f"{path}/{at}")
        found.extend(pem_certificates(text.encode("utf-8", "replace"), f"{path}/{at}"))
    return tuple(sorted(set(found)))


def pem_certificates(data: bytes, path: str) -> list[bytes]:
    """Return the certificates in a PEM text, each written anew; raises ContractError where there is none."""
    try:
        loaded: Sequence[x509.Certificate] = x509.load_pem_x509_certificates(data)
    except ValueError:
        raise ContractError("INVALID", "must be a certificate in PEM", path) from None
    return [certificate.public_bytes(Encoding.PEM) for certificate in loaded]


def read_trust(path: Path) -> Trust:
    """Return the trust in a file that `glassbox ledger trust` wrote, or in a folder with it; raises UsageError."""
    file = path / FILE if path.is_dir() else path
    try:
        value = parse(file.read_bytes())
        return trust_from_json(value)
    except OSError as error:
        what = error.strerror or type(error).__name__
    except ContractError as error:
        what = f"Not the roots of a Fabric network ({error.path or '/'}: {error.reason})"
    raise UsageError(what, where=f"--trust {file}", fix="Name the file that `glassbox ledger trust --out FILE` wrote")


def identity_name(data: bytes) -> str:
    """Return MSP id and role of a serialized identity for a message."""
    try:
        return read_identity(data).name
    except Malformed:
        return "an identity that can't be read"
