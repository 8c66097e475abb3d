"""Export a GLiNER span model to the files of the product: model.onnx (int8), tokenizer.json, gliner_config.json.

Works for any markerV0 model folder of the upstream `gliner` package (BERT or DeBERTa encoder). Graph inputs are
upstream's: input_ids, attention_mask, words_mask, span_idx, span_mask -> logits; the span head is multiplied out as
folded_spans.py says.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

import folded_spans
import numpy as np
from prompting import decode_entities, entity_inputs, open_tokenizer, run, save_tokenizer, split_words
from quantize import quantise

FP32_BOUND = 1e-4
KEPT = (
    *("model_type", "name", "max_width", "hidden_size", "dropout", "subtoken_pooling", "span_mode", "max_types"),
    *("max_len", "words_splitter_type", "num_rnn_layers", "embed_ent_token", "class_token_index", "vocab_size"),
    *("ent_token", "sep_token", "post_fusion_schema", "fuse_layers", "fine_tune"),
)
# Sentences of our own for the comparison: names, places, sums, one word only, and characters outside ASCII.
CASES: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        "Maria Keller joined Brightwater Energy in Lisbon on 4 May 2019 .",
        ("person", "organization", "location", "date"),
    ),
    ("The Solaris pump costs $ 1,250 and draws 40 watts .", ("product", "money", "number", "event")),
    ("Hello", ("person",)),
    ("São Tomé exports cocoa ; its capital hosts the Atlantic Trade Fair each March .", ("location", "event", "date")),
    ("Dr. Okafor of the Harbour Institute published Tides of Glass in 1987 .", ("person", "organization", "work")),
)


def load(folder: Path) -> Any:
    """Return the GLiNER model in ``folder``, ready for inference."""
    from gliner import GLiNER

    return GLiNER.from_pretrained(str(folder), local_files_only=True).eval()


def config_of(model: Any) -> dict[str, Any]:
    """Return what inference needs of the model's configuration; paths of the machine it was made on are left out."""
    full = json.loads(model.config.to_json_string(use_diff=False))
    return {key: full[key] for key in KEPT if full.get(key) is not None}


def tokenizer_of(model: Any) -> Any:
    """Return the fast tokenizer behind the model."""
    return model.data_processor.transformer_tokenizer.backend_tokenizer


def torch_logits(model: Any, words: list[str], labels: list[str]) -> np.ndarray[Any, Any]:
    """Return upstream's logits [words, max_width, labels] for one text."""
    import torch

    collator = model.data_collator_class(
        model.config,
        data_processor=model.data_processor,
        return_tokens=True,
        return_entities=True,
        return_id_to_classes=True,
        prepare_labels=False,
    )
    batch = collator([{"tokenized_text": words, "ner": None}], entity_types=labels)
    with torch.no_grad():
        output = model.model(**{k: v for k, v in batch.items() if torch.is_tensor(v)})
    result: np.ndarray[Any, Any] = output.logits[0].numpy()
    return result


def upstream_entities(model: Any, words: list[str], labels: list[str], threshold: float) -> list[tuple[int, int, str]]:
    """Return upstream's entities of the words joined by blanks, as (first word, last word, label)."""
    text = " ".join(words)
    starts = np.cumsum([0] + [len(w) + 1 for w in words])[:-1].tolist()
    ends = [s + len(w) for s, w in zip(starts, words, strict=True)]
    found = model.predict_entities(text, labels, threshold=threshold)
    return sorted((starts.index(e["start"]), ends.index(e["end"]), e["label"]) for e in found)


def compare(model: Any, tokenizer: Path, config: dict[str, Any], graph: Path, threshold: float) -> dict[str, Any]:
    """Return the largest logit difference of ``graph`` from torch over valid spans, and whether entities agree."""
    reader = open_tokenizer(tokenizer)
    worst, same = 0.0, True
    for text, given in CASES:
        words, labels = split_words(text), list(given)
        inputs = entity_inputs(reader, config, words, labels)
        ours = run(graph, inputs)[0]
        theirs = torch_logits(model, words, labels)
        valid = inputs["span_mask"].reshape(len(words), -1)
        worst = max(worst, float(np.abs(ours - theirs)[valid].max()))
        mine = [e[:3] for e in decode_entities(ours, labels, threshold)]
        same = same and mine == upstream_entities(model, words, labels, threshold)
    return {"largest_logit_difference": worst, "entities_equal": same}


def export(folder: Path, target: Path) -> dict[str, Any]:
    """Write the files to ``target``; return how far both graphs are from torch."""
    model = load(folder)
    target.mkdir(parents=True, exist_ok=True)
    config = config_of(model)
    save_tokenizer(
        tokenizer_of(model), target / "tokenizer.json", (config["ent_token"], config["sep_token"], "[FLERT]")
    )
    text = json.dumps(config, indent=2, sort_keys=True)
    (target / "gliner_config.json").write_text(text + "\n", encoding="utf-8")
    with tempfile.TemporaryDirectory() as scratch:
        graph = Path(scratch) / "model.onnx"
        folded_spans.write(model, graph)
        quantise(graph, target / "model.onnx")
        return verify(model, target, graph)


def verify(model: Any, target: Path, graph: Path) -> dict[str, Any]:
    """Return the comparison of the float graph and of the int8 graph in ``target`` with torch."""
    config = json.loads((target / "gliner_config.json").read_text(encoding="utf-8"))
    tokenizer = target / "tokenizer.json"
    return {
        "fp32": compare(model, tokenizer, config, graph, 0.3),
        "int8": compare(model, tokenizer, config, target / "model.onnx", 0.3),
    }


def main() -> int:
    """Export, or with ``--verify`` only compare; return 1 if the float graph is not upstream's model."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path, help="model folder of the gliner package")
    parser.add_argument("target", type=Path, help="folder for the product's files")
    parser.add_argument("--verify", action="store_true", help="compare the files in target with torch, write nothing")
    args = parser.parse_args()
    if args.verify:
        model = load(args.model)
        with tempfile.TemporaryDirectory() as scratch:
            graph = Path(scratch) / "model.onnx"
            folded_spans.write(model, graph)
            report = verify(model, args.target, graph)
    else:
        report = export(args.model, args.target)
    print(json.dumps(report))
    good = report["fp32"]["largest_logit_difference"] <= FP32_BOUND and report["fp32"]["entities_equal"]
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
