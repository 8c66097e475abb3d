"""A deployment to talk to: the one on this machine, or one in AWS by its stack's name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from glassbox.errors import StoreError, UsageError
from glassbox.stack import emulator
from glassbox.stack.state import Stack, load


@dataclass(frozen=True, slots=True)
class Target:
    """What a deployment says of itself, and how its services are reached."""

    where: str
    """In words, for the first line of every output."""
    outputs: dict[str, str]
    client: Callable[[str], Any]
    stack: Stack | None
    """The local stack; None in AWS."""


def target(folder: Path, aws: str | None) -> Target:
    """Return the local stack of a folder, or the deployment of that name in AWS; raises UsageError or StoreError."""
    if aws is not None:
        return _in_aws(aws)
    stack = load(folder)
    if not emulator.running(stack.emulator):
        raise UsageError(
            "The stack that was started here has ended", where=str(folder), fix="glassbox stack down, then stack up"
        )
    words = f"AWS emulator (ministack, a simulator of AWS) at {stack.endpoint}; ledger: {stack.ledger}"
    return Target(words, stack.outputs, lambda service: emulator.client(service, stack.endpoint), stack)


def _in_aws(name: str) -> Target:
    import boto3
    from botocore.exceptions import BotoCoreError, ClientError

    try:
        told = boto3.client("cloudformation").describe_stacks(StackName=name)["Stacks"][0]
    except (BotoCoreError, ClientError) as error:
        raise StoreError(
            f"AWS tells nothing of the deployment ({type(error).__name__})",
            where=name,
            fix="Check the stack's name, the region and the credentials",
        ) from None
    outputs = {output["OutputKey"]: output["OutputValue"] for output in told.get("Outputs", [])}
    return Target(f"AWS, stack {name}", outputs, boto3.client, None)
