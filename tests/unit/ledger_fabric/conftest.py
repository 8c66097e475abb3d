"""Networks for the tests: one that each test has for itself, and one with records on it that nobody changes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from glassbox.ledger.fabric.ledger import FabricLedger
from glassbox.ledger.fabric.pending import FilePendingStore
from tests.unit.ledger.support import DEFAULT, REQUEST, identifier, record
from tests.unit.ledger_fabric.network import Channel, Peers


@pytest.fixture
def peers() -> Iterator[Peers]:
    """A network of its own for one test."""
    found = Peers(Channel())
    yield found
    found.close()


@pytest.fixture
def ledger(peers: Peers, tmp_path: Path) -> Iterator[FabricLedger]:
    """A client of it."""
    with FabricLedger(peers.network(), FilePendingStore(tmp_path / "pending")) as found:
        yield found


class Filled:
    """A channel with two records, one of them superseding the other, and an opening that was never scored."""

    def __init__(self, folder: Path) -> None:
        self.channel = Channel()
        self.peers = Peers(self.channel)
        self.ledger = FabricLedger(self.peers.network(), FilePendingStore(folder))
        self.ledger.open_evaluation(identifier(1), REQUEST, DEFAULT)
        self.ledger.open_evaluation(identifier(9), REQUEST, DEFAULT)
        self.first = record(1)
        self.second = record(2, attempt=1, supersedes=identifier(1))
        self.ledger.commit(self.first, DEFAULT)
        self.ledger.commit(self.second, DEFAULT)
        self.trust = self.channel.trust

    def proof(self, n: int) -> dict[str, Any]:
        return self.ledger.proof(identifier(n))


@pytest.fixture(scope="session")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Filled]:
    """Records that stand; tests must not change them."""
    found = Filled(tmp_path_factory.mktemp("pending"))
    yield found
    found.ledger.close()
    found.peers.close()
