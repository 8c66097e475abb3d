"""What can go wrong between the contract and its peer.

ChaincodeError
├── Misconfigured   the server can't start: says which variable and what to set
├── Malformed       a peer sent something that is no message of the protocol
├── PeerError       the peer answered a request of a transaction with ERROR, or not in time
└── StreamClosed    the peer went away in the middle of a transaction

No message quotes an argument, a key or a value: what is evaluated is private.
"""

from __future__ import annotations


class ChaincodeError(Exception):
    """Base of this package's errors."""


class Misconfigured(ChaincodeError):
    """The environment does not say what the server needs to know."""


class Malformed(ChaincodeError):
    """Bytes from a peer that are no message of the protocol."""


class PeerError(ChaincodeError):
    """A request that the peer refused or never answered; the transaction can't go on."""


class StreamClosed(ChaincodeError):
    """The peer's stream ended before it answered."""
