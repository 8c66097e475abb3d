"""The template: what each role may do, what a queue waits for, and that the linter has nothing to say."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.functions.deployed import FUNCTIONS, ROOT, expanded

# Services that know no resources to name: traces, and the delivery of a state machine's logs.
NAMELESS = re.compile(
    r"xray:Put\w+|logs:(?:Create|Get|Update|Delete|List)LogDeliver(?:y|ies)"
    r"|logs:(?:PutResourcePolicy|DescribeResourcePolicies|DescribeLogGroups)"
)


@pytest.fixture(scope="module")
def template() -> dict[str, Any]:
    return expanded()[0]


def of_kind(template: dict[str, Any], kind: str) -> dict[str, dict[str, Any]]:
    return {name: r["Properties"] for name, r in template["Resources"].items() if r["Type"] == kind}


def statements(role: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for policy in role.get("Policies", ()):
        for statement in policy["PolicyDocument"]["Statement"]:
            branches = statement.get("Fn::If", [None, statement])[1:]
            yield from (branch for branch in branches if "Effect" in branch)


def test_the_linter_has_nothing_to_say() -> None:
    linter = Path(sys.executable).with_name("cfn-lint")
    done = subprocess.run([linter, ROOT / "template.yaml"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


def test_every_function_has_a_folder_and_a_role_of_its_own(template: dict[str, Any]) -> None:
    functions = of_kind(template, "AWS::Lambda::Function")
    assert len(functions) == len(FUNCTIONS)
    roles = [json.dumps(f["Role"], sort_keys=True) for f in functions.values()]
    assert len(set(roles)) == len(roles)
    for name in FUNCTIONS:
        assert (ROOT / "functions" / name / "handler.py").is_file()


def test_no_role_has_a_wildcard_where_a_resource_has_a_name(template: dict[str, Any]) -> None:
    looked_at = 0
    for name, role in of_kind(template, "AWS::IAM::Role").items():
        assert not role.get("ManagedPolicyArns"), name
        for statement in statements(role):
            looked_at += 1
            actions = statement["Action"] if isinstance(statement["Action"], list) else [statement["Action"]]
            assert not any("*" in action for action in actions), name
            resources = statement["Resource"] if isinstance(statement["Resource"], list) else [statement["Resource"]]
            if "*" in resources:
                assert all(NAMELESS.fullmatch(action) for action in actions), (name, actions)
    assert looked_at > 40


def test_only_the_ledger_function_writes_locked_evidence(template: dict[str, Any]) -> None:
    writers = [
        name
        for name, role in of_kind(template, "AWS::IAM::Role").items()
        for statement in statements(role)
        if "Evidence" in json.dumps(statement["Resource"])
    ]
    assert writers == ["LedgerRole"]
    assert not any(
        action.startswith("s3:DeleteObject") or "Bypass" in action
        for statement in statements(of_kind(template, "AWS::IAM::Role")["LedgerRole"])
        if "Evidence" in json.dumps(statement["Resource"])
        for action in statement["Action"]
    )


def test_a_queue_hides_a_message_for_six_times_as_long_as_its_function_may_take(template: dict[str, Any]) -> None:
    functions = of_kind(template, "AWS::Lambda::Function")
    queues = of_kind(template, "AWS::SQS::Queue")
    mappings = of_kind(template, "AWS::Lambda::EventSourceMapping")
    assert len(mappings) == 4
    for mapping in mappings.values():
        queue = mapping["EventSourceArn"]["Fn::GetAtt"][0]
        function = mapping["FunctionName"]["Ref"]
        assert queues[queue]["VisibilityTimeout"] >= 6 * functions[function]["Timeout"]
        assert mapping["FunctionResponseTypes"] == ["ReportBatchItemFailures"]
        assert queues[queue]["RedrivePolicy"]["maxReceiveCount"] >= 3


def test_the_judges_queues_hand_over_as_often_as_their_functions_believe(template: dict[str, Any]) -> None:
    queues, functions = of_kind(template, "AWS::SQS::Queue"), of_kind(template, "AWS::Lambda::Function")
    for name in ("ContextualPrecision", "SemanticFaithfulness", "StructuralFidelity"):
        told = functions[f"{name}Function"]["Environment"]["Variables"]["GLASSBOX_MAX_RECEIVES"]
        assert queues[f"{name}Queue"]["RedrivePolicy"]["maxReceiveCount"] == int(told)


def test_stores_are_private_versioned_encrypted_and_outlive_the_stack(template: dict[str, Any]) -> None:
    for name, bucket in of_kind(template, "AWS::S3::Bucket").items():
        assert all(bucket["PublicAccessBlockConfiguration"].values()), name
        assert bucket["VersioningConfiguration"] == {"Status": "Enabled"}
        assert template["Resources"][name]["DeletionPolicy"] == "Retain"
    evidence = of_kind(template, "AWS::S3::Bucket")["Evidence"]
    assert evidence["ObjectLockEnabled"] is True
    for name, table in of_kind(template, "AWS::DynamoDB::Table").items():
        assert table["BillingMode"] == "PAY_PER_REQUEST", name
        assert table["PointInTimeRecoverySpecification"] == {"PointInTimeRecoveryEnabled": True}
        assert table["TimeToLiveSpecification"]["Enabled"] is True


def test_the_access_log_and_the_functions_keep_bodies_out(template: dict[str, Any]) -> None:
    stage = next(iter(of_kind(template, "AWS::ApiGateway::Stage").values()))
    told = stage["AccessLogSetting"]["Format"]
    assert not re.search(r"body|querystring|header|context\.path\b", told, re.IGNORECASE)
    assert stage["MethodSettings"][0]["DataTraceEnabled"] is False
    for function in of_kind(template, "AWS::Lambda::Function").values():
        variables = function["Environment"]["Variables"]
        assert variables["POWERTOOLS_LOGGER_LOG_EVENT"] == "false"
        assert variables["POWERTOOLS_TRACER_CAPTURE_RESPONSE"] == "false"
        assert not any("KEY" in name and "SECRET" not in name and "DATA_KEY" not in name for name in variables)


def test_every_alarm_has_somewhere_to_go(template: dict[str, Any]) -> None:
    alarms = of_kind(template, "AWS::CloudWatch::Alarm")
    assert len(alarms) >= 8
    assert all(alarm["AlarmActions"] for alarm in alarms.values())


def test_every_log_is_kept_for_a_set_time(template: dict[str, Any]) -> None:
    groups = of_kind(template, "AWS::Logs::LogGroup")
    assert len(groups) >= len(FUNCTIONS)
    assert all("RetentionInDays" in group for group in groups.values())


def test_the_state_machine_catches_whatever_its_tasks_raise() -> None:
    definition = json.loads((ROOT / "workflows/evaluation.asl.json").read_text())
    tasks = list(tasks_of(definition))
    assert len(tasks) >= 7
    for name, state in tasks:
        assert state.get("Retry"), name
        if ":::dynamodb:" not in state["Resource"]:
            assert any("States.ALL" in catch["ErrorEquals"] for catch in state["Catch"]), name
            assert state["TimeoutSeconds"] > 0, name


def tasks_of(machine: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for name, state in machine["States"].items():
        if state["Type"] == "Task":
            yield name, state
        if state["Type"] == "Map":
            yield from tasks_of(state["ItemProcessor"])
