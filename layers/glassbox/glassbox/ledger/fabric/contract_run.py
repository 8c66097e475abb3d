"""Running the contract again for a transaction of a block: it must read, answer, write and announce the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from glassbox.ledger.fabric.errors import Malformed
from glassbox.ledger.fabric.identities import read_identity
from glassbox.ledger.fabric.transactions import Call, Envelope
from glassbox_contract.canonical import canonical_bytes
from glassbox_contract.contract import call as call_contract
from glassbox_contract.errors import ContractError
from glassbox_contract.schema import TRANSACTIONS
from glassbox_contract.stub import Creator, Modification


@dataclass(slots=True)
class RunStub:
    """A transaction's view of a state that is looked up by key; what it reads and writes is kept."""

    tx_id: str
    tx_timestamp: int
    creator: Creator
    look_up: Callable[[str], bytes | None]
    read: set[str] = field(default_factory=set)
    written: dict[str, bytes] = field(default_factory=dict)
    event: tuple[str, bytes] | None = None

    def get_state(self, key: str) -> bytes | None:
        """Return the value of a key."""
        self.read.add(key)
        return self.look_up(key)

    def put_state(self, key: str, value: bytes) -> None:
        """Keep a write."""
        self.written[key] = value

    def get_range(self, start: str, end: str, limit: int) -> Sequence[tuple[str, bytes]]:
        """No transaction of the contract looks at a range."""
        raise ContractError("INVALID", "a transaction looks at no range of keys")

    def get_history(self, key: str) -> Sequence[Modification]:
        """No transaction of the contract looks at a history."""
        raise ContractError("INVALID", "a transaction looks at no history")

    def set_event(self, name: str, payload: bytes) -> None:
        """Keep the event."""
        self.event = (name, payload)


def rerun_faults(envelope: Envelope, call: Call, look_up: Callable[[str], bytes | None]) -> Iterator[tuple[str, str]]:
    """Yield (code, detail) for everything in which the endorsed answer is not what the contract does on this state."""
    try:
        identity = read_identity(envelope.creator)
        function = call.args[0].decode() if call.args else ""
    except (Malformed, UnicodeDecodeError) as error:
        yield "contract", f"the call can't be read ({type(error).__name__})"
        return
    if function not in TRANSACTIONS:
        yield "contract", "the transaction calls no function that writes"
        return
    stub = RunStub(envelope.tx_id, envelope.timestamp, Creator(identity.msp_id, identity.role), look_up)
    try:
        answer = call_contract(stub, function, list(call.args[1:]))
    except ContractError as refusal:
        yield "contract", f"the contract refuses the transaction: {refusal}"
        return
    except (KeyError, TypeError, ValueError) as error:
        yield "contract", f"the state under the transaction is not what the contract wrote ({type(error).__name__})"
        return
    if answer["status"] == "duplicate":
        yield "contract", "the transaction repeats an earlier one"
    if call.status != 200 or call.result != canonical_bytes(answer):
        yield "contract", "the peers endorsed another answer than the contract gives"
    if not call.plain:
        yield "contract", "the transaction does more than write keys of its chaincode"
    for key in sorted(stub.written.keys() | call.writes.keys()):
        if stub.written.get(key) != call.writes.get(key):
            yield "contract", f"the contract does not write what the peers endorsed under {shown(key)}"
    if set(call.reads) != stub.read:
        yield "contract", "the contract reads other keys than the peers endorsed"
    if call.event != stub.event:
        yield "contract", "the contract announces another event than the peers endorsed"


def shown(key: str) -> str:
    """Return a key for a message: keys hold ids, digests and times, never a text."""
    return "".join(character if character.isprintable() else "|" for character in key)[:160]
