"""Policies by name: the built-in ones, and those that a tenant keeps in its own folder."""

from __future__ import annotations

import re
from typing import Final

from glassbox.adapters.aws.clients import as_store_error, client, error_code
from glassbox.contract.faults import counted
from glassbox.contract.json_text import read_json
from glassbox.contract.policy import BUILT_IN, Policy, built_in, compile_policy
from glassbox.errors import PolicyInvalid, RequestInvalid, Violation

_NAME: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")


def policy_named(name: str, tenant: str, bucket: str) -> Policy:
    """Return a built-in policy, or the tenant's at `tenants/<tenant>/policies/<name>.json`.

    Raises RequestInvalid where there is none of that name and PolicyInvalid for one that breaks its schema.
    """
    from botocore.exceptions import ClientError

    if name in BUILT_IN:
        return built_in(name)
    if not _NAME.fullmatch(name):
        raise _unknown()
    with as_store_error("the policy's object"):
        try:
            answer = client("s3").get_object(Bucket=bucket, Key=f"tenants/{tenant}/policies/{name}.json")
        except ClientError as error:
            if error_code(error) in ("NoSuchKey", "404"):
                raise _unknown() from None
            raise
        data = bytes(answer["Body"].read())
    reading = read_json(data)
    if reading.faults:
        raise PolicyInvalid(counted("policy", len(reading.faults)), where="policy", violations=reading.faults)
    return compile_policy(reading.value)


def _unknown() -> RequestInvalid:
    return RequestInvalid(
        "There is no policy of that name",
        where="request",
        fix=f"Name one of {', '.join(BUILT_IN)}, or put a file below your own policies prefix",
        violations=[Violation("$.policy", "names no policy")],
    )
