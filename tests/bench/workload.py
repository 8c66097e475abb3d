"""Requests of our own to time and to repeat: of the usual size, and with one side made longer."""

from __future__ import annotations

from random import Random
from typing import Any

SUBJECTS = ("pump", "boiler", "valve", "sensor", "filter", "meter", "fan", "pipe", "switch", "panel")
PEOPLE = ("Carla Brandt", "Ivo Keller", "Ada Okafor", "Lena Marsh", "Tomas Riedl", "Nora Quist")
TOWNS = ("Brunholm", "Port Ansel", "Lomvik", "Harland", "Oxley", "Tarnow")


def sentence(rng: Random) -> str:
    """Return one sentence with a name, a place, a date and a number."""
    subject, other = rng.sample(SUBJECTS, 2)
    kind = rng.randrange(4)
    person, town, year = rng.choice(PEOPLE), rng.choice(TOWNS), rng.randint(1990, 2024)
    if kind == 0:
        return f"The {subject} of the plant in {town} was replaced on {rng.randint(1, 28)} May {year} by {person}."
    if kind == 1:
        return f"It delivers {rng.randint(100, 999)} litres an hour to the {other} and needs {rng.randint(2, 9)} kW."
    if kind == 2:
        return f"{person} inspected the {subject} in {town} after the {other} had failed in {year}."
    return f"Since {year} the {subject} may only be opened when the {other} is switched off."


def request(number: int, passages: int = 5, sentences: int = 10, answer: int = 12) -> dict[str, Any]:
    """Return a request with passages of about 15 tokens a sentence; two answer sentences in three are theirs."""
    rng = Random(number)
    texts = [[sentence(rng) for _ in range(sentences)] for _ in range(passages)]
    told = [rng.choice(rng.choice(texts)) if i % 3 else sentence(rng) for i in range(answer)]
    return {
        "query": f"Who replaced the {rng.choice(SUBJECTS)} in {rng.choice(TOWNS)}, and when?",
        "answer": " ".join(told),
        "retrieved_passages": [{"text": " ".join(t), "score": 0.9 - 0.7 * i / passages} for i, t in enumerate(texts)],
    }
