"""The suite: every attack, in one order."""

from __future__ import annotations

from typing import Final

from tests.attacks.disguised import DISGUISED
from tests.attacks.forged import FORGED
from tests.attacks.model import Attack
from tests.attacks.orders import ORDERS
from tests.attacks.persuasion import PERSUASION
from tests.attacks.placed import PLACED

ATTACKS: Final[tuple[Attack, ...]] = (*ORDERS, *PERSUASION, *FORGED, *DISGUISED, *PLACED)
BY_ID: Final[dict[str, Attack]] = {attack.id: attack for attack in ATTACKS}
KINDS: Final[tuple[str, ...]] = tuple(dict.fromkeys(attack.kind for attack in ATTACKS))
