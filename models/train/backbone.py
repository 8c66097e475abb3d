"""Prepare the encoder the entity and relation models start from: MiniLM with a tokeniser that keeps letter case.

The tokeniser of all-MiniLM-L6-v2 lower-cases everything, which hides names from a tagger. A mark put before a
capitalised word ("\u2020") or a word all in capitals ("\u2021") brings that back; the vocabulary has both already.
The marks are made by the normaliser inside tokenizer.json, so the inputs of the model stay those of the architecture.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path

from tokenizers import Regex, Tokenizer, normalizers

INITIAL_MARK = "\u2020"
CAPITALS_MARK = "\u2021"


def mark_case(tokenizer: Tokenizer) -> None:
    """Change ``tokenizer`` so that a capitalised word gets a mark of its own before its pieces.

    Every word gets the mark, then loses it unless a capital follows: a pattern that matches an empty string cannot be
    used here, the library's replacement does not survive one at the end of a text.
    """
    tokenizer.normalizer = normalizers.Sequence(
        [
            normalizers.Prepend(INITIAL_MARK),
            normalizers.Replace(Regex(rf"^{INITIAL_MARK}(?!\p{{Lu}})"), ""),
            normalizers.Replace(Regex(rf"^{INITIAL_MARK}(?=\p{{Lu}}{{2,}}$)"), CAPITALS_MARK),
            normalizers.BertNormalizer(clean_text=True, handle_chinese_chars=True, strip_accents=None, lowercase=True),
        ]
    )


def sha256(path: Path) -> str:
    """Return the SHA-256 of a file in hexadecimal."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _write_tokenizer_settings(target: Path) -> None:
    """Write tokenizer_config.json so that tokenizer.json is read as it stands, not rebuilt from a vocabulary."""
    settings = {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "model_max_length": 512,
        "unk_token": "[UNK]",
        "sep_token": "[SEP]",
        "pad_token": "[PAD]",
        "cls_token": "[CLS]",
        "mask_token": "[MASK]",
    }
    (target / "tokenizer_config.json").write_text(json.dumps(settings, indent=2) + "\n", encoding="utf-8")


def prepare(source: Path, target: Path) -> str:
    """Write the encoder folder ``target`` from the model folder ``source``; return the SHA-256 of the weights used."""
    from transformers import BertModel

    shutil.rmtree(target, ignore_errors=True)
    BertModel.from_pretrained(str(source), add_pooling_layer=False).save_pretrained(str(target))
    tokenizer = Tokenizer.from_file(str(source / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    mark_case(tokenizer)
    tokenizer.save(str(target / "tokenizer.json"))
    _write_tokenizer_settings(target)
    return sha256(source / "model.safetensors")


def from_entity_model(model: Path, target: Path, added: tuple[str, ...]) -> None:
    """Write the encoder folder ``target``: that of a trained entity model with other ``added`` tokens."""
    import torch
    from gliner import GLiNER
    from transformers import BertConfig, BertModel

    trained = GLiNER.from_pretrained(str(model), local_files_only=True)
    source = trained.model.token_rep_layer.bert_layer.model
    settings = source.config.to_dict()
    tokenizer = Tokenizer.from_str(trained.data_processor.transformer_tokenizer.backend_tokenizer.to_str())
    state = json.loads(tokenizer.to_str())
    known = state["model"]["vocab"]
    state["added_tokens"] = [t for t in state["added_tokens"] if t["content"] in known]
    size = len(known)
    # As special tokens they are found in a prompt before the normaliser could change them.
    base = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
    for offset, token in enumerate(added):
        state["added_tokens"].append({"id": size + offset, "content": token, **base})
    settings["vocab_size"] = size + len(added)
    encoder = BertModel(BertConfig(**settings), add_pooling_layer=False)
    weights = {k: v for k, v in source.state_dict().items() if not k.startswith("pooler")}
    name = "embeddings.word_embeddings.weight"
    fresh = torch.randn(len(added), weights[name].shape[1]) * weights[name].std()
    weights[name] = torch.cat([weights[name][:size], fresh])
    missing, unexpected = encoder.load_state_dict(weights, strict=False)
    if unexpected or any("position_ids" not in m for m in missing):
        raise RuntimeError(f"encoder weights do not fit: {missing} {unexpected}")
    shutil.rmtree(target, ignore_errors=True)
    with torch.no_grad():
        encoder.save_pretrained(str(target))
    (target / "tokenizer.json").write_text(json.dumps(state), encoding="utf-8")
    _write_tokenizer_settings(target)
