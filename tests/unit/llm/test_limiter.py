"""How many requests may be under way at once."""

from __future__ import annotations

import threading

from glassbox.llm.limiter import Limiter
from tests.unit.llm.asking import Clock


def test_refusals_halve_and_successes_raise_it_by_one_a_round(clock: Clock) -> None:
    limiter = Limiter(8, clock=clock.time)
    seen = []
    for _ in range(5):
        clock.sleep(2)
        limiter.too_many()
        seen.append(limiter.limit)
    assert seen == [4, 2, 1, 1, 1]
    rounds = []
    while limiter.limit < 8:
        for _ in range(limiter.limit + 1):
            limiter.went_well()
        rounds.append(limiter.limit)
    assert rounds == sorted(rounds)
    assert len(rounds) >= 6
    for _ in range(100):
        limiter.went_well()
    assert limiter.limit == 8


def test_a_burst_of_refusals_counts_once(clock: Clock) -> None:
    limiter = Limiter(16, clock=clock.time)
    for _ in range(9):
        limiter.too_many()
    assert limiter.limit == 8


def test_everybody_waits_as_long_as_was_asked_for(clock: Clock) -> None:
    limiter = Limiter(2, clock=clock.time)
    assert limiter.hold == 0
    limiter.too_many(5.0)
    limiter.too_many(2.0)
    assert limiter.hold == 5.0
    clock.sleep(4.0)
    assert limiter.hold == 1.0
    clock.sleep(9.0)
    assert limiter.hold == 0


def test_no_place_is_given_beyond_the_limit_and_each_is_given_back() -> None:
    limiter = Limiter(2)
    with limiter.slot(1) as one, limiter.slot(1) as two, limiter.slot(0.01) as three:
        assert (one, two, three) == (True, True, False)
    with limiter.slot(0) as again:
        assert again


def test_an_error_gives_the_place_back() -> None:
    limiter = Limiter(1)
    for _ in range(3):
        try:
            with limiter.slot(0) as got:
                assert got
                raise KeyError
        except KeyError:
            pass
    assert limiter.fresh().limit == 1


def test_many_threads_never_exceed_it() -> None:
    limiter = Limiter(3)
    lock = threading.Lock()
    now, most = 0, 0

    def work() -> None:
        nonlocal now, most
        for _ in range(50):
            with limiter.slot(float("inf")) as got:
                assert got
                with lock:
                    now += 1
                    most = max(most, now)
                limiter.went_well()
                with lock:
                    now -= 1

    threads = [threading.Thread(target=work) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most <= 3
    assert now == 0
