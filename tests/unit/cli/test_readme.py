"""What README and docs tell a reader to type exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.unit.cli.test_cli import run

ROOT = Path(__file__).resolve().parents[3]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").glob("*.md")])
COMMAND = re.compile(r"`(?:\.venv/bin/)?glassbox ([a-z]+)((?: [a-z|\\]+)?)[^`]*`")


def commands() -> list[tuple[str, ...]]:
    found = set()
    for page in PAGES:
        for command, rest in COMMAND.findall(page.read_text("utf-8")):
            grouped = command in ("ledger", "policy", "models", "llm")
            words = rest.strip().replace("\\", "").split("|") if grouped else [""]
            found |= {(command, word) if word else (command,) for word in words}
    return sorted(found)


@pytest.mark.parametrize("command", commands(), ids=" ".join)
def test_every_command_that_is_named_exists(command: tuple[str, ...]) -> None:
    assert run(*command, "--help").returncode == 0


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_every_page_that_is_named_exists_and_nothing_is_left_open(page: Path) -> None:
    text = page.read_text("utf-8")
    for name in re.findall(r"`((?:docs|models|examples)/[A-Za-z0-9_./-]+)`", text):
        assert (ROOT / name).exists(), name
    assert not re.search(r"^[A-Z]{5,}$", text, re.MULTILINE), "a placeholder was left"


def test_every_make_target_that_is_named_exists() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    for page in PAGES:
        for target in re.findall(r"`?make ([a-z-]+)", page.read_text("utf-8")):
            if target in ("it", "us", "sure"):
                continue
            assert target in targets, (page.name, target)
