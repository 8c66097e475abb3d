"""Letters of other scripts that look like Latin ones, and characters that show nothing."""

from __future__ import annotations

from typing import Final

_PAIRS: Final = (
    "аa вb сc ԁd еe ғf ɡg һh іi јj кk ӏl мm нn оo рp ԛq гr ѕs тt υu ѵv ԝw хx уy ʐz "
    "АA ВB СC ЕE НH ІI ЈJ КK МM ОO РP ЅS ТT ХX УY "
    "αa βb εe ηn ιi κk νv οo ρp τt χx γy ωw ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX"
)
LOOKALIKES: Final[dict[int, str]] = {ord(pair[0]): pair[1] for pair in _PAIRS.split()}
INVISIBLE: Final = frozenset(
    map(chr, (0xAD, 0x34F, 0x61C, 0x180E, 0x200B, 0x200C, 0x200D, 0x200E, 0x200F, 0x2060, 0x2061, 0x2062, 0x2063, 0x2064, 0xFEFF))
) | frozenset(map(chr, range(0x202A, 0x202F))) | frozenset(map(chr, range(0x2066, 0x2070))) | frozenset(map(chr, range(0xFE00, 0xFE10)))
