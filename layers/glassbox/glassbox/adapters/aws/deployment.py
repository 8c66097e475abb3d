"""What a warm function keeps: its environment and the tenants, made at the first call and not at import."""

from __future__ import annotations

from functools import cache

from glassbox.adapters.aws.environment import Environment
from glassbox.adapters.aws.tenants import Tenants


@cache
def environment() -> Environment:
    """Return the environment of this process, read once."""
    return Environment.read()


@cache
def tenants() -> Tenants:
    """Return the tenants of this deployment."""
    return Tenants(environment())


def forget() -> None:
    """Drop what is kept, for processes whose environment changes."""
    from glassbox.adapters.aws.clients import forget_clients
    from glassbox.adapters.aws.sealing import forget_data_keys
    from glassbox.adapters.aws.secrets import forget_secrets

    environment.cache_clear()
    tenants.cache_clear()
    forget_clients()
    forget_data_keys()
    forget_secrets()
