"""The deployment in this process: moto's S3, DynamoDB, SQS, KMS, secrets and Step Functions under the real template,
the real state machine and the real handlers. Only AWS is simulated here, and nothing leaves the process."""

from __future__ import annotations

import dataclasses
import importlib.util
import io
import json
import os
import sys
import threading
import time
import uuid
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import boto3
from moto import mock_aws
from moto.awslambda_simple.models import LambdaSimpleBackend
from samtranslator.translator.transform import transform
from samtranslator.yaml_helper import yaml_parse

from glassbox.adapters.aws import deployment
from glassbox.adapters.aws import ledger as ledger_module
from glassbox.stack.target import Target

ROOT = Path(__file__).parents[2]
REGION = "us-east-1"
ACCOUNT = "123456789012"
# Kinds that moto's CloudFormation either does not make or that nothing here asks for.
LEFT_OUT = (
    "AWS::ApiGateway",
    "AWS::CloudWatch",
    "AWS::SNS",
    "AWS::Logs",
    "AWS::Lambda::Permission",
    "AWS::StepFunctions",
    "AWS::S3::BucketPolicy",
)
PARAMETERS = {"Stage": "local"}


class Context:
    """What Lambda hands to a handler."""

    def __init__(self, name: str, seconds: float = 120.0) -> None:
        self.function_name = name
        self.function_version = "1"
        self.aws_request_id = str(uuid.uuid4())
        self.memory_limit_in_mb = 512
        self.invoked_function_arn = f"arn:aws:lambda:{REGION}:{ACCOUNT}:function:{name}"
        self._until = time.monotonic() + seconds

    def get_remaining_time_in_millis(self) -> int:
        return max(0, int((self._until - time.monotonic()) * 1000))


