"""Compute what one evaluation costs in AWS: `python docs/cost.py [--seconds JUDGE=1.2 ...] [--llm-usd 0.002]`.

List prices of us-east-1 as best known on DATE, in US dollars; free tiers and discounts are left out. The seconds are
what the functions were billed for when warm: measure yours and pass them.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from typing import Final

DATE: Final = "2026-11-30"
GB_SECOND: Final = 0.0000166667
LAMBDA_REQUEST: Final = 0.20 / 1e6
TRANSITION: Final = 25.0 / 1e6
API_REQUEST: Final = 3.50 / 1e6
SQS_REQUEST: Final = 0.40 / 1e6
S3_PUT: Final = 0.005 / 1e3
S3_GET: Final = 0.0004 / 1e3
DYNAMODB_WRITE: Final = 0.625 / 1e6
DYNAMODB_READ: Final = 0.125 / 1e6
KMS_REQUEST: Final = 0.03 / 1e4
S3_MONTH_GB: Final = 0.023


@dataclass(frozen=True, slots=True)
class Function:
    """A function's memory in GB and billed seconds for one evaluation."""

    memory: float
    seconds: float
    calls: int = 1


FUNCTIONS: Final = {
    "intake": Function(0.5, 0.10),
    "contextual_precision": Function(2.0, 0.25),
    "semantic_faithfulness": Function(2.94, 0.60),
    "structural_fidelity": Function(2.94, 0.60),
    "aggregator": Function(1.0, 0.12),
    "ledger": Function(1.0, 0.60, calls=2),
}
"""Memory as in template.yaml; seconds warm, with the bundled models, for an answer of 300 tokens and five passages."""


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seconds", nargs="*", default=[], metavar="FUNCTION=SECONDS", help="billed seconds of yours")
    parser.add_argument("--llm-usd", type=float, default=0.0, help="what the judge model costs for one evaluation")
    parser.add_argument("--kilobytes", type=float, default=60.0, help="stored for one evaluation")
    parser.add_argument("--months", type=float, default=12.0, help="how long it is kept")
    given = parser.parse_args()
    own = dict(item.split("=", 1) for item in given.seconds)
    rows = [
        (f"Lambda {name}", f.calls * (f.memory * float(own.get(name, f.seconds)) * GB_SECOND + LAMBDA_REQUEST))
        for name, f in FUNCTIONS.items()
    ]
    rows += [
        ("API Gateway, 1 request", API_REQUEST),
        ("Step Functions, 14 transitions", 14 * TRANSITION),
        ("SQS, 3 judges: sent, received, deleted", 9 * SQS_REQUEST),
        ("S3, 12 writes and 20 reads", 12 * S3_PUT + 20 * S3_GET),
        ("DynamoDB, 12 writes and 25 reads", 12 * DYNAMODB_WRITE + 25 * DYNAMODB_READ),
        ("KMS, 8 requests", 8 * KMS_REQUEST),
        ("S3 storage", given.kilobytes / 1e6 * S3_MONTH_GB * given.months * 2),
        ("judge model", given.llm_usd),
    ]
    print(f"US dollars for one evaluation, prices as of {DATE}\n")
    for name, cost in rows:
        print(f"{name:<42}{cost:>14.8f}")
    total = sum(cost for _, cost in rows)
    print(f"{'together':<42}{total:>14.8f}")
    print(f"{'a thousand evaluations':<42}{1000 * total:>14.2f}")
    print("\nNot in it: the Fabric peers and orderers, data transfer, logs, alarms, the KMS key (1 USD a month).")


if __name__ == "__main__":
    main()
