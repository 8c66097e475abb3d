"""The workers that run transactions, shared by all streams: how many at once, how many may wait, and when to stop."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from glassbox_chaincode.running import Contract
from glassbox_chaincode.settings import Limits


class Work:
    """Runs transactions in `limits.concurrent` threads; `limits.waiting` more may wait."""

    def __init__(self, contract: Contract, chaincode_id: str, limits: Limits) -> None:
        self.contract = contract
        self.chaincode_id = chaincode_id
        self.limits = limits
        self._pool = ThreadPoolExecutor(limits.concurrent, thread_name_prefix="transaction")
        self._change = threading.Condition()
        self._open = 0
        self._done = 0
        self._stopping = False

    @property
    def in_flight(self) -> int:
        """Transactions that run or wait."""
        return self._open

    @property
    def done(self) -> int:
        """Transactions that have ended since the start."""
        return self._done

    @property
    def stopping(self) -> bool:
        """Whether no more transactions are taken."""
        return self._stopping

    def submit(self, job: Callable[[], None]) -> str | None:
        """Have a worker do `job`; returns why not where the server is stopping or too busy."""
        with self._change:
            if self._stopping:
                return "the chaincode is stopping"
            if self._open >= self.limits.concurrent + self.limits.waiting:
                return "too many transactions wait"
            self._open += 1
        self._pool.submit(self._do, job)
        return None

    def drain(self, seconds: float) -> bool:
        """Take nothing more and wait for what runs; False where some of it still did after `seconds`."""
        with self._change:
            self._stopping = True
            return self._change.wait_for(lambda: self._open == 0, seconds)

    def close(self) -> None:
        """End the workers; what still waits is dropped. The streams must be closed before, so that nothing hangs."""
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _do(self, job: Callable[[], None]) -> None:
        try:
            job()
        finally:
            with self._change:
                self._open -= 1
                self._done += 1
                self._change.notify_all()
