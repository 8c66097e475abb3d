"""Measure the exported entity and relation models on the labelled sets, without torch.

The thresholds are those of the model's card, chosen on held-out training texts; nothing is fitted here.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from labelled import COARSE, VALUES, scores
from prompting import SPLITTER, decode_entities, entity_inputs, open_tokenizer, relation_inputs

Pair = tuple[int, int]


class Graph:
    """An exported model folder: graph, tokenizer and card."""

    def __init__(self, folder: Path, config: str) -> None:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self.session = onnxruntime.InferenceSession(str(folder / "model.onnx"), options)
        self.tokenizer = open_tokenizer(folder / "tokenizer.json")
        self.config: dict[str, Any] = json.loads((folder / config).read_text(encoding="utf-8"))
        self.card: dict[str, Any] = json.loads((folder / "card.json").read_text(encoding="utf-8"))
        self.labels: list[str] = self.card["labels"]
        self.threshold: float = self.card["thresholds"]["default"]

    def run(self, inputs: dict[str, Any]) -> np.ndarray[Any, Any]:
        """Return the first output of the graph."""
        known = {item.name for item in self.session.get_inputs()}
        result: np.ndarray[Any, Any] = self.session.run(None, {k: v for k, v in inputs.items() if k in known})[0]
        return result


def rows(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the objects of a JSON-lines file."""
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def measure_entities(folder: Path, data: Path) -> dict[str, Any]:
    """Return strict micro scores (same offsets, same merged type); dates, numbers and sums of money are left out."""
    model = Graph(folder, "gliner_config.json")
    counts = np.zeros(4, int)
    by_source: dict[str, np.ndarray[Any, Any]] = {}
    for row in rows(data):
        text = row["passages"][0]
        matches = list(SPLITTER.finditer(text))
        inputs = entity_inputs(model.tokenizer, model.config, [m.group() for m in matches], model.labels)
        decoded = decode_entities(model.run(inputs)[0], model.labels, model.threshold)
        found = {(matches[a].start(), matches[b].end(), label) for a, b, label, _ in decoded if label not in VALUES}
        gold = {(e["start"], e["end"], COARSE.get(e["type"], "concept")) for e in row["entities"]}
        spans = len({f[:2] for f in found} & {g[:2] for g in gold})
        step = np.array([len(found & gold), len(found), len(gold), spans])
        counts += step
        by_source[row["source"]] = by_source.get(row["source"], np.zeros(4, int)) + step
    report: dict[str, Any] = {"strict": scores(*counts[:3].tolist())}
    report["spans_only"] = scores(int(counts[3]), int(counts[1]), int(counts[2]))
    report["f1_by_source"] = {k: scores(*v[:3].tolist())["f1"] for k, v in sorted(by_source.items())}
    return report


def places(words: list[str], mention: str) -> list[Pair]:
    """Return (first, last) word of every occurrence of a mention."""
    wanted = SPLITTER.findall(mention)
    size = len(wanted)
    return [(i, i + size - 1) for i in range(len(words) - size + 1) if size and words[i : i + size] == wanted]


def windows(passages: list[list[str]], limit: int) -> Iterator[list[str]]:
    """Yield overlapping runs of whole passages of at most ``limit`` words, one passage at least."""
    at = 0
    while at < len(passages):
        end, size = at + 1, len(passages[at])
        while end < len(passages) and size + len(passages[end]) <= limit:
            size += len(passages[end])
            end += 1
        yield [word for passage in passages[at:end] for word in passage]
        if end == len(passages):
            break
        at = max(at + 1, (at + end + 1) // 2)


def pair_scores(model: Graph, row: dict[str, Any], limit: int, reach: int) -> dict[Pair, float]:
    """Return for every ordered pair of entities that meet in a window the best score over labels and mentions."""
    best: dict[Pair, float] = {}
    for words in windows([SPLITTER.findall(p) for p in row["passages"]], limit):
        owner: dict[Pair, int] = {}
        for entity, item in enumerate(row["entities"]):
            for mention in item["mentions"]:
                for place in places(words, mention):
                    owner.setdefault(place, entity)
        # A mention inside a longer one ("York" in "New York") is not one of its own.
        spans = [s for s in sorted(owner) if not any(o != s and o[0] <= s[0] and s[1] <= o[1] for o in owner)]
        if len(spans) < 2:
            continue
        inputs, pairs = relation_inputs(model.tokenizer, words, model.labels, spans)
        logits = model.run(inputs).max(1)
        for (i, j), logit in zip(pairs, logits.tolist(), strict=True):
            head, tail = owner[spans[i]], owner[spans[j]]
            far = max(spans[i][1], spans[j][1]) - min(spans[i][0], spans[j][0]) >= reach
            if head != tail and not far:
                best[head, tail] = max(best.get((head, tail), 0.0), 1 / (1 + float(np.exp(-logit))))
    return best


def measure_relations(folder: Path, data: Path) -> dict[str, Any]:
    """Return scores of related pairs given the gold entities: ordered and unordered, over whole documents."""
    model = Graph(folder, "glirel_config.json")
    limits = model.card["limits"]
    totals = {"ordered": np.zeros(3, int), "unordered": np.zeros(3, int), "ordered_met": np.zeros(3, int)}
    for row in rows(data):
        owner = {name: i for i, e in reversed(list(enumerate(row["entities"]))) for name in e["mentions"]}
        gold = {(owner[h], owner[t]) for h, _, t, _ in row["relations"] if h in owner and t in owner}
        gold = {pair for pair in gold if pair[0] != pair[1]}
        best = pair_scores(model, row, limits["max_words"], limits["max_pair_words"])
        found = {pair for pair, score in best.items() if score > model.threshold}
        for name, mine, theirs in (
            ("ordered", found, gold),
            ("unordered", {(min(p), max(p)) for p in found}, {(min(p), max(p)) for p in gold}),
            ("ordered_met", found, gold & set(best)),
        ):
            totals[name] += np.array([len(mine & theirs), len(mine), len(theirs)])
    return {name: scores(*counts.tolist()) for name, counts in totals.items()}


def main() -> None:
    """Measure one model and print the result."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("task", choices=("entities", "relations"))
    parser.add_argument("model", type=Path, help="folder with model.onnx, tokenizer.json, the config and card.json")
    parser.add_argument("data", type=Path, help="the labelled set (JSON lines)")
    parser.add_argument("--write", action="store_true", help='put the result into "measured" of card.json')
    args = parser.parse_args()
    measure = measure_entities if args.task == "entities" else measure_relations
    report = measure(args.model, args.data)
    print(json.dumps(report))
    if args.write:
        path = args.model / "card.json"
        card = json.loads(path.read_text(encoding="utf-8"))
        card["measured"][args.data.stem] = report
        path.write_text(json.dumps(card, indent=2, sort_keys=True, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
