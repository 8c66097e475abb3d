"""Minimal pairs: a supported claim and the same claim with one thing made false, through the whole local judge.

The pairs are generated from the passages of measuring sets, which no training text shares a run of 12 words with, by
models/train/claim_pairs.py. `kept`: the true claim is not called contradicted or unsupported; `found`: the false one is
not called supported; accuracy is the mean of "true is supported" and "false is not".
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Any

import sets
from claim_pairs import minimal_pairs

from glassbox.contract.policy import compile_policy
from glassbox.contract.request import Request
from glassbox.judges import semantic_faithfulness
from glassbox.judges.tools import Tools

PER_KIND = 60


def measure_pairs(tools: Tools, path: Path, seed: int, per_kind: int = PER_KIND) -> dict[str, Any]:
    """Return rates for each kind of change and for all together."""
    texts = [" ".join(r.passages) for r in sets.clapnq(path)] + ["\n".join(r.passages) for r in sets.wice(path)]
    policy = compile_policy({"name": "p", "extends": "default", "disable": ["semantic_faithfulness/answer_relevancy"]})
    rows: dict[str, list[tuple[str, str, float, float]]] = defaultdict(list)
    for pair in minimal_pairs(texts, per_kind, seed):
        found = []
        for claim in (pair.true, pair.false):
            request = Request.model_validate({"query": "", "answer": claim, "retrieved_passages": [pair.passage]})
            measured = semantic_faithfulness.judge(request, policy, tools).measurement("faithfulness")
            claims = measured.evidence if measured else ()
            worst = min(claims, key=lambda c: ORDER.index(c["verdict"])) if claims else None
            found.append((worst["verdict"], float(worst["probability"] or 0.0)) if worst else ("inconclusive", 0.5))
        (true, p), (false, q) = found
        rows[pair.kind].append((true, false, p, q))
    everything = [row for kind in rows.values() for row in kind]
    return {kind: _rates(found) for kind, found in {**rows, "all": everything}.items()}


ORDER = ("contradicted", "unsupported", "inconclusive", "supported")


def _rates(rows: list[tuple[str, str, float, float]]) -> dict[str, Any]:
    count = max(1, len(rows))
    kept = sum(true == "supported" for true, *_ in rows) / count
    found = sum(false != "supported" for _, false, *_ in rows) / count
    # Near the line the verdict is `inconclusive`: of those that decide, how many decide rightly?
    decided = [v == "supported" for v, *_ in rows if v != "inconclusive"]
    decided += [v != "supported" for _, v, *_ in rows if v != "inconclusive"]
    return {
        "pairs": len(rows),
        "accuracy": round((kept + found) / 2, 4),
        "true_supported": round(kept, 4),
        "false_not_supported": round(found, 4),
        "decided": round(len(decided) / (2 * count), 4),
        "accuracy_of_decided": round(sum(decided) / max(1, len(decided)), 4),
    }
