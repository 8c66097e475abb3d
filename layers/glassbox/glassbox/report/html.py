"""The report: one HTML page without script or external asset, in three readings of the same record."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from functools import lru_cache
from importlib import resources
from typing import Any, Final, Literal

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from glassbox.errors import UsageError
from glassbox.report.plain import markup, one_line
from glassbox.report.view import view_of

Reader = Literal["business", "risk", "engineering"]

READERS: Final[tuple[Reader, ...]] = ("business", "risk", "engineering")

_SECTIONS: Final[dict[Reader, tuple[str, ...]]] = {
    "business": ("wrong", "questions", "answer", "names", "passages", "absences", "flags", "model", "trail"),
    "risk": ("trail", "model", "absences", "wrong", "flags", "questions", "answer", "names", "passages"),
    "engineering": (
        "wrong",
        "questions",
        "answer",
        "names",
        "alignment",
        "passages",
        "absences",
        "flags",
        "model",
        "trail",
    ),
}

_TITLES: Final[dict[str, str]] = {
    "wrong": "What exactly is wrong",
    "questions": "The questions",
    "answer": "The answer, claim by claim",
    "names": "Names and relations",
    "alignment": "Wording beside the sources",
    "passages": "What was retrieved",
    "absences": "What could not be measured",
    "flags": "Flags",
    "model": "What the judge model was asked",
    "trail": "Where this comes from",
}

_SHORT_TITLES: Final[dict[str, str]] = {
    "wrong": "What is wrong",
    "questions": "Questions",
    "answer": "Answer",
    "names": "Names",
    "alignment": "Wording",
    "passages": "Passages",
    "absences": "Not measured",
    "flags": "Flags",
    "model": "Judge model",
    "trail": "Trail",
}


def render(
    envelope: Mapping[str, Any],
    ledger: Mapping[str, Any] | None = None,
    usage: Mapping[str, Any] | None = None,
    reader: Reader = "business",
) -> str:
    """Return a self-contained HTML page of an evaluation.

    ``envelope`` is the parsed file of an evidence bundle, ``ledger`` and ``usage`` the members of that name of its
    scorecard. The page holds no script, requests nothing, and shows every text of the envelope escaped. What is too
    long is shortened and the page says so. Raises UsageError for an unknown reader.
    """
    if reader not in READERS:
        raise UsageError("There is no such reader", where="--reader", fix=f"Use one of {', '.join(READERS)}")
    view = view_of(envelope, ledger, usage)
    return page(
        "report.html",
        view=view,
        reader=reader,
        sections=tuple(s for s in _SECTIONS[reader] if s != "model" or view.asked is not None),
        titles=_TITLES,
        short_titles=_SHORT_TITLES,
    )


def page(template: str, **context: Any) -> str:
    """Return a template laid out with the shared style and a policy that allows that style and nothing else."""
    css = _style()
    digest = base64.b64encode(hashlib.sha256(css.encode()).digest()).decode()
    csp = f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:; base-uri 'none'; form-action 'none'"
    style = Markup(css)  # noqa: S704 - our own file, not evaluated text
    return _environment().get_template(template).render(css=style, csp=csp, **context)


@lru_cache(maxsize=1)
def _style() -> str:
    return resources.files("glassbox.report").joinpath("templates/report.css").read_text(encoding="utf-8")


@lru_cache(maxsize=1)
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("glassbox.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["text"] = markup
    environment.filters["line"] = one_line
    return environment
