"""Make the quality tables of the configured judge model: JSON and Markdown of their own.

    make bench ENGINE=llm ARGS="--rows 20"
    python tests/bench/bench.py --engine llm [--rows N] [--sets NAME ...] [--budget DOLLARS] [--calls N] [--yes]
        [--record FOLDER | --replay FOLDER] [--out FOLDER]

The judge model is configured as for `glassbox evaluate --engine llm`. Before the first call the number of rows, calls,
tokens and dollars is printed; without a bound (--rows, --budget, --calls) nothing is asked until --yes is given. Every
answer is kept in --record (by default in .glassbox/bench), so that the same command goes on where a run ended, and
--replay makes the same tables again without a model. What is recorded quotes the texts: keep it as you keep them.

Exit codes: 0 all rows were judged or failed by themselves, 1 the run ended early or could not begin, 2 no bound and no
--yes, 130 Ctrl-C. A run that ended early writes `...partial.json` and `.md`, with the rows that it judged.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

import llm_cost
import llm_markdown
import sets
from llm_asking import Asked
from llm_bound import Bound
from llm_found import Found
from llm_local import local
from llm_rows import Job, jobs, short
from llm_running import INTERRUPTED, Outcome, Progress, Run, named
from llm_tables import tables
from provenance import provenance

from glassbox.adapters.local.judge_model import Asking
from glassbox.contract.judge_name import CONSENSUS, JudgeName
from glassbox.errors import GlassBoxError, UsageError
from glassbox.llm import LlmSettings
from glassbox.llm.cassettes import read_index
from glassbox.llm.prices import price_table
from glassbox.models.registry import Registry

FORMAT = "glassbox-bench-llm/1"
ROOT = Path(__file__).resolve().parents[2]
RESULTS = Path(__file__).resolve().parent / "results"
KEPT = ROOT / ".glassbox" / "bench"
SEED = 7


def main(argv: list[str] | None = None) -> int:
    """Run the benchmark and return the exit code."""
    options = _options(argv)
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    try:
        with _simulator() if options.simulator else nullcontext():
            return _bench(options)
    except GlassBoxError as error:
        print(f"bench: {error}", file=sys.stderr)
        return 1


def _options(argv: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="bench.py --engine llm", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, help="folder of the tables (default tests/bench/results)")
    parser.add_argument("--sets", nargs="+", default=[], help="tasks and sets: pairs, relevancy/clapnq; all by default")
    parser.add_argument("--data", type=Path, help="folder of the labelled sets (GLASSBOX_DATA, else ../shared/data)")
    parser.add_argument("--models", type=Path)
    parser.add_argument("--rows", type=int, help="only the first rows of each set and kind of pair")
    parser.add_argument(
        "--budget", type=float, help="US dollars that new calls may cost; ends before one might exceed it"
    )
    parser.add_argument("--calls", type=int, help="questions that may be newly asked")
    parser.add_argument("--yes", action="store_true", help="ask without a bound")
    parser.add_argument("--record", type=Path, help="folder in which every answer is kept")
    parser.add_argument("--replay", type=Path, help="folder whose answers are taken in place of the model's")
    parser.add_argument("--retry", action="store_true", help="ask again what no usable answer came of")
    parser.add_argument("--no-local", action="store_true", help="leave out the local engine on the same rows")
    parser.add_argument(
        "--simulator", action="store_true", help="a scripted judge in place of a model: to try this out"
    )
    parser.add_argument("--jury")
    parser.add_argument("--repeats", type=int)
    parser.add_argument("--consensus", choices=CONSENSUS)
    parser.add_argument("--timeout", type=float, help="seconds after which a row gives up asking")
    return parser.parse_args(argv)


@contextmanager
def _simulator() -> Iterator[None]:
    """Serve the scripted judge of the tests, and point the settings of this process to it for as long."""
    sys.path.append(str(ROOT))
    from tests.support.judge_server import JudgeServer
    from tests.support.reading_judge import reading

    before = {name: value for name, value in os.environ.items() if name.startswith("GLASSBOX_LLM")}
    with JudgeServer(reading) as server:
        own = {"GLASSBOX_LLM": "openai", "GLASSBOX_LLM_MODEL": "simulator", "GLASSBOX_LLM_BASE_URL": server.url}
        try:
            _set(own)
            yield
        finally:
            _set(before)


def _set(settings: dict[str, str]) -> None:
    for name in [name for name in os.environ if name.startswith("GLASSBOX_LLM")]:
        del os.environ[name]
    os.environ.update(settings)


def _bench(options: argparse.Namespace) -> int:
    asking = Asking(
        replay=options.replay,
        timeout=options.timeout,
        jury=options.jury,
        repeats=options.repeats,
        consensus=options.consensus,
    )
    registry, data = Registry(options.models), sets.folder(options.data)
    if not data.is_dir():
        raise UsageError("No folder of labelled sets", where=str(data), fix="Name one with --data or GLASSBOX_DATA")
    found = _jobs(data, options)
    bound = Bound(calls=options.calls, usd=options.budget)
    probe = Asked(asking, Path(), bound)
    name, out = probe.name, _out(options)
    slug = _slug(name, options)
    folder = options.replay or options.record or KEPT / slug
    asked = Asked(asking, folder, bound, retry=options.retry)
    if not asked.replayed and not _agreed(found, asking, folder, bound, options):
        return 2
    run = Run(found, asked, registry, bound)
    started = time.monotonic()
    run.go(Progress(f"asking {name}", len(found), lambda: _so_far(run)))
    outcomes = run.all()
    wall = time.monotonic() - started
    beside = [None] * len(found)
    if not options.no_local and bound.reason != INTERRUPTED:
        beside = local(outcomes, registry, folder, Progress("local engine", len(found)))
    now = provenance(registry, data, SEED)
    now["judge"] = _judge(name, asking, folder, bound, options) | {"wall_seconds": round(wall, 1)}
    body = _body(outcomes, beside, asked, now)
    path = _write(body, out, slug)
    print(llm_markdown.render(body))
    print(f"bench: {path}", file=sys.stderr)
    if bound.reason == INTERRUPTED:
        asked.close()
        sys.stdout.flush()
        # Threads that wait for a reply would hold the process until it comes.
        os._exit(130)
    asked.close()
    if bound.reason is not None:
        print(f"bench: ended early by {bound.reason}; the same command goes on from there", file=sys.stderr)
    return 0 if _complete(body) else 1


def _jobs(data: Path, options: argparse.Namespace) -> list[Job]:
    found = jobs(data, options.rows, SEED, options.sets)
    known = {job.task for job in found} | {f"{job.task}/{short(job.data)}" for job in found}
    unknown = sorted(set(options.sets) - known)
    if unknown:
        everything = jobs(data, None, SEED)
        names = dict.fromkeys(name for job in everything for name in (job.task, f"{job.task}/{short(job.data)}"))
        raise UsageError(f"No such set: {', '.join(unknown)}", where="--sets", fix=f"There are {', '.join(names)}")
    return found


def _out(options: argparse.Namespace) -> Path:
    """Return the folder of the tables; a simulator's never stand among the results."""
    out: Path = options.out or (KEPT if options.simulator else RESULTS)
    if options.simulator and out.resolve() == RESULTS:
        raise UsageError("A simulator's tables are no results", where="--out", fix="Name another folder")
    return out


