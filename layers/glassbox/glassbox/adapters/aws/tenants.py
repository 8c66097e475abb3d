"""Whose a call is: the tenant behind an API key or a queue's sender, and what belongs to that tenant alone."""

from __future__ import annotations

import hashlib

from glassbox.adapters.aws.documents import S3Documents, is_tenant
from glassbox.adapters.aws.environment import Environment
from glassbox.adapters.aws.records import Records
from glassbox.adapters.aws.sealing import Sealer
from glassbox.adapters.aws.secrets import secret_text, tenant_key
from glassbox.errors import UsageError
from glassbox.pipeline.ports import Caller


class Tenants:
    """The tenants of one deployment."""

    def __init__(self, env: Environment) -> None:
        self._env = env
        self.records = Records(env.records)

    def of_api_key(self, key_id: str, key: str = "") -> str:
        """Return the tenant of an API key: the one that its id was mapped to, else the id itself.

        API Gateway tells the id of the key that it checked. An emulator tells only the key: then the tenant is the one
        that the key's digest was mapped to. Raises UsageError where there is none.
        """
        if key_id:
            tenant: str | None = self.records.tenant_of("K", key_id) or key_id
        else:
            tenant = self.records.tenant_of("H", key_digest(key)) if key else None
        if tenant is None or not is_tenant(tenant):
            raise UsageError("The API key stands for no tenant", where="x-api-key", fix="Ask for a key of your own")
        return tenant

    def of_sender(self, sender_id: str, claimed: str | None = None) -> str:
        """Return the tenant of a queue's sender (SQS SenderId).

        `claimed` is the tenant that the message names: only the batches' own role may name one, and for anybody else
        it has to be the sender's own. Raises UsageError for a sender that was never mapped or claims another tenant.
        """
        # An assumed role's SenderId is `role id:session`; the session's name is its owner's to choose.
        sender = sender_id.partition(":")[0]
        batch = bool(self._env.batch_sender) and sender == self._env.batch_sender
        tenant = claimed if batch and claimed is not None else self.records.tenant_of("S", sender)
        if tenant is None or not is_tenant(tenant):
            raise UsageError(
                "The sender of the message stands for no tenant",
                where="SenderId",
                fix="Map it with `glassbox stack tenant`",
            )
        if claimed is not None and claimed != tenant:
            raise UsageError(
                "The message claims to be another tenant's",
                where="message attribute tenant",
                fix="Leave it out: the tenant follows from the sender",
            )
        return tenant

    def caller(self, tenant: str) -> Caller:
        """Return the tenant with the secret under which its texts are digested."""
        return Caller(tenant, tenant_key(secret_text(self._env.tenant_secret), tenant))

    def documents(self, tenant: str) -> S3Documents:
        """Return the tenant's documents."""
        return S3Documents(self._env.payloads, tenant, Sealer(tenant, self.records, self._env.data_key))


def key_digest(key: str) -> str:
    """Return the SHA-256 of an API key as 64 hexadecimal digits: keys themselves are kept nowhere."""
    return hashlib.sha256(key.encode()).hexdigest()
