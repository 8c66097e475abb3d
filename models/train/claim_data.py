"""Training examples of the claim checker: (window of a passage, claim, label, words that are wrong).

Sources are the corpora of the training folder. From running text come claims that the window supports (verbatim,
shortened, merged, rewritten, pronouns resolved, relations told in other words) and the same claims with one thing made
false. Half of the changes are made in the passage instead of the claim, so that no wording by itself gives the label
away. Labels: 0 supported, 1 contradicted, 2 unsupported, 3 "1 or 2" (people only said that it is not supported).
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from claim_perturb import change_value, flip_comparison, negate, overstate, swap_name, swap_within, wrong_words
from claim_relations import DIRECTED, FUNCTIONAL, TEMPLATES, related, verbalise
from claim_text import detokenise, merge, paraphrase, split_sentences, windows, word_list
from overlap import HeldOut

SUPPORTED, CONTRADICTED, UNSUPPORTED, NOT_SUPPORTED = range(4)
CAPITALISED = re.compile(r"(?<=[a-z,;(] )(?:[A-Z][\w'-]+)(?: (?:of |the |de |von )?[A-Z][\w'-]+)*")
PRONOUN = re.compile(r"^(He|She|It|They|His|Her|Its|Their) ")
PER_RELATION = 60
HUMAN_REPEATS = 6


@dataclass(frozen=True)
class Example:
    """One pair to learn from; `wrong` flags whitespace words of the claim, None where nobody knows them."""

    passage: str
    claim: str
    label: int
    source: str
    group: str
    wrong: tuple[bool, ...] | None = None


@dataclass
class Document:
    """Sentences of one text with names by sentence (name, type, entity) and the entity the text is about."""

    identity: str
    sentences: list[str]
    names: list[list[tuple[str, str, int]]]
    topic: str = ""
    topic_type: str = ""
    relations: list[tuple[int, str, int, list[int]]] = field(default_factory=list)


def read_lines(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the JSON objects of a JSON Lines file."""
    with path.open(encoding="utf-8") as handle:
        for line in handle:
            yield json.loads(line)


def redocred_documents(path: Path) -> Iterator[Document]:
    """Yield the documents of a Re-DocRED file as running text with names and relations."""
    for raw in json.loads(path.read_text(encoding="utf-8")):
        sentences = [detokenise(tokens) for tokens in raw["sents"]]
        names: list[list[tuple[str, str, int]]] = [[] for _ in sentences]
        for number, mentions in enumerate(raw["vertexSet"]):
            for mention in mentions:
                name = detokenise([mention["name"]])
                if name in sentences[mention["sent_id"]]:
                    names[mention["sent_id"]].append((name, mention["type"], number))
        topic = re.sub(r"\s*\([^)]*\)$", "", raw["title"])
        words = set(word_list(topic))
        kinds = [m[0]["type"] for m in raw["vertexSet"] if words & set(word_list(m[0]["name"]))]
        links = [(item["h"], item["r"], item["t"], list(item.get("evidence") or [])) for item in raw["labels"]]
        yield Document(f"redocred:{raw['title']}", sentences, names, topic, kinds[0] if kinds else "", links)


def passage_documents(rows: list[dict[str, Any]]) -> Iterator[Document]:
    """Yield every passage of the attribution records as a document; names are runs of capitalised words."""
    seen: set[str] = set()
    for row in rows:
        for text in row["passages"]:
            sentences = [s for s in split_sentences(clean_passage(text)) if 5 <= len(s.split()) <= 60]
            if len(sentences) < 2 or text in seen:
                continue
            seen.add(text)
            names = [[(name, "NAME", 0) for name in CAPITALISED.findall(s)] for s in sentences]
            yield Document(f"attribution:{row['id']}", sentences, names)


def clean_passage(text: str) -> str:
    """Return a reference without its leading "[5] https://..." line."""
    return re.sub(r"^\s*\[\d+\]\s*(?:https?://\S+)?\s*", "", text).strip()


def clean_claim(text: str) -> str:
    """Return a claim without citation marks."""
    return re.sub(r"\s*\[\d+\]", "", text).strip()


