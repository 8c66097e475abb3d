"""Minimal pairs from texts that training never saw: a supported claim and the same claim with one thing made false."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from claim_perturb import (
    change_digit,
    change_month,
    change_number,
    change_unit,
    change_year,
    flip_comparison,
    negate,
    swap_name,
    swap_within,
)
from claim_text import paraphrase, split_sentences

NAME = re.compile(r"(?<=[a-z,;(] )(?:[A-Z][\w'-]+)(?: (?:of |the |de |von )?[A-Z][\w'-]+)*")
KINDS = ("name", "cross", "number", "date", "unit", "negation", "comparison")


@dataclass(frozen=True)
class MinimalPair:
    """A window, a claim it supports and a falsified claim; `kind` is one of `KINDS`."""

    passage: str
    true: str
    false: str
    kind: str


def _changes(names: list[str]) -> dict[str, Callable[[str, Random], str | None]]:
    def name(claim: str, rng: Random) -> str | None:
        held = [n for n in names if n in claim]
        return swap_name(claim, rng.choice(held), names, rng) if held else None

    def date(claim: str, rng: Random) -> str | None:
        return change_year(claim, rng) or change_month(claim, rng)

    def number(claim: str, rng: Random) -> str | None:
        bare = re.sub(r"\b(?:1\d{3}|20\d\d)\b", "", claim)
        return (change_number(claim, rng) or change_digit(claim, rng)) if re.search(r"\d", bare) else None

    return {
        "name": name,
        "cross": lambda claim, rng: swap_within(claim, [n for n in names if n in claim], rng),
        "number": number,
        "date": date,
        "unit": change_unit,
        "negation": negate,
        "comparison": flip_comparison,
    }


def minimal_pairs(passages: list[str], per_kind: int, seed: int) -> list[MinimalPair]:
    """Return up to `per_kind` pairs of each kind, half of the true claims verbatim and half rewritten."""
    rng = Random(seed)
    texts = rng.sample(passages, len(passages))
    counts = dict.fromkeys(KINDS, 0)
    pairs: list[MinimalPair] = []
    for text in texts:
        sentences = split_sentences(text)
        for index, sentence in enumerate(sentences):
            if not 7 <= len(sentence.split()) <= 40:
                continue
            start = max(0, index - rng.randint(0, 2))
            window = " ".join(sentences[start : start + 4])
            names = NAME.findall(window)
            claim = paraphrase(sentence, rng) if rng.random() < 0.5 else sentence
            kinds = [kind for kind in KINDS if counts[kind] < per_kind]
            rng.shuffle(kinds)
            for kind in sorted(kinds, key=lambda k: counts[k]):
                changed = _changes(names)[kind](claim, rng)
                if changed and changed != claim and changed not in window and len(window.split()) < 150:
                    pairs.append(MinimalPair(window, claim, changed, kind))
                    counts[kind] += 1
                    break
    return pairs