def _slug(name: str, options: argparse.Namespace) -> str:
    parts = ["simulator"] if options.simulator else [name]
    parts += [] if options.rows is None else [f"rows{options.rows}"]
    parts += sorted(options.sets)
    return "-".join(re.sub(r"[^a-z0-9.]+", "-", part.lower()).strip("-.") for part in parts)[:120]


def _agreed(found: list[Job], asking: Asking, folder: Path, bound: Bound, options: argparse.Namespace) -> bool:
    """Say what the run will cost, and return whether it may begin."""
    settings = LlmSettings.from_env(asking.overlaid(os.environ), with_key=False)
    if settings is None:
        raise UsageError("No judge model is configured", where="environment", fix="See docs/judge-model.md")
    members = [juror.settings for juror in settings.jury] or [settings]
    prices = price_table(settings.prices)
    cost = llm_cost.estimate(found, [m.identity for m in members], settings.repeats, prices)
    kept = sum(1 for path in folder.rglob("*.json") if len(path.stem) == 64)
    already = f"; {kept:,} answers are kept already and not asked for again" if kept else ""
    print(f"bench: {', '.join(m.identity for m in members)}: {cost}{already}", file=sys.stderr)
    print(f"bench: answers are kept in {folder}; they quote the texts", file=sys.stderr)
    if options.budget is not None:
        if cost.usd is None:
            raise UsageError(
                "A budget needs a price of every judge model",
                where="--budget",
                fix="Set GLASSBOX_LLM_PRICES, or --calls",
            )
        bound.prices = prices
    if options.yes or options.simulator or any(v is not None for v in (options.rows, options.budget, options.calls)):
        return True
    print("bench: say --yes, or bound the run with --rows, --budget or --calls", file=sys.stderr)
    return False


