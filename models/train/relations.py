"""Train the relation model: the GLiREL architecture on the encoder of the trained entity model.

Writes a model folder of the upstream `glirel` package; models/export/relations.py turns that into the product's files.
Runs for a given time on one thread and keeps the weights with the best pair F1 on held-out training documents.
"""

from __future__ import annotations

import argparse
import json
import math
import shutil
import time
from pathlib import Path
from random import Random
from typing import Any

import torch
from backbone import from_entity_model
from corpora import Document, read_fewrel, read_redocred
from overlap import HeldOut
from pairscore import best_f1, document_scores
from relbatch import RELATION_TOKEN, SEPARATOR, PairBatch, Window, collate, pooled, score_pairs
from relnames import LABELS, RELATED
from renaming import Names, names_of, renamed
from tokenizers import Tokenizer
from torch import nn
from windows import clean_runs, fewrel_window, training_windows

Cut = tuple[Document, list[list[int]]]


def build(backbone: Path, hidden: int = 384) -> Any:
    """Return a freshly initialised GLiREL model (dot scorer, span marker v1, no refine layers)."""
    from glirel import GLiREL
    from loguru import logger

    logger.remove()
    config = argparse.Namespace(
        max_width=12,
        model_name=str(backbone.resolve()),
        fine_tune=True,
        subtoken_pooling="first",
        hidden_size=hidden,
        scorer="dot",
        rel_mode="marker",
        span_marker_mode="markerv1",
        refine_prompt=False,
        refine_relation=False,
        ffn_mul=4,
        dropout=0.1,
        label_embed_strategy="both",
        max_len=384,
        max_entity_pair_distance=None,
        fixed_relation_types=True,
        num_train_rel_types=25,
        random_drop=True,
        loss_func="binary_cross_entropy_loss",
        alpha=0.3,
        gamma=3,
        name="glirel",
    )
    return GLiREL(config).to("cpu")


def read(folder: Path, held_out: HeldOut, rng: Random) -> tuple[list[Cut], list[Document], list[Window]]:
    """Return training documents, held-out documents, and FewRel windows, without texts of the measuring files."""
    documents = [d for name in ("redocred_dev.json", "redocred_more.json") for d in read_redocred(folder / name)]
    rng.shuffle(documents)
    dev, rest = documents[:40], documents[40:]
    cuts: list[Cut] = []
    dropped = 0
    for document in rest:
        runs, lost = clean_runs(document, held_out)
        dropped += lost
        cuts.append((document, runs))
    items = list(read_fewrel(folder / "fewrel_val_wiki.json"))
    kept = [i for i in items if not held_out.shares(i.words) and len(i.words) <= 80]
    print(f"dropped {dropped} Re-DocRED and {len(items) - len(kept)} FewRel sentences (overlap or length)", flush=True)
    return cuts, dev, [fewrel_window(i) for i in kept]


