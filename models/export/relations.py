"""Export a GLiREL model to the files of the product: model.onnx (int8), tokenizer.json, glirel_config.json.

Upstream's forward pass takes strings and tokenises inside, which no graph can hold. The graph exported here is the
tensor part for one text: input_ids, attention_mask, rel_pos, label_pos, word_pos, span_idx, pair_idx -> logits, with
the positions of each [REL] marker, label and word, the entity spans and the pairs made by the caller.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from prompting import open_tokenizer, relation_inputs, run, save_tokenizer, split_words
from quantize import quantise

FP32_BOUND = 1e-4
OPSET = 17
SPECIAL = ("[REL]", "[SEP]", "[E]", "[/E]", "[FLERT]")
KEPT = (
    *("name", "max_width", "hidden_size", "scorer", "rel_mode", "span_marker_mode", "refine_prompt", "refine_relation"),
    *("ffn_mul", "dropout", "label_embed_strategy", "subtoken_pooling", "max_len", "add_entity_markers"),
)
# Texts of our own with the spans (first, last word) of their entities.
CASES: tuple[tuple[str, tuple[tuple[int, int], ...], tuple[str, ...]], ...] = (
    (
        "Maria Keller , born in Lisbon , leads Brightwater Energy .",
        ((0, 1), (5, 5), (8, 9)),
        ("born in", "led by", "related to"),
    ),
    ("Tides of Glass was written by Ada Okafor in 1987 .", ((0, 2), (6, 7), (9, 9)), ("created by", "happened on")),
    ("Oslo and Bergen lie in Norway .", ((0, 0), (2, 2), (5, 5)), ("located in",)),
    (
        "The Harbour Institute , part of Northgate University in Leeds , was founded by Ivo Brandt and Lena Brandt .",
        ((1, 2), (6, 7), (9, 9), (14, 15), (17, 18)),
        ("founded by", "part of", "located in", "spouse", "sibling", "related to", "educated at"),
    ),
)


def load(folder: Path) -> Any:
    """Return the GLiREL model in ``folder``; raises ValueError for a variant the graph does not cover.

    The private loader is called because the public one fails with huggingface_hub >= 1.
    """
    from glirel import GLiREL
    from loguru import logger

    logger.remove()
    model = GLiREL._from_pretrained(
        model_id=str(folder),
        revision=None,
        cache_dir=None,
        force_download=False,
        proxies=None,
        resume_download=False,
        local_files_only=True,
        token=None,
    ).eval()
    config = model.config
    if config.span_marker_mode != "markerv1" or config.subtoken_pooling != "first":
        raise ValueError("only span marker v1 with first sub-token pooling is supported")
    return model


def tensor_module(model: Any) -> Any:
    """Return a torch module with tensors only: everything that touches strings is left to the caller."""
    import torch

    layer, strategy = model.token_rep_layer, model.config.label_embed_strategy

    class TensorGlirel(torch.nn.Module):  # type: ignore[misc, unused-ignore]
        def __init__(self) -> None:
            super().__init__()
            self.model = model

        def forward(
            self,
            input_ids: Any,
            attention_mask: Any,
            rel_pos: Any,
            label_pos: Any,
            word_pos: Any,
            span_idx: Any,
            pair_idx: Any,
        ) -> Any:
            hidden = layer.bert_layer.model(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state
            if hasattr(layer, "projection"):
                hidden = layer.projection(hidden)
            hidden = hidden[0]
            marks, names = hidden[rel_pos], hidden[label_pos]
            types = {"ent_token": marks, "label": names, "both": (marks + names) / 2}[strategy].unsqueeze(0)
            # One text a run, so nothing is padded and the recurrent layer needs no packing.
            words, _ = model.rnn.lstm(hidden[word_pos].unsqueeze(0))
            marker = model.span_rep_layer.rel_rep_layer
            spans = marker.span_marker(words, span_idx)[0]
            pairs = torch.cat([spans[pair_idx[:, 0]], spans[pair_idx[:, 1]]], -1).unsqueeze(0)
            pairs = marker.out_project(pairs)
            types = model.prompt_rep_layer(types)
            pairs, types = _refined(model, pairs, types, words)
            return model.scorer(pairs, types)[0]

    return TensorGlirel().eval()


def _refined(model: Any, pairs: Any, types: Any, words: Any) -> tuple[Any, Any]:
    """Return pairs and types after the optional refine layers.

    At inference upstream masks every pair (no pair has a gold label), so the mask of the pairs is all False.
    """
    import torch

    no_pair = torch.zeros_like(pairs[:, :, 0]).bool()
    if hasattr(model, "refine_relation"):
        pairs = model.refine_relation(pairs, words, no_pair, torch.ones_like(words[:, :, 0]).bool())
    if hasattr(model, "refine_prompt"):
        types = model.refine_prompt(types, pairs, torch.ones_like(types[:, :, 0]).bool(), no_pair)
    return pairs, types


def write_graph(model: Any, tokenizer: Path, target: Path) -> None:
    """Write the float graph with free numbers of tokens, labels, words, entities and pairs.

    The older exporter is used on purpose: the newer one fixes the length of the recurrent layer.
    """
    import torch

    text, spans, labels = CASES[3]
    inputs, _ = relation_inputs(open_tokenizer(tokenizer), split_words(text), list(labels), list(spans))
    axes = {
        "input_ids": {1: "tokens"},
        "attention_mask": {1: "tokens"},
        "rel_pos": {0: "labels"},
        "label_pos": {0: "labels"},
        "word_pos": {0: "words"},
        "span_idx": {1: "entities"},
        "pair_idx": {0: "pairs"},
        "logits": {0: "pairs", 1: "labels"},
    }
    torch.onnx.export(
        tensor_module(model),
        tuple(torch.from_numpy(v) for v in inputs.values()),
        str(target),
        input_names=list(inputs),
        output_names=["logits"],
        dynamic_axes=axes,
        opset_version=OPSET,
        dynamo=False,
    )


def torch_logits(model: Any, words: list[str], labels: list[str], spans: list[tuple[int, int]]) -> np.ndarray[Any, Any]:
    """Return upstream's logits [pairs, labels]; pairs in the order of ``relation_inputs``."""
    import torch

    entities = [[start, end, "", ""] for start, end in spans]
    batch = model.collate_fn(
        [{"tokenized_text": list(words), "ner": entities}], relation_types=list(labels), device="cpu"
    )
    with torch.no_grad():
        result: np.ndarray[Any, Any] = model.compute_score(batch)[0][0].numpy()
    return result


