"""Train the entity model: the GLiNER span architecture on a MiniLM encoder.

Writes a model folder of the upstream `gliner` package; models/export/entities.py turns that into the product's files.
Runs for a given time on one thread and keeps the weights with the best F1 on held-out training sentences.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections import defaultdict
from pathlib import Path
from random import Random
from typing import Any

import torch
from backbone import CAPITALS_MARK, INITIAL_MARK, prepare
from corpora import Sentence, entity_sentences
from labels import Task
from overlap import HeldOut
from sampling import Sampler
from spanbatch import ENTITY_TOKEN, SEPARATOR, Batch, collate, score_spans
from tagging import best_threshold, scored_sentences
from tokenizers import Tokenizer
from torch import nn

MAX_WIDTH = 12


def build(backbone: Path) -> Any:
    """Return a freshly initialised GLiNER span model around the encoder in ``backbone``."""
    from gliner import GLiNER, GLiNERConfig

    hidden = json.loads((backbone / "config.json").read_text(encoding="utf-8"))["hidden_size"]
    config = GLiNERConfig(
        model_name=str(backbone),
        name="gliner",
        max_width=MAX_WIDTH,
        hidden_size=hidden,
        dropout=0.2,
        fine_tune=True,
        subtoken_pooling="first",
        span_mode="markerV0",
        max_len=384,
        num_rnn_layers=1,
        ent_token=ENTITY_TOKEN,
        sep_token=SEPARATOR,
    )
    return GLiNER.from_config(config, backbone_from_pretrained=True)


class RareRows(nn.Module):  # type: ignore[misc, unused-ignore]
    """Trains a few rows of a frozen embedding table: adds a small trainable table for the given token ids."""

    def __init__(self, table: nn.Embedding, ids: list[int]) -> None:
        super().__init__()
        self.ids = ids
        self.delta = nn.Embedding(len(ids) + 1, table.embedding_dim, padding_idx=0)
        nn.init.zeros_(self.delta.weight)
        rows = torch.zeros(table.num_embeddings, dtype=torch.long)
        rows[ids] = torch.arange(1, len(ids) + 1)
        self.register_buffer("rows", rows, persistent=False)
        table.weight.requires_grad_(False)
        table.register_forward_hook(lambda _module, args, output: output + self.delta(self.rows[args[0]]))

    def merged(self, weight: torch.Tensor) -> torch.Tensor:
        """Return the table with the trained rows added."""
        out = weight.clone()
        out[self.ids] += self.delta.weight[1:].detach()
        return out


def split(folder: Path, held_out: HeldOut, rng: Random) -> tuple[list[Sentence], list[Sentence]]:
    """Return (training, development) sentences without those that share a run of words with the measuring files."""
    by_source: dict[str, list[Sentence]] = defaultdict(list)
    dropped = total = 0
    for sentence in entity_sentences(folder):
        total += 1
        if held_out.shares(sentence.words):
            dropped += 1
        elif len(sentence.words) >= 3:
            by_source[sentence.source].append(sentence)
    print(
        f"dropped {dropped} of {total} sentences that share {held_out.size} words with the measuring files", flush=True
    )
    train: list[Sentence] = []
    dev: list[Sentence] = []
    for source, items in by_source.items():
        rng.shuffle(items)
        held = 120 if source == "wnut17-dev" else 40 if source.startswith("crossner") else 0
        dev += items[:held]
        train += items[held:]
    return train, dev


def loss_of(logits: torch.Tensor, batch: Batch, gamma: float, alpha: float) -> torch.Tensor:
    """Return the focal loss (Lin et al. 2017) summed over spans and labels, per example."""
    bce = nn.functional.binary_cross_entropy_with_logits(logits, batch.targets, reduction="none")
    p = torch.sigmoid(logits)
    miss = torch.where(batch.targets > 0, 1 - p, p)
    side = torch.where(batch.targets > 0, alpha, 1 - alpha)
    return (side * miss**gamma * bce * batch.weights).sum() / batch.input_ids.shape[0]


def train_for(
    model: Any, extra: RareRows, sampler: Sampler, dev: list[Sentence], tokenizer: Tokenizer, args: argparse.Namespace
) -> dict[str, Any]:
    """Train until ``args.minutes`` are over; leave the best weights in ``args.out`` and return what was measured."""
    inner = model.model
    encoder = [p for n, p in inner.named_parameters() if n.startswith("token_rep_layer") and p.requires_grad]
    head = [p for n, p in inner.named_parameters() if not n.startswith("token_rep_layer")]
    optimizer = torch.optim.AdamW(
        [
            {"params": encoder, "lr": args.lr},
            {"params": head, "lr": args.head_lr},
            {"params": extra.delta.parameters(), "lr": args.head_lr, "weight_decay": 0.0},
        ],
        weight_decay=0.01,
    )
    peaks = [group["lr"] for group in optimizer.param_groups]
    began, checked, step, running = time.monotonic(), time.monotonic(), 0, 0.0
    best: dict[str, Any] = {"f1": -1.0}
    total = args.minutes * 60
    queue: list[list[tuple[Sentence, Task]]] = []
    while (spent := time.monotonic() - began) < total:
        progress = spent / total
        scale = min(1.0, step / 60) * (0.03 + 0.97 * 0.5 * (1 + math.cos(math.pi * progress)))
        for group, peak in zip(optimizer.param_groups, peaks, strict=True):
            group["lr"] = peak * scale
        queue = queue or sampler.batches(args.batch)
        batch = collate(queue.pop(), tokenizer, MAX_WIDTH, args.max_words)
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=args.bf16):
            logits = score_spans(inner, batch)
        loss = loss_of(logits, batch, args.gamma, args.alpha)
        loss.backward()
        nn.utils.clip_grad_norm_([*encoder, *head, *extra.delta.parameters()], args.clip)
        optimizer.step()
        optimizer.zero_grad()
        step += 1
        running += float(loss)
        if step % 25 == 0:
            print(
                f"step {step} loss {running / 25:.3f} {step * args.batch / spent:.1f} examples/s {spent:.0f} s",
                flush=True,
            )
            running = 0.0
        if time.monotonic() - checked > args.check * 60 or time.monotonic() - began >= total:
            best = check(model, extra, dev, tokenizer, step, best, args)
            checked = time.monotonic()
    return {**best, "steps": step, "examples": step * args.batch, "seconds": round(time.monotonic() - began)}


def check(
    model: Any,
    extra: RareRows,
    dev: list[Sentence],
    tokenizer: Tokenizer,
    step: int,
    best: dict[str, Any],
    args: argparse.Namespace,
) -> dict[str, Any]:
    """Measure on the held-out sentences; save the model if it is the best so far. Returns the better record."""
    model.eval()
    threshold, f1 = best_threshold(scored_sentences(model.model, dev, tokenizer, MAX_WIDTH, args.max_words))
    print(f"CHECK step {step} dev F1 {f1:.4f} at {threshold:.2f}", flush=True)
    if f1 > best["f1"]:
        save(model, extra, args.out)
        best = {"f1": round(f1, 4), "threshold": threshold, "best_step": step}
    model.train()
    return best


def save(model: Any, extra: RareRows, out: Path) -> None:
    """Write the model folder with the trained embedding rows merged in."""
    table = model.model.token_rep_layer.bert_layer.model.get_input_embeddings()
    kept, delta = table.weight.data.clone(), extra.delta.weight.data.clone()
    table.weight.data = extra.merged(table.weight.data)
    model.save_pretrained(str(out))
    table.weight.data = kept
    extra.delta.weight.data = delta


def main() -> None:
    """Parse the arguments, train, and write the model and training.json."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--encoder", type=Path, required=True, help="folder of all-MiniLM-L6-v2 (safetensors)")
    parser.add_argument("--train", type=Path, required=True, help="folder of the training corpora")
    parser.add_argument(
        "--held-out", type=Path, required=True, help="folder of the measuring files; only to drop overlaps"
    )
    parser.add_argument("--out", type=Path, required=True, help="folder for the trained model")
    parser.add_argument("--minutes", type=float, default=65.0)
    parser.add_argument("--check", type=float, default=10.0, help="minutes between measurements")
    parser.add_argument("--batch", type=int, default=12)
    parser.add_argument("--max-words", type=int, default=100)
    parser.add_argument("--lr", type=float, default=1e-4)
    parser.add_argument("--head-lr", type=float, default=5e-4)
    parser.add_argument("--gamma", type=float, default=2.0)
    parser.add_argument("--alpha", type=float, default=0.75)
    parser.add_argument("--clip", type=float, default=5.0)
    parser.add_argument("--bf16", action=argparse.BooleanOptionalAction, default=True)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)
    rng = Random(args.seed)
    train, dev = split(args.train, HeldOut(args.held_out, 8), rng)
    print(f"{len(train)} training sentences, {len(dev)} held out", flush=True)
    work = args.out.parent / (args.out.name + "-encoder")
    digest = prepare(args.encoder, work)
    model = build(work)
    tokenizer = Tokenizer.from_str(model.data_processor.transformer_tokenizer.backend_tokenizer.to_str())
    marks = [tokenizer.get_vocab()[t] for t in (ENTITY_TOKEN, SEPARATOR, INITIAL_MARK, CAPITALS_MARK)]
    table = model.model.token_rep_layer.bert_layer.model.get_input_embeddings()
    extra = RareRows(table, marks)
    encoder = model.model.token_rep_layer.bert_layer.model
    for module in encoder.modules():
        if hasattr(module, "attention_head_size") and hasattr(module, "dropout"):
            module.dropout = nn.Dropout(0.0)
    model.train()
    record = train_for(model, extra, Sampler(train, rng), dev, tokenizer, args)
    settings = {
        k: str(v) if isinstance(v, Path) else v
        for k, v in vars(args).items()
        if k not in ("encoder", "train", "held_out", "out")
    }
    record |= {"encoder_sha256": digest, "settings": settings, "training_sentences": len(train), "held_out": len(dev)}
    (args.out / "training.json").write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
    print(json.dumps(record), flush=True)


if __name__ == "__main__":
    main()
