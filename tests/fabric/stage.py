"""The network that the suite runs on, the same for the tests whatever it is: a development peer or Fabric itself."""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
import urllib.request
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from glassbox.errors import LedgerError
from glassbox.ledger.fabric.gateway import Deadlines, Endpoint, Gateway
from glassbox.ledger.fabric.ledger import FabricLedger
from glassbox.ledger.fabric.pending import FilePendingStore
from glassbox.ledger.fabric.profile import read_profile
from glassbox.ledger.fabric.signing import Signer
from glassbox.ledger.port import Receipt
from glassbox_contract import Policy
from tests.contract.support import policy, record_of

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "fabric-network"))

from fabricnet import Network  # noqa: E402

DEVELOPMENT = "devpeer"
CHANNEL, CHAINCODE = "scorecards", "glassbox"
NODES = ("orderer", "peer-evaluator", "peer-auditor")
DEFAULT = policy()
DEADLINES = Deadlines(evaluate=15, endorse=30, submit=15, commit_status=30)
_BATCH_MS = 50
_MSPS = {"peer-evaluator": "EvaluatorMSP", "peer-auditor": "AuditorMSP"}


def backends() -> tuple[str, ...]:
    """Return what the suite runs on: the development peer, and Fabric from each folder in FABRIC_BIN."""
    named = [folder for folder in os.environ.get("FABRIC_BIN", "").split(os.pathsep) if folder]
    return (DEVELOPMENT, *named)


class Stage:
    """A network with both organisations' clients."""

    def __init__(self, backend: str, *, batch_ms: int = _BATCH_MS) -> None:
        self.batch_ms = batch_ms
        # Not below pytest's folders, whose paths can be longer than a socket's may be.
        self._folder = tempfile.TemporaryDirectory(prefix="glassbox-fabric-")
        self.is_fabric = backend != DEVELOPMENT
        self.network = Network.up(
            Path(self._folder.name) / "state",
            backend="fabric" if self.is_fabric else DEVELOPMENT,
            fabric_bin=backend if self.is_fabric else None,
            batch_timeout_ms=batch_ms,
            development=None if self.is_fabric else {"control": "127.0.0.1:0"},
        )
        self.runs_on = self.network.runs_on
        self.evaluator = replace(read_profile(str(self.network.profile)), deadlines=DEADLINES)
        self.auditor = replace(read_profile(str(self.network.auditor_profile)), deadlines=DEADLINES)
        self._away: list[str] = []
        self._closing: list[Callable[[], None]] = []
        self.ledger().register_policy(DEFAULT)

    @property
    def folder(self) -> Path:
        """A folder of its own for a client."""
        return Path(tempfile.mkdtemp(dir=self._folder.name))

    def ledger(self, network: Any = None, folder: Path | None = None) -> FabricLedger:
        """Return a client of the ledger, by default the Evaluator's with a folder of its own."""
        found = FabricLedger(network or self.evaluator, FilePendingStore(folder or self.folder))
        self._closing.append(found.close)
        return found

    def gateway(self, signer: Signer | None = None, *, via: str = "EvaluatorMSP", channel: str = CHANNEL) -> Gateway:
        """Return a plain client of a peer, by default with the Evaluator's identity."""
        endpoint: Endpoint = self.evaluator.peers[via]
        found = Gateway(endpoint, signer or self.evaluator.client, channel, deadlines=DEADLINES)
        self._closing.append(found.close)
        return found

    def kill(self, *names: str) -> None:
        """Kill nodes (of NODES) or chaincode processes as a power cut would; `restore` brings them back."""
        for name in names:
            if name in self.network.names:
                self.network.kill(name)
            else:
                self._away.append(name)
        if self._away:
            self._set_away()

    def kill_all(self) -> None:
        """Kill every node, but no chaincode process."""
        self.kill(*(NODES if self.is_fabric else (DEVELOPMENT,)))

    def restore(self) -> None:
        """Start what is down, and return once both organisations endorse again."""
        for name in self.network.names:
            self.network.start(name)
        if self._away:
            self._away.clear()
            self._set_away()
        self.network.wait_ready()

    def release(self) -> None:
        """Close the clients that one test has made."""
        while self._closing:
            self._closing.pop()()

    def close(self) -> None:
        """End every process and remove everything."""
        self.release()
        self.network.down(wipe=True)
        self._folder.cleanup()

    def _set_away(self) -> None:
        """Tell the development peer which of its parts are away: it is one process, so they can't be killed apart."""
        peers = [_MSPS[name] for name in self._away if name in _MSPS]
        faults = {"orderer_away": "orderer" in self._away, "peers_away": peers}
        ready = json.loads((self.network.layout.run / "devpeer.ready").read_text())
        request = urllib.request.Request(f"http://{ready['control']}/faults", json.dumps(faults).encode(), method="PUT")
        with urllib.request.urlopen(request, timeout=10) as answer:
            answer.read()


class Cards:
    """Records of one test, under a session and on a day of its own, since all tests share a ledger."""

    def __init__(self) -> None:
        self.session = f"hmac-sha256:{uuid.uuid4().hex}{uuid.uuid4().hex}"
        number = uuid.uuid4().int
        self.day = f"{2000 + number % 20}-{1 + number // 20 % 12:02}-{1 + number // 240 % 28:02}"
        self.made: dict[str, dict[str, Any]] = {}

    def make(self, count: int = 1, *, under: Policy = DEFAULT, **fields: Any) -> list[dict[str, Any]]:
        """Return new records, each a second after the one before."""
        records = []
        for _ in range(count):
            at = len(self.made)
            stamp = f"{self.day}T{at // 3600:02}:{at // 60 % 60:02}:{at % 60:02}.000Z"
            record = record_of(
                under,
                **{"evaluation_id": str(uuid.uuid4()), "created_at": stamp, "session_hmac": self.session, **fields},
            )
            self.made[record["evaluation_id"]] = record
            records.append(record)
        return records

    def one(self, **fields: Any) -> dict[str, Any]:
        """Return one new record."""
        return self.make(**fields)[0]


def listed(page: Callable[..., Any], of: str, size: int = 50) -> Iterator[str]:
    """Yield the ids of a whole listing, page after page."""
    bookmark = ""
    while True:
        found = page(of, page_size=size, bookmark=bookmark)
        yield from (item["id"] for item in found.items)
        bookmark = found.bookmark
        if not bookmark:
            return


def assert_exactly(ledger: FabricLedger, cards: Cards, records: Sequence[Mapping[str, Any]]) -> None:
    """Assert that of this test's records exactly these stand on the ledger, each as it was sent and written once."""
    expected = sorted(record["evaluation_id"] for record in records)
    assert sorted(listed(ledger.list_by_session, cards.session)) == expected
    assert set(expected) <= set(listed(ledger.list_by_day, cards.day))
    for record in records:
        assert ledger.get(record["evaluation_id"])["record"] == record
        assert len(ledger.history(record["evaluation_id"])["writes"]) == 1


def insisted(ledger: FabricLedger, record: dict[str, Any], seconds: float = 90, *, under: Policy = DEFAULT) -> Receipt:
    """Return the receipt of a commit that is tried again as long as its failure may pass, as every caller does."""
    end = time.monotonic() + seconds
    while True:
        try:
            return ledger.commit(record, under)
        except LedgerError as error:
            if not error.retryable or time.monotonic() > end:
                raise
            time.sleep(0.1)
