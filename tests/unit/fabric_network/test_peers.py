"""What peers answer to the chaincode's requests: the development peer always, Fabric's where FABRIC_BIN is set."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fabricnet import Network, chaincode
from fabricnet.topology import PEERS

from glassbox.errors import LedgerError
from glassbox.ledger.fabric.gateway import Gateway
from glassbox.ledger.fabric.profile import read_profile
from glassbox_chaincode import ChaincodeServer, Settings, Tls
from glassbox_contract.contract import Response
from glassbox_contract.stub import composite_key

COUNT = 250
BACKENDS = ["devpeer"] + (["fabric"] if os.environ.get("FABRIC_BIN") else [])


def contract(stub: Any, function: str, args: Any) -> Response:
    """A contract that uses all that the stub offers."""
    if function == "GetSchema":
        return Response(200, b"{}", "")
    if function == "Put":
        for number in range(int(args[0])):
            stub.put_state(f"k{number:03}", args[1])
            stub.put_state(composite_key("parity", str(number % 2), f"{number:03}"), b"x")
        stub.set_event("Put", args[1])
        return Response(200, b"", "")
    return Response(200, json.dumps(_asked(stub, function, [arg.decode() for arg in args])).encode(), "")


def _asked(stub: Any, function: str, args: list[str]) -> Any:
    if function == "Range":
        return [key for key, _ in stub.get_range(args[0], args[1], int(args[2]))]
    if function == "Pages":
        pages = [stub.get_range_page("k", "l", int(args[0]))]
        while pages[-1].bookmark:
            pages.append(stub.get_range_page("k", "l", int(args[0]), pages[-1].bookmark))
        return [[key for key, _ in page.items] for page in pages]
    if function == "Partial":
        return len(stub.get_partial_page(1000, "", "parity", args[0]).items)
    if function == "PageThenWrite":
        stub.get_range_page("k", "l", 5)
        stub.put_state("other", b"1")
    if function == "History":
        return [write.value.decode() for write in stub.get_history(args[0])]
    if function == "Who":
        return [stub.creator.msp, stub.creator.role]
    return len("".join(args))


@pytest.fixture(scope="module", params=BACKENDS)
def network(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Network]:
    """A network whose organisations run this contract instead of GlassBox's."""
    state: Path = tmp_path_factory.mktemp("peers") / "state"
    found = Network.up(state, request.param)
    servers = []
    try:
        for one in PEERS:
            found.stop(f"chaincode-{one.name}")
            files = found.layout.chaincode(one) / "server"
            tls = Tls(*((files / name).read_bytes() for name in ("server.key", "server.pem", "ca.pem")))
            connection = json.loads((found.layout.chaincode(one) / chaincode.CONNECTION).read_text())
            settings = Settings(chaincode.identifier(found.layout, one), connection["address"], tls)
            servers.append(ChaincodeServer(settings, contract).start())
        yield found
    finally:
        for server in servers:
            server.stop()
        found.down(wipe=True)


@pytest.fixture(scope="module")
def gateway(network: Network) -> Iterator[Gateway]:
    """The Evaluator's client, with two transactions committed."""
    profile = read_profile(str(network.profile))
    found = Gateway(profile.gateway, profile.client, profile.trust.channel)
    _until_served(found)
    for count, value in ((COUNT, b"one"), (3, b"two")):
        prepared = found.endorse("glassbox", "Put", str(count).encode(), value)
        found.submit(prepared.tx_id, prepared.envelope)
        assert found.commit_status(prepared.tx_id).code == "VALID"
    yield found
    found.close()


def _until_served(gateway: Gateway) -> None:
    """Wait until both peers have dialled the new servers."""
    for _ in range(600):
        try:
            gateway.endorse("glassbox", "GetSchema")
        except LedgerError:
            time.sleep(0.1)
        else:
            return
    pytest.fail("the peers never dialled")


def ask(gateway: Gateway, function: str, *args: str) -> Any:
    return json.loads(gateway.evaluate("glassbox", function, *(arg.encode() for arg in args)))


@pytest.mark.parametrize("limit", [0, 1, 99, 100, 101, 205, 1000])
def test_a_range_ends_at_its_limit(gateway: Gateway, limit: int) -> None:
    assert ask(gateway, "Range", "k", "l", str(limit)) == [f"k{number:03}" for number in range(min(limit, COUNT))]


def test_a_range_may_be_empty_and_leaves_its_end_out(gateway: Gateway) -> None:
    assert ask(gateway, "Range", "x", "y", "5") == []
    assert ask(gateway, "Range", "k007", "k009", "5") == ["k007", "k008"]


@pytest.mark.parametrize("size", [7, 60, 125, COUNT, 1000])
def test_pages_go_on_at_their_bookmark(gateway: Gateway, size: int) -> None:
    pages = ask(gateway, "Pages", str(size))
    assert [key for page in pages for key in page] == [f"k{number:03}" for number in range(COUNT)]
    assert all(len(page) == size for page in pages[:-1])


def test_a_partial_composite_key_finds_its_own(gateway: Gateway) -> None:
    assert (ask(gateway, "Partial", "0"), ask(gateway, "Partial", "1"), ask(gateway, "Partial", "2")) == (125, 125, 0)


def test_a_page_is_for_transactions_that_only_read(gateway: Gateway) -> None:
    with pytest.raises(LedgerError, match="the peer refused PUT_STATE"):
        ask(gateway, "PageThenWrite")


def test_history_is_oldest_first(gateway: Gateway) -> None:
    assert ask(gateway, "History", "k001") == ["one", "two"]
    assert ask(gateway, "History", "k100") == ["one"]
    assert ask(gateway, "History", "never") == []


def test_the_peer_says_who_asks(gateway: Gateway) -> None:
    assert ask(gateway, "Who") == ["EvaluatorMSP", "client"]


def test_twelve_megabytes_reach_the_chaincode(gateway: Gateway) -> None:
    assert ask(gateway, "Length", "x" * 12_000_000) == 12_000_000
