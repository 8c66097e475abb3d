"""What the read API answers from: one tenant's evaluations, and nothing of anybody else."""

from __future__ import annotations

import re
from typing import Any, Final

from glassbox.adapters.aws.records import COUNTERS, Record
from glassbox.adapters.aws.replies import Reply, not_found
from glassbox.adapters.aws.tenants import Tenants
from glassbox.errors import UsageError
from glassbox.pipeline.aggregation import BUNDLE
from glassbox.pipeline.intake import SCORECARD

_ID: Final = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_MONTH: Final = re.compile(r"20[0-9]{2}-(0[1-9]|1[0-2])")
_OPEN: Final = ("received", "judging", "aggregated")


class Reader:
    """Reads for one tenant."""

    def __init__(self, tenants: Tenants, tenant: str) -> None:
        self._tenants = tenants
        self._tenant = tenant

    def evaluation(self, evaluation_id: str, request_id: str) -> Reply:
        """Return where an evaluation stands, with its scorecard once it is committed; 404 for another tenant's."""
        record = self._record(evaluation_id)
        if record is None:
            return not_found(request_id)
        document: dict[str, Any] = {
            "id": evaluation_id,
            "status": record.state,
            "created_at": record.created_at,
            "policy": record.policy,
            "engine": record.engine,
            "attempt": record.attempt,
        }
        if record.state == "needs_attention":
            document["reason"] = record.reason
        if record.callback:
            document["callback"] = record.callback
        if record.state == "committed":
            document["scorecard"] = self._tenants.documents(self._tenant).get(evaluation_id, SCORECARD)
        return Reply(200, document, headers={"retry-after": "2"} if record.state in _OPEN else {})

    def bundle(self, evaluation_id: str, request_id: str) -> Reply:
        """Return the evidence bundle of a committed evaluation."""
        return self._of_committed(evaluation_id, request_id, lambda bundle: bundle)

    def proof(self, evaluation_id: str, request_id: str) -> Reply:
        """Return the ledger's proof of a committed evaluation."""
        return self._of_committed(evaluation_id, request_id, lambda bundle: bundle.get("proof"))

    def usage(self, month: str) -> Reply:
        """Return what the tenant used in a month YYYY-MM; raises UsageError for what is no month."""
        if not _MONTH.fullmatch(month):
            raise UsageError("The month is not written as YYYY-MM", where="month", fix="Ask for month=2026-11")
        counted = self._tenants.records.usage(self._tenant, month)
        return Reply(200, {"tenant": self._tenant, "month": month, **{name: counted.get(name, 0) for name in COUNTERS}})

    def _of_committed(self, evaluation_id: str, request_id: str, part: Any) -> Reply:
        record = self._record(evaluation_id)
        if record is None or record.state != "committed":
            return not_found(request_id)
        bundle = self._tenants.documents(self._tenant).get(evaluation_id, BUNDLE)
        found = None if bundle is None else part(bundle)
        return not_found(request_id) if found is None else Reply(200, found)

    def _record(self, evaluation_id: str) -> Record | None:
        if not _ID.fullmatch(evaluation_id):
            return None
        record = self._tenants.records.get(evaluation_id)
        return record if record is not None and record.tenant == self._tenant else None
