"""Turn a bundled int8 graph back into torch weights, to go on training from what is shipped.

    python models/train/restore.py claims models/claim-minilm BACKBONE weights.pt
    python models/train/restore.py relations models/glirel-minilm FOLDER

Each weight is (integer - zero point) x scale: what the graph computes with, not the float that was rounded to it.
"""

from __future__ import annotations

import argparse
import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from onnx import numpy_helper

Array = np.ndarray[Any, Any]
# ONNX keeps the gates of a recurrent layer as input, output, forget, cell; torch as input, forget, cell, output.
_GATES = (0, 2, 3, 1)


class Graph:
    """The weights of a quantised graph, by the name of the node that uses them or by their own."""

    def __init__(self, path: Path) -> None:
        graph = onnx.load(str(path)).graph
        self.tensors: dict[str, Array] = {i.name: numpy_helper.to_array(i) for i in graph.initializer}
        self.nodes = {node.name: node for node in graph.node}

    def dequantised(self, name: str) -> Array:
        """Return the float values of the weight ``name``; the scale is one number or one a column (last axis)."""
        scale, zero = self.tensors[f"{name}_scale"], self.tensors[f"{name}_zero_point"].astype(np.float32)
        whole = self.tensors[f"{name}_quantized"].astype(np.float32)
        if whole.ndim == 3:
            scale, zero = scale[:, None, :], zero[:, None, :]
        result: Array = (whole - zero) * scale
        return result

    def linear(self, path: str) -> Array:
        """Return the weight [out, in] of the linear layer whose node lies at ``path``."""
        for ending in ("/MatMul_quant", "/Gemm_MatMul_quant"):
            if node := self.nodes.get(path + ending):
                return self.dequantised(node.input[1].removesuffix("_quantized")).T
        raise ValueError(f"the graph has no linear layer {path}")

    def embedding(self, name: str) -> Array:
        """Return the table ``name``."""
        return self.dequantised(name)

    def recurrent(self, node: str, prefix: str) -> dict[str, Array]:
        """Return the weights of a bidirectional recurrent layer by torch's names."""
        inputs = self.nodes[node].input
        into, back = (self.dequantised(inputs[i].removesuffix("_quantized")) for i in (1, 2))
        bias = self.tensors[inputs[3]]
        out: dict[str, Array] = {}
        for way, suffix in enumerate(("", "_reverse")):
            out[f"{prefix}weight_ih_l0{suffix}"] = _gates(into[way].T)
            out[f"{prefix}weight_hh_l0{suffix}"] = _gates(back[way].T)
            first, second = np.split(bias[way], 2)
            out[f"{prefix}bias_ih_l0{suffix}"] = _gates(first)
            out[f"{prefix}bias_hh_l0{suffix}"] = _gates(second)
        return out


def _gates(rows: Array) -> Array:
    parts = np.split(rows, 4)
    return np.concatenate([parts[i] for i in _GATES])


def _fill(state: dict[str, Any], found: dict[str, Array]) -> None:
    """Put ``found`` into ``state``; raises ValueError where a weight is missing or has another shape."""
    missing = sorted(name for name in state if name not in found and not name.endswith("position_ids"))
    if missing:
        raise ValueError(f"no value for {missing[:5]}")
    for name, value in found.items():
        if tuple(state[name].shape) != value.shape:
            raise ValueError(f"{name}: the model has {tuple(state[name].shape)}, the graph {value.shape}")
        state[name] = torch.from_numpy(np.array(value, dtype=np.float32))


def _layers(graph: Graph, state: dict[str, Any], encoder: str, path: str) -> dict[str, Array]:
    """Return embeddings and layers of the BERT whose parameters start with ``encoder`` and nodes with ``path``."""
    found: dict[str, Array] = {}
    for name in state:
        if not name.startswith(encoder) or ".pooler." in name:
            continue
        if name in graph.tensors:
            found[name] = graph.tensors[name]
        elif f"{name}_quantized" in graph.tensors:
            found[name] = graph.embedding(name)
        elif name.endswith(".weight"):
            short = name.removeprefix(encoder).removesuffix(".weight")
            found[name] = graph.linear(path + short.replace(".", "/").replace("layer/", "layer."))
    return found


