#!/usr/bin/env python3
"""`network.py up|status|down`: a two-organisation network on this machine, and what it runs on in every line.

With FABRIC_BIN naming the folder of Hyperledger Fabric's programs it is Fabric; without, a development peer.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

try:
    from fabricnet import Network, NetworkError, compose
    from fabricnet.state import BACKENDS
except ModuleNotFoundError as missing:
    sys.exit(
        f"network.py: this Python has no {missing.name}. Run it with the project's (.venv/bin/python after `make`), "
        "or install glassbox[fabric]."
    )

DEFAULT_STATE = Path(".glassbox") / "fabric"
COMPOSE_STATE = Path(".glassbox") / "fabric-compose"


def main(arguments: list[str] | None = None) -> int:
    """Run one command; return 0, 1 for an error, 3 where `status` finds a network that can't endorse."""
    options = _parser().parse_args(arguments)
    try:
        if options.command == "up":
            return _up(options)
        if options.command == "compose":
            return _compose(options)
        if options.command == "status":
            return _status(Network.open(options.state), options.json)
        return _down(options)
    except NetworkError as error:
        print(f"network.py: {error}", file=sys.stderr)
        return 1


def _up(options: argparse.Namespace) -> int:
    started = time.monotonic()
    network = Network.up(options.state, options.backend, batch_timeout_ms=options.batch_timeout)
    if options.json:
        return _status(network, True)
    for status in network.status():
        print(status.line())
    print(f"{network.runs_on} | ready after {time.monotonic() - started:.1f} s | profile {network.profile}")
    return 0


def _status(network: Network, as_json: bool) -> int:
    found, fault = network.status(), network.fault()
    if as_json:
        processes = [{"name": one.name, "pid": one.pid, "port": one.port, "runs_on": one.runs_on} for one in found]
        document = {
            "runs_on": network.runs_on,
            "hyperledger_fabric": network.is_fabric,
            "ready": fault is None,
            "fault": fault,
            "profile": str(network.profile),
            "auditor_profile": str(network.auditor_profile),
            "processes": processes,
        }
        print(json.dumps(document, indent=1))
    else:
        for status in found:
            print(status.line())
        print(f"{network.runs_on} | {'ready' if fault is None else 'not ready: ' + fault} | profile {network.profile}")
    return 0 if fault is None else 3


def _down(options: argparse.Namespace) -> int:
    try:
        network = Network.open(options.state)
    except NetworkError:
        print(f"no network in {options.state}")
        return 0
    network.down(wipe=options.wipe)
    kept = "everything of it is removed" if options.wipe else "its ledger is kept; `up` starts it again"
    print(f"{network.runs_on} | down | {kept}")
    return 0


def _compose(options: argparse.Namespace) -> int:
    file = compose.prepare(options.state)
    containers = Path(__file__).resolve().with_name("docker-compose.yaml")
    print(f"Start it:  docker compose --env-file {file} -f {containers} up --build --detach")
    print(f"It is ready when this ends with `ready`:  docker compose --env-file {file} -f {containers} logs -f setup")
    print(f"Profile:   {file.with_name('profile.json')}")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="network.py", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    up = commands.add_parser("up", help="make the network or start it, and wait until it endorses")
    up.add_argument("--backend", choices=BACKENDS, default="auto", help="auto: Fabric where FABRIC_BIN is set")
    up.add_argument("--batch-timeout", type=int, default=200, metavar="MS", help="how long a block stays open")
    down = commands.add_parser("down", help="end every process of the network")
    down.add_argument("--wipe", action="store_true", help="remove its ledgers, keys and configuration as well")
    status = commands.add_parser("status", help="show what runs, and on what")
    containers = commands.add_parser("compose", help="prepare the network of docker-compose.yaml")
    containers.add_argument("--state", type=Path, default=COMPOSE_STATE, help=f"folder (default {COMPOSE_STATE})")
    for command in (up, down, status):
        command.add_argument("--state", type=Path, default=DEFAULT_STATE, help=f"folder (default {DEFAULT_STATE})")
    for command in (up, status):
        command.add_argument("--json", action="store_true", help="print one JSON object")
    return parser


if __name__ == "__main__":
    sys.exit(main())