class Generator:
    """Makes examples from documents; all randomness comes from one seed."""

    def __init__(self, documents: list[Document], seed: int) -> None:
        self.rng = Random(seed)
        self.documents = documents
        self.by_type: dict[str, list[str]] = defaultdict(list)
        for document in documents:
            for sentence in document.names:
                for name, kind, _ in sentence:
                    self.by_type[kind].append(name)
        self.relation_counts: Counter[str] = Counter()

    def examples(self, document: Document) -> Iterator[Example]:
        """Yield the examples of one document."""
        for index, sentence in enumerate(document.sentences):
            if 6 <= len(sentence.split()) <= 50:
                yield from self._from_sentence(document, index)
        yield from self._from_relations(document)

    def _window(self, document: Document, index: int, widest: int = 6) -> tuple[int, int]:
        size = self.rng.randint(2, widest)
        start = max(0, index - self.rng.randint(0, size - 1))
        end = min(len(document.sentences), max(start + size, index + 1))
        while sum(len(s.split()) for s in document.sentences[start:end]) > 100 and end - start > 1:
            if end - 1 > index:
                end -= 1
            elif start < index:
                start += 1
            else:
                break
        return start, end

    def _passage(self, document: Document, start: int, end: int, replaced: dict[int, str] | None = None) -> str:
        held = [(replaced or {}).get(i, document.sentences[i]) for i in range(start, end)]
        text = " ".join(held)
        if document.topic and self.rng.random() < 0.4:
            return f"{document.topic}{self.rng.choice((': ', '. ', ' - '))}{text}"
        return text

    def _resolve(self, document: Document, sentence: str, passage: str) -> str:
        """Return `sentence` with a leading pronoun replaced by what the text is about, if the passage names it."""
        match = PRONOUN.match(sentence)
        if not match or not document.topic or document.topic not in passage:
            return sentence
        pronoun = match.group(1)
        if (pronoun in ("He", "She", "His", "Her")) != (document.topic_type == "PER") or pronoun in ("They", "Their"):
            return sentence
        owner = "'s " if pronoun in ("His", "Her", "Its") else " "
        return document.topic + owner + sentence[match.end() :]

    def _alias(self, document: Document, claim: str, index: int, start: int, end: int) -> str:
        """Return `claim` with one name exchanged for another name of the same entity that the window holds."""
        for name, _, number in document.names[index]:
            others = [n for i in range(start, end) for n, _, k in document.names[i] if k == number and n != name]
            others = [n for n in others if n not in claim and name not in n]
            if number and others and name in claim and self.rng.random() < 0.5:
                return claim.replace(name, self.rng.choice(others), 1)
        return claim

    def _falsify(self, document: Document, index: int, claim: str, start: int, end: int) -> tuple[str, int] | None:
        """Return the claim with one thing changed and its label, or None if no rule applies."""
        rng = self.rng
        names = [(n, k) for n, k, _ in document.names[index] if n in claim and k != "NUM"]
        kinds = ["name"] * 4 + ["value"] * 4 + ["negate"] * 2 + ["compare"] * 3 + ["cross"] * 2 + ["overstate"]
        rng.shuffle(kinds)
        for kind in dict.fromkeys(kinds):
            changed: str | None = None
            label = CONTRADICTED
            if kind == "value":
                changed = change_value(claim, rng)
            elif kind == "negate":
                changed = negate(claim, rng)
            elif kind == "compare":
                changed = flip_comparison(claim, rng)
            elif kind == "overstate":
                changed, label = overstate(claim, rng), UNSUPPORTED
            elif kind == "cross" and len(names) > 1:
                wanted = rng.choice(names)[1]
                changed = swap_within(claim, [n for n, k in names if k == wanted], rng)
            elif kind == "name" and names:
                name, wanted = rng.choice(names)
                near = [n for i in range(start, end) for n, k, _ in document.names[i] if k == wanted]
                here = [n for s in document.names for n, k, _ in s if k == wanted]
                far = rng.sample(self.by_type[wanted], min(8, len(self.by_type[wanted])))
                changed = swap_name(claim, name, rng.choice((near, near, here, far)), rng)
            if changed and changed != claim:
                return changed, label
        return None

    def _from_sentence(self, document: Document, index: int) -> Iterator[Example]:
        rng, sentence = self.rng, document.sentences[index]
        start, end = self._window(document, index)
        source, group = document.identity.split(":")[0], document.identity
        if rng.random() < 0.35:
            false = self._falsify(document, index, sentence, start, end)
            if false:
                yield from self._mirrored(document, index, false, start, end)
                return
        passage = self._passage(document, start, end)
        claim = sentence if rng.random() < 0.2 else paraphrase(sentence, rng)
        claim = self._alias(document, self._resolve(document, claim, passage), index, start, end)
        if rng.random() < 0.18 and end - start > 1:
            other = rng.choice([i for i in range(start, end) if i != index])
            claim = merge(claim, paraphrase(document.sentences[other], rng), rng)
        if len(claim.split()) < 70:
            yield Example(passage, claim, SUPPORTED, f"{source}-true", group, (False,) * len(claim.split()))
        false = self._falsify(document, index, claim, start, end)
        if false:
            changed, label = false
            yield Example(passage, changed, label, f"{source}-false", group, tuple(wrong_words(claim, changed)))
        if rng.random() < 0.85:
            yield from self._outside(document, claim, passage, start, end)

    def _mirrored(
        self, document: Document, index: int, false: tuple[str, int], start: int, end: int
    ) -> Iterator[Example]:
        """Yield the pair where the passage holds the changed sentence, so that the original is the wrong one."""
        source, group = document.identity.split(":")[0], document.identity
        changed, label = false
        original = document.sentences[index]
        passage = self._passage(document, start, end, {index: changed})
        claim = paraphrase(changed, self.rng) if self.rng.random() < 0.5 else changed
        yield Example(passage, claim, SUPPORTED, f"{source}-mirror-true", group, (False,) * len(claim.split()))
        label = CONTRADICTED if label == UNSUPPORTED else label
        marks = tuple(wrong_words(changed, original))
        if original not in passage:
            yield Example(passage, original, label, f"{source}-mirror-false", group, marks)

    def _outside(self, document: Document, claim: str, passage: str, start: int, end: int) -> Iterator[Example]:
        """Yield a claim from elsewhere, or a supported claim with a foreign part joined on."""
        rng, group = self.rng, document.identity
        far = [i for i in range(len(document.sentences)) if not start <= i < end]
        far = [i for i in far if 6 <= len(document.sentences[i].split()) <= 40]
        if far and rng.random() < 0.8:
            foreign = self._resolve(document, paraphrase(document.sentences[rng.choice(far)], rng), passage)
        else:
            other = rng.choice(self.documents)
            foreign = paraphrase(rng.choice(other.sentences), rng)
            if document.topic and other.topic:
                foreign = foreign.replace(other.topic, document.topic)
        source = document.identity.split(":")[0]
        if rng.random() < 0.45 and len((claim + foreign).split()) < 75:
            head = len(claim.split())
            foreign = merge(claim, foreign, rng)
            marks = tuple(i >= head for i in range(len(foreign.split())))
            yield Example(passage, foreign, UNSUPPORTED, f"{source}-half", group, marks)
        elif len(foreign.split()) < 60:
            yield Example(passage, foreign, UNSUPPORTED, f"{source}-outside", group)

    def _from_relations(self, document: Document) -> Iterator[Example]:
        rng = self.rng
        mentions: dict[int, list[tuple[str, str, int]]] = defaultdict(list)
        for place, names in enumerate(document.names):
            for name, kind, number in names:
                mentions[number].append((name, kind, place))
        known = {(h, r, t) for h, r, t, _ in document.relations}
        links = [link for link in document.relations if link[1] in TEMPLATES]
        rng.shuffle(links)
        for head, relation, tail, evidence in links[:24]:
            if self.relation_counts[relation] >= PER_RELATION or head not in mentions or tail not in mentions:
                continue
            places = evidence or [rng.choice(mentions[head])[2], rng.choice(mentions[tail])[2]]
            start, end = min(places), max(places) + 1
            if end - start > 5 or (not evidence and end - start > 2):
                continue
            self.relation_counts[relation] += 1
            yield from self._relation_pair(document, mentions, known, (head, relation, tail), start, end)

    def _relation_pair(
        self,
        document: Document,
        mentions: dict[int, list[tuple[str, str, int]]],
        known: set[tuple[int, str, int]],
        link: tuple[int, str, int],
        start: int,
        end: int,
    ) -> Iterator[Example]:
        rng = self.rng
        head, relation, tail = link
        start = max(0, start - rng.randint(0, 2))
        end = min(len(document.sentences), end + rng.randint(0, 2))
        passage = self._passage(document, start, end)
        group = document.identity
        name = {n: max((m[0] for m in mentions[n]), key=len) for n in (head, tail)}
        claim = verbalise(relation, name[head], name[tail], rng)
        yield Example(passage, claim, SUPPORTED, "relation-true", group, (False,) * len(claim.split()))
        label = CONTRADICTED if relation in FUNCTIONAL else NOT_SUPPORTED
        kind = mentions[tail][0][1]
        others = [n for n in mentions if n not in (head, tail) and mentions[n][0][1] == kind]
        others = [n for n in others if not any((head, r, n) in known and related(r, relation) for r in TEMPLATES)]
        near = [n for n in others if any(start <= m[2] < end for m in mentions[n])]
        roll = rng.random()
        changed = ""
        if roll < 0.6 and others:
            pick = rng.choice(near or others)
            other = max((m[0] for m in mentions[pick]), key=len)
            changed = verbalise(relation, name[head], other, rng)
        elif roll < 0.8 and relation in DIRECTED and (tail, relation, head) not in known:
            changed, label = verbalise(relation, name[tail], name[head], rng), CONTRADICTED
        else:
            pair = {r for h, r, t in known if {h, t} == {head, tail}}
            options = [r for r in TEMPLATES if not any(related(r, held) for held in pair)]
            label = NOT_SUPPORTED
            changed = verbalise(rng.choice(options), name[head], name[tail], rng)
        if changed:
            yield Example(passage, changed, label, "relation-false", group)


