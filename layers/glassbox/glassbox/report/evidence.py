"""What the measurements rest on, made ready to show: claims, names, relations, passages, aligned windows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from glassbox.report import bounds, words
from glassbox.report.bounds import Shortened
from glassbox.report.plain import shorten
from glassbox.report.read import array, index, listed, mapping, objects, share, text

_ANY: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim of the answer with its verdict and the words that decided it."""

    number: int
    text: str
    verdict: str
    symbol: str
    label: str
    reason: str
    passage: int | None
    """Rank of the passage that decided it, from 1."""
    before: str
    quote: str
    after: str
    quote_found: bool
    probability: float | None
    numbers: tuple[str, ...]
    """Numbers of the claim that its evidence lacks or contradicts."""
    start: int | None
    end: int | None


@dataclass(frozen=True, slots=True)
class Name:
    """A name or term of the answer, and whether the sources hold it."""

    text: str
    label: str
    found: bool
    how: str
    spans: tuple[tuple[int, int], ...]
    """Where it stands in the answer."""


@dataclass(frozen=True, slots=True)
class Relation:
    """Two names that the answer relates, and whether the sources relate them."""

    subject: str
    object: str
    label: str
    found: bool


@dataclass(frozen=True, slots=True)
class Alignment:
    """A sentence of the answer beside the source windows that it was compared with."""

    sentence: str
    bleu_4: float | None
    rouge_l: float | None
    windows: tuple[tuple[int, str], ...]
    """Source number from 1, and the window's text."""
    left_out: int


def evidence_of(envelope: Mapping[str, Any], judge: str, *names: str) -> list[Mapping[str, Any]]:
    """Return the evidence of the first of the named measurements that has any."""
    core = mapping(mapping(mapping(envelope.get("core")).get("judges")).get(judge))
    results = mapping(mapping(mapping(envelope.get("content")).get("results")).get(judge))
    for name in names:
        for source in (core, results):
            for measured in objects(source.get("measurements")):
                found = objects(measured.get("evidence")) if measured.get("name") == name else []
                if found:
                    return found
    return []


def passage_texts(request: Mapping[str, Any]) -> list[str]:
    """Return the texts of the retrieved passages in rank order."""
    return [text(mapping(p).get("text")) if isinstance(p, Mapping) else text(p) for p in _retrieved(request)]


def _retrieved(request: Mapping[str, Any]) -> Sequence[Any]:
    return array(request.get("retrieved_passages"))


def source_texts(request: Mapping[str, Any]) -> list[str]:
    """Return the texts that names and terms were compared with: the documents, else the passages; no blank ones."""
    documents = [
        text(mapping(d).get("text")) if isinstance(d, Mapping) else text(d)
        for d in array(request.get("source_documents"))
    ]
    documents = [d for d in documents if d.strip()]
    return documents or [p for p in passage_texts(request) if p.strip()]


def claims_of(envelope: Mapping[str, Any], short: Shortened) -> list[Claim]:
    """Return the claims in the answer's order; where there are too many, the worst verdicts are kept."""
    request = mapping(mapping(envelope.get("content")).get("request"))
    answer, passages = text(request.get("answer")), passage_texts(request)
    found = evidence_of(envelope, "semantic_faithfulness", "faithfulness")
    if len(found) > bounds.CLAIMS:
        numbered = sorted(range(len(found)), key=lambda i: (_rank(found[i].get("verdict")), i))
        kept = sorted(short.items(numbered, bounds.CLAIMS, "claims, the worst verdicts first"))
    else:
        kept = list(range(len(found)))
    return [_claim(i + 1, found[i], answer, passages) for i in kept]


def counts_of(envelope: Mapping[str, Any]) -> tuple[tuple[str, str, str, int], ...]:
    """Return code, symbol, label and number of claims of each verdict, over all claims of the evaluation."""
    verdicts = [item.get("verdict") for item in evidence_of(envelope, "semantic_faithfulness", "faithfulness")]
    return tuple((code, symbol, label, verdicts.count(code)) for code, (symbol, label) in words.VERDICTS.items())


def _rank(verdict: Any) -> int:
    order = ("contradicted", "unsupported", "inconclusive", "supported")
    return order.index(verdict) if verdict in order else 0


