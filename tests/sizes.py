"""Check that modules and functions stay small: `python tests/sizes.py` exits 1 and names each that is not."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = (
    "layers/glassbox/glassbox",
    "chaincode/glassbox_contract",
    "chaincode/glassbox_chaincode",
    "fabric-network/fabricnet",
    "fabric-network/devpeer",
    "functions",
    "models",
)
MODULE_LINES = 300
FUNCTION_LINES = 60


def too_large(path: Path) -> Iterator[str]:
    """Yield a line for a module over 300 lines and for each function in it over 60."""
    text = path.read_text("utf-8")
    name = path.relative_to(ROOT)
    lines = text.count("\n")
    if lines > MODULE_LINES:
        yield f"{name}: {lines} lines, at most {MODULE_LINES}"
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno is not None:
            length = node.end_lineno - node.lineno + 1
            if length > FUNCTION_LINES:
                yield f"{name}:{node.lineno}: {node.name} has {length} lines, at most {FUNCTION_LINES}"


def main() -> int:
    """Print what is too large and return 1 where anything is."""
    found = [line for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.py")) for line in too_large(path)]
    print("\n".join(found) or f"sizes: every module has at most {MODULE_LINES} lines, every function {FUNCTION_LINES}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
