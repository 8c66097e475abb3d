"""A certificate authority for one test."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID


@dataclass(frozen=True)
class Files:
    """Where a certificate and its key lie."""

    certificate: Path
    key: Path


class Authority:
    """Signs one server for 127.0.0.1 and one client."""

    def __init__(self) -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "authority")])
        self.pem = self._signed(self._name, self._key, ca=True).public_bytes(Encoding.PEM)

    def server(self, folder: Path) -> Files:
        """Write a server's certificate and key."""
        return self._write(folder, "server")

    def client(self, folder: Path) -> Files:
        """Write a client's certificate and key."""
        return self._write(folder, "client")

    def _write(self, folder: Path, name: str) -> Files:
        folder.mkdir(exist_ok=True)
        key = ec.generate_private_key(ec.SECP256R1())
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        files = Files(folder / f"{name}.pem", folder / f"{name}.key")
        files.certificate.write_bytes(self._signed(subject, key, ca=False).public_bytes(Encoding.PEM))
        files.key.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
        return files

    def _signed(self, subject: x509.Name, key: ec.EllipticCurvePrivateKey, *, ca: bool) -> x509.Certificate:
        now = datetime.now(UTC) - timedelta(minutes=5)
        host = x509.IPAddress(ipaddress.ip_address("127.0.0.1"))
        builder = x509.CertificateBuilder().subject_name(subject).issuer_name(self._name).public_key(key.public_key())
        builder = builder.serial_number(x509.random_serial_number()).not_valid_before(now)
        builder = builder.not_valid_after(now + timedelta(days=1))
        builder = builder.add_extension(x509.BasicConstraints(ca, None), critical=True)
        return builder.add_extension(x509.SubjectAlternativeName([host]), critical=False).sign(
            self._key, hashes.SHA256()
        )
