"""Up and down: the emulator, the network, the deployment, the tenant; each step said as it is done."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

from glassbox.adapters.aws.documents import is_tenant
from glassbox.adapters.aws.tenants import key_digest
from glassbox.errors import UsageError
from glassbox.stack import deploying, emulator, network
from glassbox.stack.packaging import project_root
from glassbox.stack.state import FILE, Stack, alive, end, load

FABRIC_SECRET: Final = "glassbox/fabric"  # noqa: S105 - the name of a secret
TENANT: Final = "local"

Say = Callable[[str], None]


def up(folder: Path, root: Path, *, policy: str, models: Path | None, say: Say) -> Stack:
    """Return the running stack of a folder: the one that stands, or a new one.

    Raises UsageError where what it needs is not installed, StoreError or LedgerUnavailable where a part doesn't come
    up; whatever was started by then is ended.
    """
    emulator.check_installed()
    root = project_root(root)
    if (folder / FILE).exists():
        stack = load(folder)
        if alive(stack.emulator):
            told = network.up(root, stack.path / "network")
            say(f"It runs already; ledger: {told['runs_on']}")
            return stack
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder = folder.resolve()
    stack = Stack(folder=str(folder))
    try:
        _start(stack, root, policy, models, say)
    except BaseException:
        down(stack, root, say=lambda _: None)
        raise
    stack.save()
    return stack


def _start(stack: Stack, root: Path, policy: str, models: Path | None, say: Say) -> None:
    folder = stack.path
    with ThreadPoolExecutor(2) as pool:
        say("Starting the AWS emulator and the Fabric network ...")
        network_up = pool.submit(network.up, root, folder / "network")
        stack.emulator, stack.endpoint = emulator.start(folder)
        told = network_up.result()
    stack.ledger, stack.profile = str(told["runs_on"]), str(told["profile"])
    say(f"AWS emulator (ministack, a simulator of AWS): {stack.endpoint}")
    say(f"Ledger: {stack.ledger}")
    deploying.make_bucket(stack.endpoint)
    secrets = emulator.client("secretsmanager", stack.endpoint)
    secrets.create_secret(Name=FABRIC_SECRET, SecretString=network.portable(Path(stack.profile)))
    parameters = {"Stage": "local", "DefaultPolicy": policy, "Capacity": "small"}
    if models is not None:
        say("Uploading the models ...")
        parameters["ModelsS3"] = deploying.upload_models(models, stack.endpoint)
    say("Deploying template.yaml as it stands ...")
    stack.outputs = deploying.deploy(root, stack.endpoint, parameters)
    key_id, stack.api_key = deploying.api_key(stack.endpoint)
    stack.tenant = TENANT
    name_tenant(
        emulator_client(stack),
        stack.outputs,
        TENANT,
        api_key_id=key_id,
        api_key=stack.api_key,
        sender=_own_sender(stack),
    )


def emulator_client(stack: Stack) -> Callable[[str], Any]:
    """Return how the stack's services are reached."""
    return lambda service: emulator.client(service, stack.endpoint)


def _own_sender(stack: Stack) -> str:
    """Return what SQS calls us: asked of a queue that is there for nothing else."""
    sqs = emulator.client("sqs", stack.endpoint)
    url = sqs.create_queue(QueueName="glassbox-who-am-i")["QueueUrl"]
    try:
        sqs.send_message(QueueUrl=url, MessageBody="who")
        got = sqs.receive_message(QueueUrl=url, MessageSystemAttributeNames=["SenderId"], WaitTimeSeconds=1)
        return str(got["Messages"][0]["Attributes"]["SenderId"]).partition(":")[0]
    finally:
        sqs.delete_queue(QueueUrl=url)


def name_tenant(
    client: Callable[[str], Any],
    outputs: dict[str, str],
    tenant: str,
    *,
    api_key_id: str = "",
    api_key: str = "",
    sender: str = "",
) -> None:
    """Let an API key, by its id or by itself, or a queue sender's id stand for a tenant; raises UsageError."""
    if not is_tenant(tenant):
        raise UsageError(
            "This can't be the name of a tenant", where="tenant", fix="Use letters, digits, - and _, at most 64"
        )
    if api_key_id and not api_key:
        api_key = _value_of(client, api_key_id)
    for kind, identity in (("K", api_key_id), ("H", key_digest(api_key) if api_key else ""), ("S", sender)):
        if identity:
            client("dynamodb").put_item(
                TableName=outputs["RecordsTable"],
                Item={"pk": {"S": f"{kind}#{identity}"}, "sk": {"S": "TENANT"}, "tenant": {"S": tenant}},
            )


def _value_of(client: Callable[[str], Any], api_key_id: str) -> str:
    """Return an API key by its id; only its digest is kept. Raises UsageError where there is none."""
    from botocore.exceptions import ClientError

    try:
        return str(client("apigateway").get_api_key(apiKey=api_key_id, includeValue=True)["value"])
    except (ClientError, KeyError):
        raise UsageError(
            "There is no API key of that id", where="--api-key", fix="`aws apigateway get-api-keys` lists them"
        ) from None


def down(stack: Stack, root: Path, *, wipe: bool = False, keep_ledger: bool = False, say: Say) -> None:
    """End the stack's processes.

    The emulator forgets records, texts, tenants and keys, so the ledger goes with them unless `keep_ledger`: an
    evaluation under an id that it holds could never be committed again. With `wipe` the whole folder goes.
    """
    say("Ending the emulator ...")
    end(stack.emulator)
    shutil.rmtree(stack.path / "tmp", ignore_errors=True)
    if (stack.path / "network").exists():
        say("Ending the network ...")
        network.down(root, stack.path / "network")
        if not keep_ledger:
            shutil.rmtree(stack.path / "network", ignore_errors=True)
    (stack.path / FILE).unlink(missing_ok=True)
    if wipe:
        shutil.rmtree(stack.path, ignore_errors=True)
