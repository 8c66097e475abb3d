"""The judge model's calls in a bundle: well formed, made by the model that the policy names, and summed rightly."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from pydantic import ValidationError

from glassbox.contract.judge_name import JudgeName
from glassbox.contract.measurement import JudgeResult
from glassbox.contract.policy import Policy
from glassbox.contract.served import in_words, other_models
from glassbox.contract.spending import COSTS
from glassbox.errors import GlassBoxError
from glassbox.scorecard.usage import usage_of
from glassbox.verification.findings import Verification, compare

_DIGEST: Final = re.compile(r"sha256:[0-9a-f]{64}")
_PURPOSE: Final = re.compile(r"[a-z0-9_]{1,64}(?:\.[a-z0-9_]{1,64}){0,3}")
_OWN: Final = ("duration_ms",)
"""Members of the usage that don't follow from the calls."""

_SHOWN: Final = 80
_CODE: Final = re.compile(r"[a-z_]{1,64}")
_Test = tuple[str, Callable[[Any], bool], str]


def check_calls(content: Mapping[str, Any], scorecard: Mapping[str, Any] | None, verification: Verification) -> None:
    """Note every call that can't be one of this evaluation, and a usage in the scorecard that the calls don't sum to.

    What the model said is not asked again here: only its digest stands in a call.
    """
    for asked, served in other_models(content):
        verification.warnings.append(in_words(repr(asked[:_SHOWN]), repr(served[:_SHOWN])))
    try:
        policy = Policy(content["policy"])
        results = {name: JudgeResult.model_validate(content["results"][name]) for name in policy.judges}
    except (GlassBoxError, ValidationError, KeyError, TypeError):
        return  # Said already by the checks of the content.
    for name, result in results.items():
        where = f"/content/results/{name}"
        if result.calls and result.engine != "llm":
            verification.add("calls", f"{where}/calls", "calls of a judge that asked no judge model")
        for number, call in enumerate(result.calls):
            _check_call(call, policy.judge_model(name), f"{where}/calls/{number}", verification)
        for number, told in enumerate(result.lost):
            _check_call(told, policy.judge_model(name), f"{where}/lost/{number}", verification, _TESTS_OF_COST)
    usage = None if scorecard is None else scorecard.get("usage")
    if isinstance(usage, Mapping):
        _check_usage(usage, list(results.values()), verification)
    if any(result.calls or result.lost for result in results.values()):
        verification.checks.append("calls of the judge model: digests, the model that the policy names, usage")


def _check_call(
    call: Mapping[str, Any],
    bound: str | None,
    where: str,
    verification: Verification,
    tests: Sequence[_Test] | None = None,
) -> None:
    for name, fits, words in tests or _TESTS:
        if name not in call or not fits(call[name]):
            verification.add("calls", f"{where}/{name}", f"not {words}", None, call.get(name))
    identity = f"{call.get('backend')}:{call.get('model')}"
    named = None if bound is None else JudgeName.parse(bound).identity
    # A jury is named by a digest of its members.
    if named is not None and not named.startswith("jury:") and identity != named:
        verification.add("calls", f"{where}/model", "not the judge model that the policy names", named, identity)


def _check_usage(usage: Mapping[str, Any], results: Sequence[JudgeResult], verification: Verification) -> None:
    try:
        expected = usage_of(results, 0)
    except (TypeError, ValueError, OverflowError):
        return  # A call's own numbers are none, which is noted at the call.
    told = {"price_table": None, **usage}
    for own in _OWN:
        expected.pop(own)
        told.pop(own, None)
    compare(verification, "usage", expected, told, "/scorecard/usage", "not the sum of the calls")


def _is_digest(value: Any) -> bool:
    return isinstance(value, str) and _DIGEST.fullmatch(value) is not None


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_count_or_unknown(value: Any) -> bool:
    return value is None or _is_count(value)


def _is_cost(value: Any) -> bool:
    if value is None:
        return True
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < math.inf


_TESTS: Final[tuple[_Test, ...]] = (
    ("purpose", lambda v: isinstance(v, str) and _PURPOSE.fullmatch(v) is not None, "the name of a question"),
    ("prompt_digest", _is_digest, "sha256: and 64 hexadecimal digits"),
    ("schema_digest", _is_digest, "sha256: and 64 hexadecimal digits"),
    ("reply_digest", _is_digest, "sha256: and 64 hexadecimal digits"),
    ("price_table", _is_digest, "sha256: and 64 hexadecimal digits"),
    ("attempts", lambda v: _is_count(v) and v >= 1, "a number of attempts"),
    ("repaired", lambda v: isinstance(v, bool), "true or false"),
    ("input_tokens", _is_count_or_unknown, "a count, or null where it is unknown"),
    ("output_tokens", _is_count_or_unknown, "a count, or null where it is unknown"),
    ("cost_usd", _is_cost, "an amount, or null where it is unknown"),
    ("duration_ms", _is_count, "milliseconds"),
)
_TESTS_OF_COST: Final[tuple[_Test, ...]] = (
    *(test for test in _TESTS if test[0] in COSTS),
    ("error", lambda v: v is None or (isinstance(v, str) and _CODE.fullmatch(v) is not None), "a code, or null"),
)
