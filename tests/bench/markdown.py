"""The tables as Markdown, from the JSON alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

Body = dict[str, Any]


def render(body: Body) -> str:
    """Return the whole page; a section that was not run is left out."""
    sections: tuple[tuple[str, Callable[[Any], str]], ...] = (
        ("provenance", _provenance),
        ("faithfulness", _faithfulness),
        ("lines", lambda rows: "## Relevance, relevancy and structure\n\n" + _lines(rows)),
        ("models", _models),
        ("refusals", _refusals),
        ("parity", _parity),
        ("speed", _speed),
        ("growth", _growth),
        ("determinism", _determinism),
    )
    parts = ["# Benchmark tables", "Written by `make bench`; every number below stands in `bench.json` beside it."]
    return "\n\n".join([*parts, *(make(body[name]) for name, make in sections if name in body)]) + "\n"


def table(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Return a Markdown table."""
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    lines += ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]
    return "\n".join(lines)


def _provenance(found: Body) -> str:
    runtime = found["runtime"]
    features = ", ".join(runtime["cpu_features"])
    libraries = ", ".join(f"{k} {v}" for k, v in found["libraries"].items())
    models = "\n".join(f"* `{identity}`" for identity in found["models"].values())
    return (
        f"{found['date']}, seed {found['seed']}, GlassBox {found['glassbox']}, Python {found['python']}, "
        f"onnxruntime {runtime['onnxruntime']}, numpy {runtime['numpy']}, tokenizers {runtime['tokenizers']}, "
        f"{libraries}; {runtime['system']} {runtime['machine']}, {found['cores']} cores, {found['memory_gib']} GiB "
        f"({features}); load {found['load_average'][0]}.\n\n{models}"
    )


def _lines(rows: Sequence[Body]) -> str:
    def cells(row: Body) -> list[str]:
        gain, low, high = row["gain"]
        return [
            row["task"],
            row["data"] + (" (in-domain)" if row["in_domain"] else ""),
            f"{row['positives']}+{row['negatives']}",
            row["score"],
            f"{row['auroc']:.3f} [{row['interval'][0]:.3f}, {row['interval'][1]:.3f}]",
            f"{row['baseline']} {row['baseline_auroc']:.3f}",
            f"{gain:+.3f} [{low:+.3f}, {high:+.3f}]",
            row["note"],
        ]

    head = ("task", "set", "rows", "score", "AUROC [95 %]", "baseline", "paired gain [95 %]", "")
    return table(head, map(cells, rows))


def _faithfulness(found: Body) -> str:
    parts = ["## Faithfulness", _lines(found["lines"]), "### Are the probabilities right?"]
    rows = []
    for name, item in found["reliability"].items():
        bins = " ".join(f"{b['probability']:.2f}→{b['supported']:.2f}" for b in item.get("bins", []))
        rows.append([name, item["claims"], item.get("ece", ""), item.get("brier", ""), bins])
    parts.append(table(("set", "claims", "ECE", "Brier", "said→was, in fifths"), rows))
    parts.append("### Accuracy against coverage")
    coverages = [str(c["coverage"]) for c in next(iter(found["coverage"].values()))["by_distance"]]
    rows = []
    for name, item in found["coverage"].items():
        shares = [f"{c['accuracy']:.3f}" for c in item["by_distance"]]
        decided = item["answers_without_open_claim"]
        settled = f"{decided['accuracy']:.3f} of {decided['share']:.2f}"
        rows.append([name, *shares, item["claims_inconclusive"], settled])
    head = ("set", *(f"{float(c):.0%}" for c in coverages), "claims left open", "answers with no open claim")
    parts.append(table(head, rows))
    parts.append("### Constants of other origin")
    rows = [[n, f"{i['shipped']:.3f}", f"{i['fitted_on_others']:.3f}"] for n, i in found["leave_one_set_out"].items()]
    parts.append(
        table(
            ("set", "AUROC, constants as shipped (training corpora)", "AUROC, fitted on the other measuring sets"), rows
        )
    )
    return "\n\n".join(parts)


