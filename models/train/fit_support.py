"""Fit how the claim checker, words and meaning are weighed, on claims of the training corpora that no training saw.

    python models/train/fit_support.py --train FOLDER --measured FOLDER [--models FOLDER] [--recipe hard]

Needs the product's environment, no torch. The claims are judged by the product itself; what it knows about each goes
into a logistic regression. People's claims weigh four times as much in the sum as generated ones, which are all of one
kind of error. Prints the weights and, for shares of plain words from 0 to 0.6, log loss and AUROC of the same claims in
ten folds, each fitted on the other nine.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import Any
from unittest import mock

import numpy as np
from claim_data import build, clean_claim, clean_passage
from claim_generate import SUPPORTED
from claim_recipe import RECIPES

from glassbox.contract.policy import compile_policy
from glassbox.contract.request import Request
from glassbox.judges import claim_verdicts, semantic_faithfulness
from glassbox.judges.claim_support import Signals, Weights, features, support_probability
from glassbox.judges.tools import Tools
from glassbox.models.registry import Registry

Floats = np.ndarray[Any, Any]
FOLDS = 10
PEOPLE = 0.8
"""Share of the sum that people's claims have."""
POOLS = tuple(round(0.05 * i, 2) for i in range(13))


@dataclass(frozen=True)
class Labelled:
    """A claim with its passages and whether they support it."""

    claim: str
    passages: tuple[str, ...]
    supported: bool
    people: bool
    group: str


def labelled(train: Path, measured: Path, recipe: str, generated: int, seed: int) -> list[Labelled]:
    """Return the held-out claims of people and ``generated`` generated ones, in an order of the seed."""
    corpus = build(train, measured, seed, recipe=RECIPES[recipe])
    found = [
        Labelled(
            clean_claim(r["claim"]), tuple(clean_passage(p) for p in r["passages"]), r["label"] == "supported", True,
            r.get("query") or r["id"],
        )
        for r in corpus.held_rows
    ]  # fmt: skip
    others = [e for e in corpus.held_out if e.source not in ("attribution", "snli", "people-false")]
    chosen = Random(seed).sample(others, min(generated, len(others)))
    return found + [Labelled(e.claim, (e.passage,), e.label == SUPPORTED, False, e.group) for e in chosen]


def signals_of(items: list[Labelled], tools: Tools) -> list[tuple[Labelled, Signals]]:
    """Return what the product knows about each claim; claims that words and numbers decided are left out."""
    policy = compile_policy({"name": "f", "extends": "default", "disable": ["semantic_faithfulness/answer_relevancy"]})
    found = []
    for item in items:
        seen: list[Signals] = []

        def record(signals: Signals, weights: Weights, seen: list[Signals] = seen) -> float:
            seen.append(signals)
            return support_probability(signals, weights)

        body = {"query": "-", "answer": item.claim, "retrieved_passages": list(item.passages)}
        with mock.patch.object(claim_verdicts, "support_probability", record):
            semantic_faithfulness.judge(Request.model_validate(body), policy, tools)
        found += [(item, signals) for signals in seen]
    return found


def fit(rows: Floats, truths: Floats, shares: Floats, ridge: float = 1.0, steps: int = 50) -> Floats:
    """Return the weights of a logistic regression by Newton's method; ridge on all but the offset, which is last."""
    weights, penalty = np.zeros(rows.shape[1]), np.diag([ridge] * (rows.shape[1] - 1) + [0.0])
    for _ in range(steps):
        guess = 1.0 / (1.0 + np.exp(-rows @ weights))
        slope = rows.T @ (shares * (guess - truths)) + penalty @ weights
        bend = (rows * (shares * guess * (1 - guess))[:, None]).T @ rows + penalty
        weights = weights - np.linalg.solve(bend, slope)
    return weights


def report(found: list[tuple[Labelled, Signals]]) -> dict[str, Any]:
    """Return the weights, and for each share of plain words the loss and areas of claims that a fit did not see."""
    rows = np.array([[*features(s), 1.0] for _, s in found])
    words = np.array([s.words for _, s in found])
    truths = np.array([float(i.supported) for i, _ in found])
    people = np.array([i.people for i, _ in found])
    shares = np.where(people, PEOPLE / people.sum(), (1 - PEOPLE) / (~people).sum()) * len(found)
    groups = sorted({i.group for i, _ in found})
    Random(1).shuffle(groups)
    fold = {g: n % FOLDS for n, g in enumerate(groups)}
    folds = np.array([fold[i.group] for i, _ in found])
    guess = np.zeros(len(found))
    for n in range(FOLDS):
        there = folds != n
        guess[~there] = 1 / (1 + np.exp(-rows[~there] @ fit(rows[there], truths[there], shares[there])))
    table = {}
    for pool in POOLS:
        chance = np.clip((1 - pool) * guess + pool * words, 1e-6, 1 - 1e-6)
        loss = -(truths * np.log(chance) + (1 - truths) * np.log(1 - chance))
        table[str(pool)] = {
            "people": {"loss": round(float(loss[people].mean()), 4), "auroc": area(chance[people], truths[people])},
            "generated": {
                "loss": round(float(loss[~people].mean()), 4),
                "auroc": area(chance[~people], truths[~people]),
            },
        }
    names = ("checker", "cosine", "foreign_names", "bias")
    weights = dict(zip(names, (round(float(w), 2) for w in fit(rows, truths, shares)), strict=True))
    counts = {"people": int(people.sum()), "generated": int((~people).sum())}
    alone = {
        "words": area(words[people], truths[people]),
        "checker": area(rows[people, 0], truths[people]),
        "checker_generated": area(rows[~people, 0], truths[~people]),
    }
    return {"claims": counts, "weights": weights, "by_pool": table, "alone": alone}


def area(scores: Floats, truths: Floats) -> float:
    """Return the area under the ROC curve, ties as half."""
    gaps = scores[truths > 0.5][:, None] - scores[truths < 0.5][None, :]
    return round(float((gaps > 0).mean() + 0.5 * (gaps == 0).mean()), 4)


def main() -> None:
    """Print the report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--train", type=Path, required=True)
    parser.add_argument("--measured", type=Path, required=True)
    parser.add_argument("--models", type=Path, help="folder with a manifest; the bundled models if absent")
    parser.add_argument("--recipe", choices=sorted(RECIPES), default="hard")
    parser.add_argument("--generated", type=int, default=400)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--save", type=Path, help="write what is known about each claim here, as JSON")
    parser.add_argument("--saved", type=Path, help="read it from there instead of judging")
    args = parser.parse_args()
    if args.saved:
        found = [(Labelled(**i), Signals(**s)) for i, s in json.loads(args.saved.read_text(encoding="utf-8"))]
    else:
        items = labelled(args.train, args.measured, args.recipe, args.generated, args.seed)
        found = signals_of(items, Tools(models=Registry(args.models)))
    if args.save:
        rows = [[{**asdict(i), "claim": "", "passages": []}, asdict(s)] for i, s in found]
        args.save.write_text(json.dumps(rows), encoding="utf-8")
    print(json.dumps(report(found), indent=2))


if __name__ == "__main__":
    main()
