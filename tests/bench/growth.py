"""How the time of a whole evaluation grows with passages, answer length and source length, as numbers and as a plot."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import clock
import workload

from glassbox.contract.policy import built_in
from glassbox.contract.request import Request
from glassbox.judges.registry import JUDGES, judge_named
from glassbox.judges.tools import Tools

SIDES: dict[str, tuple[Sequence[int], Callable[[int], dict[str, Any]]]] = {
    "passages": ((2, 5, 10, 20, 40), lambda n: workload.request(7, passages=n, sentences=10, answer=8)),
    "answer sentences": ((2, 4, 8, 16, 32), lambda n: workload.request(8, passages=5, sentences=10, answer=n)),
    "sentences of a source": ((10, 25, 50, 100, 200), lambda n: workload.request(9, passages=2, sentences=n, answer=8)),
}
COLOURS = ("#3b6ea5", "#b4552d", "#4d7d3a")


def growth(tools: Tools, repeats: int = 2) -> dict[str, Any]:
    """Return for each side the processor seconds by size, and the exponent of the power law through the upper half.

    An exponent of 1 is linear; below 1, fixed costs still show. The three judges run one after the other without the
    ledger. Every text is new to the embedder's memory in its first run, so the time is that of the first.
    """
    policy, found = built_in("default"), {}
    for name, (values, make) in SIDES.items():
        times = []
        for value in values:
            request = Request.model_validate(make(value))
            times.append(clock.seconds(lambda r=request: [judge_named(j)(r, policy, tools) for j in JUDGES], repeats))
        rounded = [round(t, 3) for t in times]
        found[name] = {"sizes": list(values), "seconds": rounded, "exponent": _exponent(values, times)}
    return found


def _exponent(sizes: Sequence[int], times: Sequence[float]) -> float:
    xs, ys = [math.log(v) for v in sizes[-3:]], [math.log(t) for t in times[-3:]]
    mx, my = sum(xs) / len(xs), sum(ys) / len(ys)
    slope = sum((x - mx) * (y - my) for x, y in zip(xs, ys, strict=True)) / sum((x - mx) ** 2 for x in xs)
    return round(slope, 2)


def plot(found: dict[str, Any], path: Path) -> None:
    """Write the growth as an SVG, one panel a side; the axes begin at 0, and the dashed line is linear growth."""
    width, height, left, top = 300, 220, 46, 34
    panels = [
        _panel(name, side, COLOURS[i % len(COLOURS)], i * (width + 20), width, height, left, top)
        for i, (name, side) in enumerate(found.items())
    ]
    total = len(panels) * (width + 20)
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {total} {height + 20}" width="{total}" '
        f'height="{height + 20}" font-family="sans-serif" font-size="11" role="img" '
        f'aria-label="Processor seconds of an evaluation by size">\n'
    )
    paper = '<rect width="100%" height="100%" fill="#fff"/>\n'
    path.write_text(svg + paper + "\n".join(panels) + "\n</svg>\n", "utf-8")


def _panel(name: str, side: dict[str, Any], colour: str, x0: int, width: int, height: int, left: int, top: int) -> str:
    sizes, times = side["sizes"], side["seconds"]
    wide, high = width - left - 16, height - top - 34
    most, longest = max(sizes), max(times) * 1.08

    def at(size: float, time: float) -> tuple[float, float]:
        return x0 + left + wide * size / most, top + high * (1 - time / longest)

    (ox, oy), (ex, ey) = at(0, 0), at(most, longest)
    points = [at(s, t) for s, t in zip(sizes, times, strict=True)]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    lx, ly = at(most, times[-1])
    parts = [
        f'<text x="{ox:.0f}" y="{top - 14}" font-weight="bold">{name} (exponent {side["exponent"]})</text>',
        f'<path d="M{ox:.1f},{ey:.1f}V{oy:.1f}H{ex:.1f}" fill="none" stroke="#888"/>',
        f'<path d="M{ox:.1f},{oy:.1f}L{lx:.1f},{ly:.1f}" stroke="#bbb" stroke-dasharray="3 3"/>',
        f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>',
        f'<text x="{ox - 6:.0f}" y="{ey + 8:.0f}" text-anchor="end">{longest:.1f} s</text>',
        f'<text x="{ox - 6:.0f}" y="{oy:.0f}" text-anchor="end">0</text>',
    ]
    for size, (x, y) in zip(sizes, points, strict=True):
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>')
        if size == most or x - ox > 40:
            parts.append(f'<text x="{x:.1f}" y="{oy + 14:.0f}" text-anchor="middle">{size}</text>')
    return "\n".join(parts)
