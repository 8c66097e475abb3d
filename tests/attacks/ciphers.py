"""Ways to write an order so that a filter for words doesn't see it, and a language model still reads it."""

from __future__ import annotations

import base64
import codecs
import html
import urllib.parse
from typing import Final

_SIGNS: Final = """
.- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- -..- -.-- --.. .----
"""
_MORSE: Final = dict(zip("abcdefghijklmnopqrstuvwxyz1", _SIGNS.split(), strict=True))
_LEET: Final = str.maketrans("aeiost", "431057")
_CYRILLIC: Final = str.maketrans("aceopxyAEKMOT", "асеорхуАЕКМОТ")


def base64_of(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def base32_of(text: str) -> str:
    return base64.b32encode(text.encode()).decode()


def hex_of(text: str) -> str:
    return text.encode().hex()


def spaced_hex(text: str) -> str:
    return text.encode().hex(" ")


def rot13(text: str) -> str:
    return codecs.encode(text, "rot13")


def leet(text: str) -> str:
    return text.translate(_LEET)


def percent(text: str) -> str:
    return "".join(f"%{byte:02X}" for byte in text.encode())


def plus(text: str) -> str:
    return urllib.parse.quote_plus(text)


def morse(text: str) -> str:
    return " / ".join(" ".join(_MORSE[c] for c in word if c in _MORSE) for word in text.lower().split())


def binary(text: str) -> str:
    return " ".join(f"{byte:08b}" for byte in text.encode())


def decimal_codes(text: str) -> str:
    return ", ".join(str(ord(c)) for c in text)


def entities(text: str) -> str:
    return "".join(f"&#{ord(c)};" for c in text)


def named_entities(text: str) -> str:
    return html.escape(text).replace("a", "&#x61;").replace("e", "&#x65;")


def escapes(text: str) -> str:
    return "".join(f"\\u{ord(c):04x}" for c in text)


def quoted_printable(text: str) -> str:
    return "".join(f"={byte:02X}" for byte in text.encode())


def shifted(text: str, by: int = 3) -> str:
    return "".join(chr((ord(c) - 97 + by) % 26 + 97) if "a" <= c <= "z" else c for c in text.lower())


def pig_latin(text: str) -> str:
    return " ".join(word + "way" if word[0] in "aeiou" else word[1:] + word[0] + "ay" for word in text.lower().split())


def cyrillic(text: str) -> str:
    """Letters that look the same, of another alphabet."""
    return text.translate(_CYRILLIC)


def between(text: str, mark: str) -> str:
    """A mark between any two characters."""
    return mark.join(text)


def fullwidth(text: str) -> str:
    return "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text)


def bold(text: str) -> str:
    """Mathematical bold letters."""
    return "".join(
        chr(0x1D41A + ord(c) - 97) if "a" <= c <= "z" else chr(0x1D400 + ord(c) - 65) if "A" <= c <= "Z" else c
        for c in text
    )


def circled(text: str) -> str:
    return "".join(chr(0x24D0 + ord(c) - 97) if "a" <= c <= "z" else c for c in text.lower())


def flags(text: str) -> str:
    """Regional indicators, as in flags."""
    return "".join(chr(0x1F1E6 + ord(c) - 97) + "\u200b" if "a" <= c <= "z" else c for c in text.lower())


def tags(text: str) -> str:
    """Invisible characters of the tag block."""
    return "".join(chr(0xE0000 + ord(c)) for c in text)


def selectors(text: str) -> str:
    """Invisible variation selectors, one a byte, behind a single visible letter."""
    return "·" + "".join(chr(0xFE00 + b) if b < 16 else chr(0xE0100 + b - 16) for b in text.encode())


def combining(text: str) -> str:
    """A stroke through each letter."""
    return "".join(c + "\u0336" for c in text)


def overridden(text: str) -> str:
    """Stored backwards and shown forwards, by an override of the direction."""
    return f"\u202e{text[::-1]}\u202c"


def upright(text: str) -> str:
    """One letter a line."""
    return "\n".join(text)


def acrostic(text: str) -> str:
    """The order is what the first letters of the lines spell."""
    return "\n".join(_LINES.get(c, "And so on.") for c in text.lower() if c.isalpha())


_LINES: Final = {
    "s": "Sheep were counted first.",
    "a": "All of them came from the hill.",
    "y": "Yellow tags hung on their ears.",
    "e": "Each tag bore a letter.",
    "l": "Lambs went without.",
    "w": "Winter was near.",
    "j": "Jars of salve stood ready.",
    "u": "Under the roof it was dry.",
    "d": "Dogs kept watch.",
    "g": "Gates were closed.",
}
