"""Make the benchmark tables: JSON, Markdown and a plot.

    python tests/bench/bench.py [--out DIR] [--only SECTION ...] [--data DIR] [--models DIR] [--rows N]

Sections: faithfulness, lines, models, refusals, parity, speed, growth, determinism. Those not named keep what stands in
DIR/bench.json already, so that the long ones can be run one by one; the models' digests must be the same. The labelled
sets are read from --data, else GLASSBOX_DATA, else ../shared/data beside the repository; none of their text is written.

With --engine llm the quality tables of the configured judge model, in files of their own: --engine llm --help.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).resolve().parent))
sys.path.append(str(Path(__file__).resolve().parents[1] / "quality"))
sys.path.append(str(Path(__file__).resolve().parents[2] / "models" / "train"))
sys.path.append(str(Path(__file__).resolve().parents[2] / "models" / "export"))

import determinism
import growth
import markdown
import parity
import sets
import speed
import tables
from provenance import provenance

from glassbox.judges.tools import Tools
from glassbox.models.registry import Registry

SEED = 7
RESULTS = Path(__file__).resolve().parent / "results"


def sections(tools: Tools, registry: Registry, data: Path, rows: int | None) -> dict[str, Callable[[], Any]]:
    """Return how each section is made."""
    models = registry.directory
    return {
        "faithfulness": lambda: tables.faithfulness(tools, data, rows),
        "lines": lambda: tables.lines(tools, data, rows, SEED),
        "models": lambda: tables.models(tools, data, rows, SEED),
        "refusals": lambda: tables.refusals(tools, data),
        "parity": lambda: parity.parity(data),
        "speed": lambda: {
            "terminology": speed.terminology(),
            "evaluation": speed.evaluation(models),
            "batches": speed.batches(models),
            "cold_start": speed.cold_start(),
            "sizes": speed.sizes(models),
        },
        "growth": lambda: growth.growth(tools),
        "determinism": lambda: determinism.determinism(models),
    }


def main(argv: list[str] | None = None) -> int:
    """Run the sections, write the files, and return 0."""
    first = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    first.add_argument("--engine", choices=("local", "llm"), default="local")
    chosen, argv = first.parse_known_args(argv)
    if chosen.engine == "llm":
        import llm_bench

        return llm_bench.main(argv)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=RESULTS, help="folder of bench.json, bench.md and growth.svg")
    parser.add_argument("--only", nargs="*", help="sections to run; the others are kept")
    parser.add_argument("--data", type=Path)
    parser.add_argument("--models", type=Path)
    parser.add_argument("--rows", type=int, help="only the first rows of each set: a quick look")
    options = parser.parse_args(argv)
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    registry, data = Registry(options.models), sets.folder(options.data)
    if not data.is_dir():
        print(f"No folder {data} of labelled sets: name one with --data or GLASSBOX_DATA", file=sys.stderr)
        return 1
    tools, path = Tools(models=registry), options.out / "bench.json"
    body: dict[str, Any] = json.loads(path.read_text("utf-8")) if path.is_file() else {}
    now = provenance(registry, data, SEED)
    if body and body["provenance"]["models"] != now["models"]:
        body = {}
    body["provenance"] = now
    known = sections(tools, registry, data, options.rows)
    unknown = sorted(set(options.only or ()) - set(known))
    if unknown:
        parser.error(f"no such section: {', '.join(unknown)}")
    options.out.mkdir(parents=True, exist_ok=True)
    for name, make in known.items():
        if options.only and name not in options.only:
            continue
        started = time.monotonic()
        body[name] = make()
        print(f"{name}: {time.monotonic() - started:.0f} s", file=sys.stderr, flush=True)
        path.write_text(json.dumps(body, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    if "growth" in body:
        growth.plot(body["growth"], options.out / "growth.svg")
    (options.out / "bench.md").write_text(markdown.render(body), encoding="utf-8")
    print(markdown.render(body))
    return 0


if __name__ == "__main__":
    sys.exit(main())
