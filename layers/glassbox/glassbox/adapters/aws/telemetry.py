"""Logs, traces and metrics of a function; none of them is ever given evaluated text."""

from __future__ import annotations

from aws_lambda_powertools import Logger, Metrics, Tracer

NAMESPACE = "GlassBox"


def instruments(service: str) -> tuple[Logger, Tracer, Metrics]:
    """Return the logger, tracer and metrics of a function.

    Responses and exceptions are kept out of the traces: either may quote what is under evaluation.
    """
    return (
        Logger(service=service, log_uncaught_exceptions=False),
        Tracer(service=service, auto_patch=False),
        Metrics(namespace=NAMESPACE, service=service),
    )
