"""Cassettes: answers of a judge model, kept so that an evaluation can be repeated without the model.

They hold what the model said about evaluated text, so each is a private file (0600) in a private folder (0700).
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
from dataclasses import fields
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError

from glassbox.errors import JudgeModelError, StoreError, UsageError
from glassbox.llm.digests import plain_messages, with_fences, without_fences
from glassbox.llm.schema import strict_schema
from glassbox.llm.types import Answer, Call, JudgeModel, Question, ReplyFault
from glassbox_contract.canonical import digest

FORMAT: Final = "glassbox-cassette/1"
INDEX: Final = "cassettes.json"


def cassette_key(question: Question) -> str:
    """Return the 64 hexadecimal digits that a question's cassette is filed under; the same in every run."""
    told = {
        "purpose": question.purpose,
        "messages": plain_messages(question.messages, question.fences),
        "schema": strict_schema(question.response),
        "sample": question.sample,
    }
    return digest(told).removeprefix("sha256:")


class Recorder:
    """Asks a judge model and keeps what it answered."""

    def __init__(self, model: JudgeModel, folder: Path) -> None:
        self._model = model
        self._folder = folder
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            known = _index(folder) if (folder / INDEX).exists() else None
        except OSError as error:
            raise _unusable(folder, error) from None
        if known is not None and known != model.identity:
            raise UsageError(
                f"The folder holds cassettes of {known}, not of {model.identity}",
                where=str(folder),
                fix="Record into a folder of its own",
            )
        if known is None:
            _write(folder / INDEX, {"format": FORMAT, "identity": model.identity})

    @property
    def identity(self) -> str:
        """The identity of the model that is recorded."""
        return self._model.identity

    def ask(self, question: Question) -> Answer:
        """Return the model's answer, after it was kept; raises JudgeModelError or StoreError."""
        answer = self._model.ask(question)
        told = answer.value.model_dump_json()
        _write(
            self._folder / f"{cassette_key(question)}.json",
            {
                "format": FORMAT,
                "purpose": question.purpose,
                "value": json.loads(without_fences(told, question.fences)),
                "call": answer.call.to_json(),
            },
        )
        return answer


class Replayer:
    """Answers from cassettes alone: no key, no network, the same answers and the same records of the calls."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        try:
            self._identity = _index(folder)
        except OSError as error:
            raise _unusable(folder, error) from None

    @property
    def identity(self) -> str:
        """The identity of the model that was recorded."""
        return self._identity

    def ask(self, question: Question) -> Answer:
        """Return the recorded answer; raises JudgeModelError where this question was never recorded."""
        key = cassette_key(question)
        path = self._folder / f"{key}.json"
        try:
            document = json.loads(path.read_text("utf-8"))
            if document["format"] != FORMAT or set(document["call"]) != {f.name for f in fields(Call)}:
                raise ValueError
            text = with_fences(json.dumps(document["value"], ensure_ascii=False), question.fences)
            value = question.response.model_validate_json(text, strict=True)
            if question.check is not None:
                question.check(value)
            return Answer(value, Call(**document["call"]))
        except FileNotFoundError:
            raise _missing(question, key) from None
        except OSError as error:
            raise _unusable(path, error) from None
        except (ValueError, KeyError, TypeError, ValidationError, ReplyFault):
            raise JudgeModelError(
                "A cassette is damaged or of another version",
                code="cassette",
                retryable=False,
                where=f"{question.purpose}, cassette {key[:12]}",
                fix="Record it again",
            ) from None


def _missing(question: Question, key: str) -> JudgeModelError:
    return JudgeModelError(
        "There is no cassette for this question",
        code="cassette",
        retryable=False,
        where=f"{question.purpose}, cassette {key[:12]}",
        fix="The request, the policy or the prompts differ from what was recorded: record again with --record",
    )


def _index(folder: Path) -> str:
    document: Any = None
    with contextlib.suppress(ValueError):
        document = json.loads((folder / INDEX).read_text("utf-8"))
    if not isinstance(document, dict) or document.get("format") != FORMAT or not document.get("identity"):
        raise UsageError("This is no folder of cassettes", where=str(folder), fix="Make one with --record")
    return str(document["identity"])


def _write(path: Path, document: dict[str, Any]) -> None:
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    try:
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            json.dump(document, file, ensure_ascii=False, indent=1, sort_keys=True, allow_nan=False)
        temporary.replace(path)
    except OSError as error:
        raise _unusable(path, error) from None


def _unusable(path: Path, error: OSError) -> StoreError:
    return StoreError(
        error.strerror or type(error).__name__, where=str(path), fix="Check that the folder of cassettes can be used"
    )
