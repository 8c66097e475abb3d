"""Deploying the packaged template to the emulator, and making what AWS users make by hand."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from glassbox.errors import StoreError
from glassbox.stack.emulator import client
from glassbox.stack.packaging import package

NAME: Final = "glassbox"
ARTIFACTS: Final = "glassbox-artifacts"
_WAIT: Final = 180.0


def upload_models(folder: Path, endpoint: str) -> str:
    """Return the address of the models, after every file was put there."""
    s3 = client("s3", endpoint)
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    names = ["manifest.json"]
    names += [
        f"{entry.get('directory') or entry['name']}/{file['path']}"
        for entry in manifest["models"]
        for file in entry["files"]
    ]
    for name in names:
        s3.upload_file(str(folder / name), ARTIFACTS, f"models/{name}")
    return f"s3://{ARTIFACTS}/models"


def make_bucket(endpoint: str) -> None:
    """Make the bucket that `sam deploy` would make for what it uploads."""
    client("s3", endpoint).create_bucket(Bucket=ARTIFACTS)


def deploy(root: Path, endpoint: str, parameters: Mapping[str, str]) -> dict[str, str]:
    """Return the deployment's outputs; raises StoreError, with the resource and the reason, where it fails."""
    body = package(root, ARTIFACTS, client("s3", endpoint))
    s3 = client("s3", endpoint)
    s3.put_object(Bucket=ARTIFACTS, Key="template.json", Body=body.encode())
    cloudformation = client("cloudformation", endpoint)
    change = f"deploy-{int(time.time() * 1000)}"
    cloudformation.create_change_set(
        StackName=NAME,
        ChangeSetName=change,
        ChangeSetType="CREATE",
        # A template in the request itself may have 51,200 bytes; from a bucket, a million.
        TemplateURL=f"{endpoint}/{ARTIFACTS}/template.json",
        Parameters=[{"ParameterKey": k, "ParameterValue": v} for k, v in parameters.items()],
        Capabilities=["CAPABILITY_IAM", "CAPABILITY_AUTO_EXPAND"],
    )
    _until(
        lambda: cloudformation.describe_change_set(StackName=NAME, ChangeSetName=change),
        lambda told: str(told["Status"]),
        ("CREATE_COMPLETE",),
        cloudformation,
    )
    cloudformation.execute_change_set(StackName=NAME, ChangeSetName=change)
    told = _until(
        lambda: cloudformation.describe_stacks(StackName=NAME)["Stacks"][0],
        lambda told: str(told["StackStatus"]),
        ("CREATE_COMPLETE",),
        cloudformation,
    )
    return {output["OutputKey"]: output["OutputValue"] for output in told.get("Outputs", [])}


def _until(ask: Any, status: Any, good: tuple[str, ...], cloudformation: Any) -> Any:
    until = time.monotonic() + _WAIT
    while time.monotonic() < until:
        told = ask()
        now = status(told)
        if now in good:
            return told
        if now.endswith("FAILED") or "ROLLBACK" in now:
            raise StoreError(f"The deployment ended as {now}", where=_first_failure(cloudformation, told))
        time.sleep(0.1)
    raise StoreError("The deployment took too long", where=NAME)


def _first_failure(cloudformation: Any, told: Mapping[str, Any]) -> str:
    from botocore.exceptions import BotoCoreError, ClientError

    try:
        events = cloudformation.describe_stack_events(StackName=NAME)["StackEvents"]
    except (BotoCoreError, ClientError):
        # The reason is a convenience; that the deployment failed is told in any case.
        return str(told.get("StatusReason", NAME))
    failed = [e for e in events if e["ResourceStatus"].endswith("FAILED")]
    if not failed:
        return str(told.get("StatusReason") or told.get("StackStatusReason") or NAME)
    return f"{failed[-1]['LogicalResourceId']}: {failed[-1].get('ResourceStatusReason', '')}"


def api_key(endpoint: str) -> tuple[str, str]:
    """Return (id, value) of the API key that came with the deployment."""
    gateway = client("apigateway", endpoint)
    keys = gateway.get_api_keys(includeValues=True)["items"]
    if not keys:
        raise StoreError("The deployment made no API key", where="apigateway")
    return str(keys[0]["id"]), str(keys[0]["value"])
