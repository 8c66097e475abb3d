"""Letters of other scripts that look like Latin ones, and characters that show nothing."""

from __future__ import annotations

from typing import Final

_PAIRS: Final = (
    "аa вb сc ԁd еe ғf ɡg һh іi јj кk ӏl мm нn оo рp ԛq гr ѕs тt υu ѵv ԝw хx уy ʐz "
    "АA ВB СC ЕE НH ІI ЈJ КK МM ОO РP ЅS ТT ХX УY "
    "αa βb εe ηn ιi κk νv οo ρp τt χx γy ωw ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX"
)
LOOKALIKES: Final[dict[int, str]] = {ord(pair[0]): pair[1] for pair in _PAIRS.split()}
# Soft hyphen, joiners, zero-width spaces, direction marks and variation selectors.
_SHOWN_AS_NOTHING: Final = "\u00ad\u034f\u061c\u180e\u200b\u200c\u200d\u200e\u200f\u2060\u2061\u2062\u2063\u2064\ufeff"
_RANGES: Final = ((0x202A, 0x202E), (0x2066, 0x206F), (0xFE00, 0xFE0F))
INVISIBLE: Final = frozenset(_SHOWN_AS_NOTHING) | frozenset(
    chr(code) for first, last in _RANGES for code in range(first, last + 1)
)
