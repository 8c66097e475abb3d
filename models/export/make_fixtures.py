"""Build tiny random models with the upstream packages and record what upstream computes with them.

The product's code runs without torch; these fixtures let its tests compare with upstream all the same. Each folder
holds model.onnx (float), tokenizer.json, the config, and expected.json: inputs, logits and decoded results of upstream.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path
from typing import Any

import entities
import numpy as np
import relations
from prompting import decode_entities, relation_inputs, save_tokenizer, split_words
from tokenizers import Regex, Tokenizer, normalizers

HIDDEN = 16
ENTITY_CASES: tuple[tuple[str, tuple[str, ...]], ...] = (
    *entities.CASES,
    ("a", ("thing", "person")),
    ("Re-checked 3.5 tonnes of co-op grain _ at Léa 's mill !", ("number", "organization", "person")),
    (
        "Before the ferry left Kirkwall , Ada Brandt of the Northgate Survey gave Ivo two maps and a note from Leeds .",
        ("person", "organization", "location", "work"),
    ),
)
EXTRA_TEXT = "a b c d e f g h i j k l m n o p q r s t u v w x y z 0 1 2 3 4 5 6 7 8 9 unknown words stay readable here"


def small_tokenizer(source: Path, texts: list[str], mark_case: bool) -> Tokenizer:
    """Return the tokenizer of ``source`` with only the pieces the texts need; with or without case marks."""
    tokenizer = Tokenizer.from_file(str(source))
    state = json.loads(tokenizer.to_str())
    lower = normalizers.BertNormalizer(clean_text=True, handle_chinese_chars=True, strip_accents=None, lowercase=True)
    # The mark stands before a capitalised word, as in the trained models.
    steps = [
        normalizers.Prepend("\u2020"),
        normalizers.Replace(Regex(r"^\u2020(?!\p{Lu})"), ""),
        normalizers.Replace(Regex(r"^\u2020(?=\p{Lu}{2,}$)"), "\u2021"),
        lower,
    ]
    tokenizer.normalizer = normalizers.Sequence(steps) if mark_case else lower
    special = [token["content"] for token in state["added_tokens"]]
    needed = {p for text in texts for p in tokenizer.encode(split_words(text), is_pretokenized=True).tokens}
    needed |= {p for p in state["model"]["vocab"] if len(p.removeprefix("##")) == 1 and p.isascii()}
    needed |= {"\u2020", "\u2021"}
    order = sorted(needed - set(special), key=lambda p: state["model"]["vocab"].get(p, -1))
    vocabulary = {piece: i for i, piece in enumerate([*special, *(p for p in order if p in state["model"]["vocab"])])}
    state = json.loads(tokenizer.to_str())
    state["model"]["vocab"] = vocabulary
    for token in state["added_tokens"]:
        token["id"] = vocabulary[token["content"]]
    for piece in state["post_processor"].get("special_tokens", {}).values():
        piece["ids"] = [vocabulary[token] for token in piece["tokens"]]
    for key in ("sep", "cls"):
        if key in state["post_processor"]:
            content = state["post_processor"][key][0]
            state["post_processor"][key] = [content, vocabulary[content]]
    state["padding"], state["truncation"] = None, None
    return Tokenizer.from_str(json.dumps(state))


def backbone(kind: str, tokenizer: Tokenizer, folder: Path) -> None:
    """Write a random encoder of ``kind`` ("bert" or "deberta") with its tokenizer to ``folder``."""
    from transformers import BertConfig, BertModel, DebertaV2Config, DebertaV2Model

    common = {
        "vocab_size": tokenizer.get_vocab_size(),
        "hidden_size": HIDDEN,
        "num_attention_heads": 2,
        "intermediate_size": 2 * HIDDEN,
        "max_position_embeddings": 128,
        "pad_token_id": tokenizer.token_to_id("[PAD]"),
        # Wide weights: with the usual ones all words of a random model look alike.
        "initializer_range": 0.5,
    }
    if kind == "bert":
        BertModel(BertConfig(num_hidden_layers=1, **common), add_pooling_layer=False).save_pretrained(str(folder))
    else:
        config = DebertaV2Config(
            num_hidden_layers=1,
            relative_attention=True,
            pos_att_type=["p2c", "c2p"],
            position_buckets=16,
            norm_rel_ebd="layer_norm",
            share_att_key=True,
            position_biased_input=False,
            type_vocab_size=0,
            max_relative_positions=-1,
            **common,
        )
        DebertaV2Model(config).save_pretrained(str(folder))
    tokenizer.save(str(folder / "tokenizer.json"))
    settings = {"tokenizer_class": "PreTrainedTokenizerFast", "unk_token": "[UNK]", "pad_token": "[PAD]"}
    settings |= {"cls_token": "[CLS]", "sep_token": "[SEP]", "mask_token": "[MASK]"}
    (folder / "tokenizer_config.json").write_text(json.dumps(settings), encoding="utf-8")


def widen(prompt: Any, logits: np.ndarray[Any, Any]) -> None:
    """Scale the last layer of ``prompt`` so that the ``logits``, linear in it, reach 6.

    The scores of a random model then spread over (0, 1), without many that round to exactly 1.
    """
    import torch

    factor = 6.0 / float(np.abs(logits).max())
    with torch.no_grad():
        prompt[-1].weight *= factor
        prompt[-1].bias *= factor


def quantile(logits: np.ndarray[Any, Any], share: float) -> float:
    """Return a threshold that about ``share`` of the scores stay below."""
    return round(float(np.quantile(1 / (1 + np.exp(-logits.astype(np.float64))), share)), 3)


def rounded(values: np.ndarray[Any, Any]) -> Any:
    """Return nested lists with seven significant digits."""
    return np.vectorize(lambda v: float(f"{v:.7g}"))(values.astype(np.float64)).tolist()


def entity_fixture(kind: str, tokenizer: Tokenizer, target: Path) -> None:
    """Write the GLiNER fixture with an encoder of ``kind``."""
    from gliner import GLiNER, GLiNERConfig

    target.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        backbone(kind, tokenizer, folder)
        config = GLiNERConfig(
            model_name=str(folder),
            max_width=12,
            hidden_size=HIDDEN,
            dropout=0.1,
            subtoken_pooling="first",
            span_mode="markerV0",
            max_len=64,
            num_rnn_layers=1,
        )
        model = GLiNER.from_config(config, backbone_from_pretrained=True).eval()
        text, labels = ENTITY_CASES[-1]
        widen(model.model.prompt_rep_layer, entities.torch_logits(model, split_words(text), list(labels)))
        model.export_to_onnx(scratch, quantize=False)
        (target / "model.onnx").write_bytes((folder / "model.onnx").read_bytes())
    settings = entities.config_of(model)
    save_tokenizer(entities.tokenizer_of(model), target / "tokenizer.json", ("<<ENT>>", "<<SEP>>", "[FLERT]"))
    _write(target / "gliner_config.json", settings)
    cases = []
    for text, labels in ENTITY_CASES:
        words = split_words(text)
        logits = entities.torch_logits(model, words, list(labels))
        threshold = quantile(logits, 0.7)
        found = decode_entities(logits, list(labels), threshold)
        mine, theirs = [e[:3] for e in found], entities.upstream_entities(model, words, list(labels), threshold)
        if mine != theirs:
            raise RuntimeError(f"decoding differs from upstream in {sorted(set(found) - set(theirs))} {theirs}")
        decoded = [{"start": s, "end": e, "label": name, "score": round(p, 6)} for s, e, name, p in found]
        cases.append(
            {
                "words": words,
                "labels": labels,
                "threshold": threshold,
                "logits": rounded(logits),
                "entities": decoded,
            }
        )
    _write(target / "expected.json", {"cases": cases}, indent=None)


def relation_fixture(kind: str, tokenizer: Tokenizer, target: Path) -> None:
    """Write the GLiREL fixture with an encoder of ``kind``; refine layers stay out (their heads need 64 dimensions)."""
    from glirel import GLiREL
    from loguru import logger

    logger.remove()
    target.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        backbone(kind, tokenizer, Path(scratch))
        settings = {
            "max_width": 12,
            "model_name": scratch,
            "fine_tune": True,
            "subtoken_pooling": "first",
            "hidden_size": HIDDEN,
            "scorer": "dot",
            "rel_mode": "marker",
            "span_marker_mode": "markerv1",
            "refine_prompt": False,
            "refine_relation": False,
            "ffn_mul": 4,
            "dropout": 0.1,
            "label_embed_strategy": "both" if kind == "bert" else "label",
            "max_len": 64,
            "max_entity_pair_distance": None,
            "fixed_relation_types": True,
            "num_train_rel_types": 25,
            "random_drop": True,
            "loss_func": "binary_cross_entropy_loss",
            "name": "glirel",
        }
        model = GLiREL(argparse.Namespace(**settings)).to("cpu").eval()
    text, spans, labels = relations.CASES[-1]
    widen(model.prompt_rep_layer, relations.torch_logits(model, split_words(text), list(labels), list(spans)))
    inner = model.token_rep_layer.bert_layer.tokenizer.backend_tokenizer
    save_tokenizer(inner, target / "tokenizer.json", relations.SPECIAL)
    _write(target / "glirel_config.json", {k: settings[k] for k in relations.KEPT if k in settings})
    relations.write_graph(model, target / "tokenizer.json", target / "model.onnx")
    cases = []
    for text, spans, labels in relations.CASES:
        words = split_words(text)
        _, pairs = relation_inputs(inner, words, list(labels), list(spans))
        logits = relations.torch_logits(model, words, list(labels), list(spans))
        threshold = quantile(logits, 0.6)
        found = relations.upstream_relations(model, words, list(labels), list(spans), threshold)
        cases.append(
            {
                "words": words,
                "labels": labels,
                "spans": spans,
                "pairs": pairs,
                "threshold": threshold,
                "logits": rounded(logits),
                "relations": [{"head": h, "tail": t, "label": name} for h, t, name in found],
            }
        )
    _write(target / "expected.json", {"cases": cases}, indent=None)


def _write(path: Path, value: Any, indent: int | None = 2) -> None:
    text = json.dumps(value, indent=indent, sort_keys=True, ensure_ascii=False)
    path.write_text(text + "\n", encoding="utf-8")


def main() -> None:
    """Build the four fixtures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tokenizer", type=Path, help="tokenizer.json of all-MiniLM-L6-v2")
    parser.add_argument("target", type=Path, help="folder for the fixtures")
    parser.add_argument("--seed", type=int, default=7)
    args = parser.parse_args()
    import torch

    torch.set_num_threads(1)
    texts = [text for text, _ in ENTITY_CASES] + [text for text, _, _ in relations.CASES] + [EXTRA_TEXT]
    texts += [label for _, labels in ENTITY_CASES for label in labels]
    texts += [label for _, _, labels in relations.CASES for label in labels]
    for kind in ("bert", "deberta"):
        tokenizer = small_tokenizer(args.tokenizer, texts, mark_case=kind == "bert")
        torch.manual_seed(args.seed)
        entity_fixture(kind, tokenizer, args.target / f"gliner-{kind}")
        torch.manual_seed(args.seed)
        relation_fixture(kind, tokenizer, args.target / f"glirel-{kind}")
    for path in sorted(args.target.glob("*/*")):
        print(path.relative_to(args.target), path.stat().st_size)


if __name__ == "__main__":
    main()
