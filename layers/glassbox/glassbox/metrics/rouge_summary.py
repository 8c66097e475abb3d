"""Summary-level ROUGE-L (Lin 2004, section 3.2), the reading of ROUGE-1.5.5 and of rouge-score's `rougeLsum`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from glassbox.metrics.rouge import PRF
from glassbox.metrics.tokens import tokenize


def rouge_l_summary(answer: str, reference: str) -> PRF:
    """Return summary-level ROUGE-L: the union of the longest common subsequences of all pairs of lines.

    Each line of a text is one sentence, as ROUGE-1.5.5 reads its input. No token counts more often than it occurs on
    either side. Equal to rouge-score's `rougeLsum`; on texts of one line equal to `rouge.rouge_l`.
    """
    ours = [tokenize(line) for line in answer.split("\n")]
    theirs = [tokenize(line) for line in reference.split("\n")]
    our_length, their_length = sum(map(len, ours)), sum(map(len, theirs))
    if not our_length or not their_length:
        return PRF(0.0, 0.0, 0.0)
    ours_left = Counter(token for line in ours for token in line)
    theirs_left = Counter(token for line in theirs for token in line)
    hits = 0
    for line in theirs:
        union = sorted({position for other in ours for position in _lcs_positions(line, other)})
        for token in (line[position] for position in union):
            if ours_left[token] > 0 and theirs_left[token] > 0:
                hits += 1
                ours_left[token] -= 1
                theirs_left[token] -= 1
    precision, recall = hits / our_length, hits / their_length
    total = precision + recall
    return PRF(precision, recall, 2 * precision * recall / total if total else 0.0)


def _lcs_positions(reference: Sequence[str], answer: Sequence[str]) -> list[int]:
    """Return the positions in `reference` of one longest common subsequence, the one that rouge-score reads out.

    The table of lengths is kept as one integer per answer token (Hyyrö 2004): bit i of `rows[j]` is 0 where the length
    grows from i to i + 1, so the length at (i, j) is the number of zeros below bit i.
    """
    width = len(reference)
    full = (1 << width) - 1
    places: dict[str, int] = {}
    for i, token in enumerate(reference):
        places[token] = places.get(token, 0) | (1 << i)
    rows = [full]
    for token in answer:
        row = rows[-1]
        common = row & places.get(token, 0)
        rows.append(((row + common) | (row - common)) & full)
    found: list[int] = []
    i, j = width, len(answer)
    while i > 0 and j > 0:
        if reference[i - 1] == answer[j - 1]:
            i, j = i - 1, j - 1
            found.append(i)
        elif _zeros(rows[j - 1], i) > _zeros(rows[j], i - 1):
            j -= 1
        else:
            i -= 1
    return found


def _zeros(row: int, width: int) -> int:
    return width - (row & ((1 << width) - 1)).bit_count()
