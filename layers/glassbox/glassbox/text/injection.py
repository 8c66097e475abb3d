"""Orders to a judge inside evaluated text, in the open or hidden by an encoding."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import regex

from glassbox.text._homoglyphs import INVISIBLE, LOOKALIKES
from glassbox.text._injection_letters import plain_letters
from glassbox.text._injection_rule import Rule
from glassbox.text._injection_rules import RULES
from glassbox.text._injection_structure import structures_in
from glassbox.text._injection_views import View, views_of

MAX_FOUND: Final = 100

_MIXED_RE: Final = regex.compile(r"(?<!\p{L})(?=\p{L}*\p{Latin})(?=\p{L}*[\p{Cyrillic}\p{Greek}])\p{L}++")
# Tags, selectors and marks laid over letters, beyond the invisible characters.
_HIDDEN_RE: Final = regex.compile(r"[\U000E0000-\U000E01EF\u0305\u0330-\u0338\u20D0-\u20F0]")
_SPACES_RE: Final = regex.compile(r"[ \t\u00a0\u2000-\u200a\u202f\u3000]")


@dataclass(frozen=True, slots=True)
class Injection:
    """An order found at `text[start:end]` by `rule`; a rule "base64:score_order" was found in decoded text."""

    rule: str
    start: int
    end: int


def detect_injection(text: str) -> tuple[Injection, ...]:
    """Return the orders to a judge that the text holds, by place; at most 100 of them.

    Looked for are orders to ignore the rules, to give a verdict or a score, forged verdicts and role tokens
    (`_injection_rules`), and the parts of an order near each other in some thirty languages (`_injection_structure`);
    also behind invisible characters, look-alike and styled letters, and in the encodings of `_injection_views`. A
    finding is a suspicion: a text about such attacks is found too. The time is linear in the text.
    """
    visible, offsets = _visible(text)
    found = list(_in_view(visible, offsets))
    for view in views_of(text):
        found.extend(_in_reading(view))
        if len(found) >= MAX_FOUND:
            break
    if offsets is not None:
        # Letters may be styled or parted by invisible characters and turned or encoded besides.
        found.extend(
            Injection(one.rule, offsets[one.start], offsets[one.end - 1] + 1)
            for view in views_of(visible)
            for one in _in_reading(view)
        )
    unique = sorted(set(found), key=lambda one: (one.start, one.end, one.rule))
    return tuple(unique[:MAX_FOUND])


def _in_reading(view: View) -> Iterator[Injection]:
    """Yield the first order in another reading of the text, at the place of the run that holds it."""
    shown, offsets = _visible(view.text)
    first = next(_in_view(shown, offsets), None)
    if first is not None and view.same:
        yield Injection(f"{view.name}:{first.rule}", view.start + first.start, view.start + first.end)
    elif first is not None:
        yield Injection(f"{view.name}:{first.rule}", view.start, view.end)


def _visible(text: str) -> tuple[str, list[int] | None]:
    """Return the text as a reader sees it, and for each of its characters the offset in the raw text (None: the same).

    Zero-width characters are taken out, other spaces become plain ones, and look-alikes inside words of mixed script
    become Latin letters.
    """
    if text.isascii():
        return text, None
    shown = _SPACES_RE.sub(" ", _latin(plain_letters(text)))
    hidden = {char for char in set(shown) if char in INVISIBLE or _HIDDEN_RE.match(char)}
    if not hidden:
        return shown, None if shown == text else list(range(len(text)))
    offsets = [offset for offset, char in enumerate(shown) if char not in hidden]
    return _latin("".join(shown[offset] for offset in offsets)), offsets


def _latin(text: str) -> str:
    return _MIXED_RE.sub(lambda match: match.group().translate(LOOKALIKES), text)


def _in_view(view: str, offsets: list[int] | None) -> Iterator[Injection]:
    lower = _same_length_lower(view)
    count = 0
    for rule in RULES:
        if not any(hint in lower for hint in rule.hints):
            continue
        for start, end in _matches(rule, view if rule.cased else lower):
            yield Injection(rule.name, *((start, end) if offsets is None else (offsets[start], offsets[end - 1] + 1)))
            count += 1
            if count >= MAX_FOUND:
                return
    for name, start, end in structures_in(view):
        yield Injection(name, *((start, end) if offsets is None else (offsets[start], offsets[end - 1] + 1)))
        count += 1
        if count >= MAX_FOUND:
            return


def _matches(rule: Rule, view: str) -> Iterator[tuple[int, int]]:
    for match in rule.pattern.finditer(view):
        start, end = match.span()
        while start < end and (view[start].isspace() or view[start] in ".!?:;,\"'”’"):
            start += 1
        if start < end:
            yield start, end


def _same_length_lower(text: str) -> str:
    lower = text.lower()
    # "İ" grows when lowered; offsets matter more than its case.
    return lower if len(lower) == len(text) else "".join(c if len(c.lower()) != 1 else c.lower() for c in text)
