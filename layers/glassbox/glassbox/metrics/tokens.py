"""Tokens for ROUGE in every script, equal to rouge-score's own wherever those are meaningful."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

import regex

_ASCII_RE: Final = re.compile(r"[a-z0-9]+")
# One token is: a letter of a script written without spaces, with its marks; a run of other letters, marks and digits;
# or an emoji.
_UNSPACED: Final = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
_UNICODE_RE: Final = regex.compile(
    rf"[{_UNSPACED}][\p{{M}}]*+|[[\p{{L}}\p{{N}}]--[{_UNSPACED}]][[\p{{L}}\p{{M}}\p{{N}}]--[{_UNSPACED}]]*+"
    r"|\p{Extended_Pictographic}|\p{Regional_Indicator}{1,2}",
    regex.VERSION1,
)

SIGNATURE: Final = "tok:unicode-1"


class UnicodeTokenizer:
    """A tokenizer that rouge-score's `RougeScorer(tokenizer=...)` accepts."""

    def tokenize(self, text: str) -> list[str]:
        """Return the ROUGE tokens of the text; see `tokenize`."""
        return tokenize(text)


def tokenize(text: str) -> list[str]:
    """Return the tokens of the text, lower-cased, without punctuation.

    ASCII text gives exactly rouge-score's default tokens without stemming: runs of `[a-z0-9]`. Other text is brought
    to NFKC and case-folded first, and its tokens are runs of letters, marks and digits of any script, except that each
    letter of Han, Kana, Thai, Lao, Khmer and Myanmar, and each emoji, is a token by itself. So rouge-score's default
    differs in that it drops every other character than `[a-z0-9]`: it splits "été" and scores Chinese 0. Numbers are
    split at their punctuation in both readings ("1,234.50" is 1, 234, 50), since one text must not be read in two ways
    depending on what it is compared with; that a number is the same number is checked elsewhere, exactly. A text of
    punctuation alone has no tokens.
    """
    if text.isascii():
        return _ASCII_RE.findall(text.lower())
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return _UNICODE_RE.findall(folded)