def upstream_relations(
    model: Any, words: list[str], labels: list[str], spans: list[tuple[int, int]], threshold: float
) -> list[tuple[int, int, str]]:
    """Return upstream's relations (head span, tail span, label) above the threshold, spans by index."""
    entities = [[start, end, "", ""] for start, end in spans]
    found = model.predict_relations(list(words), list(labels), threshold=threshold, ner=entities, top_k=-1)
    place = {(start, end + 1): i for i, (start, end) in enumerate(spans)}
    return sorted((place[tuple(r["head_pos"])], place[tuple(r["tail_pos"])], r["label"]) for r in found)


def compare(model: Any, tokenizer: Path, graph: Path) -> dict[str, Any]:
    """Return the largest logit difference from upstream, the range of logits, and whether relations agree."""
    reader = open_tokenizer(tokenizer)
    worst, low, high, same = 0.0, 0.0, 0.0, True
    for text, spans, labels in CASES:
        words = split_words(text)
        inputs, pairs = relation_inputs(reader, words, list(labels), list(spans))
        ours = run(graph, inputs)
        theirs = torch_logits(model, words, list(labels), list(spans))
        worst = max(worst, float(np.abs(ours - theirs).max()))
        low, high = min(low, float(theirs.min())), max(high, float(theirs.max()))
        hits = [(*pairs[p], labels[c]) for p, c in np.argwhere(ours > 0).tolist()]
        same = same and sorted(hits) == upstream_relations(model, words, list(labels), list(spans), 0.5)
    return {"largest_logit_difference": worst, "logit_range": [low, high], "relations_equal": same}


def export(folder: Path, target: Path) -> dict[str, Any]:
    """Write the files to ``target``; return how far both graphs are from torch."""
    model = load(folder)
    target.mkdir(parents=True, exist_ok=True)
    save_tokenizer(model.token_rep_layer.bert_layer.tokenizer.backend_tokenizer, target / "tokenizer.json", SPECIAL)
    config = {key: getattr(model.config, key) for key in KEPT if hasattr(model.config, key)}
    text = json.dumps(config, indent=2, sort_keys=True)
    (target / "glirel_config.json").write_text(text + "\n", encoding="utf-8")
    with tempfile.TemporaryDirectory() as scratch:
        graph = Path(scratch) / "model.onnx"
        write_graph(model, target / "tokenizer.json", graph)
        quantise(graph, target / "model.onnx")
        return verify(model, target, graph)


def verify(model: Any, target: Path, graph: Path) -> dict[str, Any]:
    """Return the comparison of the float graph and of the int8 graph in ``target`` with torch."""
    tokenizer = target / "tokenizer.json"
    return {"fp32": compare(model, tokenizer, graph), "int8": compare(model, tokenizer, target / "model.onnx")}


def main() -> int:
    """Export, or with ``--verify`` only compare; return 1 if the float graph is not upstream's model."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path, help="model folder of the glirel package")
    parser.add_argument("target", type=Path, help="folder for the product's files")
    parser.add_argument("--verify", action="store_true", help="compare the files in target with torch, write nothing")
    args = parser.parse_args()
    if args.verify:
        model = load(args.model)
        with tempfile.TemporaryDirectory() as scratch:
            graph = Path(scratch) / "model.onnx"
            write_graph(model, args.target / "tokenizer.json", graph)
            report = verify(model, args.target, graph)
    else:
        report = export(args.model, args.target)
    print(json.dumps(report))
    good = report["fp32"]["largest_logit_difference"] <= FP32_BOUND and report["fp32"]["relations_equal"]
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
