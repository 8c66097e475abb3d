"""Who judges, as a policy names it."""

from __future__ import annotations

import pytest

from glassbox.contract.judge_name import JudgeName
from glassbox.contract.policy import built_in


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("openai:gpt-4o", JudgeName("openai:gpt-4o")),
        ("openai:gpt-4o;repeats:5", JudgeName("openai:gpt-4o", 5)),
        ("jury:3:0011223344556677;consensus:median", JudgeName("jury:3:0011223344556677", 1, "median")),
        ("jury:2:ab;repeats:25;consensus:trimmed_mean", JudgeName("jury:2:ab", 25, "trimmed_mean")),
        ("openai:odd;name", JudgeName("openai:odd;name")),
        ("openai:odd;repeats:many", JudgeName("openai:odd;repeats:many")),
    ],
)
def test_a_name_reads_back_as_it_was_written(text: str, name: JudgeName) -> None:
    assert JudgeName.parse(text) == name
    assert str(name) == text


def test_how_often_it_is_asked_makes_another_policy() -> None:
    policy = built_in("default")
    digests = {
        policy.with_judge_model(["semantic_faithfulness"], str(name)).digest
        for name in (JudgeName("openai:a"), JudgeName("openai:a", 3), JudgeName("openai:a", 3, "median"))
    }
    assert len(digests) == 3
