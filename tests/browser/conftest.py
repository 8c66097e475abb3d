"""A browser for the session, reports as files, and a server that counts what anybody asks it for."""

from __future__ import annotations

import http.server
import os
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from glassbox.report import READERS, Row, render, render_index
from tests.browser.chromium import Chromium, find
from tests.unit.report import factory


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chromium]:
    binary = find()
    if binary is None:
        if os.environ.get("GLASSBOX_REQUIRE_BROWSER") == "1":
            pytest.fail("no Chromium on this machine, and GLASSBOX_REQUIRE_BROWSER is set")
        pytest.skip("NOT RUN: no Chromium on this machine (Debian: apt-get install chromium)")
    with Chromium(binary, tmp_path_factory.mktemp("profile")) as browser:
        yield browser


class Counter:
    """What a server on loopback was asked for."""

    def __init__(self, origin: str) -> None:
        self.origin = origin
        self.paths: list[str] = []


@pytest.fixture(scope="session")
def counter() -> Iterator[Counter]:
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            counted.paths.append(self.path)
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    counted = Counter(f"http://127.0.0.1:{server.server_port}")
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield counted
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture(scope="session")
def pages(tmp_path_factory: pytest.TempPathFactory, counter: Counter) -> dict[str, Path]:
    """Every kind of report, by name such as `bad-risk`."""
    folder = tmp_path_factory.mktemp("reports")
    bad = factory.hostile(counter.origin)
    hostile = factory.hostile_envelope(counter.origin)
    forged = factory.mapped(factory.LEDGER, lambda _, text: bad + text) | {bad: bad}
    envelopes = {
        "bad": (factory.envelope(), factory.LEDGER),
        "good": (factory.good_envelope(), factory.LEDGER),
        "unanswered": (factory.unanswered_envelope(), factory.LEDGER),
        "hostile": (hostile, forged),
        "scripts": (factory.scripts_envelope(), factory.LEDGER),
    }
    written = {
        f"{name}-{reader}": render(envelope, ledger, factory.USAGE, reader)
        for name, (envelope, ledger) in envelopes.items()
        for reader in READERS
    }
    written["overview"] = render_index(
        [Row(name if name != "hostile" else bad, e["core"], f"{name}.html") for name, (e, _) in envelopes.items()]
    )
    for name, html in written.items():
        (folder / f"{name}.html").write_text(html, "utf-8")
    return {name: folder / f"{name}.html" for name in written}
