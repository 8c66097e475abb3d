"""Vectors depend on their text alone, cover all of it, and equal those of torch."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from glassbox.errors import ModelError
from glassbox.models import Registry
from glassbox.models.embedder import Embedder, cosine_matrix
from glassbox.models.files import load_files

Install = Callable[..., Registry]
TEXTS = (
    "When does a parcel leave the depot?",
    "Parcels handed in before noon leave the depot the same day.",
    "Der Antrag ist spätestens am 31. März einzureichen.",
    "包裹在中午之前交付，当天就会离开仓库。",
    "الطرود المسلّمة قبل الظهر تغادر في اليوم نفسه 12:30",
    "🚚📦 👩‍👩‍👧",
    "x",
    "no",
    "",
    " \n\t ",
    "[SEP] [CLS] [MASK] [PAD]",
    "def area(radius): return 3.14159 * radius ** 2",
    "word " * 700,
    "ไทย" * 300,
)


@pytest.fixture(scope="module")
def embedder(bundled: Registry) -> Embedder:
    return fresh(bundled)


def fresh(registry: Registry) -> Embedder:
    """Return an embedder that remembers nothing."""
    entry = registry.entry("embed")
    return Embedder(load_files(entry, registry.model_directory(entry)), remember=0)


def test_vectors_equal_those_of_torch(install: Install, expected: Callable[[str], list[dict[str, Any]]]) -> None:
    embedder = install("embed-tiny").embedder()
    cases = expected("embed-tiny")
    found = embedder.embed([case["text"] for case in cases])
    assert np.abs(found - np.array([case["vector"] for case in cases])).max() < 1e-5


def test_vectors_have_length_one(embedder: Embedder) -> None:
    found = embedder.embed(TEXTS)
    assert found.shape == (len(TEXTS), embedder.dimensions) and found.dtype == np.float32
    assert np.abs(np.linalg.norm(found.astype(np.float64), axis=1) - 1).max() < 1e-6


def test_nothing_gives_no_rows(embedder: Embedder) -> None:
    assert embedder.embed([]).shape == (0, embedder.dimensions)


def test_a_vector_is_the_same_bytes_alone_in_any_order_and_in_any_company(embedder: Embedder) -> None:
    alone = {text: embedder.embed([text]).tobytes() for text in TEXTS}
    shuffler = random.Random(3)
    for _ in range(3):
        company = shuffler.sample(TEXTS, k=len(TEXTS)) + shuffler.choices(TEXTS, k=3)
        for text, vector in zip(company, embedder.embed(company), strict=True):
            assert vector.tobytes() == alone[text]


def test_a_remembered_vector_is_the_one_that_was_computed(bundled: Registry, embedder: Embedder) -> None:
    remembering = bundled.embedder()
    first, second = remembering.embed(TEXTS), remembering.embed(TEXTS)
    assert first.tobytes() == second.tobytes() == embedder.embed(TEXTS).tobytes()


def test_memory_is_bounded(bundled: Registry) -> None:
    entry = bundled.entry("embed")
    small = Embedder(load_files(entry, bundled.model_directory(entry)), remember=2)
    small.embed(["one", "two", "three", "one"])
    assert len(small._memory) == 2


def test_two_loads_and_another_thread_count_give_the_same_bytes(bundled: Registry, embedder: Embedder) -> None:
    entry = bundled.entry("embed")
    again = Embedder(load_files(entry, bundled.model_directory(entry)), threads=2, remember=0)
    assert again.embed(TEXTS[:6]).tobytes() == embedder.embed(TEXTS[:6]).tobytes()


@pytest.mark.parametrize("words", [1, 60, 61, 62, 63, 64, 65, 120, 200, 500])
def test_windows_cover_a_text_from_end_to_end(install: Install, words: int) -> None:
    embedder = install("embed-tiny").embedder()
    text = " ".join(f"deck{i}" for i in range(words)) + "  "
    windows = embedder.windows(text)
    assert windows[0].start == 0 and windows[-1].end == len(text)
    assert all(a.start < b.start <= a.end < b.end for a, b in itertools.pairwise(windows))
    found, vectors = embedder.embed_windows(text)
    assert found == windows and vectors.shape == (len(windows), embedder.dimensions)


def test_every_part_of_a_long_text_counts(embedder: Embedder) -> None:
    sentences = [f"Crate {i} holds {i * 7} lamps for the northern depot." for i in range(120)]
    base = embedder.embed([" ".join(sentences)])[0]
    for place in (0, 37, 60, 88, 119):
        changed = [*sentences[:place], "A violin needs new strings.", *sentences[place + 1 :]]
        assert embedder.embed([" ".join(changed)])[0].tobytes() != base.tobytes()


def test_a_text_of_one_window_is_its_window(embedder: Embedder) -> None:
    windows, vectors = embedder.embed_windows(TEXTS[0])
    assert len(windows) == 1 and vectors[0].tobytes() == embedder.embed([TEXTS[0]])[0].tobytes()


def test_the_name_of_a_special_token_is_text(embedder: Embedder) -> None:
    plain, forged = embedder.embed(["noon depot", "noon [SEP] depot"])
    encoding = embedder._tokenizer.encode("noon [SEP] depot")
    assert sum(encoding.special_tokens_mask) == 2
    assert plain.tobytes() != forged.tobytes()


def test_related_texts_are_closer_than_unrelated_ones(embedder: Embedder) -> None:
    vectors = embedder.embed([*TEXTS[:2], "Violins are tuned in fifths."])
    cosines = cosine_matrix(vectors, vectors)
    assert cosines[0, 1] > 0.5 > 0.2 > cosines[0, 2]


def test_cosines_lie_between_minus_one_and_one(embedder: Embedder) -> None:
    vectors = embedder.embed(TEXTS)
    cosines = cosine_matrix(vectors, np.concatenate([vectors, -vectors]))
    assert cosines.min() >= -1 and cosines.max() <= 1
    assert cosine_matrix(vectors[2:3], vectors[:1])[0, 0] == cosines[2, 0]


def test_a_graph_that_gives_no_number_is_refused_without_the_text(install: Install) -> None:
    with pytest.raises(ModelError, match="not finite"):
        install("embed-nan").embedder()


def test_another_kind_of_graph_is_refused(install: Install, describe: Callable[..., dict[str, Any]]) -> None:
    with pytest.raises(ModelError, match="not a sentence embedder"):
        install(describe("glirel-tiny-bert", task="embed")).embedder()