class Deployed:
    """A deployment that stands, with pollers in place of Lambda's event sources."""

    def __init__(self, template: dict[str, Any], resources: dict[str, str]) -> None:
        self.template = template
        self.resources = resources
        self.modules: dict[str, ModuleType] = {}
        self.state_machine = ""
        self._stop = threading.Event()
        self._threads: list[threading.Thread] = []
        self.before: dict[str, Callable[[dict[str, Any]], None]] = {}
        """By function: called with each event before the handler; whatever it raises is what the function does."""
        self.failures: list[BaseException] = []
        self.handlers: dict[str, Callable[..., Any]] = {}

    def call(self, function: str, event: dict[str, Any]) -> Any:
        hook = self.before.get(function)
        if hook is not None:
            hook(event)
        return self.modules[function].handler(event, Context(function))

    def post(
        self, body: bytes | str, *, key: str = "tenant-one", headers: dict[str, str] | None = None
    ) -> dict[str, Any]:
        return self._api("intake", "POST", "/v1/evaluations", key, body, headers)

    def get(self, path: str, *, key: str = "tenant-one", query: dict[str, str] | None = None) -> dict[str, Any]:
        return self._api("read_api", "GET", path, key, None, None, query)

    def _api(
        self,
        function: str,
        method: str,
        path: str,
        key: str,
        body: bytes | str | None,
        headers: dict[str, str] | None,
        query: dict[str, str] | None = None,
    ) -> dict[str, Any]:
        text = body.decode("utf-8", "surrogateescape") if isinstance(body, bytes) else body
        event = {
            "resource": path,
            "path": path,
            "httpMethod": method,
            "headers": headers or {},
            "multiValueHeaders": {name: [value] for name, value in (headers or {}).items()},
            "queryStringParameters": query,
            "multiValueQueryStringParameters": None,
            "pathParameters": None,
            "stageVariables": None,
            "requestContext": {
                "requestId": str(uuid.uuid4()),
                "identity": {"apiKeyId": key, "sourceIp": "127.0.0.1"},
                "stage": "local",
                "httpMethod": method,
                "path": path,
                "resourcePath": path,
            },
            "body": text,
            "isBase64Encoded": False,
        }
        answer = self.call(function, event)
        return {**answer, "json": json.loads(answer["body"]) if answer.get("body") else None}

    def url(self, logical: str) -> str:
        return self.resources[logical]

    def send(self, body: str, *, idempotency_key: str | None = None) -> None:
        attributes = {}
        if idempotency_key is not None:
            attributes = {"idempotency_key": {"DataType": "String", "StringValue": idempotency_key}}
        boto3.client("sqs").send_message(
            QueueUrl=self.url("Evaluations"), MessageBody=body, MessageAttributes=attributes
        )

    def waiting(self, logical: str) -> int:
        names = ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"]
        told = boto3.client("sqs").get_queue_attributes(QueueUrl=self.url(logical), AttributeNames=names)["Attributes"]
        return sum(int(told[name]) for name in names)

    def finished(self, evaluation_id: str, run: int = 0, *, seconds: float = 60.0) -> dict[str, Any]:
        """Return the execution of an evaluation once it has ended."""
        arn = f"{self.state_machine.replace(':stateMachine:', ':execution:')}:{evaluation_id}-{run}"
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            told = boto3.client("stepfunctions").describe_execution(executionArn=arn)
            if told["status"] != "RUNNING":
                return dict(told)
            time.sleep(0.02)
        raise AssertionError(f"the execution {evaluation_id}-{run} still runs")

    def record(self, evaluation_id: str) -> dict[str, Any]:
        item = boto3.client("dynamodb").get_item(
            TableName=self.resources["Records"], Key={"pk": {"S": f"E#{evaluation_id}"}, "sk": {"S": "RECORD"}}
        )["Item"]
        return {name: next(iter(value.values())) for name, value in item.items()}

    def record_by_key(self, key: str, *, seconds: float = 30.0) -> dict[str, Any]:
        """Return the record of the evaluation that came with an idempotency key, once there is one."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            for item in boto3.client("dynamodb").scan(TableName=self.resources["Records"])["Items"]:
                if item.get("key", {}).get("S") == key:
                    plain = {name: next(iter(value.values())) for name, value in item.items()}
                    return {**plain, "id": plain["pk"].removeprefix("E#")}
            time.sleep(0.02)
        raise AssertionError(f"no record came with the key {key}")

    def drained(self, queue: str, *, seconds: float = 30.0) -> None:
        """Wait until a queue is empty."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if self.waiting(queue) == 0:
                return
            time.sleep(0.02)
        raise AssertionError(f"{queue} is not empty")

    def own_sender(self) -> str:
        """Return what SQS calls the test."""
        sqs = boto3.client("sqs")
        url = sqs.create_queue(QueueName="who-am-i")["QueueUrl"]
        sqs.send_message(QueueUrl=url, MessageBody="who")
        got = sqs.receive_message(QueueUrl=url, MessageSystemAttributeNames=["All"])["Messages"][0]
        sqs.delete_message(QueueUrl=url, ReceiptHandle=got["ReceiptHandle"])
        return str(got["Attributes"]["SenderId"])

    def name_tenant(self, kind: str, identity: str, tenant: str) -> None:
        item = {"pk": {"S": f"{kind}#{identity}"}, "sk": {"S": "TENANT"}, "tenant": {"S": tenant}}
        boto3.client("dynamodb").put_item(TableName=self.resources["Records"], Item=item)

    def forget_tenant(self, kind: str, identity: str) -> None:
        key = {"pk": {"S": f"{kind}#{identity}"}, "sk": {"S": "TENANT"}}
        boto3.client("dynamodb").delete_item(TableName=self.resources["Records"], Key=key)

    def with_secret(self, value: dict[str, Any]) -> str:
        """Return the name of a new secret that holds a JSON object."""
        name = f"secret-{uuid.uuid4()}"
        boto3.client("secretsmanager").create_secret(Name=name, SecretString=json.dumps(value))
        return name

    def with_environment(self, monkeypatch: Any, **changes: Any) -> None:
        """Tell the functions something else for the time of one test."""
        changed = dataclasses.replace(deployment.environment(), **changes)
        monkeypatch.setattr(deployment, "environment", lambda: changed)

    def with_webhook_secrets(self, monkeypatch: Any, secrets: dict[str, list[str]]) -> None:
        """Agree on webhook secrets with tenants for the time of one test."""
        self.with_environment(monkeypatch, webhook_secrets=self.with_secret(secrets))

    def target(self) -> Target:
        outputs = {
            "RecordsTable": self.resources["Records"],
            "StateMachineArn": self.state_machine,
            "EvaluationsQueueUrl": self.url("Evaluations"),
            "EvaluationsDeadLettersUrl": self.url("EvaluationsDeadLetters"),
            "JudgesDeadLettersUrl": self.url("JudgesDeadLetters"),
        }
        return Target("moto, in this process", outputs, boto3.client, None)

    def poll(self, queue: str, function: str, *, visibility: int, batch: int = 1) -> None:
        thread = threading.Thread(target=self._poll, args=(queue, function, visibility, batch), daemon=True)
        thread.start()
        self._threads.append(thread)

    def _poll(self, queue: str, function: str, visibility: int, batch: int) -> None:
        sqs, url = boto3.client("sqs"), self.url(queue)
        arn = f"arn:aws:sqs:{REGION}:{ACCOUNT}:{url.rsplit('/', 1)[-1]}"
        while not self._stop.is_set():
            got = sqs.receive_message(
                QueueUrl=url,
                MaxNumberOfMessages=batch,
                WaitTimeSeconds=0,
                VisibilityTimeout=visibility,
                MessageSystemAttributeNames=["All"],
                MessageAttributeNames=["All"],
            ).get("Messages", [])
            if not got:
                time.sleep(0.01)
                continue
            failed = self._handled(function, [_record(m, arn) for m in got])
            for message in got:
                if message["MessageId"] not in failed:
                    sqs.delete_message(QueueUrl=url, ReceiptHandle=message["ReceiptHandle"])

    def _handled(self, function: str, records: list[dict[str, Any]]) -> set[str]:
        try:
            answer = self.call(function, {"Records": records}) or {}
        except BaseException as error:
            self.failures.append(error)
            return {record["messageId"] for record in records}
        return {item["itemIdentifier"] for item in answer.get("batchItemFailures", [])}

    def close(self) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join()


