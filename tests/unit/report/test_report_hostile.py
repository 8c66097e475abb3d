"""Evaluated text in a report is text: it can neither run, nor load, nor style, nor hide."""

from __future__ import annotations

import base64
import copy
import hashlib
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glassbox.report import READERS, Row, render, render_index
from glassbox.report.html import Reader
from glassbox.report.plain import markup, one_line, visible
from tests.unit.report import factory
from tests.unit.report.pages import Page

TAG_NAMES = (
    "html head meta link title style body a svg defs pattern rect line text header main section nav "
    "footer article div p b br code pre span sup mark bdi blockquote ul ol li dl dt dd details summary h1 "
    "h2 h3 h4 table thead tbody tr th td "
)
ATTRIBUTE_NAMES = (
    "lang charset http-equiv content name rel href class id width height aria-hidden aria-label "
    "aria-labelledby role focusable patternunits patterntransform x y x1 x2 y1 y2 rx text-anchor dir open "
    "value scope tabindex data-label "
)
TAGS = frozenset(TAG_NAMES.split())
ATTRIBUTES = frozenset(ATTRIBUTE_NAMES.split())


def pages(envelope: dict[str, Any]) -> list[Page]:
    origin = "http://127.0.0.1:9"
    ledger = factory.mapped(factory.LEDGER, lambda _, text: factory.hostile(origin) + text)
    return [Page(render(envelope, ledger, factory.USAGE, reader)) for reader in READERS]


def only_our_elements(page: Page) -> None:
    for element in page.elements:
        assert element.tag in TAGS
        assert set(element.attributes) <= ATTRIBUTES
    assert {e.attributes["rel"] for e in page.all("link")} == {"icon"}
    for link in page.all("a"):
        assert link.attributes["href"].startswith("#")


def test_hostile_text_in_every_field_adds_no_element_and_no_attribute() -> None:
    for page in pages(factory.hostile_envelope()):
        only_our_elements(page)
        assert "window.__pwned" in page.text
        assert all(braces in page.text for braces in ("{{7*7}}", "${7*7}", "#{7*7}"))


@pytest.mark.parametrize(
    "reader",
    [pytest.param(r, marks=[] if r == "engineering" else [pytest.mark.long]) for r in READERS],
)
def test_a_hostile_text_in_any_single_field_is_escaped(reader: Reader) -> None:
    paths: list[str] = []
    factory.mapped(factory.envelope(), lambda path, text: paths.append(path) or text)
    shown = [
        p for p in paths if not p.startswith(("/parts", "/record/nodes", "/content/policy/tree", "/content/results"))
    ]
    probe = "<i id=probe>\"'&</i>"
    base = factory.envelope()
    for wanted in shown:
        envelope = factory.mapped(base, lambda path, text, wanted=wanted: probe if path == wanted else text)
        assert "<i id=probe" not in render(envelope, factory.LEDGER, factory.USAGE, reader), wanted


def test_the_policy_of_the_page_allows_its_own_style_and_nothing_else() -> None:
    html = render(factory.hostile_envelope())
    page = Page(html)
    csp = next(e for e in page.all("meta") if e.attributes.get("http-equiv") == "Content-Security-Policy")
    style = re.search(r"<style>(.*?)</style>", html, re.DOTALL)
    assert style
    digest = base64.b64encode(hashlib.sha256(style.group(1).encode()).digest()).decode()
    rules = csp.attributes["content"].split("; ")
    assert rules[0] == "default-src 'none'"
    assert f"style-src 'sha256-{digest}'" in rules
    assert not [r for r in rules if r.startswith("script-src") or "unsafe" in r]
    assert len(page.all("style")) == 1
    assert "url(http" not in style.group(1) and "@import" not in style.group(1)


def test_control_bidi_and_zero_width_characters_are_shown_by_name() -> None:
    shown = str(markup("a\x1b[31mb\u202ec\u200bd\u2066e\ufefff\u00adg\U000e0041h"))
    for name in ("U+001B", "U+202E", "U+200B", "U+2066", "U+FEFF", "U+00AD", "U+E0041"):
        assert name in shown
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2066-\u2069\ufeff]", shown)


