"""Fit the calibration on held-out training questions, and measure the exported claim checker on human-labelled sets.

    python models/train/measure_claims.py MODEL --measured FOLDER --train FOLDER --fit
    python models/train/measure_claims.py MODEL --measured FOLDER --json OUT --card

The first writes "calibration" into MODEL/card.json, the second prints a table and adds it to the card as "measured".

Needs onnxruntime, tokenizers and numpy only. An answer's score is the mean over its claim sentences of the calibrated
probability; see claim_scoring.py. Intervals are 95 % percentile bootstrap over the rows, seeded.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from claim_data import build, clean_claim, clean_passage, read_lines
from claim_generate import SUPPORTED
from claim_pairs import KINDS, minimal_pairs
from claim_scoring import (
    MAX_WINDOWS,
    WINDOW_SENTENCES,
    WINDOW_STRIDE,
    WINDOW_WORDS,
    Checker,
    Floats,
    fit,
    probability,
    rouge1_precision,
)
from claim_sets import SETS, Row

SEED = 7
RESAMPLES = 1000


def auroc(scores: Floats, truths: Floats) -> float:
    """Return the area under the ROC curve with ties as half; nan if a class is missing."""
    positives, negatives = scores[truths > 0.5], scores[truths < 0.5]
    if not len(positives) or not len(negatives):
        return float("nan")
    gaps = positives[:, None] - negatives[None, :]
    return float((gaps > 0).mean() + 0.5 * (gaps == 0).mean())


def intervals(columns: dict[str, Floats], truths: Floats) -> dict[str, Any]:
    """Return AUROC with interval of every column, and of the paired gain of `combined` over `baseline`."""
    rng = np.random.default_rng(SEED)
    draws: dict[str, list[float]] = {name: [] for name in columns}
    for _ in range(RESAMPLES):
        chosen = rng.integers(0, len(truths), len(truths))
        if 0 < truths[chosen].sum() < len(chosen):
            for name, scores in columns.items():
                draws[name].append(auroc(scores[chosen], truths[chosen]))
    result: dict[str, Any] = {"n": len(truths), "positives": int(truths.sum())}
    for name, scores in columns.items():
        low, high = np.percentile(draws[name], (2.5, 97.5))
        result[name] = {"auroc": _short(auroc(scores, truths)), "interval": [_short(low), _short(high)]}
    gains = np.array(draws["combined"]) - np.array(draws["baseline"])
    low, high = np.percentile(gains, (2.5, 97.5))
    result["gain"] = {"mean": _short(gains.mean()), "interval": [_short(low), _short(high)]}
    return result


def _short(value: Any) -> float:
    return round(float(value), 4)


def measure_set(checker: Checker, rows: Sequence[Row], constants: Sequence[float]) -> dict[str, Any]:
    """Return AUROC of the baseline, the weighted share, the model alone and the combination on whole answers."""
    columns: dict[str, list[float]] = {"baseline": [], "rare_precision": [], "model": [], "combined": []}
    for row in rows:
        evidence = checker.answer_evidence(row.answer, row.passages)
        columns["baseline"].append(rouge1_precision(row.answer, row.passages))
        columns["rare_precision"].append(float(evidence[:, 1].mean()))
        columns["model"].append(float((1 / (1 + np.exp(-evidence[:, 0]))).mean()))
        columns["combined"].append(float(probability(evidence, constants).mean()))
    truths = np.array([float(row.supported) for row in rows])
    return intervals({name: np.array(values) for name, values in columns.items()}, truths)


def measure_pairs(checker: Checker, folder: Path, constants: Sequence[float], per_kind: int) -> dict[str, Any]:
    """Return for each kind of minimal pair: both claims right at 0.5, order right, and how many pairs there were."""
    texts = [" ".join(r["passages"]) for r in read_lines(folder / "clapnq.jsonl")]
    texts += ["\n".join(r["passages"]) for r in read_lines(folder / "wice.jsonl")]
    pairs = minimal_pairs(texts, per_kind, SEED)
    result: dict[str, Any] = {}
    everything: list[tuple[float, float, float]] = []
    for kind in KINDS:
        chosen = [pair for pair in pairs if pair.kind == kind]
        scores = []
        for pair in chosen:
            held = checker.weights(pair.passage)
            rows = np.array([checker.evidence(claim, [pair.passage], held) for claim in (pair.true, pair.false)])
            true, false = probability(rows, constants)
            scores.append((float(true >= 0.5), float(false < 0.5), float(true > false)))
        everything += scores
        if scores:
            result[kind] = _rates(scores)
    result["all"] = _rates(everything)
    return result


def _rates(scores: Sequence[tuple[float, float, float]]) -> dict[str, float]:
    true, false, order = np.array(scores).mean(0)
    return {
        "accuracy": _short((true + false) / 2),
        "true_kept": _short(true),
        "false_found": _short(false),
        "ordered": _short(order),
        "pairs": len(scores),
    }


def fit_constants(checker: Checker, train: Path, measured: Path, generated: int) -> dict[str, Any]:
    """Return the calibration fitted on held-out questions and documents of the training folder.

    By default as many generated examples are drawn as people labelled, so that both weigh the same.
    """
    corpus = build(train, measured, SEED)
    rows, truths = [], []
    for row in corpus.held_rows:
        passages = [clean_passage(text) for text in row["passages"]]
        rows.append(checker.answer_evidence(clean_claim(row["claim"]), passages).mean(0))
        truths.append(float(row["label"] == "supported"))
    count = len(rows)
    others = [e for e in corpus.held_out if e.source not in ("attribution", "snli")]
    for example in Random(SEED).sample(others, min(generated or count, len(others))):
        rows.append(checker.evidence(example.claim, [example.passage], checker.weights(example.passage)))
        truths.append(float(example.label == SUPPORTED))
    table, labels = np.array(rows), np.array(truths)
    ratio = choose_ratio(table[:count], labels[:count])
    slope, offset = fit(table[:, :1] + ratio * table[:, 1:], labels)
    constants = (slope, ratio * slope, offset)
    chance = probability(table, constants)
    loss = -np.mean(labels * np.log(chance) + (1 - labels) * np.log(1 - chance))
    return {
        "formula": "p = 1 / (1 + exp(-(a * margin + b * precision + c)))",
        "margin": "largest log(p_supported / (1 - p_supported)) over the windows",
        "precision": "rarity-weighted share of the claim's word pieces that the passages hold",
        "constants": [round(value, 4) for value in constants],
        "method": "b / a by AUROC on people's labels, a and c by log loss on people's and generated ones together",
        "threshold": 0.5,
        "rarity": "log(1 + rank) of a word piece, rank = id - 1995 for ids from 1996 on, else log(50)",
        "windows": {
            "sentences": WINDOW_SENTENCES,
            "stride": WINDOW_STRIDE,
            "words": WINDOW_WORDS,
            "read": MAX_WINDOWS,
        },
        "fitted_on": {"people": count, "generated": len(labels) - count, "log_loss": _short(loss)},
        "held_out_auroc": {
            "people_combined": _short(auroc(chance[:count], labels[:count])),
            "people_model": _short(auroc(table[:count, 0], labels[:count])),
            "people_precision": _short(auroc(table[:count, 1], labels[:count])),
            "generated_combined": _short(auroc(chance[count:], labels[count:])),
        },
    }


def choose_ratio(rows: Floats, truths: Floats) -> float:
    """Return how many units of margin a full share of precision is worth: b / a.

    The smallest of 0..12 whose AUROC on people's labels is within 0.001 of the best: beyond the flat top more lexical
    weight only costs minimal pairs, which differ in a word or two.
    """
    areas = [auroc(rows[:, 0] + ratio * rows[:, 1], truths) for ratio in range(13)]
    return float(next(ratio for ratio, area in enumerate(areas) if area >= max(areas) - 0.001))


def print_table(report: dict[str, Any]) -> None:
    """Print the sets and the minimal pairs as two plain tables."""
    print(f"{'set':<16}{'n':>5}  {'baseline':<22}{'rare words':<22}{'model':<22}{'combined':<22}gain")
    for name, item in report["sets"].items():
        cells = [f"{item[c]['auroc']:.3f} {item[c]['interval']}" for c in ("baseline", "rare_precision", "model")]
        cells.append(f"{item['combined']['auroc']:.3f} {item['combined']['interval']}")
        gain = f"{item['gain']['mean']:+.3f} {item['gain']['interval']}"
        print(f"{name:<16}{item['n']:>5}  " + "".join(f"{cell:<22}" for cell in cells) + gain)
    for kind, rates in report["minimal_pairs"].items():
        print(f"{kind:<12}" + "  ".join(f"{key} {value}" for key, value in rates.items()))


def summary(report: dict[str, Any]) -> dict[str, Any]:
    """Return the report in the card's shape: AUROC of the combination with its baseline for each set, and the pairs."""
    sets = {
        name: {
            "auroc": item["combined"]["auroc"],
            "interval": item["combined"]["interval"],
            "baseline": item["baseline"]["auroc"],
            "model_alone": item["model"]["auroc"],
            "gain_interval": item["gain"]["interval"],
            "n": item["n"],
        }
        for name, item in report["sets"].items()
    }
    return {**sets, "minimal_pairs": report["minimal_pairs"]}


