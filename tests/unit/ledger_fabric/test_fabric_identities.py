"""Signatures, certificates and keys: one form only, the right organisation, and secrets that stay secret."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature, encode_dss_signature

from glassbox.ledger.fabric import signatures
from glassbox.ledger.fabric.errors import FabricMisconfigured, Malformed
from glassbox.ledger.fabric.identities import Organisation, read_identity, serialized
from glassbox.ledger.fabric.messages import proposal, transaction_id
from glassbox.ledger.fabric.signing import KeySigner, read_key_file
from tests.unit.ledger_fabric.authorities import Authority

EVALUATOR = Authority("EvaluatorMSP")
NOW = int(datetime(2026, 6, 1, tzinfo=UTC).timestamp() * 1000)
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551


@pytest.mark.parametrize("curve", [ec.SECP256R1(), ec.SECP384R1()])
def test_every_signature_has_the_low_s(curve: ec.EllipticCurve) -> None:
    member = EVALUATOR.member("client", curve=curve)
    for n in range(32):
        _, s = decode_dss_signature(member.signer.sign(b"%d" % n))
        assert s == signatures.low(s, curve)


def test_the_other_forms_of_a_signature_are_refused_by_name() -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    good = signatures.sign(key, b"message")
    r, s = decode_dss_signature(good)
    assert signatures.fault(key.public_key(), good, b"message") is None
    high = encode_dss_signature(r, ORDER - s)
    assert "high s" in str(signatures.fault(key.public_key(), high, b"message"))
    padded = good[:1] + bytes([good[1] + 1]) + good[2:3] + bytes([good[3] + 1]) + b"\x00" + good[4:]
    for other in (b"", b"x", good + b"\x00", good[:-1], padded):
        assert signatures.fault(key.public_key(), other, b"message") == "the signature is not DER"
    assert signatures.fault(key.public_key(), good, b"massage") == "the signature does not hold"


def test_a_transaction_id_is_the_hash_of_nonce_and_creator() -> None:
    assert transaction_id(b"n" * 24, b"creator") == hashlib.sha256(b"n" * 24 + b"creator").hexdigest()
    member = EVALUATOR.member("client")
    one = proposal(member.creator, member.signer.sign, "c", "cc", "F", [b"a"])
    two = proposal(member.creator, member.signer.sign, "c", "cc", "F", [b"a"])
    assert one.tx_id != two.tx_id


def test_a_role_is_read_only_where_the_certificate_carries_exactly_one() -> None:
    roles = [
        read_identity(EVALUATOR.member(*names).creator).role for names in (("peer",), ("peer", "admin"), (), ("x",))
    ]
    assert roles == ["peer", "", "", ""]


def test_an_identity_belongs_to_the_organisation_whose_root_signed_it() -> None:
    other = Authority("AuditorMSP")
    stranger = Authority("EvaluatorMSP")
    organisation = EVALUATOR.organisation()
    assert organisation.fault(read_identity(EVALUATOR.member("peer").creator), NOW) is None
    assert "not of EvaluatorMSP" in str(organisation.fault(read_identity(other.member("peer").creator), NOW))
    assert "does not chain" in str(organisation.fault(read_identity(stranger.member("peer").creator), NOW))
    authority = read_identity(serialized("EvaluatorMSP", EVALUATOR.certificate))
    assert "does not chain" in str(organisation.fault(authority, NOW))


def test_a_chain_may_lead_over_an_intermediate_authority() -> None:
    below = Authority("EvaluatorMSP", above=EVALUATOR)
    identity = read_identity(below.member("peer").creator)
    assert EVALUATOR.organisation(below).fault(identity, NOW) is None
    assert "does not chain" in str(EVALUATOR.organisation().fault(identity, NOW))
    leaf = EVALUATOR.member("peer")
    with_leaf = Organisation("EvaluatorMSP", (EVALUATOR.certificate,), (leaf.certificate,))
    assert "does not chain" in str(with_leaf.fault(identity, NOW))


def test_a_certificate_is_judged_at_the_time_of_the_transaction() -> None:
    until = datetime(2026, 1, 1, tzinfo=UTC)
    identity = read_identity(EVALUATOR.member("peer", until=until).creator)
    before, after = (int(datetime(year, 6, 1, tzinfo=UTC).timestamp() * 1000) for year in (2025, 2026))
    organisation = EVALUATOR.organisation()
    assert organisation.fault(identity, before) is None
    assert "was not valid at the time" in str(organisation.fault(identity, after))
    assert "beyond the calendar" in str(organisation.fault(identity, 10**18))


@pytest.mark.parametrize("data", [b"", b"\xff\xff", serialized("M", b"no certificate")])
def test_what_is_no_identity_is_malformed(data: bytes) -> None:
    with pytest.raises(Malformed):
        read_identity(data)


def test_a_key_that_others_can_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "key.pem"
    path.write_bytes(EVALUATOR.member("client").key_pem)
    path.chmod(0o640)
    with pytest.raises(FabricMisconfigured, match="chmod 600"):
        read_key_file(path)
    path.chmod(0o600)
    assert read_key_file(path).startswith(b"-----BEGIN")


def test_a_key_shows_nowhere_and_must_fit_its_certificate() -> None:
    member, other = EVALUATOR.member("client"), EVALUATOR.member("client")
    assert "PRIVATE" not in repr(member.signer)
    with pytest.raises(FabricMisconfigured, match="not the certificate's"):
        KeySigner("EvaluatorMSP", member.certificate, other.key_pem)
    with pytest.raises(FabricMisconfigured, match="can't be read") as caught:
        KeySigner("EvaluatorMSP", member.certificate, b"-----BEGIN NONSENSE-----")
    assert "NONSENSE" not in str(caught.value)