def _claim(number: int, item: Mapping[str, Any], answer: str, passages: Sequence[str]) -> Claim:
    verdict = text(item.get("verdict"))
    symbol, label = words.VERDICTS.get(verdict, ("?", shorten(verdict, bounds.FIELD)))
    # A scorecard alone holds no passages, but the claim still names its own.
    passage = index(item.get("passage"), len(passages) or _ANY)
    quote = text(item.get("quote"))
    at = passages[passage].find(quote) if passage is not None and passages and quote else -1
    source = passages[passage] if passage is not None and at >= 0 else ""
    start, end = _span(item, answer)
    return Claim(
        number=number,
        text=shorten(text(item.get("claim")), bounds.QUOTE),
        verdict=verdict if verdict in words.VERDICTS else "unknown",
        symbol=symbol,
        label=label,
        reason=shorten(words.reason(text(item.get("reason"))), bounds.FIELD),
        passage=None if passage is None else passage + 1,
        before=source[max(at - bounds.CONTEXT, 0) : max(at, 0)],
        quote=shorten(quote, bounds.QUOTE),
        after=source[at + len(quote) : at + len(quote) + bounds.CONTEXT] if source else "",
        quote_found=at >= 0,
        probability=share(item.get("probability")),
        numbers=listed([shorten(text(n), bounds.FIELD) for n in array(item.get("numbers"))], bounds.FACTS),
        start=start,
        end=end,
    )


def _span(item: Mapping[str, Any], answer: str) -> tuple[int | None, int | None]:
    start, end = index(item.get("start"), len(answer)), index(item.get("end"), len(answer) + 1)
    return (start, end) if start is not None and end is not None and start < end else (None, None)


def _spans(item: Mapping[str, Any], answer: str) -> tuple[tuple[int, int], ...]:
    pairs = [array(pair) for pair in array(item.get("spans"))[: bounds.SPANS]]
    every: list[Mapping[str, Any]] = [{"start": pair[0], "end": pair[1]} for pair in pairs if len(pair) == 2] or [item]
    found = (_span(one, answer) for one in every)
    return tuple((start, end) for start, end in found if start is not None and end is not None)


def names_of(envelope: Mapping[str, Any], short: Shortened) -> list[Name]:
    """Return the names of the answer, those that the sources don't hold first."""
    answer = text(mapping(mapping(envelope.get("content")).get("request")).get("answer"))
    names = [
        Name(
            text=shorten(text(item.get("entity")), bounds.FIELD),
            label=shorten(text(item.get("label")), bounds.FIELD),
            found=item.get("found") is True,
            how=shorten(words.match(text(item.get("match"))), bounds.FIELD),
            spans=_spans(item, answer),
        )
        for item in evidence_of(envelope, "structural_fidelity", "entity_precision")
    ]
    return short.items(sorted(names, key=lambda n: n.found), bounds.NAMES, "names")


def relations_of(envelope: Mapping[str, Any], short: Shortened) -> list[Relation]:
    """Return the relations of the answer, those that the sources don't hold first."""
    relations = [
        Relation(
            subject=shorten(text(item.get("subject")), bounds.FIELD),
            object=shorten(text(item.get("object")), bounds.FIELD),
            label=shorten(text(item.get("label")), bounds.FIELD),
            found=item.get("found") is True,
        )
        for item in evidence_of(envelope, "structural_fidelity", "relation_faithfulness")
    ]
    return short.items(sorted(relations, key=lambda r: r.found), bounds.RELATIONS, "relations")


def alignments_of(envelope: Mapping[str, Any], short: Shortened) -> list[Alignment]:
    """Return the answer's sentences with the source windows that each was compared with."""
    request = mapping(mapping(envelope.get("content")).get("request"))
    answer, sources = text(request.get("answer")), source_texts(request)
    found = evidence_of(envelope, "structural_fidelity", "nlp_score", "aligned_bleu_4", "aligned_rouge_l")
    shown = short.items([i for i in found if "windows" in i], bounds.ALIGNMENTS, "sentences with aligned windows")
    return [_alignment(item, answer, sources) for item in shown]


def _alignment(item: Mapping[str, Any], answer: str, sources: Sequence[str]) -> Alignment:
    start, end = _span(item, answer)
    windows = []
    for window in objects(item.get("windows"))[: bounds.WINDOWS]:
        source = index(window.get("source"), len(sources))
        if source is not None:
            first, last = _span(window, sources[source])
            windows.append((source + 1, shorten(sources[source][first or 0 : last or 0], bounds.FIELD)))
    return Alignment(
        sentence=shorten(answer[start:end], bounds.QUOTE) if start is not None else "",
        bleu_4=share(item.get("bleu_4")),
        rouge_l=share(item.get("rouge_l")),
        windows=tuple(windows),
        left_out=max(len(objects(item.get("windows"))) - bounds.WINDOWS, 0),
    )
