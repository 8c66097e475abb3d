"""The aligned reading of BLEU and ROUGE: each answer sentence against the source windows that it overlaps most.

Taken against a whole document both metrics say nothing: the brevity penalty brings a verbatim quote to 0. So each
sentence of the answer is compared with the ten best-overlapping windows of one or two consecutive source sentences, as
multiple references of the same two metrics, and the sentences are averaged by their number of tokens.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from glassbox.metrics import bleu, rouge
from glassbox.metrics.rouge import PRF, RougeScores
from glassbox.metrics.tokens import SIGNATURE as TOKENS
from glassbox.metrics.tokens import tokenize
from glassbox.metrics.window_index import WINDOW_SIZES, SourceWindow, WindowIndex
from glassbox.text.scripts import BleuTokenizer, bleu_tokenizer
from glassbox.text.sentences import Span, split_sentences

CANDIDATES: Final = 10
SELECTIVE_RECALL: Final = 0.60
SELECTIVE_PRECISION: Final = 0.60
_WINDOWS: Final = f"windows:{'+'.join(map(str, WINDOW_SIZES))}|candidates:{CANDIDATES}|weight:tokens"


@dataclass(frozen=True, slots=True)
class SentenceAlignment:
    """One sentence of the answer, `answer[start:end]`, with its windows (best overlap first) and its two scores."""

    start: int
    end: int
    tokens: int
    windows: tuple[SourceWindow, ...]
    bleu_4: float
    rouge_l: float


@dataclass(frozen=True, slots=True)
class Alignment:
    """The aligned scores in [0, 1], or None for both where the answer has no tokens, and the evidence for them."""

    aligned_bleu_4: float | None
    aligned_rouge_l: float | None
    sentences: tuple[SentenceAlignment, ...]
    bleu_signature: str
    rouge_signature: str


@dataclass(frozen=True, slots=True)
class DocumentScores:
    """BLEU-1..4 and ROUGE-1/2/L of the whole answer against all sources joined by line breaks."""

    bleu: bleu.BleuScores
    rouge: RougeScores


def align(answer: str, sources: Sequence[str]) -> Alignment:
    """Return the aligned BLEU-4 and ROUGE-L F1 of the answer with the evidence per sentence.

    A sentence's BLEU-4 takes its windows as multiple references; its ROUGE-L is the best F1 over them. Sentences
    without a token (rules, lone punctuation) have no weight and aren't listed; when none has one (an empty answer, or
    punctuation alone) there is nothing to measure and both scores are None. An emoji is a token. A sentence that shares
    no token with any source scores 0. A text aligned with itself scores exactly 1.
    """
    tokenizer = bleu_tokenizer(answer)
    spans = split_sentences(answer)
    tokens = [tokenize(answer[span.start : span.end]) for span in spans]
    index = WindowIndex(sources, frozenset(token for sentence in tokens for token in sentence))
    aligner = _Aligner(sources, index, tokenizer, len(spans))
    sentences = tuple(
        aligner.sentence(answer, span, sentence) for span, sentence in zip(spans, tokens, strict=True) if sentence
    )
    weight = sum(sentence.tokens for sentence in sentences)
    return Alignment(
        aligned_bleu_4=_mean([(s.tokens, s.bleu_4) for s in sentences], weight),
        aligned_rouge_l=_mean([(s.tokens, s.rouge_l) for s in sentences], weight),
        sentences=sentences,
        bleu_signature=f"aligned-{bleu.signature(tokenizer, 'var')}|{_WINDOWS}|prefilter:{TOKENS}",
        rouge_signature=f"aligned-{rouge.SIGNATURE.replace('agg:none', 'agg:max')}|{_WINDOWS}|prefilter:{TOKENS}",
    )


def document_scores(answer: str, sources: Sequence[str]) -> DocumentScores:
    """Return BLEU and ROUGE of the answer against all sources joined by line breaks; reported, never scored."""
    joined = "\n".join(sources)
    return DocumentScores(bleu=bleu.bleu(answer, [joined]), rouge=rouge.rouge(answer, joined))


def rouge_1_precision_baseline(answer: str, sources: Sequence[str]) -> float:
    """Return the share of the answer's tokens that occur in the sources: the lexical baseline of every judge."""
    return rouge.rouge_n(tokenize(answer), tokenize("\n".join(sources)), 1).precision


def is_selective_copying(rouge_1: PRF) -> bool:
    """Return whether high recall meets low precision: most of the source is copied, and much is added to it.

    The cut values are our own, since the rule names none: recall of at least 0.60 with precision below 0.60, so that
    more of the source is taken over than left out, while over 40 % of the answer comes from elsewhere.
    """
    return rouge_1.recall >= SELECTIVE_RECALL and rouge_1.precision < SELECTIVE_PRECISION


def _mean(weighted: Sequence[tuple[int, float]], weight: int) -> float | None:
    if weight == 0:
        return None
    # The sum of many products may miss the bounds by an ulp.
    return min(1.0, max(0.0, sum(count * value for count, value in weighted) / weight))


class _Aligner:
    """Scores sentences against the index; a sentence that occurs again isn't computed again."""

    def __init__(self, sources: Sequence[str], index: WindowIndex, tokenizer: BleuTokenizer, queries: int) -> None:
        self._sources = sources
        self._index = index
        self._tokenizer = tokenizer
        self._queries = queries
        self._bleu_tokens: dict[int, list[str]] = {}
        self._done: dict[str, tuple[tuple[SourceWindow, ...], float, float]] = {}

    def sentence(self, answer: str, span: Span, tokens: list[str]) -> SentenceAlignment:
        text = answer[span.start : span.end]
        if text not in self._done:
            self._done[text] = self._score(text, tokens)
        windows, bleu_4, rouge_l = self._done[text]
        return SentenceAlignment(span.start, span.end, len(tokens), windows, bleu_4, rouge_l)

    def _score(self, text: str, tokens: list[str]) -> tuple[tuple[SourceWindow, ...], float, float]:
        chosen = self._index.best(Counter(tokens), CANDIDATES, self._queries)
        if not chosen:
            return (), 0.0, 0.0
        references = [self._tokens_for_bleu(window) for window in chosen]
        statistics = bleu.statistics(bleu.tokens(text, self._tokenizer), references)
        best = max(rouge.rouge_l(tokens, self._index.tokens(window)).f1 for window in chosen)
        return tuple(self._index.windows[window] for window in chosen), bleu.bleu_4(statistics), best

    def _tokens_for_bleu(self, window: int) -> list[str]:
        if window not in self._bleu_tokens:
            source, start, end = self._index.windows[window]
            self._bleu_tokens[window] = bleu.tokens(self._sources[source][start:end], self._tokenizer)
        return self._bleu_tokens[window]
