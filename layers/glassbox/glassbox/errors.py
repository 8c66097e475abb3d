"""The tree of errors that GlassBox raises; each says what happened, where, and what to do.

GlassBoxError
├── InputError            the caller's fault: fix the input and call again
│   ├── KeyReused         an idempotency key with another request than its first
│   ├── RequestInvalid    every offending path of a request at once
│   │   └── RequestTooLarge  a body over the limit
│   ├── PolicyInvalid     every offending path of a policy at once
│   ├── SignatureInvalid  a webhook whose signature or time is refused
│   ├── CallbackRefused   an address that may not be called back
│   └── UsageError        a wrong option or a file that is not there
├── ModelError            a bundled model is missing, changed or not loadable
├── JudgeError            a judge broke; retryable unless it says otherwise
│   └── JudgeModelError   the judge model gave no answer that can be taken
├── LedgerError
│   ├── LedgerRejected    the contract refused the transaction
│   ├── LedgerConflict    the key holds another record already
│   ├── LedgerNotFound    no such record, policy or block
│   ├── LedgerUnavailable busy, locked or away; retryable
│   └── LedgerDamaged     the file is not a ledger, or not one that can be read
├── CallbackUnavailable   the receiver of a callback gave no answer; retryable
└── StoreError            what was stored can't be read or written
    └── Erased            the texts of an evaluation were destroyed on purpose

No message ever holds evaluated text: paths, indices, lengths and digests only.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any


class GlassBoxError(Exception):
    """An error with what happened, where, and what to do about it."""

    retryable: bool = False
    kind: str = "error"
    spent: dict[str, Any] | None = None
    """What the evaluation had paid its judge model when it ended in this error, as `usage` tells it."""
    stands: bool | None = None
    """Whether the ledger held the evaluation's record when it was asked after this error; None where nobody knows."""

    def __init__(self, what: str, *, where: str | None = None, fix: str | None = None) -> None:
        super().__init__(what)
        self.what = what
        self.where = where
        self.fix = fix

    def __str__(self) -> str:
        parts = [self.what]
        if self.where:
            parts.append(f"at {self.where}")
        text = " ".join(parts)
        return f"{text}. {self.fix}" if self.fix else text

    def problem(self) -> dict[str, Any]:
        """Return the error as an RFC 9457 problem document (a JSON object)."""
        document: dict[str, Any] = {"type": f"urn:glassbox:problem:{self.kind}", "title": self.what}
        if self.where:
            document["instance"] = self.where
        if self.fix:
            document["detail"] = self.fix
        if self.spent is not None:
            document["spent"] = self.spent
        return document


@dataclass(frozen=True, slots=True)
class Violation:
    """One fault of an input: a path in it and what is wrong there, without the text itself."""

    path: str
    message: str


class InputError(GlassBoxError):
    """An input that the caller has to change."""

    kind = "input"
    status = 400

    def __init__(
        self, what: str, *, where: str | None = None, fix: str | None = None, violations: Iterable[Violation] = ()
    ) -> None:
        super().__init__(what, where=where, fix=fix)
        self.violations = tuple(violations)

    def __str__(self) -> str:
        lines = [super().__str__()]
        lines += [f"  {v.path}: {v.message}" for v in self.violations]
        return "\n".join(lines)

    def problem(self) -> dict[str, Any]:
        """Return an RFC 9457 problem document that lists every offending path."""
        document = super().problem()
        document["status"] = self.status
        document["errors"] = [{"path": v.path, "message": v.message} for v in self.violations]
        return document


class RequestInvalid(InputError):
    """A request that breaks the contract; lists every offending path at once."""

    kind = "request-invalid"
    status = 422


class RequestTooLarge(RequestInvalid):
    """A body over the limit for what is sent inline."""

    kind = "request-too-large"
    status = 413


class PolicyInvalid(InputError):
    """A policy that breaks its schema; lists every offending path at once."""

    kind = "policy-invalid"
    status = 422


class KeyReused(InputError):
    """An idempotency key came again with another request than the one it was first used for."""

    kind = "key-reused"
    status = 422


class SignatureInvalid(InputError):
    """A webhook whose signature is wrong, or whose time lies too far from now."""

    kind = "signature-invalid"
    status = 401


class CallbackRefused(InputError):
    """An address that may not be called back: not https, or not on the public internet."""

    kind = "callback-refused"
    status = 422


class UsageError(InputError):
    """A wrong option, a missing file, an unknown name."""

    kind = "usage"


class ModelError(GlassBoxError):
    """A model is missing, differs from its digest in the manifest, or can't be loaded."""

    kind = "model"


class JudgeError(GlassBoxError):
    """A judge broke; nothing of it is scored and the evaluation is not committed."""

    kind = "judge"
    retryable = True


class JudgeModelError(JudgeError):
    """The judge model gave no answer that can be taken; `code` says why in one word."""

    kind = "judge-model"

    def __init__(
        self, what: str, *, code: str, retryable: bool, where: str | None = None, fix: str | None = None
    ) -> None:
        super().__init__(what, where=where, fix=fix)
        self.code = code
        self.retryable = retryable
        self.cost: dict[str, Any] | None = None
        """What the question had cost by then (`glassbox.contract.spending`), None where it cost nothing."""

    def problem(self) -> dict[str, Any]:
        """Return the problem document, with the code and whether the same call may succeed later."""
        return {**super().problem(), "code": self.code, "retryable": self.retryable}


class CallbackUnavailable(GlassBoxError):
    """The receiver of a callback gave no answer that counts; the same call may succeed later."""

    kind = "callback-unavailable"
    retryable = True


class StoreError(GlassBoxError):
    """What was stored can't be read or written."""

    kind = "store"


class Erased(StoreError):
    """The texts of an evaluation were destroyed on purpose; its record stays on the ledger."""

    kind = "erased"


class LedgerError(GlassBoxError):
    """Something is wrong with the ledger or with what was asked of it."""

    kind = "ledger"


class LedgerRejected(LedgerError):
    """The contract refused the transaction; `code` is its machine-readable prefix."""

    kind = "ledger-rejected"

    def __init__(self, what: str, *, code: str = "INVALID", where: str | None = None, fix: str | None = None) -> None:
        super().__init__(what, where=where, fix=fix)
        self.code = code


class LedgerConflict(LedgerRejected):
    """The ledger holds another record under this key; keys are written once."""

    kind = "ledger-conflict"

    def __init__(self, what: str, *, where: str | None = None, fix: str | None = None) -> None:
        super().__init__(what, code="CONFLICT", where=where, fix=fix)


class LedgerNotFound(LedgerError):
    """The ledger holds no such record, policy or block."""

    kind = "ledger-not-found"


class LedgerUnavailable(LedgerError):
    """The ledger is busy or away; the same call may succeed later."""

    kind = "ledger-unavailable"
    retryable = True
    undecided: bool = False
    """Whether what was sent may take effect yet."""


class LedgerDamaged(LedgerError):
    """The file is not a ledger of this version, or can't be read as one."""

    kind = "ledger-damaged"
