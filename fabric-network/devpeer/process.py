"""The process: both peers and the orderer put together, started, and stopped by a signal."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from devpeer import NAME
from devpeer.config import Config
from devpeer.control import Control
from devpeer.errors import ConfigError
from devpeer.faults import Faults, read_faults
from devpeer.gateway import Gateway
from devpeer.genesis import genesis_block
from devpeer.identities import Members, Signer
from devpeer.ledger import Ledger
from devpeer.orderer import Orderer
from devpeer.peers import Peer
from devpeer.services import PeerServer
from devpeer.store import BlockStore
from devpeer.validation import Rules


class DevelopmentPeer:
    """Two (or more) peers and an orderer on one ledger."""

    def __init__(self, config: Config, say: Callable[[str], None]) -> None:
        self._config = config
        self._say = say
        self._faults = Faults()
        members = Members(config.organisations)
        rules = Rules(config.channel, config.chaincode, config.endorsement, members)
        self._store = BlockStore(config.data)
        try:
            self.ledger = Ledger(self._store, rules, genesis_block(config))
            self._orderer = Orderer(
                self.ledger, Signer(config.orderer_msp, config.orderer), members, config.batch, config.channel
            )
            self._peers = {name: Peer(config, peer, self.ledger) for name, peer in config.peers.items()}
        except BaseException:
            self._store.close()
            raise
        self._servers = {
            name: PeerServer(config.peers[name], peer, Gateway(peer, self._peers, self._orderer, self.ledger))
            for name, peer in self._peers.items()
        }
        self._control = Control(self.status, self.set_faults)

    def status(self) -> dict[str, Any]:
        """Return what runs where, and what is out of order."""
        return {
            "name": NAME,
            "pid": os.getpid(),
            "channel": self._config.channel,
            "chaincode": self._config.chaincode,
            "height": self.ledger.height,
            "addresses": {name: server.address for name, server in self._servers.items()},
            "control": self._control.address or None,
            "faults": asdict(self._faults),
        }

    async def set_faults(self, value: Any) -> None:
        """Let other things be out of order than before; raises BadFaults."""
        self._faults = read_faults(value, tuple(self._peers))
        self._orderer.faults = self._faults
        for name, peer in self._peers.items():
            peer.faults = self._faults
            server = self._servers[name]
            server.gateway.faults = self._faults
            away = name in self._faults.peers_away
            if away and server.listening:
                await server.stop()
            elif not away and not server.listening:
                await server.start()

    async def run(self) -> None:
        """Serve until SIGTERM or SIGINT; raises ConfigError where an address can't be had."""
        stop = asyncio.Event()
        loop = asyncio.get_running_loop()
        for one in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(one, stop.set)
        ordering = asyncio.create_task(self._orderer.run())
        try:
            await self._start()
            waiting = asyncio.create_task(stop.wait())
            await asyncio.wait((waiting, ordering), return_when=asyncio.FIRST_COMPLETED)
            waiting.cancel()
            if ordering.done():
                ordering.result()
        finally:
            await self._stop(ordering)

    async def _start(self) -> None:
        if self._store.cut_bytes:
            self._say(f"cut off an unfinished block of {self._store.cut_bytes} bytes")
        for name, server in self._servers.items():
            if self._config.peers[name].tls is None and not server.address.startswith("127.0.0.1:"):
                raise ConfigError(f"{server.address}: without TLS it listens on 127.0.0.1 only")
            await server.start()
            self._peers[name].address = server.address
            self._say(f"peer of {name} at {server.address}")
        if self._config.control is not None:
            await self._control.start(self._config.control)
            self._say(f"control at {self._control.address}")
        self._say(f"channel {self._config.channel} at height {self.ledger.height}; ready")
        if self._config.ready_file is not None:
            temporary = self._config.ready_file.with_suffix(".writing")
            temporary.write_text(json.dumps(self.status(), sort_keys=True) + "\n", "utf-8")
            temporary.replace(self._config.ready_file)

    async def _stop(self, ordering: asyncio.Task[None]) -> None:
        if self._config.ready_file is not None:
            self._config.ready_file.unlink(missing_ok=True)
        await self._control.stop()
        for server in self._servers.values():
            await server.stop()
        ordering.cancel()
        await asyncio.wait((ordering,))
        for peer in self._peers.values():
            await peer.link.close()
        await self.ledger.close()
        self._say("stopped")


async def serve(config: Config, say: Callable[[str], None]) -> None:
    """Run the development peer until it is told to stop; raises ConfigError."""
    if config.ready_file is not None:
        config.ready_file.unlink(missing_ok=True)
    await DevelopmentPeer(config, say).run()
