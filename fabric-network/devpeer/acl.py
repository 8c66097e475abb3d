"""The channel's policies: which roles may read, write and endorse, in Fabric's words where they may not."""

from __future__ import annotations

from typing import Final

from devpeer.identities import Denied, Member, Members

READERS: Final = ("client", "admin", "peer")
WRITERS: Final = ("client", "admin")


class Forbidden(Exception):
    """A policy that a signature does not satisfy; the text is Fabric's."""


def unsatisfied(name: str) -> str:
    """Return what Fabric says of an implicit policy that nobody satisfied."""
    return (
        f"implicit policy evaluation failed - 0 sub-policies were satisfied, but this policy requires 1 of the "
        f"'{name}' sub-policies to be satisfied"
    )


def check_role(member: Member, roles: tuple[str, ...], channel: str) -> None:
    """Raise Forbidden unless a member has one of the roles."""
    if member.role not in roles:
        raise Forbidden(_refusal(roles, channel))


def check_signed(
    members: Members, creator: bytes, message: bytes, signature: bytes, roles: tuple[str, ...], channel: str
) -> None:
    """Raise Forbidden unless a message was signed by a member with one of the roles."""
    try:
        member = members.signed(creator, message, signature)
    except Denied:
        raise Forbidden(_refusal(roles, channel)) from None
    check_role(member, roles, channel)


def _refusal(roles: tuple[str, ...], channel: str) -> str:
    name = "Writers" if roles == WRITERS else "Readers"
    return (
        f"Failed evaluating policy on signed data during check policy on channel [{channel}] with policy "
        f"[/Channel/Application/{name}]: [{unsatisfied(name)}]"
    )
