"""A judge model's tables as Markdown, from the JSON alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import markdown
from markdown import table

Body = dict[str, Any]
SIMULATED = (
    "**A simulator, not a model.** A scripted judge that counts shared words gave every verdict below; the numbers say "
    "that the benchmark runs, and nothing about any judge model."
)


def render(body: Body) -> str:
    """Return the whole page."""
    return f"{head(body)}\n\n{tables(body)}"


def head(body: Body) -> str:
    """Return what differs from run to run: who was asked, on which machine, for how long."""
    found, judge = body["provenance"], body["provenance"]["judge"]
    title = "a simulated judge model" if judge["simulator"] else "a judge model"
    runtime = found["runtime"]
    parts = [f"# Benchmark tables of {title}: `{judge['asked']}`"]
    if judge["simulator"]:
        parts.append(SIMULATED)
    ended = f" This run ended early: {judge['ended']}." if judge["ended"] else ""
    parts.append(
        f"Written by `make bench ENGINE=llm`; every number below stands in the JSON beside it. {found['date']}, seed "
        f"{found['seed']}, GlassBox {found['glassbox']}, Python {found['python']}, {judge['libraries']}; "
        f"{runtime['system']} {runtime['machine']}, {found['cores']} cores; "
        f"{judge['wall_seconds']:.0f} s{', from recorded answers' if judge['replayed'] else ''}.{ended}"
    )
    sampling = ", ".join(f"{k} {v}" for k, v in judge["sampling"].items())
    prompts = "\n".join(f"* prompts of {name}: `{digest}`" for name, digest in judge["prompts"].items())
    parts.append(f"Settings: {sampling}.\n\n{prompts}")
    return "\n\n".join(parts)


def tables(body: Body) -> str:
    """Return the tables, which are the same in a replay."""
    found = body["tables"]
    sections: tuple[tuple[str, Callable[[Any], str]], ...] = (
        ("rows", _rows),
        ("faithfulness", _faithfulness),
        ("relevance", lambda rows: "## Relevance\n\n" + markdown._lines(rows)),
        ("relevancy", lambda rows: "## Answer relevancy\n\n" + markdown._lines(rows)),
        ("pairs", _pairs),
        ("refusals", _refusals),
        ("beside_local", _beside),
    )
    parts = [make(found[name]) for name, make in sections if found.get(name)]
    done, planned = body["complete"]["judged"], body["complete"]["rows"]
    if done < planned:
        parts.insert(0, f"**Partial: {done:,} of {planned:,} rows were judged.** The same command goes on from there.")
    return "\n\n".join([*parts, _failed(body["failed"]), _cost(body["cost"])]) + "\n"


def _rows(found: Body) -> str:
    keys = ("rows", "scored", "without_score", "errors", "not_asked")
    rows = [[t, d, *(item[k] for k in keys)] for t, sets in found.items() for d, item in sets.items()]
    words = "`without score`: the question did not arise (an answer without a claim). An error never becomes a number."
    return "## Rows\n\n" + table(("task", "set", *(k.replace("_", " ") for k in keys)), rows) + f"\n\n{words}"


def _interval(found: Sequence[float] | None, sign: str = "") -> str:
    if found is None:
        return ""
    value, low, high = found
    return f"{value:{sign}.3f} [{low:{sign}.3f}, {high:{sign}.3f}]"


def _faithfulness(found: Body) -> str:
    parts = [
        "## Faithfulness",
        "`verdicts`: ours, after quotes, numbers and negations were checked. `judge alone`: the judge model's own "
        "verdicts on the same claims, as Ragas counts them.",
        markdown._lines(found["lines"]),
        "### What the checks buy",
        "An answer counts as passed where every claim is supported.",
    ]
    rows = [
        [
            name,
            item["answers"],
            _interval(item["ours"]),
            _interval(item["judge_alone"]),
            _interval(item["gain"], "+"),
            f"{item['unfaithful_passed']} and {item['unfaithful_passed_by_judge_alone']} "
            f"of {item['unfaithful_answers']}",
        ]
        for name, item in found["accuracy"].items()
    ]
    heads = ("set", "answers", "right [95 %]", "judge alone", "paired gain", "unfaithful passed, ours and alone")
    parts.append(table(heads, rows))
    rows = [
        [name, rule, n["faithful"], n["unfaithful"]]
        for name, rules in found["rules"].items()
        for rule, n in rules.items()
    ]
    parts.append(table(("set", "verdict: rule", "claims of faithful answers", "of unfaithful ones"), rows))
    parts += ["### Accuracy against coverage", coverage(found["coverage"])]
    return "\n\n".join(parts)


def coverage(found: dict[str, Body]) -> str:
    """Return accuracy over the surest answers, and what is left open."""
    if not found:
        return ""
    shares = [f"{float(c['coverage']):.0%}" for c in next(iter(found.values()))["by_distance"]]
    rows = []
    for name, item in found.items():
        decided = item["answers_without_open_claim"]
        settled = f"{decided['accuracy']:.3f} of {decided['share']:.2f}" if decided["share"] else "none"
        values = [f"{c['accuracy']:.3f}" for c in item["by_distance"]]
        rows.append([name, *values, item["claims_inconclusive"], item["answers_scored"], settled])
    heads = ("set", *shares, "claims left open", "answers with a score", "right of answers with no open claim")
    return table(heads, rows)


def _pairs(found: Body) -> str:
    rows = [
        [
            kind,
            item["ours"]["pairs"],
            item["ours"]["accuracy"],
            item["ours"]["true_supported"],
            item["ours"]["false_not_supported"],
            item["ours"]["decided"],
            item["ours"]["accuracy_of_decided"],
            item["judge_alone"]["accuracy"],
            _interval(item["gain"], "+"),
        ]
        for kind, item in found.items()
    ]
    heads = (
        "minimal pair", "pairs", "accuracy", "true supported", "false not supported", "decided",
        "accuracy of decided", "judge alone", "paired gain [95 %]",
    )  # fmt: skip
    return "## Minimal pairs\n\n" + table(heads, rows)


def _refusals(found: Body) -> str:
    rows = [
        [
            name,
            "refusals" if item["refusals"] else "answers",
            f"{item['taken_for_refusal']} of {item['answers']}",
            item["by_words"],
            item["by_judge_model"],
        ]
        for name, item in found.items()
    ]
    heads = ("set", "which are", "taken for a refusal", "by their words", "by the judge model")
    return "## Refusals\n\n" + table(heads, rows)


def _beside(found: Body) -> str:
    parts = [
        "## Both engines on the same rows",
        "Faithfulness: verdicts of the judge model, probabilities of the local engine.",
    ]
    rows = [
        [
            item["task"],
            item["data"],
            f"{item['positives']}+{item['negatives']}",
            f"{item['llm']:.3f}",
            f"{item['local']:.3f}",
            _interval(item["gain"], "+"),
            "" if item["local_in_bench_json"] is None else f"{item['local_in_bench_json']:.3f}",
        ]
        for item in found["lines"]
    ]
    heads = ("task", "set", "rows", "llm AUROC", "local AUROC", "paired gain [95 %]", "local in bench.json, all rows")
    parts.append(table(heads, rows))
    if found["pairs"]:
        rows = [
            [kind, item["pairs"], _interval(item["llm"]), _interval(item["local"]), _interval(item["gain"], "+")]
            for kind, item in found["pairs"].items()
        ]
        parts.append(table(("minimal pair", "pairs", "llm accuracy", "local accuracy", "paired gain [95 %]"), rows))
    sides = {f"{name}, {side}": item for name, sides in found["coverage"].items() for side, item in sides.items()}
    parts.append(coverage(sides))
    return "\n\n".join(part for part in parts if part)


def _failed(found: Sequence[Body]) -> str:
    if not found:
        return "## Errors\n\nNone."
    rows = [[item["task"], item["set"], item["row"], item["variant"], item["code"]] for item in found]
    return "## Errors\n\n" + table(("task", "set", "row", "variant", "code"), rows)


def _cost(found: Body) -> str:
    def cells(name: str, item: Body) -> list[Any]:
        money = "unknown" if item["usd"] is None else f"{item['usd']:.4f}"
        tokens = ["unknown" if item[key] is None else f"{item[key]:,}" for key in ("tokens_in", "tokens_out")]
        seconds = "" if item["median_seconds"] is None else item["median_seconds"]
        return [name, item["calls"], item["requests"], item["repaired"], *tokens, money, seconds]

    rows = [*(cells(name, item) for name, item in found["purposes"].items()), cells("all", found)]
    heads = ("question", "calls", "requests", "repaired", "tokens in", "tokens out", "US dollars", "median s")
    served = ", ".join(f"`{name}`" for name in found["served_models"]) or "not told"
    lost = {key: "unknown" if value is None else f"{value:,}" for key, value in found["lost"].items()}
    return (
        "## Cost\n\n"
        + table(heads, rows)
        + f"\n\nServed by {served}; temperature {', '.join(found['temperatures'])}. What several rows ask alike "
        f"is asked once. Without a usable answer: {found['questions_without_answer']} questions. These and "
        f"the like cost {lost['requests']} requests more, {lost['tokens_in']} tokens in, {lost['tokens_out']} out, "
        f"{lost['usd']} US dollars."
    )
