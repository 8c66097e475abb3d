"""Engines and judge models: fixed before the first judge runs, and part of what the policy's digest stands for."""

from __future__ import annotations

import pytest

from glassbox.contract.policy import built_in, compile_policy
from glassbox.errors import PolicyInvalid, UsageError
from glassbox.pipeline.engines import label, resolve

DEFAULT = built_in("default")
MODEL = "openai:judge-small"


def test_auto_is_local_without_a_judge_model_and_changes_no_digest() -> None:
    policy, engines = resolve(DEFAULT, None, judge_model=None)
    assert policy.digest == DEFAULT.digest
    assert (set(engines.values()), label(engines)) == ({"local"}, "local")


def test_auto_asks_a_configured_judge_model_and_structural_fidelity_stays_local() -> None:
    policy, engines = resolve(DEFAULT, None, judge_model=MODEL)
    assert engines == {
        "contextual_precision": "llm",
        "semantic_faithfulness": "llm",
        "structural_fidelity": "local",
    }
    assert label(engines) == "llm"
    assert (policy.engine("semantic_faithfulness"), policy.engine("structural_fidelity")) == ("llm", "auto")
    assert policy.judge_model("semantic_faithfulness") == MODEL
    assert policy.judge_model("structural_fidelity") is None


def test_the_option_llm_and_auto_with_the_same_model_are_one_policy() -> None:
    asked, found = (resolve(DEFAULT, option, judge_model=MODEL)[0] for option in ("llm", None))
    assert asked.digest == found.digest


def test_another_judge_model_is_another_policy() -> None:
    one, other = (resolve(DEFAULT, "llm", judge_model=m)[0] for m in (MODEL, "bedrock:judge-large"))
    assert len({one.digest, other.digest, DEFAULT.digest}) == 3


def test_the_option_local_leaves_a_configured_judge_model_alone() -> None:
    policy, engines = resolve(DEFAULT, "local", judge_model=MODEL)
    assert label(engines) == "local"
    assert policy.document["judge_models"] == {}


def test_resolving_a_resolved_policy_changes_nothing() -> None:
    policy, engines = resolve(DEFAULT, "llm", judge_model=MODEL)
    again, same = resolve(policy, None, judge_model=MODEL)
    assert (again.digest, same) == (policy.digest, engines)


def test_llm_without_a_judge_model_is_refused_with_what_to_set() -> None:
    with pytest.raises(UsageError) as caught:
        resolve(DEFAULT, "llm", judge_model=None)
    assert "GLASSBOX_LLM=openai" in str(caught.value)
    assert "GLASSBOX_LLM_MODEL" in str(caught.value)


def test_a_policy_that_was_bound_to_a_judge_model_never_runs_without_it_or_with_another() -> None:
    policy, _ = resolve(DEFAULT, "llm", judge_model=MODEL)
    with pytest.raises(UsageError, match="no judge model"):
        resolve(policy, None, judge_model=None)
    with pytest.raises(UsageError, match="demands the judge model openai:judge-small"):
        resolve(policy, None, judge_model="openai:judge-large")


def test_a_policy_file_may_demand_a_judge_model() -> None:
    document = {"name": "clinic", "extends": "default", "judge_models": {"semantic_faithfulness": "openai:other"}}
    with pytest.raises(UsageError, match="semantic_faithfulness"):
        resolve(compile_policy(document), "llm", judge_model=MODEL)
    assert label(resolve(compile_policy(document), "local", judge_model=MODEL)[1]) == "local"


def test_a_policy_without_a_judge_that_asks_refuses_the_option() -> None:
    only = compile_policy(
        {"name": "words", "extends": "default", "disable": ["contextual_precision", "semantic_faithfulness"]}
    )
    with pytest.raises(UsageError, match="No judge of this policy"):
        resolve(only, "llm", judge_model=MODEL)
    assert label(resolve(only, None, judge_model=MODEL)[1]) == "local"


def test_a_name_that_no_policy_can_hold_is_refused() -> None:
    with pytest.raises(PolicyInvalid, match="judge_models"):
        resolve(DEFAULT, "llm", judge_model="openai:my model")
