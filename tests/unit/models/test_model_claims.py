"""Claim scores are probabilities, equal torch, depend on their pair alone and miss no part of a window."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from glassbox.errors import ModelError
from glassbox.models import Registry
from glassbox.models.claims import ClaimTooLong

Install = Callable[..., Registry]
Describe = Callable[..., dict[str, Any]]
Expected = Callable[[str], list[dict[str, Any]]]
CLAIM = "Dogs may travel on deck."
WINDOWS = (
    "Dogs are allowed on the upper deck only.",
    "In winter the harbour office is closed.",
    "",
    "[SEP] Dogs [CLS]",
    "狗可以上甲板。",
    "Tickets cost 12.5 euros.",
)


@pytest.mark.parametrize("name", ["claim-tiny-2", "claim-tiny-3", "claim-tiny-words"])
def test_logits_equal_those_of_torch(install: Install, expected: Expected, name: str) -> None:
    checker = install(name).claims()
    for case in expected(name):
        found = checker.logits(case["claim"], case["passage"])
        assert np.abs(found - np.array(case["logits"])).max() < 1e-4


@pytest.mark.parametrize("name", ["claim-tiny-2", "claim-tiny-3", "claim-tiny-words"])
def test_three_probabilities_sum_to_one(install: Install, name: str) -> None:
    for score in install(name).claims().check(CLAIM, WINDOWS):
        parts = (score.supported, score.contradicted, score.unsupported)
        assert all(0.0 <= part <= 1.0 for part in parts) and math.isclose(sum(parts), 1.0, abs_tol=1e-9)
        assert score.parts == 1


def test_a_model_of_two_classes_contradicts_nothing(install: Install) -> None:
    assert {score.contradicted for score in install("claim-tiny-2").claims().check(CLAIM, WINDOWS)} == {0.0}


def test_the_manifest_decides_which_output_means_what(install: Install) -> None:
    first = install("claim-tiny-3", labels=["supported", "contradicted", "unsupported"]).claims()
    turned = install("claim-tiny-3", labels=["neutral", "entailment", "contradiction"]).claims()
    for a, b in zip(first.check(CLAIM, WINDOWS), turned.check(CLAIM, WINDOWS), strict=True):
        assert (a.supported, a.contradicted, a.unsupported) == (b.unsupported, b.supported, b.contradicted)


@pytest.mark.parametrize(
    "labels", [[], ["supported"], ["supported", "contradicted"], ["a", "b"], ["supported", "true"]]
)
def test_unknown_classes_are_refused(install: Install, labels: list[str]) -> None:
    with pytest.raises(ModelError, match="labels"):
        install("claim-tiny-2", labels=labels).claims()


def test_a_class_too_many_is_refused(install: Install) -> None:
    checker = install("claim-tiny-2", labels=["supported", "contradicted", "unsupported"]).claims()
    with pytest.raises(ModelError, match="shape"):
        checker.check(CLAIM, WINDOWS)


def test_temperature_flattens_and_keeps_the_order(install: Install) -> None:
    sharp = install("claim-tiny-3", calibration={"temperature": 0.5}).claims().check(CLAIM, WINDOWS)
    flat = install("claim-tiny-3", calibration={"temperature": 5.0}).claims().check(CLAIM, WINDOWS)
    for a, b in zip(sharp, flat, strict=True):
        before, after = ([s.supported, s.contradicted, s.unsupported] for s in (a, b))
        assert np.argsort(before).tolist() == np.argsort(after).tolist() and max(after) < max(before)


@pytest.mark.parametrize("value", [0, -1.0, "2", True, None])
def test_a_temperature_that_is_no_positive_number_is_refused(install: Install, value: object) -> None:
    with pytest.raises(ModelError, match="temperature"):
        install("claim-tiny-3", calibration={"temperature": value}).claims()


def test_the_order_of_the_pair_is_the_manifests(install: Install) -> None:
    straight = install("claim-tiny-3").claims().logits(CLAIM, WINDOWS[0])
    turned = install("claim-tiny-3", calibration={"input_order": "claim-passage"}).claims()
    assert (
        turned.logits(WINDOWS[0], CLAIM).tobytes() == straight.tobytes() != turned.logits(CLAIM, WINDOWS[0]).tobytes()
    )


def test_a_score_depends_on_its_pair_alone(install: Install) -> None:
    checker = install("claim-tiny-3").claims()
    alone = [checker.check(CLAIM, [window])[0] for window in WINDOWS]
    assert list(checker.check(CLAIM, WINDOWS)) == alone
    assert list(checker.check(CLAIM, WINDOWS[::-1])) == alone[::-1]
    assert list(install("claim-tiny-3").claims().check(CLAIM, WINDOWS * 2)) == alone * 2


def test_no_window_gives_no_score(install: Install) -> None:
    assert install("claim-tiny-3").claims().check(CLAIM, []) == ()


@pytest.mark.parametrize("place", [0, 40, 80, 119])
def test_a_window_too_long_is_read_in_parts_to_its_end(install: Install, place: int) -> None:
    checker = install("claim-tiny-3").claims()
    filler = ["deck"] * 120
    plain = checker.check(CLAIM, [" ".join(filler)])[0]
    filler[place] = "harbour 2011"
    changed = checker.check(CLAIM, [" ".join(filler)])[0]
    assert plain.parts == changed.parts > 1
    parts = checker._parts(" ".join(filler), checker._room - checker._tokens(CLAIM))
    assert any("harbour 2011" in part for part in parts)
    best = max(max(s.supported, s.contradicted) for s in checker.check(CLAIM, parts))
    assert best == max(changed.supported, changed.contradicted)


@pytest.mark.parametrize(
    "window",
    [
        "x" * 3000,
        " ".join(f"a{i}  b" for i in range(900)),
        "".join(chr(0x4E00 + i) for i in range(900)),
        "harbour".join(chr(0x4E00 + i) for i in range(200)),
    ],
)
def test_every_character_of_a_long_window_is_in_some_part(install: Install, window: str) -> None:
    checker = install("claim-tiny-3").claims()
    room = checker._room - checker._tokens(CLAIM)
    parts = checker._parts(window, room)
    assert all(checker._tokens(part) <= room for part in parts)
    covered = 0
    for part in parts:
        found = window.find(part)
        assert found >= 0 and not window[covered:found].strip()
        covered = max(covered, found + len(part))
    assert not window[covered:].strip()


def test_a_claim_that_leaves_no_room_is_refused_without_its_text(install: Install) -> None:
    checker = install("claim-tiny-3").claims()
    claim = "harbour " * 60
    assert checker.fits(CLAIM) and not checker.fits(claim)
    with pytest.raises(ClaimTooLong) as caught:
        checker.check(claim, WINDOWS)
    assert "harbour" not in str(caught.value)


def test_text_cannot_forge_the_border_of_a_segment(install: Install) -> None:
    checker = install("claim-tiny-3").claims()
    encoding = checker._tokenizer.encode("Dogs [SEP] [PAD]", "[CLS] deck")
    assert sum(encoding.special_tokens_mask) == 3


def test_doubts_are_the_tokens_of_the_claim_above_zero(install: Install, expected: Expected) -> None:
    checker = install("claim-tiny-words").claims()
    seen = 0
    for case in expected("claim-tiny-words"):
        claim, passage = case["claim"], case["passage"]
        encoding = checker._tokenizer.encode(passage, claim)
        doubted = {
            i
            for sequence, (start, end), logit in zip(
                encoding.sequence_ids, encoding.offsets, case["tokens"], strict=True
            )
            if sequence == 1 and logit > 0
            for i in range(start, end)
        }
        found = checker.doubts(claim, passage)
        inside = {i for doubt in found for i in range(doubt.start, doubt.end)}
        assert {i for i in inside if not claim[i].isspace()} == doubted
        assert all(0.5 < doubt.probability <= 1 for doubt in found)
        assert all(a.end < b.start or claim[a.end : b.start].strip() for a, b in itertools.pairwise(found))
        seen += len(found)
    assert seen


def test_a_model_without_a_word_head_doubts_nothing(install: Install) -> None:
    assert install("claim-tiny-3").claims().doubts(CLAIM, WINDOWS[0]) == ()
