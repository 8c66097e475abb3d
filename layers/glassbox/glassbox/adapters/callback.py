"""Calling back: one signed POST to an address of the tenant's, which can't be turned against what is inside."""

from __future__ import annotations

import contextlib
import http.client
import ipaddress
import socket
import ssl
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from glassbox.errors import CallbackRefused, CallbackUnavailable

TIMEOUT: Final = 10.0
MAX_ANSWER: Final = 65_536

Resolve = Callable[[str, int], Iterable[str]]


@dataclass(frozen=True, slots=True)
class Answer:
    """What the receiver said."""

    status: int
    retry_after: str | None


def resolve(host: str, port: int) -> list[str]:
    """Return the addresses of a host; raises CallbackUnavailable where it has none."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError:
        raise CallbackUnavailable("The callback's host has no address", where="callback_url") from None
    return [str(entry[4][0]) for entry in found]


def public_address(host: str, port: int, look_up: Resolve = resolve) -> str:
    """Return an address of a host, all of whose addresses are public; raises CallbackRefused for any other host.

    The caller connects to this very address: what the name says a moment later changes nothing.
    """
    addresses = [ipaddress.ip_address(text.partition("%")[0]) for text in look_up(host, port)]
    for address in addresses:
        if not is_public(address):
            raise CallbackRefused(
                "The callback's host has an address that is not public",
                where="callback_url",
                fix="Use a host that is reachable from the internet",
            )
    if not addresses:
        raise CallbackUnavailable("The callback's host has no address", where="callback_url")
    return str(addresses[0])


def is_public(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    """Return whether an address is on the public internet; one that embeds another is judged by the embedded one."""
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour or (address.teredo[1] if address.teredo else None)
        if inner is not None:
            return is_public(inner)
        # 64:ff9b::/96 and its local kin translate to IPv4 behind the next gateway.
        if address in ipaddress.ip_network("64:ff9b::/96") or address in ipaddress.ip_network("64:ff9b:1::/48"):
            return is_public(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF))
    return address.is_global and not address.is_multicast


def post(url: str, body: bytes, headers: Mapping[str, str], *, look_up: Resolve = resolve) -> Answer:
    """Return the receiver's answer to one POST over TLS; redirects are answers like any other.

    Raises CallbackRefused for an address that may not be called, CallbackUnavailable where nobody answers in time.
    """
    parts = urlsplit(url)
    if parts.scheme != "https" or not parts.hostname or parts.username or parts.password:
        raise CallbackRefused(
            "The callback's address is no https address without credentials",
            where="callback_url",
            fix="Use an address such as https://example.org/hooks/glassbox",
        )
    try:
        port = parts.port or 443
    except ValueError:
        raise CallbackRefused("The callback's port is no port", where="callback_url") from None
    address = public_address(parts.hostname, port, look_up)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    try:
        with contextlib.closing(_connected(parts.hostname, address, port)) as connection:
            connection.request("POST", path, body, dict(headers))
            answer = connection.getresponse()
            answer.read(MAX_ANSWER)
            return Answer(answer.status, answer.headers.get("retry-after"))
    except (OSError, http.client.HTTPException) as error:
        raise CallbackUnavailable(
            f"The callback was not taken ({type(error).__name__})", where="callback_url"
        ) from None


def _connected(host: str, address: str, port: int) -> http.client.HTTPSConnection:
    """Return a connection to `address` that proves itself to be `host`."""
    context = ssl.create_default_context()
    connection = http.client.HTTPSConnection(host, port, timeout=TIMEOUT, context=context)
    plain = socket.create_connection((address, port), timeout=TIMEOUT)
    try:
        connection.sock = context.wrap_socket(plain, server_hostname=host)
    except BaseException:
        plain.close()
        raise
    return connection