def batches(
    cuts: list[Cut], fewrel: list[Window], names: Names, args: argparse.Namespace, rng: Random
) -> list[list[Window]]:
    """Return one pass: Re-DocRED windows and a share of FewRel, grouped by length to about ``args.words`` a batch."""
    words: int = args.words
    drawn = training_windows([(renamed(d, names, args.renamed, rng), runs) for d, runs in cuts], rng)
    drawn += rng.sample(fewrel, min(len(fewrel), len(drawn) // 6))
    drawn.sort(key=lambda w: len(w.words))
    out: list[list[Window]] = [[]]
    for window in drawn:
        if out[-1] and (len(out[-1]) + 1) * len(window.words) > words:
            out.append([])
        out[-1].append(window)
    rng.shuffle(out)
    return out


def labels_for(windows: list[Window], rng: Random) -> list[str]:
    """Return the prompt of a batch: "related to", most labels that occur, and some that do not, in random order."""
    present = sorted({label for w in windows for fact in w.facts.values() for label in fact} - {RELATED})
    chosen = rng.sample(present, min(len(present), rng.randint(5, 11)))
    absent = [label for label in LABELS[1:] if label not in present]
    chosen += rng.sample(absent, min(len(absent), rng.randint(0, 3)))
    if rng.random() < 0.15:
        chosen = list(LABELS[1:])
    chosen.append(RELATED)
    rng.shuffle(chosen)
    return chosen


def loss_of(logits: torch.Tensor, batch: PairBatch) -> torch.Tensor:
    """Return binary cross entropy of the entity pairs, averaged over pairs and summed over labels by their weight."""
    loss = nn.functional.binary_cross_entropy_with_logits(pooled(logits, batch), batch.targets, reduction="none")
    return (loss * batch.weights).sum() / max(1, len(batch.keys))


def check(
    model: Any, dev: list[Document], tokenizer: Tokenizer, best: dict[str, Any], step: int, out: Path
) -> dict[str, Any]:
    """Measure pair F1 on the held-out documents; save the model if it is the best so far."""
    model.eval()
    report: dict[str, Any] = {"best_step": step}
    for limit in (40, 150):
        scores = document_scores(model, dev, tokenizer, limit)
        for name, which, ordered, met in (
            ("any_ordered", 0, True, False),
            ("any_unordered", 0, False, False),
            ("related_ordered", 1, True, False),
            ("any_ordered_met", 0, True, True),
        ):
            threshold, f1 = best_f1(dev, scores, which, ordered, met)
            report[f"{name}_{limit}"] = [round(f1, 4), threshold]
    print(f"CHECK step {step} {json.dumps(report)}", flush=True)
    report["f1"] = report["any_ordered_150"][0]
    if report["f1"] > best["f1"]:
        model.save_pretrained(str(out))
        model.token_rep_layer.bert_layer.tokenizer.save_pretrained(str(out))
        best = report
    model.train()
    return best


def train_for(
    model: Any,
    cuts: list[Cut],
    fewrel: list[Window],
    dev: list[Document],
    tokenizer: Tokenizer,
    rng: Random,
    args: argparse.Namespace,
) -> dict[str, Any]:
    """Train until ``args.minutes`` are over; leave the best weights in ``args.out`` and return what was measured."""
    embeddings = model.token_rep_layer.bert_layer.model.get_input_embeddings()
    # Only the rows of the tokens added for this model are trained: the others know their words already.
    mask = torch.zeros(embeddings.num_embeddings, 1)
    mask[tokenizer.encode([RELATION_TOKEN, SEPARATOR], is_pretokenized=True, add_special_tokens=False).ids] = 1.0
    embeddings.weight.register_hook(lambda gradient: gradient * mask)
    table = [embeddings.weight]
    encoder = [p for n, p in model.named_parameters() if n.startswith("token_rep_layer") and p is not embeddings.weight]
    head = [p for n, p in model.named_parameters() if not n.startswith("token_rep_layer")]
    optimizer = torch.optim.AdamW(
        [
            {"params": encoder, "lr": args.lr},
            {"params": head, "lr": args.head_lr},
            {"params": table, "lr": args.head_lr, "weight_decay": 0.0},
        ],
        weight_decay=0.01,
    )
    peaks = [group["lr"] for group in optimizer.param_groups]
    began, checked, step, seen, running = time.monotonic(), time.monotonic(), 0, 0, 0.0
    best: dict[str, Any] = {"f1": -1.0}
    total = args.minutes * 60
    queue: list[list[Window]] = []
    names = names_of(document for document, _ in cuts)
    while (spent := time.monotonic() - began) < total:
        scale = min(1.0, step / 60) * (0.03 + 0.97 * 0.5 * (1 + math.cos(math.pi * spent / total)))
        for group, peak in zip(optimizer.param_groups, peaks, strict=True):
            group["lr"] = peak * scale
        queue = queue or batches(cuts, fewrel, names, args, rng)
        drawn = queue.pop()
        batch = collate(drawn, labels_for(drawn, rng), tokenizer, {RELATED: 3.0})
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=args.bf16):
            logits = score_pairs(model, batch)
        loss = loss_of(logits, batch)
        loss.backward()
        nn.utils.clip_grad_norm_([*encoder, *head, *table], args.clip)
        optimizer.step()
        optimizer.zero_grad()
        step, seen, running = step + 1, seen + len(drawn), running + float(loss.detach())
        if step % 25 == 0:
            print(f"step {step} loss {running / 25:.3f} {seen / spent:.2f} windows/s {spent:.0f} s", flush=True)
            running = 0.0
        if time.monotonic() - checked > args.check * 60 or time.monotonic() - began >= total:
            best = check(model, dev, tokenizer, best, step, args.out)
            checked = time.monotonic()
    return {**best, "steps": step, "windows": seen, "seconds": round(time.monotonic() - began)}


def main() -> None:
    """Parse the arguments, train, and write the model and training.json."""
    parser = argparse.ArgumentParser(description=__doc__)
    begin = parser.add_mutually_exclusive_group(required=True)
    begin.add_argument("--entities", type=Path, help="folder of the trained entity model: the encoder to start from")
    begin.add_argument(
        "--resume", type=Path, help="folder of a model of this script, or of restore.py, to go on from; a new schedule"
    )
    parser.add_argument("--train", type=Path, required=True, help="folder of the training corpora")
    parser.add_argument(
        "--held-out", type=Path, required=True, help="folder of the measuring files; only to drop overlaps"
    )
    parser.add_argument("--out", type=Path, required=True, help="folder for the trained model")
    parser.add_argument("--minutes", type=float, default=35.0)
    parser.add_argument("--check", type=float, default=8.0, help="minutes between measurements")
    parser.add_argument("--words", type=int, default=500, help="words of text in a batch")
    parser.add_argument("--lr", type=float, default=1e-4)
    parser.add_argument("--head-lr", type=float, default=5e-4)
    parser.add_argument("--clip", type=float, default=5.0)
    parser.add_argument("--renamed", type=float, default=0.0, help="share of entities called by other names, each pass")
    parser.add_argument("--bf16", action=argparse.BooleanOptionalAction, default=True)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1, help="which documents are held out")
    parser.add_argument("--order", type=int, default=0, help="another order of the batches")
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)
    rng = Random(args.seed)
    cuts, dev, fewrel = read(args.train, HeldOut(args.held_out, 8), rng)
    # The encoder stays beside the weights: they can be read again only with its tokeniser and sizes.
    work = args.out / "encoder"
    if args.resume:
        shutil.copytree(args.resume / "encoder", work, dirs_exist_ok=True)
    else:
        from_entity_model(args.entities, work, ("[FLERT]", RELATION_TOKEN, "[E]", "[/E]"))
    model = build(work)
    if args.resume:
        model.load_state_dict(torch.load(args.resume / "pytorch_model.bin", map_location="cpu"))
    tokenizer = Tokenizer.from_str(model.token_rep_layer.bert_layer.tokenizer.backend_tokenizer.to_str())
    for module in model.token_rep_layer.modules():
        if hasattr(module, "attention_head_size") and hasattr(module, "dropout"):
            module.dropout = nn.Dropout(0.0)
    model.train()
    # A run that goes on from another keeps its held-out documents by the seed, but not the order of its batches.
    rng = Random(args.seed + 1000 * (args.order or bool(args.resume)))
    torch.manual_seed(args.seed + 1000 * args.order)
    record = train_for(model, cuts, fewrel, dev, tokenizer, rng, args)
    settings = {k: v for k, v in vars(args).items() if not isinstance(v, Path)}
    record |= {"settings": settings, "documents": len(cuts), "held_out": len(dev), "labels": list(LABELS)}
    (args.out / "training.json").write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
    print(json.dumps(record), flush=True)


if __name__ == "__main__":
    main()
