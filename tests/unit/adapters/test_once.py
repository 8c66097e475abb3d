"""What a process makes once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from glassbox.adapters.aws.once import Once


def test_threads_that_ask_at_once_get_the_same() -> None:
    together, made = Barrier(8), []

    def make() -> object:
        made.append(object())
        return made[-1]

    value = Once(make)

    def ask() -> object:
        together.wait()
        return value()

    with ThreadPoolExecutor(8) as pool:
        answers = [pool.submit(ask) for _ in range(8)]
    assert {id(answer.result()) for answer in answers} == {id(made[0])} and len(made) == 1


def test_a_failure_is_not_kept() -> None:
    tries = iter((ValueError(), None))

    def make() -> str:
        error = next(tries)
        if error is not None:
            raise error
        return "made"

    value = Once(make)
    with pytest.raises(ValueError):
        value()
    assert value() == "made"


def test_a_cleared_value_is_made_anew() -> None:
    numbers = iter(range(2))
    value = Once(lambda: next(numbers))
    assert not value.made
    assert (value(), value()) == (0, 0) and value.made
    value.cache_clear()
    assert value() == 1
