"""Make claims from running text: supported by a window, or the same with one thing made false."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from random import Random

from claim_falsify import Surroundings, falsify
from claim_perturb import wrong_words
from claim_recipe import PLAIN, Recipe
from claim_relations import DIRECTED, FUNCTIONAL, TEMPLATES, related, verbalise
from claim_structure import extract_clause, reorder_list, turn_voice
from claim_text import merge, paraphrase

SUPPORTED, CONTRADICTED, UNSUPPORTED, NOT_SUPPORTED = range(4)
PRONOUN = re.compile(r"^(He|She|It|They|His|Her|Its|Their) ")


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


class Generator:
    """Makes examples from documents; all randomness comes from one seed."""

    def __init__(self, documents: list[Document], seed: int, recipe: Recipe = PLAIN) -> None:
        self.recipe = recipe
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

    def _window(self, document: Document, index: int, widest: int = 0) -> tuple[int, int]:
        size = self.rng.randint(2, widest or self.recipe.widest)
        longest = self.rng.choice(self.recipe.longest)
        start = max(0, index - self.rng.randint(0, size - 1))
        end = min(len(document.sentences), max(start + size, index + 1))
        while sum(len(s.split()) for s in document.sentences[start:end]) > longest and end - start > 1:
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

    def _retold(self, document: Document, index: int, sentence: str) -> str:
        """Return the sentence in another voice, with a list in another order, or one part of it, where that is easy."""
        if not self.recipe.retold:
            return sentence
        told = turn_voice(sentence, self.rng) if self.rng.random() < 0.7 else None
        if told is None and self.rng.random() < 0.5:
            told = extract_clause(sentence, self.rng)
        if told is None and self.rng.random() < 0.5:
            told = reorder_list(sentence, [name for name, _, _ in document.names[index]], self.rng)
        return told or sentence

    def _falsify(self, document: Document, index: int, claim: str, start: int, end: int) -> tuple[str, int] | None:
        """Return the claim with one thing changed and its label, or None if no way applies."""

        def names(sentences: Iterable[list[tuple[str, str, int]]]) -> list[tuple[str, str]]:
            return [(name, kind) for sentence in sentences for name, kind, _ in sentence]

        def far(kind: str) -> list[str]:
            return self.rng.sample(self.by_type[kind], min(8, len(self.by_type[kind])))

        others = [document.sentences[i] for i in range(start, end) if i != index]
        around = Surroundings(
            names(document.names[index : index + 1]),
            names(document.names[start:end]),
            names(document.names),
            far,
            others,
        )
        return falsify(claim, around, self.recipe.ways, self.rng)

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
        claim = sentence if rng.random() < 0.2 else paraphrase(self._retold(document, index, sentence), rng)
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
            if (
                self.relation_counts[relation] >= self.recipe.per_relation
                or head not in mentions
                or tail not in mentions
            ):
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
