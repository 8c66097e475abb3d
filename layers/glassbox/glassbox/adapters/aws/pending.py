"""Pending transactions in DynamoDB: what was signed is kept before it is sent, so that it is sent again, not anew."""

from __future__ import annotations

from typing import Final

from glassbox.adapters.aws.clients import as_store_error, client, error_code
from glassbox.ledger.fabric.pending import Pending

_CONDITION: Final = "ConditionalCheckFailedException"


class DynamoPendingStore:
    """Pending transactions at `P#<key>` of the deployment's table."""

    def __init__(self, table: str) -> None:
        self._table = table

    def get(self, key: str) -> Pending | None:
        """Return what is kept under a key, None where there is nothing; raises StoreError."""
        with as_store_error(self._table):
            item = client("dynamodb").get_item(TableName=self._table, Key=_key(key), ConsistentRead=True).get("Item")
        return None if item is None else Pending(str(item["tx_id"]["S"]), bytes(item["envelope"]["B"]))

    def put(self, key: str, pending: Pending) -> None:
        """Keep it durably before returning, in place of an earlier one; raises StoreError."""
        item = {**_key(key), "tx_id": {"S": pending.tx_id}, "envelope": {"B": pending.envelope}}
        with as_store_error(self._table):
            client("dynamodb").put_item(TableName=self._table, Item=item)

    def delete(self, key: str, tx_id: str) -> None:
        """Forget it, unless another transaction is kept there by now; raises StoreError."""
        from botocore.exceptions import ClientError

        with as_store_error(self._table):
            try:
                client("dynamodb").delete_item(
                    TableName=self._table,
                    Key=_key(key),
                    ConditionExpression="attribute_not_exists(pk) OR tx_id = :tx",
                    ExpressionAttributeValues={":tx": {"S": tx_id}},
                )
            except ClientError as error:
                if error_code(error) != _CONDITION:
                    raise


def _key(key: str) -> dict[str, dict[str, str]]:
    return {"pk": {"S": f"P#{key}"}, "sk": {"S": "PENDING"}}
