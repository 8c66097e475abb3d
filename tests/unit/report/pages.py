"""A page read back as a browser would: its elements with their attributes, and the text between them."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = frozenset({"meta", "link", "br", "img", "input", "hr", "base"})


@dataclass
class Element:
    """An element with the text of everything inside it."""

    tag: str
    attributes: dict[str, str]
    data: list[str]
    """The texts of the whole page, shared by all its elements."""
    start: int
    end: int = 0
    inside: list[Element] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(self.data[self.start : self.end])

    def has(self, name: str) -> bool:
        return name in self.attributes.get("class", "").split()


class Page(HTMLParser):
    """The elements of a page in document order; raises where tags are not balanced."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[Element] = []
        self._data: list[str] = []
        self._open: list[Element] = []
        self.feed(html)
        self.close()
        assert not self._open, f"<{self._open[-1].tag}> is never closed"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs}, self._data, len(self._data))
        self.elements.append(element)
        if self._open:
            self._open[-1].inside.append(element)
        element.end = element.start
        if tag not in VOID:
            self._open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open and self._open[-1].tag == tag, f"</{tag}> closes nothing"
        self._open.pop().end = len(self._data)

    def handle_data(self, data: str) -> None:
        self._data.append(data)

    def all(self, tag: str, name: str | None = None) -> list[Element]:
        """The elements of a tag, and where asked of a class."""
        return [e for e in self.elements if e.tag == tag and (name is None or e.has(name))]

    def by_id(self, wanted: str) -> Element:
        """The one element of an id."""
        found = [e for e in self.elements if e.attributes.get("id") == wanted]
        assert len(found) == 1, f"{len(found)} elements have the id {wanted}"
        return found[0]

    @property
    def text(self) -> str:
        return next(e for e in self.elements if e.tag == "body").text
