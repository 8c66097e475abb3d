"""A reply of the HTTP face in the shape that the functions' router takes."""

from __future__ import annotations

from aws_lambda_powertools.event_handler import Response

from glassbox.adapters.aws.replies import Reply


def response_of(reply: Reply) -> Response[str]:
    """Return a reply as a route answers with it; raises ValueError where its document holds NaN or Infinity."""
    return Response(
        status_code=reply.status,
        content_type=reply.content_type,
        headers=dict(reply.headers.items()),
        body=reply.body,
    )
