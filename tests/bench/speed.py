"""Speed as ratios taken in one run: 3a beside the plain libraries, whole evaluations, two cores beside one."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

import clock
import workload
from rouge_score import rouge_scorer
from sacrebleu.metrics import BLEU

from glassbox.adapters.local.runner import LocalRunner
from glassbox.contract.policy import built_in
from glassbox.contract.request import Request
from glassbox.judges import structural_fidelity
from glassbox.judges.tools import Tools
from glassbox.metrics.alignment import align, document_scores
from glassbox.metrics.tokens import UnicodeTokenizer
from glassbox.settings import Settings
from glassbox.text.sentences import split_sentences
from glassbox.text.windows import sentence_windows

CANDIDATES = 10
BATCH = 48
PACKAGES = {
    "core": ("pydantic", "pydantic-core", "regex", "rfc8785", "annotated-types", "typing-extensions"),
    "metrics": ("sacrebleu", "rapidfuzz"),
    "inference": ("onnxruntime", "numpy", "tokenizers", "protobuf", "flatbuffers"),
}


def terminology(repeats: int = 5) -> dict[str, Any]:
    """Return the time of 3a and of the same numbers by rouge-score and sacrebleu used plainly, and their ratios."""
    made = workload.request(1, passages=8, sentences=20, answer=12)
    answer, sources = made["answer"], [p["text"] for p in made["retrieved_passages"]]
    bleu = BLEU(effective_order=True)
    scorer = rouge_scorer.RougeScorer(["rouge1", "rougeL"], tokenizer=UnicodeTokenizer())
    whole = rouge_scorer.RougeScorer(["rouge1", "rouge2", "rougeL"], tokenizer=UnicodeTokenizer())
    orders = [BLEU(max_ngram_order=n, effective_order=True) for n in (1, 2, 3, 4)]
    joined = "\n".join(sources)

    def plain() -> float:
        windows = [s[w.start : w.end] for s in sources for w in sentence_windows(s, (1, 2), split_sentences(s))]
        total = 0.0
        for span in split_sentences(answer):
            sentence = answer[span.start : span.end]
            scored = [(scorer.score(window, sentence), window) for window in windows]
            best = sorted(scored, key=lambda item: -item[0]["rouge1"].fmeasure)[:CANDIDATES]
            total += bleu.sentence_score(sentence, [window for _, window in best]).score
            total += max(item["rougeL"].fmeasure for item, _ in best)
        return total

    def plain_whole() -> float:
        by_order = [order.sentence_score(answer, [joined]).score for order in orders]
        return sum(by_order) + whole.score(joined, answer)["rougeL"].fmeasure

    times = clock.alternating(
        {
            "aligned": lambda: align(answer, sources),
            "aligned, plain libraries": plain,
            "whole documents": lambda: document_scores(answer, sources),
            "whole documents, plain libraries": plain_whole,
        },
        repeats,
    )
    return {
        "seconds": {name: float(f"{value:.4g}") for name, value in times.items()},
        "times_faster_aligned": round(times["aligned, plain libraries"] / times["aligned"], 1),
        "times_faster_whole": round(times["whole documents, plain libraries"] / times["whole documents"], 1),
    }


def evaluation(models: Path | None, count: int = 6) -> dict[str, Any]:
    """Return processor seconds of whole local evaluations in one process, after the models are loaded."""
    policy = built_in("default")
    requests = [Request.model_validate(workload.request(100 + n)) for n in range(count + 1)]
    with tempfile.TemporaryDirectory() as home:
        settings = Settings.from_env({"GLASSBOX_MODELS": str(models)} if models else {}, home=Path(home))
        runner = LocalRunner(settings)
        try:
            runner.evaluate(requests[0], policy)
            times = [clock.seconds(lambda r=request: runner.evaluate(r, policy), 1) for request in requests[1:]]
            tools = Tools(models=runner.registry)
            structure = clock.seconds(lambda: structural_fidelity.judge(requests[1], policy, tools), 1)
        finally:
            runner.close()
    mean = sum(times) / len(times)
    return {
        "evaluations": count,
        "passages": 5,
        "answer_sentences": 12,
        "processor_seconds": round(mean, 3),
        "per_core_and_hour": round(3600 / mean),
        "structural_fidelity_seconds": round(structure, 3),
    }


def batches(models: Path | None, count: int = BATCH) -> dict[str, Any]:
    """Return wall time, processor time and peak memory of a batch with one process and with two."""
    lines = [json.dumps(workload.request(200 + n)) for n in range(count)]
    found: dict[str, Any] = {"requests": count}
    for jobs in (1, 2):
        with tempfile.TemporaryDirectory() as folder:
            batch = Path(folder, "batch.jsonl")
            batch.write_text("\n".join(lines) + "\n", encoding="utf-8")
            surroundings = {"GLASSBOX_HOME": str(Path(folder, "home")), "GLASSBOX_MODELS": str(models or "")}
            done = clock.run_module("glassbox.cli", _evaluate(batch, jobs), surroundings)
        found[f"jobs_{jobs}"] = {
            "wall_seconds": round(done.wall, 2),
            "processor_seconds": round(done.processor, 2),
            "cores_used": round(done.processor / done.wall, 2),
            "peak_mib_of_a_process": round(done.peak_mib),
        }
    one, two = found["jobs_1"], found["jobs_2"]
    found["times_faster_wall"] = round(one["wall_seconds"] / two["wall_seconds"], 2)
    # On a machine that others use, wall time tells little: what two processes cost beside one tells how far it scales.
    found["processor_overhead"] = round(two["processor_seconds"] / one["processor_seconds"], 3)
    return found


def _evaluate(batch: Path, jobs: int) -> list[str]:
    return ["evaluate", str(batch), "--jobs", str(jobs), "--engine", "local", "--json"]


def cold_start() -> dict[str, Any]:
    """Return the least processor seconds, wall seconds and peak memory of first imports, over three processes each."""
    steps = {
        "intake": "import glassbox.pipeline.intake, glassbox.contract.parsing",
        "aggregation": "import glassbox.pipeline.aggregation",
        "judging": "import glassbox.pipeline.judging, glassbox.judges.structural_fidelity\n"
        "import glassbox.judges.semantic_faithfulness",
        "models loaded": "from glassbox.models.registry import Registry\nr = Registry()\n"
        "r.embedder(), r.entities(), r.relations(), r.claims()",
    }
    found = {}
    for name, code in steps.items():
        script = (
            f"import json, time\n{code}\nheld = open('/proc/self/status').read().split('VmHWM:')[1].split()[0]\n"
            + ("print(json.dumps([time.process_time(), int(held) / 1024]))")
        )
        runs = [clock.run(["-c", script]) for _ in range(3)]
        told = [json.loads(run.output) for run in runs]
        found[name] = {
            "processor_seconds": round(min(t[0] for t in told), 3),
            "wall_seconds": round(min(run.wall for run in runs), 3),
            "peak_mib": round(min(t[1] for t in told)),
        }
    return found


def sizes(models: Path) -> dict[str, Any]:
    """Return MiB of what has to be installed, by part, and of the bundled models."""
    found: dict[str, Any] = {part: _installed(names) for part, names in PACKAGES.items()}
    weights = {folder.name: _folder(folder) for folder in sorted(models.iterdir()) if (folder / "card.json").is_file()}
    return {"packages_mib": found, "models_mib": weights, "models_total_mib": round(sum(weights.values()), 1)}


def _folder(folder: Path) -> float:
    return round(sum(p.stat().st_size for p in folder.rglob("*") if p.is_file()) / 2**20, 1)


def _installed(names: Sequence[str]) -> float:
    total = 0
    for name in names:
        try:
            files = distribution(name).files or []
        except PackageNotFoundError:
            continue
        paths = [Path(str(f.locate())) for f in files]
        total += sum(path.stat().st_size for path in paths if path.is_file() and path.suffix != ".pyc")
    return round(total / 2**20, 1)
