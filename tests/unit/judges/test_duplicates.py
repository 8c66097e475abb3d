"""Passages that repeat each other."""

from __future__ import annotations

from glassbox.judges.duplicates import duplicate_flags, first_of_each, untagged


def test_copies_are_found_under_labels_case_and_spacing() -> None:
    texts = [
        "The mill stands in Ghent.",
        "[doc-2] The mill  stands in Ghent.",
        "  ",
        "(3) the mill stands in ghent.",
        "Rye.",
    ]
    assert first_of_each(texts) == (0, 0, None, 0, 4)


def test_a_label_alone_is_a_text() -> None:
    assert untagged("[12]") == "[12]"
    assert untagged("[12] Rye.") == "Rye."
    assert untagged("(Rye) is a grain.") == "(Rye) is a grain."


def test_copies_are_reported_in_one_flag() -> None:
    (flag,) = duplicate_flags([0, 0, None, 3, 3, 5])
    assert flag.code == "duplicate_passages"
    assert flag.detail == {"groups": [[0, 1], [3, 4]], "unique": 3}
    assert duplicate_flags([0, 1, None]) == ()
