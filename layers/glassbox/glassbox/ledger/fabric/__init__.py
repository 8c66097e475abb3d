"""The ledger on Hyperledger Fabric: gateway client, idempotent commits, proofs, and the walk over a whole channel.

Nothing of it is imported before a Fabric ledger is asked for: gRPC costs a tenth of a second.
"""

from __future__ import annotations

import os

# gRPC writes its own words about lost connections to standard error; what happened is in our errors.
os.environ.setdefault("GRPC_VERBOSITY", "NONE")
