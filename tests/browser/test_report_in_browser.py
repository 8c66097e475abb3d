"""Reports opened in a real browser: hostile text does nothing, and people can read, click and print."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import pytest

from glassbox.report import READERS
from tests.browser.chromium import Chromium, Page
from tests.browser.conftest import Counter
from tests.unit.report import factory
from tests.unit.report.test_report_hostile import TAGS

pytestmark = pytest.mark.browser

KINDS = ("bad", "good", "unanswered", "hostile", "scripts")
WIDTHS = (360, 390, 1280)
SENTINEL = "typeof window.__pwned"

# Contrast of every text against what it stands on, after WCAG 2.1 relative luminance.
CONTRASTS = """
(() => {
  const parse = c => { const m = c.match(/[\\d.]+/g).map(Number); return m.length > 3 ? m : [...m, 1]; };
  const linear = v => v / 255 <= .03928 ? v / 255 / 12.92 : ((v / 255 + .055) / 1.055) ** 2.4;
  const lum = c => .2126 * linear(c[0]) + .7152 * linear(c[1]) + .0722 * linear(c[2]);
  const ground = e => {
    for (; e; e = e.parentElement) {
      const c = parse(getComputedStyle(e).backgroundColor);
      if (c[3] > 0) return c;
    }
    return [255, 255, 255, 1];
  };
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode.data.trim();
    const e = walker.currentNode.parentElement;
    if (!text || e.closest('svg, style') || !e.getClientRects().length) continue;
    const [a, b] = [lum(parse(getComputedStyle(e).color)), lum(ground(e))].sort((x, y) => y - x);
    const ratio = (a + .05) / (b + .05);
    if (ratio < 4.5) found.push([ratio.toFixed(2), e.tagName, e.className, text.slice(0, 30)]);
  }
  return found;
})()
"""

# Everything that sticks out of the window to the right.
OVERFLOWING = """
[...document.body.querySelectorAll('*')].filter(e => !e.closest('svg, .off, .skip')
  && e.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
  .map(e => [e.tagName, e.className, Math.round(e.getBoundingClientRect().right)]).slice(0, 5)
"""


def opened(chromium: Chromium, path: Path, width: int = 1280, *, dark: bool = False) -> Page:
    return chromium.page(path, width=width, dark=dark)


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("width", [390, 1280])
def test_hostile_text_runs_nothing_and_requests_nothing(
    chromium: Chromium, pages: dict[str, Path], counter: Counter, reader: str, width: int
) -> None:
    path = pages[f"hostile-{reader}"]
    page = opened(chromium, path, width)
    page.settle(0.5)
    # A hostile page would wait to be touched: every element is opened, pointed at, focused and clicked.
    page.value("document.querySelectorAll('details').forEach(d => d.open = true)")
    page.value(
        "document.querySelectorAll('body *').forEach(e => ['mouseover', 'focus', 'click', 'toggle', 'animationstart']"
        ".forEach(k => { if (e.tagName !== 'A' || k !== 'click') e.dispatchEvent(new Event(k, {bubbles: true})) }))"
    )
    page.settle(0.5)
    assert page.value(SENTINEL) == "undefined"
    assert page.requests() == [path.as_uri()]
    assert counter.paths == []
    assert page.events("Page.javascriptDialogOpening") == []
    assert page.events("Runtime.exceptionThrown") == []
    assert [e["entry"]["text"] for e in page.events("Log.entryAdded")] == []
    assert page.value("location.href") == path.as_uri()
    assert (
        page.value("[document.scripts.length, document.images.length, document.forms.length, frames.length]") == [0] * 4
    )
    assert page.value("document.title").startswith("GlassBox: Fail")
    assert page.value("getComputedStyle(document.body).display") == "block"
    page.close()


def test_the_proof_can_fail_where_a_page_is_not_ours(chromium: Chromium, counter: Counter, tmp_path: Path) -> None:
    """The same hostile text without escaping does run and does request, so the test above sees what it looks for."""
    path = tmp_path / "unsafe.html"
    path.write_text(f"<!doctype html><meta charset=utf-8><body>{factory.hostile(counter.origin)}</body>", "utf-8")
    page = opened(chromium, path)
    page.settle(0.5)
    assert len(page.requests()) > 1
    assert page.value(SENTINEL) == "number" or page.value("location.href") != path.as_uri()
    page.close()
    counter.paths.clear()


@pytest.mark.parametrize("name", ["bad-engineering", "hostile-engineering"])
def test_even_a_script_that_got_in_would_not_run(
    chromium: Chromium, pages: dict[str, Path], counter: Counter, tmp_path: Path, name: str
) -> None:
    html = pages[name].read_text("utf-8")
    intruder = f"<script>window.__pwned=1</script><img src='{counter.origin}/x.png' onerror='window.__pwned=2'>"
    path = tmp_path / "forced.html"
    path.write_text(html.replace('<main id="main">', f'<main id="main">{intruder}'), "utf-8")
    page = opened(chromium, path)
    page.settle(0.5)
    assert page.value(SENTINEL) == "undefined"
    assert counter.paths == []
    assert any("Content Security Policy" in e["entry"]["text"] for e in page.events("Log.entryAdded"))
    page.close()


@pytest.mark.parametrize("name", [f"{kind}-{reader}" for kind in KINDS for reader in READERS] + ["overview"])
def test_no_page_needs_sideways_scrolling(chromium: Chromium, pages: dict[str, Path], name: str) -> None:
    page = opened(chromium, pages[name])
    page.value("document.querySelectorAll('details').forEach(d => d.open = true)")
    for width in WIDTHS:
        page.resize(width)
        assert page.value("document.documentElement.scrollWidth <= document.documentElement.clientWidth"), width
        assert page.value(OVERFLOWING) == [], width
    page.close()


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize(
    "name", ["bad-business", "bad-engineering", "good-risk", "unanswered-risk", "hostile-risk", "overview"]
)
def test_every_text_has_the_contrast_that_wcag_aa_asks_for(
    chromium: Chromium, pages: dict[str, Path], name: str, dark: bool
) -> None:
    page = opened(chromium, pages[name], dark=dark)
    page.value("document.querySelectorAll('details').forEach(d => d.open = true)")
    assert page.value(CONTRASTS) == []
    page.close()


@pytest.mark.parametrize("width", [390, 1280])
def test_a_click_on_a_claim_opens_its_evidence(chromium: Chromium, pages: dict[str, Path], width: int) -> None:
    page = opened(chromium, pages["bad-business"], width)
    assert page.value("document.querySelector('#claim-1').closest('details').open") is False
    page.click('a.claim[href="#claim-1"]')
    page.settle(1.0)
    assert page.value("document.querySelector('#claim-1').closest('details').open") is True
    top = page.value("document.querySelector('#claim-1').getBoundingClientRect().top")
    assert 0 <= top < page.value("innerHeight")
    assert page.value("document.querySelector('#claim-1 mark').innerText") == "is open from 10 am to 4 pm"
    page.close()


def test_the_keyboard_reaches_the_content_and_opens_evidence(chromium: Chromium, pages: dict[str, Path]) -> None:
    page = opened(chromium, pages["bad-business"])
    page.press("Tab", 9)
    assert page.value("document.activeElement.className") == "skip"
    box = page.value("(r => [r.x, r.y])(document.activeElement.getBoundingClientRect())")
    assert box[0] >= 0 and box[1] >= 0
    page.press("Enter", 13, "\r")
    assert page.value("location.hash") == "#main"
    page.value("document.querySelector('#claim-1').closest('details').querySelector('summary').focus()")
    page.press("Enter", 13, "\r")
    assert page.value("document.querySelector('#claim-1').closest('details').open") is True
    page.close()


def test_headings_descend_without_a_gap_and_the_page_names_its_language(
    chromium: Chromium, pages: dict[str, Path]
) -> None:
    for reader in READERS:
        page = opened(chromium, pages[f"bad-{reader}"])
        levels = page.value("[...document.querySelectorAll('h1,h2,h3,h4')].map(h => +h.tagName[1])")
        assert levels.count(1) == 1 and levels[0] == 1
        assert all(after <= before + 1 for before, after in itertools.pairwise(levels)), levels
        assert page.value("document.documentElement.lang") == "en"
        page.close()


def test_in_print_every_detail_is_open_and_nothing_is_dark(chromium: Chromium, pages: dict[str, Path]) -> None:
    page = opened(chromium, pages["bad-engineering"], 794, dark=True)
    features = [{"name": "prefers-color-scheme", "value": "dark"}]
    page.call("Emulation.setEmulatedMedia", media="print", features=features)
    hidden = page.value(
        "[...document.querySelectorAll('details > :not(summary)')].filter(e => !e.checkVisibility()).length"
    )
    assert hidden == 0
    assert page.value("getComputedStyle(document.documentElement).backgroundColor") == "rgb(255, 255, 255)"
    assert page.value(
        "document.querySelector('.answer').scrollHeight <= document.querySelector('.answer').clientHeight + 1"
    )
    assert page.value(CONTRASTS) == []
    page.close()


def test_bars_are_as_long_on_screen_as_the_values_say(chromium: Chromium, pages: dict[str, Path]) -> None:
    page = opened(chromium, pages["bad-engineering"], 390)
    bars = page.value(
        "[...document.querySelectorAll('svg.meter')].map(s => {"
        " const [value, track] = [s.querySelector('.value'), s.querySelector('.track')];"
        " const wide = r => r.getBoundingClientRect().width;"
        " return [wide(value), wide(track), parseFloat(value.getAttribute('width'))] })"
    )
    assert len(bars) > 10
    for value, track, percent in bars:
        assert abs(value / track * 100 - percent) < 0.5
    page.close()


def test_right_to_left_sentences_run_right_to_left_inside_their_own_frame(
    chromium: Chromium, pages: dict[str, Path]
) -> None:
    page = opened(chromium, pages["scripts-business"])
    asked = page.value("getComputedStyle(document.querySelector('.asked .theirs')).direction")
    assert asked == "rtl"
    assert page.value("getComputedStyle(document.body).direction") == "ltr"
    page.close()


@pytest.mark.parametrize("name", ["bad-business", "hostile-engineering"])
def test_what_the_browser_reads_is_what_was_written(chromium: Chromium, pages: dict[str, Path], name: str) -> None:
    page = opened(chromium, pages[name])
    tags = page.value("[...new Set([...document.querySelectorAll('*')].map(e => e.localName))].sort()")
    assert set(tags) <= TAGS, json.dumps(tags)
    attributes = page.value(
        "[...document.querySelectorAll('*')].flatMap(e => e.getAttributeNames())"
        ".filter(n => n.startsWith('on') || n === 'style')"
    )
    assert attributes == []
    page.close()
