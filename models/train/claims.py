"""Train the claim checker on the training corpora for a given time and save its weights.

    python models/train/claims.py BACKBONE TRAIN MEASURED OUT --seconds 4200

BACKBONE is a directory with model.safetensors, config.json and tokenizer.json of all-MiniLM-L6-v2 (see
models/export/embedder.py for where it comes from). MEASURED is the folder of sets to measure with: it is read only to
drop training texts that share a run of words with it.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import torch
from claim_data import Corpus, build
from claim_generate import SUPPORTED, Example
from claim_model import ClaimChecker, encode, from_backbone, load_tokenizer, loss, predict, word_targets
from claim_recipe import RECIPES
from tokenizers import Tokenizer

BATCH = 16
WARM_UP = 60
WORD_WEIGHT = 0.5
HELD_OUT = 1200


def batches(examples: list[Example], rng: Random) -> Iterator[list[Example]]:
    """Yield batches of similar length in random order, for ever."""
    while True:
        shuffled = rng.sample(examples, len(examples))
        pool = BATCH * 60
        for start in range(0, len(shuffled), pool):
            chunk = sorted(shuffled[start : start + pool], key=lambda e: len(e.passage) + len(e.claim))
            groups = [chunk[i : i + BATCH] for i in range(0, len(chunk), BATCH)]
            rng.shuffle(groups)
            yield from groups


def auroc(scores: list[float], truths: list[bool]) -> float:
    """Return the area under the ROC curve (ties count half); 0.5 if one class is missing."""
    positives = [s for s, t in zip(scores, truths, strict=True) if t]
    negatives = [s for s, t in zip(scores, truths, strict=True) if not t]
    if not positives or not negatives:
        return 0.5
    wins = sum((p > n) + 0.5 * (p == n) for p in positives for n in negatives)
    return wins / (len(positives) * len(negatives))


def evaluate(model: ClaimChecker, tokenizer: Tokenizer, held: list[Example]) -> dict[str, float]:
    """Return accuracy by kind of example at "supported >= 0.5", and the AUROC of claims with human labels."""
    logits = predict(model, tokenizer, [(e.passage, e.claim) for e in held])
    supported = torch.softmax(logits, 1)[:, SUPPORTED].tolist()
    result: dict[str, float] = {}
    for source in sorted({e.source for e in held}):
        rows = [(s, e.label == SUPPORTED) for s, e in zip(supported, held, strict=True) if e.source == source]
        result[source] = round(sum((s >= 0.5) == t for s, t in rows) / len(rows), 3)
    people = [(s, e.label == SUPPORTED) for s, e in zip(supported, held, strict=True) if e.source == "attribution"]
    result["attribution_auroc"] = round(auroc([s for s, _ in people], [t for _, t in people]), 4)
    return result


def train(model: ClaimChecker, tokenizer: Tokenizer, corpus: Corpus, options: argparse.Namespace) -> dict[str, Any]:
    """Train in place until the time is up and return steps, seconds and the held-out figures on the way."""
    heads = [p for name, p in model.named_parameters() if not name.startswith("encoder.")]
    body = [p for name, p in model.named_parameters() if name.startswith("encoder.") and p.requires_grad]
    rates = (options.rate, options.rate * 5)
    optimiser = torch.optim.AdamW(
        [{"params": body, "lr": rates[0]}, {"params": heads, "lr": rates[1]}], weight_decay=0.01, fused=True
    )
    small = Random(options.seed).sample(corpus.held_out, min(350, len(corpus.held_out)))
    small += [e for e in corpus.held_out if e.source == "attribution" and e not in small]
    started, step, running, history = time.monotonic(), 0, 0.0, []
    spent, next_look = 0.0, options.look
    model.train()
    # A run that goes on from another keeps its split by the seed, but not the order of its batches.
    for batch in batches(corpus.train, Random(options.seed + 1000 * bool(options.start))):
        spent = time.monotonic() - started
        if spent >= options.seconds:
            break
        scale = min(1.0, (step + 1) / WARM_UP) * max(0.01, 1.0 - spent / options.seconds)
        for group, rate in zip(optimiser.param_groups, rates, strict=True):
            group["lr"] = rate * scale
        encodings, inputs = encode(tokenizer, [(e.passage, e.claim) for e in batch])
        with torch.autocast("cpu", dtype=torch.bfloat16):
            logits, words = model(*inputs)
        value = loss(logits, words, torch.tensor([e.label for e in batch]), word_targets(batch, encodings), WORD_WEIGHT)
        optimiser.zero_grad()
        value.backward()  # type: ignore[no-untyped-call, unused-ignore]
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        step, running = step + 1, 0.99 * running + 0.01 * float(value.detach())
        if step % 50 == 0:
            print(f"step {step} loss {running / (1 - 0.99**step):.4f} {spent:.0f} s", flush=True)
        if spent > next_look:
            next_look += options.look
            figures = evaluate(model, tokenizer, small)
            history.append({"step": step, "seconds": round(spent), **figures})
            print(json.dumps(history[-1]), flush=True)
            torch.save(model.state_dict(), options.out / "weights.pt")
            model.train()
    return {"steps": step, "seconds": round(spent), "history": history}


def main(argv: list[str] | None = None) -> int:
    """Build the examples, train, evaluate on the held-out part, and write weights.pt and training.json."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("backbone", type=Path, help="directory of the MiniLM weights and tokenizer")
    parser.add_argument("train", type=Path, help="folder of training corpora")
    parser.add_argument("measured", type=Path, help="folder of measuring sets, read only to drop what overlaps")
    parser.add_argument("out", type=Path, help="folder for weights.pt and training.json")
    parser.add_argument("--seconds", type=float, default=4200, help="training time")
    parser.add_argument("--look", type=float, default=900, help="seconds between held-out evaluations")
    parser.add_argument("--rate", type=float, default=1.5e-4, help="peak learning rate of the encoder")
    parser.add_argument("--recipe", choices=sorted(RECIPES), default="plain", help="what the examples are made of")
    parser.add_argument("--start", type=Path, help="weights.pt of an earlier run to go on from")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args(argv)
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    options.out.mkdir(parents=True, exist_ok=True)
    corpus = build(options.train, options.measured, options.seed, recipe=RECIPES[options.recipe])
    print("dropped for shared runs of 12 words:", json.dumps(corpus.dropped, sort_keys=True))
    print("training examples:", len(corpus.train), json.dumps(corpus.counts, sort_keys=True))
    tokenizer = load_tokenizer(options.backbone / "tokenizer.json")
    model = from_backbone(options.backbone)
    if options.start:
        model.load_state_dict(torch.load(options.start, map_location="cpu", weights_only=True))
    report = train(model, tokenizer, corpus, options)
    torch.save(model.state_dict(), options.out / "weights.pt")
    report |= {
        "seed": options.seed,
        "recipe": options.recipe,
        "continued": bool(options.start),
        "batch": BATCH,
        "rate": options.rate,
        "examples": corpus.counts,
        "dropped": corpus.dropped,
        "held_out": evaluate(model, tokenizer, Random(options.seed + 1).sample(corpus.held_out, HELD_OUT)),
    }
    (options.out / "training.json").write_text(json.dumps(report, indent=2, sort_keys=True) + "\n", encoding="utf-8")
    print(json.dumps(report["held_out"], sort_keys=True))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