def _record(message: dict[str, Any], arn: str) -> dict[str, Any]:
    attributes = {
        name: {"stringValue": value.get("StringValue"), "dataType": value["DataType"]}
        for name, value in message.get("MessageAttributes", {}).items()
    }
    return {
        "messageId": message["MessageId"],
        "receiptHandle": message["ReceiptHandle"],
        "body": message["Body"],
        "attributes": message["Attributes"],
        "messageAttributes": attributes,
        "eventSource": "aws:sqs",
        "eventSourceARN": arn,
        "awsRegion": REGION,
    }


def expanded() -> tuple[dict[str, Any], dict[str, str]]:
    """Return the template as CloudFormation sees it, and each function's folder by its logical id."""
    source = yaml_parse((ROOT / "template.yaml").read_text())
    folders: dict[str, str] = {}
    for name, resource in source["Resources"].items():
        properties = resource.get("Properties", {})
        if resource["Type"] == "AWS::Serverless::Function":
            folders[name] = properties["CodeUri"]
            properties["CodeUri"] = "s3://code/x.zip"
        elif resource["Type"] == "AWS::Serverless::LayerVersion":
            properties["ContentUri"] = "s3://code/x.zip"
        elif resource["Type"] == "AWS::Serverless::StateMachine":
            properties["Definition"] = json.loads((ROOT / properties.pop("DefinitionUri")).read_text())

    class NoManagedPolicies:
        def load(self) -> dict[str, str]:
            return {}

    return transform(source, PARAMETERS, NoManagedPolicies()), folders


def _created(template: dict[str, Any]) -> dict[str, str]:
    kept = {k: v for k, v in template["Resources"].items() if not v["Type"].startswith(LEFT_OUT)}
    wanted = ("AWS::S3::Bucket", "AWS::DynamoDB", "AWS::SQS", "AWS::KMS")
    body = {
        "AWSTemplateFormatVersion": "2010-09-09",
        "Parameters": template["Parameters"],
        "Conditions": template["Conditions"],
        "Resources": {k: v for k, v in kept.items() if v["Type"].startswith(wanted)},
    }
    client = boto3.client("cloudformation")
    client.create_stack(
        StackName="glassbox",
        TemplateBody=json.dumps(body),
        Parameters=[{"ParameterKey": k, "ParameterValue": v} for k, v in PARAMETERS.items()],
    )
    return {
        r["LogicalResourceId"]: r["PhysicalResourceId"]
        for r in client.describe_stack_resources(StackName="glassbox")["StackResources"]
    } | {"TenantSecret": _secret()}


def _secret() -> str:
    """Make the one resource that moto's CloudFormation doesn't know."""
    made = boto3.client("secretsmanager").create_secret(Name="glassbox/tenants", SecretString="s" * 64)
    return str(made["ARN"])


def _environment(deployed: Deployed, home: Path) -> dict[str, str]:
    """Return what all functions together are told; in one process they share one environment."""
    resources = deployed.resources
    queues = {
        "contextual_precision": resources["ContextualPrecisionQueue"],
        "semantic_faithfulness": resources["SemanticFaithfulnessQueue"],
        "structural_fidelity": resources["StructuralFidelityQueue"],
    }
    return {
        "GLASSBOX_STAGE": "local",
        "GLASSBOX_PAYLOADS": resources["Payloads"],
        "GLASSBOX_EVIDENCE": resources["Evidence"],
        "GLASSBOX_RECORDS": resources["Records"],
        "GLASSBOX_IDEMPOTENCY": resources["Idempotency"],
        "GLASSBOX_DATA_KEY": resources["DataKey"],
        "GLASSBOX_TENANT_SECRET": resources["TenantSecret"],
        "GLASSBOX_EVALUATIONS_DLQ": resources["EvaluationsDeadLetters"],
        "GLASSBOX_JUDGE_QUEUES": json.dumps(queues),
        "GLASSBOX_LEDGER": "embedded",
        "GLASSBOX_HOME": str(home),
        "GLASSBOX_POLICY": "no-models",
        "POWERTOOLS_TRACE_DISABLED": "true",
        "POWERTOOLS_DEV": "false",
    }