def main(argv: list[str] | None = None) -> int:
    """Fit or measure as asked and return 0."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path, help="folder with model.onnx, tokenizer.json and card.json")
    parser.add_argument("--train", type=Path, help="folder of training corpora (for --fit)")
    parser.add_argument("--measured", type=Path, required=True, help="folder of measuring sets")
    parser.add_argument("--fit", action="store_true", help="fit the calibration and write it to the card")
    parser.add_argument("--generated", type=int, default=0, help="generated examples; 0: as many as labelled")
    parser.add_argument("--pairs", type=int, default=60, help="minimal pairs of each kind")
    parser.add_argument("--sets", nargs="*", choices=sorted(SETS), help="measure only these")
    parser.add_argument("--json", type=Path, help="write the report here")
    parser.add_argument("--card", action="store_true", help="add the figures to the card")
    options = parser.parse_args(argv)
    checker = Checker(options.model)
    card_path = options.model / "card.json"
    card = json.loads(card_path.read_text(encoding="utf-8"))
    if options.fit:
        card["calibration"] = fit_constants(checker, options.train, options.measured, options.generated)
        print(json.dumps(card["calibration"], indent=2))
    else:
        constants = card["calibration"]["constants"]
        names = options.sets or list(SETS)
        sets = {name: measure_set(checker, SETS[name](options.measured), constants) for name in names}
        report = {"sets": sets, "minimal_pairs": measure_pairs(checker, options.measured, constants, options.pairs)}
        print_table(report)
        if options.json:
            options.json.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
        if options.card:
            card["measured"] = summary(report)
    if options.fit or options.card:
        text = json.dumps(card, indent=2, sort_keys=True, ensure_ascii=False)
        card_path.write_text(text + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
