"""Training examples of the claim checker: (window of a passage, claim, label, words that are wrong).

Sources are the corpora of the training folder. From running text come claims that the window supports (verbatim,
shortened, merged, rewritten, pronouns resolved, relations told in other words) and the same claims with one thing made
false. Half of the changes are made in the passage instead of the claim, so that no wording by itself gives the label
away. Labels: 0 supported, 1 contradicted, 2 unsupported, 3 "1 or 2" (people only said that it is not supported).
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from claim_falsify import Surroundings, falsify
from claim_generate import CONTRADICTED, NOT_SUPPORTED, SUPPORTED, UNSUPPORTED, Document, Example, Generator
from claim_perturb import wrong_words
from claim_recipe import PLAIN, Recipe
from claim_relations import DIRECTED, TEMPLATES, related, verbalise
from claim_text import detokenise, split_sentences, windows, word_list
from overlap import HeldOut

CAPITALISED = re.compile(r"(?<=[a-z,;(] )(?:[A-Z][\w'-]+)(?: (?:of |the |de |von )?[A-Z][\w'-]+)*")
HUMAN_REPEATS = 6


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


def people_false_examples(rows: list[dict[str, Any]], recipe: Recipe, rng: Random) -> Iterator[Example]:
    """Yield claims that people found supported, told in their own words, with one thing made false."""
    for row in rows:
        claim = clean_claim(row["claim"])
        words = set(word_list(claim))
        if row["label"] != "supported" or not words:
            continue
        held = [w for text in row["passages"] for w in windows(split_sentences(clean_passage(text)), 4, 2)]
        best = max(held, key=lambda w: len(words & set(word_list(" ".join(w)))), default=None)
        if best is None:
            continue
        passage = " ".join(best)
        names = [(name, "NAME") for name in CAPITALISED.findall(passage)]
        own = [(name, "NAME") for name in CAPITALISED.findall(claim)]
        others = [s for s in best if not set(word_list(s)) >= words]
        around = Surroundings(own, names, names, lambda _: [], others)
        for changed, label in dict.fromkeys(
            f for _ in range(recipe.people_false) if (f := falsify(claim, around, recipe.ways, rng))
        ):
            marks = tuple(wrong_words(claim, changed))
            yield Example(passage, changed, label, "people-false", f"attribution:{row['id']}", marks)


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


def build(train: Path, measured: Path, seed: int, held_share: float = 0.12, recipe: Recipe = PLAIN) -> Corpus:
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
    examples += people_false_examples(rows, recipe, rng)
    makers = Generator(documents, seed, recipe), Generator(passages, seed + 1, recipe)
    examples += [e for maker in makers for d in maker.documents for e in maker.examples(d)]
    captions = list(snli_examples(train / "snli_dev.jsonl", recipe.captions, rng))
    captions += list(fewrel_examples(train / "fewrel_val_wiki.json", recipe.fewrel, rng))
    examples += contextualise([e for e in captions if clean(e.source, [e.passage, e.claim])], rng)
    held = list(attribution_examples(held_rows))
    held += people_false_examples(held_rows, recipe, rng)
    maker = Generator(held_documents, seed + 2, recipe)
    held += [e for d in held_documents for e in maker.examples(d)]
    maker = Generator(list(passage_documents(held_rows)), seed + 3, recipe)
    held += [e for d in maker.documents for e in maker.examples(d)]
    held += list(snli_examples(train / "snli_test.jsonl", 300, rng))
    return Corpus(examples, held, held_rows, dict(dropped), dict(Counter(e.source for e in examples)))