def attribution_examples(rows: list[dict[str, Any]]) -> Iterator[Example]:
    """Yield human-labelled claims with their best windows, and whole passages where these are short enough."""
    for row in rows:
        claim = clean_claim(row["claim"])
        words = set(word_list(claim))
        label = SUPPORTED if row["label"] == "supported" else NOT_SUPPORTED
        texts = [clean_passage(p) for p in row["passages"]]
        held = [" ".join(w) for text in texts for w in windows(split_sentences(text), 4, 2)]
        held.sort(key=lambda text: -len(words & set(word_list(text))) / (len(words) or 1) + len(text) * 1e-5)
        whole = [text for text in texts if text not in held and len(text.split()) <= 130]
        whole.sort(key=lambda text: -len(words & set(word_list(text))))
        chosen = held[: 1 if label == SUPPORTED else 2] + whole[:1]
        for passage in dict.fromkeys(chosen):
            if claim and passage:
                yield Example(passage, claim, label, "attribution", f"attribution:{row['id']}")


def snli_examples(path: Path, limit: int, rng: Random) -> Iterator[Example]:
    """Yield up to `limit` caption pairs with their three labels."""
    rows = [row for row in read_lines(path) if row["label"] in ("entailment", "contradiction", "neutral")]
    rng.shuffle(rows)
    labels = {"entailment": SUPPORTED, "contradiction": CONTRADICTED, "neutral": UNSUPPORTED}
    for row in rows[:limit]:
        yield Example(row["premise"].strip(), row["hypothesis"].strip(), labels[row["label"]], "snli", path.name)