def _so_far(run: Run) -> str:
    failed = sum(one.error is not None for one in list(run.outcomes.values()))
    money = f", {run.bound.spent_usd:.2f} US dollars" if run.bound.spent_usd else ""
    return f", {run.bound.spent_calls} calls{money}" + (f", {failed} errors" if failed else "")


def _judge(name: str, asking: Asking, folder: Path, bound: Bound, options: argparse.Namespace) -> dict[str, Any]:
    from glassbox.judges.llm import deepeval, ragas

    index = read_index(folder)
    members = index.get("members") or [{"identity": index["identity"], "weight": 1.0}]
    inner = [read_index(folder / str(n)) if "members" in index else index for n in range(len(members))]
    return {
        "asked": name,
        "simulator": options.simulator or any("simulator" in m["identity"] for m in members),
        "members": members,
        "repeats": JudgeName.parse(name).repeats,
        "sampling": inner[0].get("sampling", {}),
        "prompts": {"contextual precision": deepeval.prompts(), "faithfulness and relevancy": ragas.prompts()},
        "libraries": ", ".join(f"{library} {version(library)}" for library in ("deepeval", "ragas")),
        "replayed": asking.replay is not None,
        "ended": bound.reason,
        "rows": options.rows,
        "sets": options.sets,
    }


def _body(outcomes: list[Outcome], beside: list[Found | None], asked: Asked, now: dict[str, Any]) -> dict[str, Any]:
    path = RESULTS / "bench.json"
    published = json.loads(path.read_text("utf-8")) if path.is_file() else {}
    if published and published["provenance"]["models"] != now["models"]:
        published = {}
    judged = sum(one.found is not None or one.error is not None for one in outcomes)
    return {
        "format": FORMAT,
        "provenance": now,
        "complete": {"judged": judged, "rows": len(outcomes)},
        "tables": tables(outcomes, beside, published),
        "failed": named(outcomes),
        "cost": llm_cost.spent(asked.logs),
        "rows": [_row(one, other) for one, other in zip(outcomes, beside, strict=True) if one.found is not None],
    }


def _row(one: Outcome, other: Found | None) -> dict[str, Any]:
    """Return a row's scores, so that other figures can be made of them; no text."""
    found = {"llm": one.found} | ({} if other is None else {"local": other})
    scores = {
        engine: {k: v for k, v in asdict(item).items() if k != "claims" and v is not None}
        | ({"verdicts": "".join(c.verdict[0] for c in item.claims)} if item.claims else {})
        for engine, item in found.items()
        if item is not None
    }
    return {**one.job.name, "truth": one.job.truth, **scores}


def _complete(body: dict[str, Any]) -> bool:
    return bool(body["complete"]["judged"] == body["complete"]["rows"])


def _write(body: dict[str, Any], out: Path, slug: str) -> Path:
    """Write both files, in whole; those of a run that ended early have a name of their own, and go with its end."""
    out.mkdir(parents=True, exist_ok=True)
    whole, part = (out / f"bench-llm-{slug}{end}" for end in ("", ".partial"))
    base = whole if _complete(body) else part
    pages = {
        ".json": json.dumps(body, indent=1, ensure_ascii=False) + "\n",
        ".md": llm_markdown.render(body),
    }
    for suffix, text in pages.items():
        path = base.with_name(base.name + suffix)
        path.with_name(path.name + ".new").write_text(text, encoding="utf-8")
        path.with_name(path.name + ".new").replace(path)
        if base is whole:
            part.with_name(part.name + suffix).unlink(missing_ok=True)
    return base.with_name(base.name + ".json")
