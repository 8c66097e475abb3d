"""Batches: a dataset in S3 goes through a Distributed Map into the evaluations queue."""

from __future__ import annotations

import json
import re
import time
from typing import Any, Final

from glassbox.errors import StoreError, UsageError
from glassbox.stack.target import Target

_URI: Final = re.compile(r"s3://([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])/(\S{1,900}\.jsonl)")


def _check_lines(target: Target, bucket: str, key: str) -> None:
    """Raise UsageError where the file isn't there or a line is no JSON object: one such line would end the map."""
    from botocore.exceptions import ClientError

    try:
        body = target.client("s3").get_object(Bucket=bucket, Key=key)["Body"]
        for number, line in enumerate(body.iter_lines(), start=1):
            try:
                good = isinstance(json.loads(line), dict)
            except ValueError:
                good = False
            if not good:
                raise UsageError(f"Line {number} is no JSON object", where=key, fix="Correct the line, or remove it")
    except ClientError as error:
        code = error.response["Error"]["Code"]
        raise UsageError(f"The file can't be read ({code})", where=f"s3://{bucket}/{key}") from None


def start_batch(target: Target, address: str, tenant: str) -> dict[str, Any]:
    """Return {execution} of a batch over a JSON Lines file; each line is a request of `tenant`'s.

    A line is taken in once however often the map sends it: its number in this batch is its idempotency key. Raises
    UsageError or StoreError.
    """
    from botocore.exceptions import ClientError

    found = _URI.fullmatch(address)
    if found is None:
        raise UsageError("This is no address of a .jsonl file in S3", where=address, fix="s3://bucket/path/file.jsonl")
    if not found[2].startswith(f"tenants/{tenant}/uploads/"):
        raise UsageError(
            "The file lies outside the tenant's uploads", where=address, fix=f"Put it below tenants/{tenant}/uploads/"
        )
    _check_lines(target, found[1], found[2])
    arn = target.outputs.get("BatchStateMachineArn")
    if arn is None:
        raise UsageError("This deployment takes no batches", where=target.where, fix="Deploy the newest template")
    try:
        started = target.client("stepfunctions").start_execution(
            stateMachineArn=arn,
            name=f"batch-{int(time.time() * 1000)}",
            input=json.dumps({"bucket": found[1], "key": found[2], "tenant": tenant}),
        )
    except ClientError as error:
        raise StoreError(f"The batch did not start ({error.response['Error']['Code']})", where=target.where) from None
    return {"execution": started["executionArn"]}
