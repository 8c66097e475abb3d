"""Messages that can never be read: kept whole in the dead letters, with the reason beside them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from glassbox.adapters.aws.clients import as_store_error, client
from glassbox.errors import InputError

REASON: Final = "problem"
_MOST: Final = 20_000


def to_dead_letters(queue_url: str, message: Mapping[str, Any], error: InputError) -> None:
    """Send a message, as it came, to the dead letters with its problem document as an attribute; raises StoreError."""
    document = error.problem()
    while len(json.dumps(document)) > _MOST and document.get("errors"):
        document["errors"] = document["errors"][: len(document["errors"]) // 2]
        document["truncated"] = True
    attributes: dict[str, Any] = {REASON: {"DataType": "String", "StringValue": json.dumps(document)}}
    for name, value in dict(message.get("messageAttributes") or {}).items():
        if name != REASON and value.get("dataType") == "String" and len(attributes) < 10:
            attributes[name] = {"DataType": "String", "StringValue": value["stringValue"]}
    with as_store_error("the dead letters"):
        client("sqs").send_message(QueueUrl=queue_url, MessageBody=str(message["body"]), MessageAttributes=attributes)
