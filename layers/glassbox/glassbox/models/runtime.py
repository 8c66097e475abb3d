"""What the numbers of the models depend on besides the models: library versions and processor features."""

from __future__ import annotations

import platform
from importlib.metadata import version
from pathlib import Path
from typing import Any

# The features that choose between integer and float kernels, by the names Linux gives them (x86-64, then Arm).
FEATURES = (
    "avx2",
    "fma",
    "avx512f",
    "avx512bw",
    "avx512_vnni",
    "avx_vnni",
    "avx512_bf16",
    "amx_int8",
    "amx_tile",
    "asimd",
    "asimddp",
    "i8mm",
    "sve",
)


def runtime_fingerprint() -> dict[str, Any]:
    """Return the versions of the libraries and the processor features on which the models' numbers depend.

    Identical inputs give identical bytes wherever two fingerprints are equal; between different ones, int8 results may
    differ in the last digits. `cpu_features` is sorted; where the system doesn't tell, `cpu_features_source` is `none`.
    """
    features, source = _features()
    return {
        "onnxruntime": version("onnxruntime"),
        "tokenizers": version("tokenizers"),
        "numpy": version("numpy"),
        "machine": platform.machine(),
        "system": platform.system(),
        "cpu_features": features,
        "cpu_features_source": source,
    }


def _features(cpuinfo: Path = Path("/proc/cpuinfo")) -> tuple[list[str], str]:
    try:
        text = cpuinfo.read_text(encoding="ascii", errors="replace")
    except OSError:
        return [], "none"
    for line in text.splitlines():
        key, _, value = line.partition(":")
        if key.strip() in ("flags", "Features"):
            return sorted(set(value.split()) & set(FEATURES)), "cpuinfo"
    return [], "none"
