"""Certificates of a network on one machine, where cryptogen is not there: the same folders, made with `cryptography`.

For development only: every key lies in a file. In production each organisation's own authority gives them out.
"""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from fabricnet.files import private_folder, write
from fabricnet.topology import LOOPBACK, Crypto, Organisation

YEARS: Final = 5
_ROLES: Final = ("client", "peer", "admin", "orderer")


@dataclass(frozen=True, slots=True)
class Pair:
    """A certificate and its key."""

    certificate: x509.Certificate
    key: ec.EllipticCurvePrivateKey

    @property
    def pem(self) -> bytes:
        """The certificate."""
        return self.certificate.public_bytes(Encoding.PEM)

    @property
    def key_pem(self) -> bytes:
        """The private key."""
        return self.key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def authority(name: str, organisation: str) -> Pair:
    """Return a new root authority."""
    return _signed(_subject(name, organisation), None, ca=True)


def member(parent: Pair, name: str, role: str) -> Pair:
    """Return an identity that signs transactions or endorsements, with its NodeOU role."""
    return _signed(_subject(name, None, role), parent)


def tls(parent: Pair, name: str, hosts: tuple[str, ...], *, client: bool = True) -> Pair:
    """Return a TLS certificate for a server under these names, which may also be a client's."""
    usage = [ExtendedKeyUsageOID.SERVER_AUTH] if hosts else []
    return _signed(
        _subject(name), parent, hosts=hosts, usage=usage + ([ExtendedKeyUsageOID.CLIENT_AUTH] if client else [])
    )


def organisation_material(crypto: Crypto) -> None:
    """Write everything that cryptogen would for an organisation: its authorities, node, administrator and client."""
    organisation = crypto.organisation
    root = authority(f"ca.{organisation.domain}", organisation.domain)
    tls_root = authority(f"tlsca.{organisation.domain}", organisation.domain)
    hosts = (organisation.host, organisation.node, "localhost", LOOPBACK)
    _write_msp(crypto.folder / "msp", root, tls_root, crypto)
    node = member(root, organisation.host, organisation.kind)
    _write_msp(crypto.node / "msp", root, tls_root, crypto, node, organisation.host)
    _write_tls(crypto.node / "tls", tls(tls_root, organisation.host, hosts), tls_root, "server")
    users = {"Admin": "admin"} if organisation.kind == "orderer" else {"Admin": "admin", "User1": "client"}
    for user, role in users.items():
        name = f"{user}@{organisation.domain}"
        _write_msp(crypto.user(user), root, tls_root, crypto, member(root, name, role), name)
        _write_tls(crypto.user(user).parent / "tls", tls(tls_root, name, ()), tls_root, "client")


def chaincode_material(folder: Path, organisation: Organisation, hosts: tuple[str, ...]) -> dict[str, Path]:
    """Write the TLS material between a peer and its organisation's chaincode, under an authority of its own.

    Returns the paths {ca, server_certificate, server_key, client_certificate, client_key}.
    """
    private_folder(folder)
    root = authority(f"chaincode-ca.{organisation.domain}", organisation.domain)
    server = tls(root, f"chaincode.{organisation.domain}", hosts, client=False)
    client = tls(root, organisation.host, ())
    paths = {name: folder / file for name, file in _CHAINCODE_FILES.items()}
    write(paths["ca"], root.pem)
    for name, pair in (("server", server), ("client", client)):
        write(paths[f"{name}_certificate"], pair.pem)
        write(paths[f"{name}_key"], pair.key_pem, 0o600)
    return paths


_CHAINCODE_FILES: Final = {
    "ca": "server/ca.pem",
    "server_certificate": "server/server.pem",
    "server_key": "server/server.key",
    "client_certificate": "peer.pem",
    "client_key": "peer.key",
}


def _write_msp(
    folder: Path, root: Pair, tls_root: Pair, crypto: Crypto, pair: Pair | None = None, name: str = ""
) -> None:
    write(folder / "cacerts" / crypto.authority.name, root.pem)
    write(folder / "tlscacerts" / crypto.tls_authority.name, tls_root.pem)
    write(folder / "config.yaml", _node_ous(crypto.authority.name))
    if pair is not None:
        write(folder / "signcerts" / f"{name}-cert.pem", pair.pem)
        write(private_folder(folder / "keystore") / "priv_sk", pair.key_pem, 0o600)


def _write_tls(folder: Path, pair: Pair, root: Pair, name: str) -> None:
    write(folder / "ca.crt", root.pem)
    write(folder / f"{name}.crt", pair.pem)
    write(folder / f"{name}.key", pair.key_pem, 0o600)


def _node_ous(authority_file: str) -> str:
    lines = ["NodeOUs:", "  Enable: true"]
    for role in _ROLES:
        lines += [f"  {role.capitalize()}OUIdentifier:", f"    Certificate: cacerts/{authority_file}"]
        lines += [f"    OrganizationalUnitIdentifier: {role}"]
    return "\n".join(lines) + "\n"


def _subject(name: str, organisation: str | None = None, role: str | None = None) -> x509.Name:
    parts = [(NameOID.COUNTRY_NAME, "CH"), (NameOID.ORGANIZATION_NAME, organisation)]
    parts += [(NameOID.ORGANIZATIONAL_UNIT_NAME, role), (NameOID.COMMON_NAME, name)]
    return x509.Name([x509.NameAttribute(kind, value) for kind, value in parts if value])


def _signed(
    subject: x509.Name,
    parent: Pair | None,
    *,
    ca: bool = False,
    hosts: tuple[str, ...] = (),
    usage: list[Any] | None = None,
) -> Pair:
    key = ec.generate_private_key(ec.SECP256R1())
    signer = key if parent is None else parent.key
    start = datetime.now(UTC) - timedelta(minutes=5)
    builder = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject if parent is None else parent.certificate.subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(start)
        .not_valid_after(start + timedelta(days=365 * YEARS))
        .add_extension(x509.BasicConstraints(ca, None), critical=True)
        .add_extension(_key_usage(ca), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.public_key()), critical=False)
    )
    if usage:
        builder = builder.add_extension(x509.ExtendedKeyUsage(usage), critical=False)
    if hosts:
        builder = builder.add_extension(x509.SubjectAlternativeName([_host(host) for host in hosts]), critical=False)
    return Pair(builder.sign(signer, hashes.SHA256()), key)


def _key_usage(ca: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=True,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=ca,
        crl_sign=ca,
        encipher_only=False,
        decipher_only=False,
    )


def _host(host: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(host))
    except ValueError:
        return x509.DNSName(host)
