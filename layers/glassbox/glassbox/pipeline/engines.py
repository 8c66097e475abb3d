"""Engines: which one each judge of an evaluation runs on, fixed at intake and never switched midway."""

from __future__ import annotations

from glassbox.contract.policy import Policy
from glassbox.contract.policy_changes import Engine
from glassbox.errors import UsageError

LOCAL_ONLY = frozenset({"structural_fidelity"})
"""Judges that ask no judge model whatever the policy says."""

CONFIGURE = (
    "Set GLASSBOX_LLM=openai, GLASSBOX_LLM_MODEL and, for an endpoint of your own, GLASSBOX_LLM_BASE_URL and "
    "GLASSBOX_LLM_API_KEY (or GLASSBOX_LLM=bedrock and GLASSBOX_LLM_MODEL); `glassbox llm check` tries it. "
    "--engine local needs none"
)


def resolve(policy: Policy, option: Engine | None, *, judge_model: str | None) -> tuple[Policy, dict[str, str]]:
    """Return the policy to record and the engine of each judge.

    `auto` means `llm` where a judge model is configured, else `local`. An `option` makes a derived policy, and so does
    the judge model: every judge that asks it is bound to it by name, so that the digest in the scorecard says who
    judged, and another model is another policy and another evaluation. Raises UsageError where `llm` is asked for and
    no judge model is configured, or another one than the policy demands.
    """
    if option is not None:
        bound = [judge for judge in policy.judges if option != "llm" or judge not in LOCAL_ONLY]
        if not bound:
            raise UsageError(
                "No judge of this policy asks a judge model", where="engine llm", fix="Use --engine local or auto"
            )
        policy = policy.with_engines(dict.fromkeys(bound, option))
    engines = {judge: _one(judge, policy.engine(judge), judge_model) for judge in policy.judges}
    asking = [judge for judge, engine in engines.items() if engine == "llm"]
    if judge_model is None or not asking:
        return policy, engines
    for judge in asking:
        _check_demanded(policy, judge, judge_model)
    return policy.with_judge_model(asking, judge_model), engines


def _check_demanded(policy: Policy, judge: str, judge_model: str) -> None:
    demanded = policy.judge_model(judge)
    if demanded not in (None, judge_model):
        raise UsageError(
            f"The policy demands the judge model {demanded} for {judge}, and {judge_model} is configured",
            where=f"policy {policy.name}",
            fix="Set GLASSBOX_LLM_MODEL to the one that it demands, or take another policy",
        )


def _one(judge: str, wanted: str, judge_model: str | None) -> str:
    if judge in LOCAL_ONLY or wanted == "local":
        return "local"
    if wanted == "llm" and judge_model is None:
        raise UsageError(
            f"The engine llm is asked for {judge}, and no judge model is configured",
            where="engine llm",
            fix=CONFIGURE,
        )
    return "local" if judge_model is None else "llm"


def label(engines: dict[str, str]) -> str:
    """Return one word for the engines of an evaluation: `llm` where any judge asks a judge model, else `local`."""
    return "llm" if "llm" in engines.values() else "local"