def fewrel_examples(path: Path, per_relation: int, rng: Random) -> Iterator[Example]:
    """Yield relations of single sentences in other words, with turned-round and exchanged ones."""
    data = json.loads(path.read_text(encoding="utf-8"))
    for relation in sorted(set(data) & set(TEMPLATES)):
        for row in rng.sample(data[relation], min(per_relation, len(data[relation]))):
            passage = detokenise(row["tokens"])
            head, tail = (detokenise([row["tokens"][i] for i in row[end][2][0]]) for end in ("h", "t"))
            claim = verbalise(relation, head, tail, rng)
            yield Example(passage, claim, SUPPORTED, "fewrel", "fewrel", (False,) * len(claim.split()))
            other = rng.choice(data[relation])
            stranger = detokenise([other["tokens"][i] for i in other["t"][2][0]])
            if relation in DIRECTED and rng.random() < 0.5:
                yield Example(passage, verbalise(relation, tail, head, rng), CONTRADICTED, "fewrel", "fewrel")
            elif rng.random() < 0.5 and stranger.lower() not in passage.lower():
                yield Example(passage, verbalise(relation, head, stranger, rng), UNSUPPORTED, "fewrel", "fewrel")
            else:
                name = rng.choice([r for r in TEMPLATES if not related(r, relation)])
                yield Example(passage, verbalise(name, head, tail, rng), NOT_SUPPORTED, "fewrel", "fewrel")