def restore_claims(model: Path, backbone: Path, target: Path) -> None:
    """Write the state file of the claim checker in ``model``; its frozen embeddings are the backbone's."""
    from claim_model import from_backbone

    graph, checker = Graph(model / "model.onnx"), from_backbone(backbone)
    state = checker.state_dict()
    found = _layers(graph, state, "encoder.", "/encoder/")
    for name in state:
        if name.startswith("encoder.embeddings.") and name.endswith("embeddings.weight"):
            found[name] = state[name].numpy()
    for head in ("match", "word_head", "pool", "head"):
        found[f"{head}.weight"] = graph.linear(f"/{head}")
        if f"{head}.bias" in graph.tensors:
            found[f"{head}.bias"] = graph.tensors[f"{head}.bias"]
    _fill(state, found)
    target.parent.mkdir(parents=True, exist_ok=True)
    torch.save(state, target)


def restore_relations(model: Path, target: Path) -> None:
    """Write ``target``/pytorch_model.bin and the encoder folder ``target``/encoder of the relation model."""
    from relations import build
    from transformers import BertConfig, BertModel

    graph = Graph(model / "model.onnx")
    base = "model.token_rep_layer.bert_layer.model."
    words = graph.embedding(f"{base}embeddings.word_embeddings.weight")
    encoder = target / "encoder"
    shutil.rmtree(encoder, ignore_errors=True)
    layers = 1 + max(int(n.split("layer.")[1].split("/")[0]) for n in graph.nodes if "/encoder/layer." in n)
    config = BertConfig(
        vocab_size=words.shape[0],
        hidden_size=words.shape[1],
        num_hidden_layers=layers,
        num_attention_heads=12,
        intermediate_size=1536,
        max_position_embeddings=512,
    )
    BertModel(config, add_pooling_layer=False).save_pretrained(str(encoder))
    shutil.copy(model / "tokenizer.json", encoder / "tokenizer.json")
    from backbone import _write_tokenizer_settings

    _write_tokenizer_settings(encoder)
    whole = build(encoder)
    state = whole.state_dict()
    graph.tensors = {n.removeprefix("model."): t for n, t in graph.tensors.items()}
    found = _layers(graph, state, "token_rep_layer.bert_layer.model.", "/model/")
    found |= graph.recurrent("/lstm/LSTM_quant", "rnn.lstm.")
    for name in state:
        if name in found or name.endswith("position_ids"):
            continue
        if ".pooler." in name:
            # Made by the loader, used by nothing.
            found[name] = state[name].numpy()
        elif name in graph.tensors:
            found[name] = graph.tensors[name]
        else:
            found[name] = graph.linear(_head_path(name))
    _fill(state, found)
    whole.load_state_dict(state)
    whole.save_pretrained(str(target))
    whole.token_rep_layer.bert_layer.tokenizer.save_pretrained(str(target))


def _head_path(name: str) -> str:
    """Return the node path of a layer of the heads: span_rep_layer.rel_rep_layer.span_marker.project_start.0 ..."""
    parts = name.removesuffix(".weight").removeprefix("span_rep_layer.rel_rep_layer.").split(".")
    # The exporter names a member of a sequence "sequence.number" below "sequence".
    inside = [*parts[:-2], parts[-2], f"{parts[-2]}.{parts[-1]}"]
    return "/" + "/".join(inside)


def main() -> None:
    """Restore one model."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    kinds = parser.add_subparsers(dest="kind", required=True)
    claims = kinds.add_parser("claims")
    claims.add_argument("model", type=Path)
    claims.add_argument("backbone", type=Path)
    claims.add_argument("target", type=Path)
    relations = kinds.add_parser("relations")
    relations.add_argument("model", type=Path)
    relations.add_argument("target", type=Path)
    args = parser.parse_args()
    if args.kind == "claims":
        restore_claims(args.model, args.backbone, args.target)
    else:
        restore_relations(args.model, args.target)
    print(json.dumps({"written": str(args.target)}))


if __name__ == "__main__":
    main()
