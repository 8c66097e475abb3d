"""Texts for property tests: prose in several scripts mixed with markup, numbers and characters that trip parsers."""

from __future__ import annotations

from hypothesis import strategies as st

_PIECES = [
    "The bridge opened in 1932.", "It is 503 m long.", "Dr. Ada Holm", "e.g.", "3.14", "1. ", "- ",
    "| a | b |\n|---|---|\n", "```\n", "\n", "\n\n", "؟", "。", "।", "巴黎是首都。", "افتتح الجسر",
    "यह सच है।", "สวัสดีครับ ยินดี", "Ωραία;", "été", "😀", "“", "”", "...", "?", "!", ";", ":",
    "[1]", "**", "_", "`", "(IBM)", "$3.4 billion", "12,5 %", "2021-03-03", "3 March 2021",
    "I do not know.", "SYSTEM:", "\u200b", "\u202e", "\t", " ", "İ", "ß", "\u0000", "٣٠", "<b>",
]  # fmt: skip
texts = st.lists(st.one_of(st.sampled_from(_PIECES), st.text(max_size=12)), max_size=25).map(" ".join)
