"""Choose the threshold of an exported (int8) model on the training texts that were held out of its training."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

sys.path.append(str(Path(__file__).resolve().parent.parent / "export"))

from entities import MAX_WIDTH, split
from labels import COARSE, LABELS
from overlap import HeldOut
from pairscore import Scores, best_f1
from prompting import entity_inputs, open_tokenizer, relation_inputs
from relations import read
from relnames import LABELS as RELATIONS
from tagging import THRESHOLDS, Candidates, Entity, best_threshold, micro_f1
from windows import windows


def session_of(graph: Path) -> Any:
    """Return an ONNX session on one thread."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(str(graph), options, providers=["CPUExecutionProvider"])


def entity_report(folder: Path, args: argparse.Namespace) -> dict[str, Any]:
    """Return the best threshold and F1 on the held-out sentences, and F1 at every fourth threshold."""
    _, dev = split(args.train, HeldOut(args.held_out, 8), Random(args.seed))
    session, tokenizer = session_of(folder / "model.onnx"), open_tokenizer(folder / "tokenizer.json")
    config = {"ent_token": "<<ENT>>", "sep_token": "<<SEP>>", "max_width": MAX_WIDTH}
    scored: list[tuple[set[Entity], Candidates]] = []
    for sentence in dev:
        words = list(sentence.words[:100])
        logits = session.run(None, entity_inputs(tokenizer, config, words, list(LABELS)))[0][0]
        probabilities = 1 / (1 + np.exp(-logits.astype(np.float64)))
        hits = [(i, k, c) for i, k, c in np.argwhere(probabilities >= THRESHOLDS[0]).tolist() if i + k < len(words)]
        found = [(float(probabilities[i, k, c]), i, i + k + 1, LABELS[c]) for i, k, c in hits]
        scored.append(({(s.start, s.end, COARSE[s.kind]) for s in sentence.spans if s.kind in COARSE}, found))
    threshold, f1 = best_threshold(scored)
    curve = {str(t): round(micro_f1(scored, t), 4) for t in THRESHOLDS[::2]}
    return {"threshold": threshold, "f1": round(f1, 4), "curve": curve}


REACHES = (20, 30, 45, 64, 150)


def relation_report(folder: Path, args: argparse.Namespace) -> dict[str, Any]:
    """Return best threshold and pair F1 on the held-out documents for several reaches.

    Reach is the longest stretch, in words, from the first word of one mention to the last of the other. Scores are the
    best over all labels, for ordered and unordered pairs, over all related pairs of the documents.
    """
    _, dev, _ = read(args.train, HeldOut(args.held_out, 8), Random(args.seed))
    session, tokenizer = session_of(folder / "model.onnx"), open_tokenizer(folder / "tokenizer.json")
    scores: dict[int, Scores] = {reach: {} for reach in REACHES}
    for number, document in enumerate(dev):
        for window in windows(document, list(range(len(document.sentences))), args.words, {}, overlap=True):
            if len(window.mentions) < 2:
                continue
            spans = [(a, b) for a, b, _ in window.mentions]
            inputs, pairs = relation_inputs(tokenizer, list(window.words), list(RELATIONS), spans)
            best = 1 / (1 + np.exp(-session.run(None, inputs)[0].astype(np.float64).max(1)))
            for (i, j), score in zip(pairs, best.tolist(), strict=True):
                key = number, window.mentions[i][2], window.mentions[j][2]
                length = max(spans[i][1], spans[j][1]) - min(spans[i][0], spans[j][0])
                for reach in REACHES:
                    if length < reach and key[1] != key[2]:
                        scores[reach][key] = max(scores[reach].get(key, (0.0, 0.0)), (score, score))
    report: dict[str, Any] = {}
    for reach in REACHES:
        for name, ordered in (("ordered", True), ("unordered", False)):
            threshold, f1 = best_f1(dev, scores[reach], 0, ordered, met_only=False)
            report[f"{name}_{reach}"] = {"threshold": threshold, "f1": round(f1, 4)}
    return report


def main() -> None:
    """Print the report of one exported model."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("task", choices=("entities", "relations"))
    parser.add_argument("model", type=Path, help="folder of the exported model")
    parser.add_argument("--train", type=Path, required=True, help="folder of the training corpora")
    parser.add_argument(
        "--held-out", type=Path, required=True, help="folder of the measuring files; only to drop overlaps"
    )
    parser.add_argument("--seed", type=int, default=1, help="seed of the training run")
    parser.add_argument("--words", type=int, default=150, help="words in a window (relations)")
    args = parser.parse_args()
    report = entity_report if args.task == "entities" else relation_report
    print(json.dumps(report(args.model, args)))


if __name__ == "__main__":
    main()
