"""Names and relations asked their own question: is a name, or a pairing of names, in the sources?

From sentences of passages that no model was trained on, with two names at least: the sentence itself as an answer, it
with one name exchanged for a stranger's (no source holds it), and it with one exchanged for another of the same passage
(every word stands in the source, but nothing relates the two). ROUGE-1 precision is the baseline in both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import sets
from claim_pairs import NAME
from claim_perturb import swap_name
from claim_text import split_sentences
from lines import Line, line

from glassbox.contract.policy import compile_policy
from glassbox.contract.request import Request
from glassbox.judges import structural_fidelity
from glassbox.judges.tools import Tools
from glassbox.metrics.alignment import rouge_1_precision_baseline

MOST = 50
SCORES = {"entity_precision": "stranger", "relation_faithfulness": "neighbour"}


@dataclass(frozen=True)
class Changed:
    """A sentence of a passage, and the same with a name exchanged in two ways."""

    passage: str
    sentence: str
    stranger: str
    neighbour: str


def changed(texts: Sequence[str], most: int, seed: int) -> list[Changed]:
    """Return up to `most` sentences of different texts."""
    rng, found = Random(seed), []
    everyone = [name for text in texts for name in NAME.findall(text)]
    for text in rng.sample(list(texts), len(texts)):
        passage = " ".join(text.split()[:220])
        sentences = [s for s in split_sentences(passage) if len(set(NAME.findall(s))) > 1 and len(s.split()) < 45]
        if not sentences or len(found) == most:
            continue
        sentence = rng.choice(sentences)
        name = rng.choice(sorted(set(NAME.findall(sentence))))
        strangers = [n for n in rng.sample(everyone, 40) if n not in passage]
        neighbours = [n for n in NAME.findall(passage) if n not in sentence]
        pair = swap_name(sentence, name, strangers, rng), swap_name(sentence, name, neighbours, rng)
        if pair[0] and pair[1]:
            found.append(Changed(passage, sentence, pair[0], pair[1]))
    return found


def lines(tools: Tools, path: Path, seed: int, most: int = MOST) -> list[Line]:
    """Return a line for each score and set; answers without a value for the score are left out of both columns."""
    sources = {
        "clapnq sentences": [" ".join(row.passages) for row in sets.clapnq(path)],
        "wice sentences": ["\n".join(row.passages) for row in sets.wice(path)],
    }
    policy = compile_policy({"name": "s", "extends": "default", "disable": ["structural_fidelity/nlp_score"]})
    found = []
    for data, texts in sources.items():
        items = changed(list(dict.fromkeys(texts)), most, seed)
        for score, other in SCORES.items():
            values: list[float] = []
            base: list[float] = []
            truths: list[bool] = []
            for item in items:
                for answer, truth in ((item.sentence, True), (getattr(item, other), False)):
                    value = _value(tools, policy, answer, item.passage, score)
                    if value is not None:
                        values.append(value)
                        base.append(rouge_1_precision_baseline(answer, [item.passage]))
                        truths.append(truth)
            found.append(line("own question", data, score, values, ("ROUGE-1 precision", base), truths))
    return found


def _value(tools: Tools, policy: Any, answer: str, passage: str, score: str) -> float | None:
    request = Request.model_validate({"query": "", "answer": answer, "retrieved_passages": [passage]})
    measured = structural_fidelity.judge(request, policy, tools).measurement(score)
    return measured.micros / 1e6 if measured is not None and measured.micros is not None else None
