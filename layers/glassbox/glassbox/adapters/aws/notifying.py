"""Notifying: the tenant's own address is told that an evaluation is committed, signed and without any text."""

from __future__ import annotations

import json
import time
from typing import Final

from glassbox.adapters.aws.environment import Environment
from glassbox.adapters.aws.secrets import secret_object
from glassbox.adapters.aws.tenants import Tenants
from glassbox.adapters.callback import post
from glassbox.adapters.webhooks import signed_headers
from glassbox.errors import CallbackRefused, CallbackUnavailable
from glassbox.pipeline.intake import INTAKE, SCORECARD
from glassbox.pipeline.ports import Json, utc_now

EVENT: Final = "evaluation.completed"


class Notifier:
    """Calls tenants back."""

    def __init__(self, env: Environment, tenants: Tenants) -> None:
        self._env = env
        self._tenants = tenants

    def notify(self, evaluation_id: str, tenant: str) -> Json:
        """Return {status: "delivered"} after a 2xx, {status: "refused"} where the address may not be called at all.

        Raises CallbackUnavailable for anything else, so that the state machine tries again for hours.
        """
        documents = self._tenants.documents(tenant)
        intake, scorecard = documents.get(evaluation_id, INTAKE), documents.get(evaluation_id, SCORECARD)
        url = (intake or {}).get("request", {}).get("callback_url")
        if url is None or scorecard is None:
            return {"status": "refused", "reason": "nothing_to_tell"}
        body = json.dumps(thin(scorecard), ensure_ascii=False, allow_nan=False).encode()
        secrets = self._secrets(tenant)
        headers = {"content-type": "application/json", "user-agent": "GlassBox"}
        headers |= signed_headers(secrets, evaluation_id, int(time.time()), body) if secrets else {}
        try:
            status = post(url, body, headers).status
        except CallbackRefused as error:
            self._tenants.records.note_callback(evaluation_id, "refused")
            return {"status": "refused", "reason": error.kind}
        if status == 410:
            self._tenants.records.note_callback(evaluation_id, "refused")
            return {"status": "refused", "reason": "gone"}
        if not 200 <= status < 300:
            raise CallbackUnavailable(f"The callback was answered with {status}", where="callback_url")
        self._tenants.records.note_callback(evaluation_id, "delivered")
        return {"status": "delivered", "reason": ""}

    def _secrets(self, tenant: str) -> list[str]:
        if not self._env.webhook_secrets:
            return []
        return [str(secret) for secret in secret_object(self._env.webhook_secrets).get(tenant, [])]


def thin(scorecard: Json) -> Json:
    """Return the body of a callback: what happened and where to read it, under 20 kB and without evaluated text."""
    return {
        "type": EVENT,
        "timestamp": utc_now(),
        "data": {
            "id": scorecard["evaluation_id"],
            "href": f"/v1/evaluations/{scorecard['evaluation_id']}",
            "decision": scorecard["decision"],
            "trust_score": scorecard["trust_score"],
            "states": scorecard["states"],
            "policy": scorecard["policy"],
            "evidence": {"digest": scorecard["evidence"]["digest"]},
            "ledger": {k: scorecard["ledger"][k] for k in ("backend", "record_id", "transaction_id", "block")},
        },
    }
