"""Cassettes: answers of a judge model, kept so that an evaluation can be repeated without the model.

They hold what the model said about evaluated text, so each is a private file (0600) in a private folder (0700).
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, Final

from glassbox.errors import JudgeModelError, StoreError, UsageError
from glassbox.llm.digests import plain_messages, prompt_digest, text_digest, with_fences, without_fences
from glassbox.llm.reading import read_reply
from glassbox.llm.schema import strict_schema
from glassbox.llm.types import Answer, Call, JudgeModel, Question, ReplyFault
from glassbox_contract.canonical import digest

FORMAT: Final = "glassbox-cassette/1"
INDEX: Final = "cassettes.json"
_CALL: Final = frozenset(f.name for f in fields(Call))


def cassette_key(question: Question, identity: str, sampling: Mapping[str, Any]) -> str:
    """Return the 64 hexadecimal digits that a question's cassette is filed under; the same in every run."""
    told = {
        "purpose": question.purpose,
        "model": identity,
        "messages": plain_messages(question.messages, question.fences),
        "schema": strict_schema(question.response),
        "sampling": dict(sampling),
        "max_tokens": question.max_tokens,
        "sample": question.sample,
    }
    return digest(told).removeprefix("sha256:")


class Recorder:
    """Asks a judge model and keeps what it answered; what the folder holds already is not asked again.

    A run that was interrupted goes on from there, and every answer that an evaluation was made from is the one kept.
    """

    def __init__(self, model: JudgeModel, folder: Path) -> None:
        self._model = model
        sampling: Mapping[str, Any] = getattr(model, "sampling", {})
        wanted = {"format": FORMAT, "identity": model.identity, "sampling": dict(sampling)}
        try:
            _make_private(folder)
            if not (folder / INDEX).exists():
                _keep(folder / INDEX, wanted)
            known = read_index(folder)
        except OSError as error:
            raise _unusable(folder, error) from None
        if known != wanted:
            raise UsageError(
                f"The folder holds cassettes of {known['identity']}, or drawn otherwise, not those of {model.identity}",
                where=str(folder),
                fix="Record into a folder of its own",
            )
        self._kept = Replayer(folder)
        self._folder = folder

    @property
    def identity(self) -> str:
        """The identity of the model that is recorded."""
        return self._model.identity

    def ask(self, question: Question) -> Answer:
        """Return the kept answer, else the model's after it was kept; raises JudgeModelError or StoreError."""
        path = self._kept.path(question)
        if not path.exists():
            answer = self._model.ask(question)
            _keep(
                path,
                {
                    "format": FORMAT,
                    "purpose": question.purpose,
                    "prompt_digest": prompt_digest(question),
                    "reply": without_fences(answer.reply, question.fences),
                    "call": answer.call.to_json(),
                },
            )
        # Where two asked the same at once, both go on with the answer that was kept first.
        return self._kept.ask(question)

    def close(self) -> None:
        """Release the model's connections; the next question makes new ones."""
        close = getattr(self._model, "close", None)
        if close is not None:
            close()


class Replayer:
    """Answers from cassettes alone: no key, no network, the same answers and the same records of the calls."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        try:
            index = read_index(folder)
        except OSError as error:
            raise _unusable(folder, error) from None
        self._identity: str = index["identity"]
        self._sampling: dict[str, Any] = index.get("sampling", {})

    @property
    def identity(self) -> str:
        """The identity of the model that was recorded."""
        return self._identity

    def path(self, question: Question) -> Path:
        """Return the file that a question's answer is kept in."""
        return self._folder / f"{cassette_key(question, self._identity, self._sampling)}.json"

    def ask(self, question: Question) -> Answer:
        """Return the recorded answer, read and checked again; raises JudgeModelError where there is none."""
        path = self.path(question)
        try:
            document = json.loads(path.read_text("utf-8"))
            call = document["call"]
            if document["format"] != FORMAT or set(call) != _CALL or call["prompt_digest"] != prompt_digest(question):
                raise ValueError
            reply = with_fences(document["reply"], question.fences)
            if text_digest(reply, question.fences) != call["reply_digest"]:
                raise ValueError
            value = read_reply(reply, question.response)
            if question.check is not None:
                question.check(value)
            return Answer(value, Call(**call), reply, kept=True)
        except FileNotFoundError:
            raise _missing(question, path) from None
        except OSError as error:
            raise _unusable(path, error) from None
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError, ReplyFault):
            raise JudgeModelError(
                "A cassette is damaged or of another version",
                code="cassette",
                retryable=False,
                where=f"{question.purpose}, cassette {path.stem[:12]}",
                fix="Remove it and record it again",
            ) from None


def read_index(folder: Path) -> dict[str, Any]:
    """Return what a folder of cassettes says of itself; raises UsageError for another folder, OSError for none."""
    document: Any = None
    folder.stat()
    with contextlib.suppress(ValueError, FileNotFoundError):
        document = json.loads((folder / INDEX).read_text("utf-8"))
    known = isinstance(document, dict) and document.get("format") == FORMAT
    if not known or not isinstance(document.get("identity"), str):
        raise UsageError("This is no folder of cassettes", where=str(folder), fix="Make one with --record")
    return dict(document)


def keep_index(folder: Path, document: Mapping[str, Any]) -> None:
    """Write what a folder says of itself, unless it says something already; raises StoreError."""
    try:
        _make_private(folder)
    except OSError as error:
        raise _unusable(folder, error) from None
    _keep(folder / INDEX, {"format": FORMAT, **document})


def _missing(question: Question, path: Path) -> JudgeModelError:
    return JudgeModelError(
        "There is no cassette for this question",
        code="cassette",
        retryable=False,
        where=f"{question.purpose}, cassette {path.stem[:12]}",
        fix="The request, the policy or the prompts differ from what was recorded: record again with --record",
    )


def _make_private(folder: Path) -> None:
    """Make a folder that nobody else can look into; one that holds something else already keeps its rights."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not any(folder.iterdir()):
        folder.chmod(0o700)


def _keep(path: Path, document: dict[str, Any]) -> None:
    """Write a private file whole or not at all; one that is there already stays."""
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    try:
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                json.dump(document, file, ensure_ascii=False, indent=1, sort_keys=True, allow_nan=False)
            with contextlib.suppress(FileExistsError):
                path.hardlink_to(temporary)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        raise _unusable(path, error) from None


def _unusable(path: Path, error: OSError) -> StoreError:
    return StoreError(
        error.strerror or type(error).__name__, where=str(path), fix="Check that the folder of cassettes can be used"
    )
