"""Checks of a bundle in itself: whatever was changed in it is found and named, without a model or a ledger."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from glassbox.errors import GlassBoxError
from glassbox.scorecard.bundle import FORMAT, parts_of, unequal_parts
from glassbox.scorecard.derive import Derived, derive
from glassbox.scorecard.identity import evaluation_id, request_hmac, session_hmac
from glassbox.verification.findings import Verification, compare
from glassbox_contract.canonical import digest
from glassbox_contract.errors import ContractError

ENVELOPE = ("content", "core", "format", "parts", "record")
"""Members of a bundle's file; `proof` may stand beside them."""


def check_shape(envelope: Mapping[str, Any], verification: Verification) -> bool:
    """Note members that are missing, unknown or of another kind; return whether the rest can be checked."""
    sound = True
    for name in ENVELOPE:
        kind: type = str if name == "format" else dict
        if not isinstance(envelope.get(name), kind):
            verification.add("shape", f"/{name}", "missing, or not what a bundle holds here")
            sound = False
    for name in sorted(envelope.keys() - {*ENVELOPE, "proof"}):
        verification.add("shape", f"/{name}", "a bundle holds no such member")
    if sound and envelope["format"] != FORMAT:
        verification.add("shape", "/format", "another format than this version reads", FORMAT, envelope["format"])
    return sound


def check_content(envelope: Mapping[str, Any], verification: Verification) -> Derived | None:
    """Compare content, parts, core and record with each other; return what the content gives now, if anything."""
    content, parts, core, record = (envelope[name] for name in ("content", "parts", "core", "record"))
    evidence = core.get("evidence") if isinstance(core.get("evidence"), dict) else {}
    if digest(parts) != evidence.get("parts_digest"):
        verification.add(
            "parts",
            "/parts",
            "the digests of the parts are not those of the core",
            evidence.get("parts_digest"),
            digest(parts),
        )
    _check_parts(content, parts, verification)
    content_digest = digest(content)
    for where, claimed in (
        ("/core/evidence/digest", evidence.get("digest")),
        ("/record/bundle_digest", record.get("bundle_digest")),
    ):
        if content_digest != claimed:
            verification.add("content", where, "not the digest of this content", content_digest, claimed)
    if digest(core) != record.get("core_digest"):
        verification.add(
            "core", "/record/core_digest", "not the digest of this core", digest(core), record.get("core_digest")
        )
    derived = _derive(content, verification)
    if derived is not None:
        compare(verification, "core", derived.core, core, "/core", "not what the content gives")
        compare(verification, "record", derived.record, record, "/record", "not what the content gives")
    verification.checks.append(
        "digests of content, parts and core; every number above the leaves, flags, states, decision"
    )
    return derived


def _check_parts(content: Mapping[str, Any], parts: Mapping[str, Any], verification: Verification) -> None:
    words = {
        "changed": "this part was changed after its digest was taken",
        "removed": "this part was removed after its digest was taken",
        "added": "this part was added after the digests were taken",
    }
    for path, kind in unequal_parts(parts, parts_of(content)):
        verification.add("content", f"/content{path}", words[kind])


def _derive(content: Mapping[str, Any], verification: Verification) -> Derived | None:
    try:
        return derive(content)
    except ContractError as error:
        verification.add(
            "content", "/content", f"no record follows from this content: {error.code} at {error.path or '/'}"
        )
    except ValidationError as error:
        for fault in error.errors(include_url=False, include_input=False):
            path = "".join(f"/{part}" for part in fault["loc"])
            verification.add("content", f"/content/results{path}", f"not a result of a judge ({fault['type']})")
    except GlassBoxError as error:
        verification.add("content", "/content", f"no record follows from this content: {error.what}")
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        verification.add("content", "/content", f"no record follows from this content ({type(error).__name__})")
    return None


def check_scorecard(scorecard: Mapping[str, Any], core: Mapping[str, Any], verification: Verification) -> None:
    """Compare a stored scorecard with the core that it repeats; usage and place on the ledger are its own."""
    own = {"usage", "ledger"}
    told = {name: value for name, value in scorecard.items() if name not in own}
    if isinstance(told.get("evidence"), Mapping):
        told["evidence"] = {name: value for name, value in told["evidence"].items() if name != "uri"}
    compare(verification, "scorecard", core, told, "/scorecard", "the stored scorecard says something else")
    verification.checks.append("the stored scorecard against the core of the bundle")


def check_identity(content: Mapping[str, Any], verification: Verification, secret: bytes | None) -> None:
    """Compare the id, and with the tenant's secret the digests of request and session, with what they are made of."""
    try:
        identity, policy = content["identity"], content["policy"]
        key = identity["idempotency_key"] or identity["request_hmac"]
        expected = evaluation_id(
            tenant=identity["tenant"],
            key=key,
            policy_digest=digest(policy),
            engine=content["engine"],
            attempt=content["attempt"],
        )
        if expected != content["evaluation_id"]:
            verification.add(
                "identity",
                "/content/evaluation_id",
                "not the id of this request and policy",
                expected,
                content["evaluation_id"],
            )
        verification.checks.append("the id follows from tenant, request, policy, engine and attempt")
        if secret is None:
            verification.not_checked.append("digests of request and session: the tenant's secret is not here")
            return
        _check_hmacs(content, verification, secret)
    except (KeyError, TypeError, ContractError) as error:
        verification.add("identity", "/content/identity", f"can't be read ({type(error).__name__})")


def _check_hmacs(content: Mapping[str, Any], verification: Verification, secret: bytes) -> None:
    identity, request = content["identity"], dict(content["request"])
    candidates = [request_hmac(secret, request)]
    # A session id that the caller did not send was put in at intake, after the request's digest was taken.
    without = {k: v for k, v in request.items() if k != "session_id"}
    candidates.append(request_hmac(secret, without))
    if identity["request_hmac"] not in candidates:
        verification.add("identity", "/content/identity/request_hmac", "not the digest of this request", candidates[0])
    expected = session_hmac(secret, request["session_id"])
    if identity["session_hmac"] != expected:
        verification.add("identity", "/content/identity/session_hmac", "not the digest of this session", expected)
    verification.checks.append("digests of request and session under the tenant's secret")