def _models(found: Body) -> str:
    parts = ["## Names, relations and minimal pairs"]
    rows = [
        [task, name, f"{s['f1']:.3f}", f"{s['precision']:.3f}", f"{s['recall']:.3f}"]
        for task in ("entities", "relations")
        for name, s in found[task].items()
    ]
    parts.append(table(("task", "score (sister split trained on)", "F1", "precision", "recall"), rows))
    again = found["relations_reordered"]
    parts.append(
        f"Relation pairs found again when the sentences of a text change places: {again['kept']} of {again['pairs']} "
        f"({again['share']:.3f}) in {again['texts']} texts."
    )
    keys = ("pairs", "accuracy", "true_supported", "false_not_supported", "decided", "accuracy_of_decided")
    rows = [[kind, *(item[key] for key in keys)] for kind, item in found["minimal_pairs"].items()]
    parts.append(table(("minimal pair", *(key.replace("_", " ") for key in keys)), rows))
    return "\n\n".join(parts)


def _refusals(found: Body) -> str:
    right, total = found["recognised"]
    alarms = ", ".join(f"{name} {hits}/{count}" for name, (hits, count) in found["false_alarms"].items())
    return (
        f"## Refusals\n\nRecognised: {right} of {total} ({found['share']:.3f}). Taken for a refusal without being one: "
        f"{found['false_alarm_share']:.4f} ({alarms})."
    )


def _parity(found: Body) -> str:
    rows = [[name, *(f"{k} {v}" for k, v in item.items())] for name, item in found.items()]
    width = max(len(row) for row in rows)
    return "## Parity\n\n" + table(
        ("reference", *[""] * (width - 1)), [[*row, *[""] * (width - len(row))] for row in rows]
    )


def _speed(found: Body) -> str:
    term, one, batch = found["terminology"], found["evaluation"], found["batches"]
    parts = [
        "## Speed",
        f"3a beside rouge-score and sacrebleu used plainly: {term['times_faster_aligned']}x faster aligned, "
        f"{term['times_faster_whole']}x on whole documents.",
        f"A whole local evaluation ({one['passages']} passages, {one['answer_sentences']} answer sentences): "
        f"{one['processor_seconds']} s of one core, {one['per_core_and_hour']} an hour and core.",
        f"A batch of {batch['requests']}: two processes are {batch['times_faster_wall']}x as fast as one by the clock "
        f"(they had {batch['jobs_2']['cores_used']} cores, the one had {batch['jobs_1']['cores_used']}), for "
        f"{batch['processor_overhead']}x the processor time; {batch['jobs_1']['peak_mib_of_a_process']} MiB a process.",
    ]
    rows = [[n, i["processor_seconds"], i["wall_seconds"], i["peak_mib"]] for n, i in found["cold_start"].items()]
    parts.append(table(("cold start", "processor s", "wall s", "peak MiB"), rows))
    sizes = found["sizes"]
    total = ("models together", sizes["models_total_mib"])
    rows = [*sizes["packages_mib"].items(), *sizes["models_mib"].items(), total]
    parts.append(table(("part", "MiB"), rows))
    return "\n\n".join(parts)


def _growth(found: Body) -> str:
    rows = [
        [name, ", ".join(map(str, i["sizes"])), ", ".join(map(str, i["seconds"])), i["exponent"]]
        for name, i in found.items()
    ]
    return "## Growth\n\n![Processor seconds of an evaluation by size](growth.svg)\n\n" + table(
        ("side", "sizes", "processor seconds", "exponent of the upper half"), rows
    )


def _determinism(found: Body) -> str:
    rows = [[name, i["runs"], i["different_results"]] for name, i in found.items() if isinstance(i, dict)]
    return "## Determinism\n\n" + table(("varied", "runs", "different results"), rows)
