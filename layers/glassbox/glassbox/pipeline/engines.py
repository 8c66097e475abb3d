"""Engines: which one each judge of an evaluation runs on, fixed at intake and never switched midway."""

from __future__ import annotations

from glassbox.contract.policy import Policy
from glassbox.contract.policy_changes import Engine
from glassbox.errors import UsageError

LOCAL_ONLY = frozenset({"structural_fidelity"})
"""Judges that ask no judge model whatever the policy says."""


def resolve(policy: Policy, option: Engine | None, *, judge_model: str | None) -> tuple[Policy, dict[str, str]]:
    """Return the policy to record and the engine of each judge.

    An `option` makes a derived policy with a digest of its own. `auto` means `llm` where a judge model is configured,
    else `local`. Raises UsageError where `llm` is asked for and no judge model is configured.
    """
    if option is not None:
        bound = [judge for judge in policy.judges if option != "llm" or judge not in LOCAL_ONLY]
        if not bound:
            raise UsageError(
                "No judge of this policy asks a judge model", where="engine llm", fix="Use --engine local or auto"
            )
        policy = policy.with_engines(dict.fromkeys(bound, option))
    engines = {judge: _one(judge, policy.engine(judge), judge_model) for judge in policy.judges}
    return policy, engines


def _one(judge: str, wanted: str, judge_model: str | None) -> str:
    if judge in LOCAL_ONLY or wanted == "local":
        return "local"
    if wanted == "llm" and judge_model is None:
        raise UsageError(
            f"The policy wants a judge model for {judge}, and none is configured",
            where="engine llm",
            fix="Use --engine local, which needs none",
        )
    return "local" if judge_model is None else "llm"


def label(engines: dict[str, str]) -> str:
    """Return one word for the engines of an evaluation: `llm` where any judge asks a judge model, else `local`."""
    return "llm" if "llm" in engines.values() else "local"
