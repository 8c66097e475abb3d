"""Payloads too large for a message: a pointer into the tenant's own folder of uploads, and nowhere else."""

from __future__ import annotations

import re
from typing import Any, Final

from glassbox.adapters.aws.clients import as_store_error, client, error_code
from glassbox.contract.limits import FILE
from glassbox.errors import RequestInvalid, Violation

_URI: Final = re.compile(r"s3://([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])/([\x21-\x7e]{1,900})")
_PATH: Final = "$.payload.s3"


def pointer_in(value: Any) -> str | None:
    """Return the address in `{"payload": {"s3": "s3://..."}}`, or None for any other value."""
    if not isinstance(value, dict) or set(value) != {"payload"}:
        return None
    payload = value["payload"]
    if isinstance(payload, dict) and set(payload) == {"s3"} and isinstance(payload["s3"], str):
        return payload["s3"]
    raise _invalid("is not an object with one address", "$.payload")


def fetch_payload(address: str, bucket: str, tenant: str) -> bytes:
    """Return the bytes behind a pointer; raises RequestInvalid where it leaves the tenant's uploads or is too large.

    Whether an object of another tenant exists can't be learnt from the answer.
    """
    from botocore.exceptions import ClientError

    prefix = f"tenants/{tenant}/uploads/"
    found = _URI.fullmatch(address)
    if found is None or found[1] != bucket or not found[2].startswith(prefix) or ".." in found[2].split("/"):
        raise _invalid(f"lies outside s3://{bucket}/{prefix}")
    with as_store_error("the payload's object"):
        try:
            answer = client("s3").get_object(Bucket=bucket, Key=found[2])
        except ClientError as error:
            if error_code(error) in ("NoSuchKey", "404"):
                raise _invalid("names no object") from None
            raise
        if int(answer["ContentLength"]) > FILE.bytes:
            raise _invalid(f"has {answer['ContentLength']:,} bytes, at most {FILE.bytes:,}")
        return bytes(answer["Body"].read(FILE.bytes + 1))


def _invalid(message: str, path: str = _PATH) -> RequestInvalid:
    return RequestInvalid(
        "The payload's pointer can't be followed",
        where="request",
        fix="Put the request below your own uploads prefix and send its address",
        violations=[Violation(path, message)],
    )
