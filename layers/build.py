"""Build one layer from the lock: `python layers/build.py LAYER FOLDER`.

`uv export` names the very versions of uv.lock, with their digests; `uv pip install` puts those for the layer's Python
into FOLDER/python. Left out is what a layer before it brings, what the runtime has (boto3), and what is imported by
nobody here. Modules are compiled, since without that a cold start takes three times as long.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
PYTHON: Final = "3.12"
PLATFORM: Final = "x86_64-manylinux_2_28"
LIMIT: Final = 250 * 1024 * 1024
"""Bytes that all layers of a function and its code may have together, unpacked."""


@dataclass(frozen=True, slots=True)
class Layer:
    """What a layer is made of."""

    extras: tuple[str, ...]
    """Extras of the project whose packages it brings."""
    without: tuple[str, ...] = ()
    """Packages that are named by those extras and never imported here."""
    library: bool = False
    """Whether the project's own two packages are in it."""


LAYERS: Final = {
    "library": Layer(extras=("aws",), without=("boto3", "botocore", "s3transfer"), library=True),
    "inference": Layer(
        extras=("inference", "metrics"),
        # The tokenizers reach for a hub, and sacrebleu for data sets on the web: neither is there.
        without=(
            *("huggingface-hub", "hf-xet", "fsspec", "filelock", "lxml", "typer", "shellingham", "pyyaml"),
            *("anyio", "httpx", "httpcore", "h11", "certifi", "idna", "rich", "pygments", "markdown-it-py", "mdurl"),
        ),
    ),
    "evaluators": Layer(
        extras=("evaluators",),
        without=("boto3", "botocore", "s3transfer", "jmespath", "python-dateutil", "six", "urllib3"),
    ),
    "ledger": Layer(extras=("fabric",)),
}
NEEDS: Final = {"inference": ("library",), "evaluators": ("library", "inference"), "ledger": ("library",)}
"""Layers that stand beside one in every function: what they bring is not brought again."""


def main() -> int:
    """Build a layer, say what it weighs, and return 1 where it is too large."""
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("layer", choices=sorted(LAYERS))
    arguments.add_argument("folder", type=Path)
    chosen = arguments.parse_args()
    build(chosen.layer, chosen.folder)
    size = weight(chosen.folder)
    print(f"layer {chosen.layer}: {size / 1e6:.1f} MB with compiled modules")
    return 0 if size < LIMIT else 1


def build(name: str, folder: Path) -> None:
    """Fill FOLDER/python with a layer's packages."""
    layer = LAYERS[name]
    place = folder / "python"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    taken = {line.split("==")[0] for other in NEEDS.get(name, ()) for line in exported(LAYERS[other])}
    wanted = [line for line in exported(layer) if line.split("==")[0] not in taken]
    install(wanted, place)
    if layer.library:
        ignore = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / "layers/glassbox/glassbox", place / "glassbox", ignore=ignore)
        shutil.copytree(ROOT / "chaincode/glassbox_contract", place / "glassbox_contract", ignore=ignore)
    trim(place)
    compile_modules(place)


def exported(layer: Layer) -> list[str]:
    """Return the requirements of a layer, each `name==version` with its digests on one line."""
    command = [uv(), "export", "--frozen", "--no-dev", "--no-emit-workspace", "--no-header", "--no-annotate", "--quiet"]
    for extra in layer.extras:
        command += ["--extra", extra]
    if layer.library:
        command += ["--extra", "llm"]
    for package in layer.without:
        command += ["--no-emit-package", package]
    text = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return [line for line in text.replace("\\\n", " ").splitlines() if line.strip()]


def install(requirements: list[str], place: Path) -> None:
    """Install exactly these packages, and nothing that they ask for beyond."""
    listing = place.parent / "requirements.txt"
    listing.write_text("\n".join(requirements) + "\n", "utf-8")
    command = [uv(), "pip", "install", "--quiet", "--no-deps", "--require-hashes", "--only-binary", ":all:"]
    command += ["--python-version", PYTHON, "--python-platform", PLATFORM, "--target", str(place)]
    subprocess.run([*command, "-r", str(listing)], cwd=ROOT, check=True)
    listing.unlink()


def trim(place: Path) -> None:
    """Remove what no function reads: tests, headers, command line scripts."""
    for pattern in ("bin", "*/tests", "*/test", "numpy/*/tests", "numpy/_core/include", "*/include", "numpy/f2py"):
        for found in place.glob(pattern):
            if found.is_dir():
                shutil.rmtree(found)


def compile_modules(place: Path) -> None:
    """Compile every module, valid by its content: a zip does not keep times."""
    found = python_of_the_layer()
    line = [found, "-m", "compileall", "-q", "-j", "0", "--invalidation-mode", "unchecked-hash", str(place)]
    # Some packages carry files for other Pythons that this one can't compile.
    subprocess.run(line, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if found != sys.executable and not any(place.rglob("*.cpython-312.pyc")):
        raise SystemExit("The modules were not compiled")


def python_of_the_layer() -> str:
    """Return an interpreter of the layer's version; raises SystemExit where there is none."""
    if sys.version_info[:2] == tuple(map(int, PYTHON.split("."))):
        return sys.executable
    managed = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
    places = [path.as_posix() for path in sorted(managed.glob(f"{PYTHON}.*/bin/python{PYTHON}"))]
    for found in (shutil.which(f"python{PYTHON}"), *places):
        # A version manager's stand-in may be on the path without the version behind it.
        if found and subprocess.run([found, "-c", ""], check=False, capture_output=True).returncode == 0:
            return found
    raise SystemExit(f"Building a layer needs Python {PYTHON}: without compiled modules it would start too slowly")


def uv() -> str:
    """Return the project's own uv, or the one on the path."""
    own = ROOT / ".venv/bin/uv"
    found = str(own) if own.exists() else shutil.which("uv")
    if found is None:
        raise SystemExit("Building a layer needs uv: `make .venv/bin/uv` brings it, or pip install uv")
    os.environ.setdefault("UV_PYTHON_DOWNLOADS", "never")
    # Where a network has certificates of its own, they are the system's.
    os.environ.setdefault("UV_SYSTEM_CERTS", "1")
    return found


def weight(folder: Path) -> int:
    """Return the bytes of all files below a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


if __name__ == "__main__":
    sys.exit(main())
