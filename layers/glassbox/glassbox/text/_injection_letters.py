"""Styled letters (mathematical, circled, full-width, squared, small capitals) as plain ones."""

from __future__ import annotations

import unicodedata
from string import ascii_lowercase
from typing import Final


def plain_letters(text: str) -> str:
    """Return the text with styled letters (mathematical, circled, full-width, squared, small capitals) as plain ones.

    Each character stays one character, so that offsets hold.
    """
    unusual = {char for char in text if ord(char) > 0x1D00}
    table = {ord(char): plain for char in unusual if (plain := _plain(char)) is not None}
    return text.translate(table | _SMALL_CAPITALS)


def _plain(char: str) -> str | None:
    code = ord(char)
    for first in (0x1F130, 0x1F150, 0x1F170, 0x1F1E6):
        if first <= code < first + 26:
            return ascii_lowercase[code - first]
    shown = unicodedata.normalize("NFKC", char).strip("()")
    return shown if len(shown) == 1 and shown != char and shown.isalnum() else None


_SMALL_CAPITALS: Final = {
    ord(styled): plain for styled, plain in zip("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡʏᴢ", "abcdefghijklmnopqrstuvwyz", strict=True)
}