def _state_machine(deployed: Deployed, waits: float) -> str:
    """Make the real state machine, with its waits scaled down: the order of things is what is looked at here."""
    text = (ROOT / "workflows/evaluation.asl.json").read_text()
    for name in ("Aggregator", "Ledger", "Notifier"):
        arn = f"arn:aws:lambda:{REGION}:{ACCOUNT}:function:{name.lower()}"
        text = text.replace(f"${{{name}Function}}", arn)
    text = text.replace("${RecordsTable}", deployed.resources["Records"])
    definition = json.loads(text, object_hook=lambda node: _hurried(node, waits))
    made = boto3.client("stepfunctions").create_state_machine(
        name="evaluation", definition=json.dumps(definition), roleArn=f"arn:aws:iam::{ACCOUNT}:role/role"
    )
    return str(made["stateMachineArn"])


def _hurried(node: dict[str, Any], waits: float) -> dict[str, Any]:
    if "IntervalSeconds" in node and waits != 1:
        # ASL knows whole seconds only, and no shorter wait than one; so there are fewer of them.
        return {**node, "IntervalSeconds": 1, "BackoffRate": 1.0, "MaxAttempts": min(node["MaxAttempts"], 3)}
    return node


def _load(function: str) -> ModuleType:
    place = ROOT / "functions" / function / "handler.py"
    spec = importlib.util.spec_from_file_location(f"functions_{function}", place)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


FUNCTIONS = (
    "intake",
    "contextual_precision",
    "semantic_faithfulness",
    "structural_fidelity",
    "aggregator",
    "ledger",
    "notifier",
    "read_api",
)


@contextmanager
def deploy(home: Path, monkeypatch: Any, *, waits: float = 0.0, visibility: int = 30) -> Iterator[Deployed]:
    """Deploy the template in this process and yield it; everything is gone afterwards."""
    for name in [n for n in os.environ if n.startswith(("GLASSBOX_", "AWS_"))]:
        monkeypatch.delenv(name)
    for name, value in {
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test",
        "AWS_DEFAULT_REGION": REGION,
    }.items():
        monkeypatch.setenv(name, value)
    with mock_aws(config={"lambda": {"use_docker": False}, "stepfunctions": {"execute_state_machine": True}}):
        data = io.BytesIO()
        with zipfile.ZipFile(data, "w") as archive:
            archive.writestr("handler.py", "")
        template, _ = expanded()
        deployed = Deployed(template, _created(template))
        for name, value in _environment(deployed, home).items():
            monkeypatch.setenv(name, value)
        deployment.forget()
        ledger_module.ledger.cache_clear()
        deployed.modules = {name: _load(name) for name in FUNCTIONS}
        deployed.handlers = {name: module.handler for name, module in deployed.modules.items()}
        monkeypatch.setattr(LambdaSimpleBackend, "invoke", _invoker(deployed))
        deployed.state_machine = _state_machine(deployed, waits)
        monkeypatch.setenv("GLASSBOX_STATE_MACHINE", deployed.state_machine)
        deployment.forget()
        try:
            deployed.poll("Evaluations", "intake", visibility=visibility, batch=10)
            for queue, function in (
                ("ContextualPrecisionQueue", "contextual_precision"),
                ("SemanticFaithfulnessQueue", "semantic_faithfulness"),
                ("StructuralFidelityQueue", "structural_fidelity"),
            ):
                deployed.poll(queue, function, visibility=visibility)
            yield deployed
        finally:
            deployed.close()
            if ledger_module.ledger.made:
                ledger_module.ledger().close()
            ledger_module.ledger.cache_clear()
            deployment.forget()


def _invoker(deployed: Deployed) -> Callable[..., bytes]:
    def invoke(
        _self: Any, function_name: str, _qualifier: Any, body: Any, _headers: Any, response_headers: dict[str, str]
    ) -> bytes:
        name = function_name.rsplit(":", 1)[-1]
        try:
            return json.dumps(deployed.call(name, json.loads(body))).encode()
        except BaseException as error:
            response_headers["x-amz-function-error"] = "Unhandled"
            return json.dumps({"errorType": type(error).__name__, "errorMessage": "broke"}).encode()

    return invoke
