"""The bundled models on ONNX runtime: embedder, entity extractor, relation extractor and claim checker.

`Registry` finds and checks them. Only onnxruntime, tokenizers and numpy are used, and those only once a model is asked
for: reading the manifest needs none of them.
"""

from __future__ import annotations

from glassbox.models.manifest import Manifest, ModelEntry, load_manifest, parse_manifest
from glassbox.models.registry import Registry, find_models
from glassbox.models.runtime import runtime_fingerprint
from glassbox.models.types import ClaimScore, Doubt, Entity, Relation

__all__ = [
    "ClaimScore",
    "Doubt",
    "Entity",
    "Manifest",
    "ModelEntry",
    "Registry",
    "Relation",
    "find_models",
    "load_manifest",
    "parse_manifest",
    "runtime_fingerprint",
]