def test_joiners_that_are_spelling_stay_and_others_are_shown() -> None:
    persian, hindi, family = "می\u200cخواهم", "क्\u200dष", "👩\u200d👧"
    for text in (persian, hindi, family):
        assert visible(text) == text
    assert visible("pass\u200dword") == "pass[U+200D]word"
    assert visible("\u200cx") == "[U+200C]x"


def test_a_lone_surrogate_can_be_written_as_utf_8() -> None:
    envelope = factory.envelope()
    envelope["content"]["request"]["answer"] = "a\ud800b"
    envelope["core"]["judges"]["contextual_precision"]["measurements"][0]["name"] = "x\udfff"
    render(envelope, reader="engineering").encode("utf-8")


def test_no_page_carries_a_character_that_a_text_direction_obeys() -> None:
    for page in pages(factory.hostile_envelope()):
        assert not re.search("[\u202a-\u202e\u2066-\u2069\u200b]", page.text)


def test_evaluated_text_stands_in_an_isolated_direction() -> None:
    for page in pages(factory.hostile_envelope()):
        for element in page.elements:
            if element.has("theirs"):
                assert element.attributes["dir"] == "auto"


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=400))
def test_any_text_reads_back_as_it_was_shown(text: str) -> None:
    page = Page(f"<html><body><p>{markup(text)}</p></body></html>")
    plain = page.all("p")[0].text
    names = [e.text for e in page.all("span", "ctl")]
    shown = visible(text)
    for name in names:
        shown = shown.replace(f"[{name}]", name, 1)
    assert plain == shown


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=400))
def test_one_line_is_one_line_that_no_terminal_obeys(text: str) -> None:
    line = one_line(text)
    assert not re.search("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", line)


BASE = factory.envelope()
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_a_bundle_of_any_shape_gives_a_page(data: st.DataObject) -> None:
    any_shape(data, (data.draw(st.sampled_from(READERS)),))


@pytest.mark.long
@settings(max_examples=500, deadline=None)
@given(st.data())
def test_a_bundle_of_any_shape_gives_all_pages(data: st.DataObject) -> None:
    any_shape(data, READERS)


def any_shape(data: st.DataObject, readers: tuple[Reader, ...]) -> None:
    envelope = copy.deepcopy(BASE)
    path = data.draw(st.sampled_from([p for p in containers(envelope) if not p.startswith("/parts")]))
    put(envelope, path, data.draw(JSON))
    for reader in readers:
        only_our_elements(Page(render(envelope, {}, {}, reader)))


def containers(value: Any, path: str = "") -> list[str]:
    """Every path below the top of a JSON value."""
    found, stack = [], [(path, value)]
    while stack:
        at, item = stack.pop()
        found.append(at)
        if isinstance(item, dict):
            stack.extend((f"{at}\x00{k}", v) for k, v in item.items())
        elif isinstance(item, list):
            stack.extend((f"{at}\x00{i}", v) for i, v in enumerate(item))
    return [p for p in found if p]


def put(value: Any, path: str, new: Any) -> None:
    *way, last = path.split("\x00")[1:]
    for step in way:
        value = value[int(step)] if isinstance(value, list) else value[step]
    if isinstance(value, list):
        value[int(last)] = new
    else:
        value[last] = new


def test_an_overview_escapes_names_and_links_only_below_its_own_folder() -> None:
    core = factory.hostile_envelope()["core"]
    links = (
        "a/report.html",
        "javascript:alert(1)",
        "//elsewhere/x",
        "../up.html",
        "http://elsewhere/",
        "a/../../b",
        "/etc",
    )
    page = Page(render_index([Row(factory.hostile(), core, link) for link in links]))
    assert [e.attributes["href"] for e in page.all("a")[1:]] == ["a/report.html"]
    assert {e.tag for e in page.elements} <= TAGS
