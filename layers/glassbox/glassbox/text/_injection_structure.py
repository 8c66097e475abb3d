"""Orders to a judge by their structure: parts that stand near each other, whatever the sentence and the language."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from glassbox.text._injection_lexicon import Part, bit, parts


class Structure(NamedTuple):
    """Parts that must all be met, by different words, within `span` words and `sentences` sentences."""

    name: str
    needs: tuple[int, ...]
    span: int
    sentences: int


def _structure(name: str, needs: str, span: int, sentences: int = 1) -> Structure:
    """Return the structure of parts written as "a b|c": a, and b or c."""
    masks = (sum(bit(part) for part in need.split("|")) for need in needs.split())
    return Structure(name, tuple(masks), span, sentences)


STRUCTURES: Final[tuple[Structure, ...]] = (
    _structure("judge_asked", "judge this|object jargon rate|say must|polite", 24, 2),
    _structure("judge_asked", "judge jargon rate|say must|polite|object|this", 10),
    _structure("judge_asked", "judge rate|say this|object good must|polite", 14),
    _structure("judge_asked", "judge rate|say this object good", 9),
    _structure("judge_asked", "judge verdict rate|say jargon|top must|polite|this|object", 16),
    _structure("judge_asked", "judge score top rate|say|must|polite", 20),
    _structure("judge_asked", "model must good|top|jargon say good|score", 12),
    _structure("judge_pressed", "judge threat|bribe|mercy score|jargon|rate|good this|object|rate", 20, 2),
    _structure("result_asked", "this object jargon rate|say must|polite|play|threat|bribe|author", 14),
    _structure("result_asked", "rate jargon this|object polite", 8),
    _structure("result_asked", "this object strict rate|say", 7),
    _structure("result_asked", "jargon score polite|must|this rate|say", 9),
    _structure("judge_asked", "judge rate this good", 6),
    _structure("result_asked", "object jargon rate polite", 7),
    _structure("result_asked", "object strict rate author", 9),
    _structure("result_asked", "rate strict this|object must|polite", 9),
    _structure("result_asked", "this object jargon result polite|must|rate|say", 12),
    _structure("score_asked", "this object top score|result polite|must|day", 12),
    _structure("score_asked", "full object this|polite|must", 10),
    _structure("result_wished", "jargon score day|polite", 7),
    _structure("verdict_asked", "verdict jargon|top|strict rate|say|must|polite", 10),
    _structure("verdict_asked", "verdict good|bad say|must|polite|rate object|this|strict", 10),
    _structure("score_asked", "this object top score rate|say|must|polite", 12),
    _structure("score_asked", "this object top rate|say polite|must", 9),
    _structure("words_redefined", "mean jargon jargon|bad this|any|must|play", 10),
    _structure("words_redefined", "mean strict any|jargon|good|bad|must|this", 8),
    _structure("words_redefined", "mean jargon jargon|bad", 4),
    _structure("words_redefined", "mean jargon any", 7),
    _structure("words_redefined", "mean jargon good must|this|object", 8),
    _structure("words_redefined", "mean scale extremes extremes", 14),
    _structure("words_redefined", "mean yes object dont|none", 10),
    _structure("words_redefined", "mean good bad judge|verdict|rules", 12),
    _structure("count_ordered", "none verdict|strict say|must|rate|list", 8),
    _structure("count_ordered", "none say list verdict", 8),
    _structure("count_ordered", "none split points", 6),
    _structure("count_ordered", "only split points", 5),
    _structure("any_will_do", "quote wish any", 8),
    _structure("any_will_do", "quote any do", 8),
    _structure("already_checked", "already checked author|judge|this object|score jargon|good|top", 16),
    _structure("already_checked", "already checked object jargon|top", 12),
    _structure("already_checked", "already|checked judge halt|ignore object", 12),
    _structure("already_checked", "checking|compare end object jargon", 9),
    _structure("already_checked", "checked object score top", 9),
    _structure("already_checked", "checked object this strict", 12),
    _structure("already_checked", "checked|already object jargon author|already this", 12),
    _structure("already_checked", "checked author object jargon", 12),
    _structure("named_authority", "author checked|rate|say strict|top score|result", 10),
    _structure("named_authority", "author result|verdict jargon|top", 9),
    _structure("named_authority", "decided object strict", 8),
    _structure("named_authority", "author jargon this|object checked|rate|say", 14),
    _structure("named_authority", "author score top|jargon object rate|say|checked", 14),
    _structure("threat_or_gift", "threat|bribe jargon this|object rate|say score|must|polite|judge", 20, 2),
    _structure("threat_or_gift", "doom jargon|fail rate|judge|refuse this|object", 16, 2),
    _structure("threat_or_gift", "bribe|threat verdict good|top|jargon", 12),
    _structure("threat_or_gift", "doom judge fail|jargon", 14),
    _structure("threat_or_gift", "bribe|doom score top", 10),
    _structure("threat_or_gift", "bribe label jargon", 10),
    _structure("supposition", "play jargon|verdict object rate|say", 20, 2),
    _structure("supposition", "play judge jargon|score|verdict rate|say", 16),
    _structure("supposition", "play object good say this", 12),
    _structure("data_ended", "end object real rules", 16, 2),
    _structure("data_ended", "end object rules follow", 10, 2),
    _structure("translation_obeyed", "translate follow rules", 14, 2),
    _structure("translation_obeyed", "translate do says|rules this", 10),
    _structure("rules_replaced", "ignore rules judge|score|strict", 9),
    _structure("check_stopped", "halt checking object|here|must", 9),
    _structure("check_stopped", "dont compare object", 8),
)  # fmt: skip
_SPAN: Final = max(one.span for one in STRUCTURES)
_SENTENCES: Final = max(one.sentences for one in STRUCTURES)


def structures_in(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield (name, start, end) of each structure met, in order; the time is linear in the text.

    Each word that plays a part is looked at as the last of a structure, with the at most `_SPAN` words before it; the
    union of their parts picks the structures worth a look, so that most words cost one comparison.
    """
    window: deque[Part] = deque()
    counts: dict[int, tuple[Structure, ...]] = {}
    reached: dict[str, int] = {}
    for part in parts(text):
        window.append(part)
        while part.word - window[0].word > _SPAN or part.sentence - window[0].sentence >= _SENTENCES:
            window.popleft()
        union = 0
        for one in window:
            union |= one.mask
        possible = counts.get(union)
        if possible is None:
            possible = counts[union] = tuple(one for one in STRUCTURES if all(need & union for need in one.needs))
        for structure in possible:
            first = _first(structure, window)
            if first is not None and first >= reached.get(structure.name, 0):
                reached[structure.name] = part.end
                yield structure.name, first, part.end


def _first(structure: Structure, window: Sequence[Part]) -> int | None:
    """Return where the structure that ends at the window's last word begins, or None."""
    last = window[-1]
    used: set[int] = set()
    start = last.start
    if not any(need & last.mask for need in structure.needs):
        return None
    for need in structure.needs:
        for index in range(len(window) - 1, -1, -1):
            one = window[index]
            if last.word - one.word > structure.span or last.sentence - one.sentence >= structure.sentences:
                return None
            if index not in used and one.mask & need:
                used.add(index)
                start = min(start, one.start)
                break
        else:
            return None
    return start