def contextualise(examples: list[Example], rng: Random, share: float = 0.5) -> list[Example]:
    """Return single-sentence examples with other captions put around a share of them, so that windows are longer."""
    passages = [item.passage for item in examples]
    result = []
    for item in examples:
        if rng.random() < share:
            around = [rng.choice(passages) for _ in range(rng.randint(1, 4))]
            around.insert(rng.randint(0, len(around)), item.passage)
            item = Example(" ".join(around), item.claim, item.label, item.source, item.group, item.wrong)
        result.append(item)
    return result


@dataclass(frozen=True)
class Corpus:
    """Examples to train on and examples of other documents and questions held out of training."""

    train: list[Example]
    held_out: list[Example]
    held_rows: list[dict[str, Any]]
    dropped: dict[str, int]
    counts: dict[str, int]


def build(train: Path, measured: Path, seed: int, held_share: float = 0.12) -> Corpus:
    """Return all examples; texts that share a run of 12 words with a file in `measured` are dropped and counted.

    Documents and questions are split before anything is made from them, so the held-out part shares no text with the
    training part. Only `attribution`, Re-DocRED and SNLI examples are held out.
    """
    rng = Random(seed)
    guard = HeldOut(measured, 12)
    dropped: Counter[str] = Counter()

    def clean(name: str, texts: list[str]) -> bool:
        shares = any(guard.shares([text]) for text in texts)
        dropped[name] += shares
        return not shares

    rows = list(read_lines(train / "attribution_hagrid_expertqa.jsonl"))
    rows = [r for r in rows if clean("attribution", [*r["passages"], r["claim"], r.get("query") or ""])]
    documents = [d for f in ("redocred_dev.json", "redocred_more.json") for d in redocred_documents(train / f)]
    documents = [d for d in documents if clean("redocred", [" ".join(d.sentences)])]
    queries = sorted({row.get("query") or row["id"] for row in rows})
    held_queries = set(rng.sample(queries, int(len(queries) * held_share)))
    held_rows = [row for row in rows if (row.get("query") or row["id"]) in held_queries]
    held_ids = {row["id"] for row in held_rows}
    held_passages = {text for row in held_rows for text in row["passages"]}
    rows = [r for r in rows if r["id"] not in held_ids and not held_passages & set(r["passages"])]
    rng.shuffle(documents)
    held_documents, documents = documents[:60], documents[60:]
    passages = list(passage_documents(rows))
    examples = list(attribution_examples(rows)) * HUMAN_REPEATS
    makers = Generator(documents, seed), Generator(passages, seed + 1)
    examples += [e for maker in makers for d in maker.documents for e in maker.examples(d)]
    captions = list(snli_examples(train / "snli_dev.jsonl", 5000, rng))
    captions += list(fewrel_examples(train / "fewrel_val_wiki.json", 120, rng))
    examples += contextualise([e for e in captions if clean(e.source, [e.passage, e.claim])], rng)
    held = list(attribution_examples(held_rows))
    maker = Generator(held_documents, seed + 2)
    held += [e for d in held_documents for e in maker.examples(d)]
    maker = Generator(list(passage_documents(held_rows)), seed + 3)
    held += [e for d in maker.documents for e in maker.examples(d)]
    held += list(snli_examples(train / "snli_test.jsonl", 300, rng))
    return Corpus(examples, held, held_rows, dict(dropped), dict(Counter(e.source for e in examples)))
