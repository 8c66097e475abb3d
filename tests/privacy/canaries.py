"""Words that occur nowhere else: one in every text field of a request, and a key; and the search for them."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

KEY: Final = "sk-canary-Vq7rT2mZx9LwB4nK"

_WORDS: Final = {
    "query": "quorvex",
    "answer": "ansibrand",
    "passage": "paxomere",
    "passage_id": "pidwarrel",
    "source_id": "sidmorrow",
    "document": "docuvane",
    "document_id": "didfennel",
    "document_uri": "urihollow",
    "expected_answer": "expolume",
    "retrieved_entity": "entigrave",
    "session_id": "sessorine",
    "model_name": "modwillow",
    "strategy": "stratocline",
}
TEXTS: Final = tuple(_WORDS.values())


def request() -> dict[str, Any]:
    """A request whose every text field holds a word of its own, and whose texts are of one subject."""
    w = _WORDS
    return {
        "query": f"Who built the {w['query']} mill, and when was it finished?",
        "answer": f"The {w['answer']} guild built the mill. It was finished in 1871.",
        "retrieved_passages": [
            {
                "text": f"The {w['passage']} chronicle: the guild built the mill. It was finished in 1871.",
                "score": 0.9,
                "id": w["passage_id"],
                "source_id": w["source_id"],
            },
            f"The {w['passage']} mill was painted in 1902.",
        ],
        "source_documents": [
            {
                "text": f"The {w['document']} annals say that the guild built the mill, finished in 1871.",
                "id": w["document_id"],
                "uri": f"urn:{w['document_uri']}",
            }
        ],
        "expected_answer": f"The {w['expected_answer']} guild built it by 1871.",
        "retrieved_entities": [f"{w['retrieved_entity']} guild"],
        "session_id": w["session_id"],
        "model": {"provider": "local", "name": w["model_name"]},
        "retrieval_strategy": w["strategy"],
    }


def forms(secret: str) -> tuple[bytes, ...]:
    """How a word may stand in a file: as it is, and as base64 at each of its three alignments."""
    data = secret.encode()
    coded = []
    for shift in range(3):
        whole = base64.b64encode(b"\0" * shift + data)
        # The characters at both ends depend on what stands beside the word.
        coded.append(whole[2 + shift : -4].lower())
    return (data.lower(), *coded)


def found_in(data: bytes | str, secrets: tuple[str, ...]) -> list[str]:
    """Return which of the words occur, in any case and also in base64."""
    haystack = (data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data).lower()
    return [secret for secret in secrets if any(form in haystack for form in forms(secret))]


def files_with(folder: Path, secrets: tuple[str, ...]) -> dict[str, list[str]]:
    """Return each file below a folder that holds any of the words, with the words; names of files count too."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        data = name.encode() + (path.read_bytes() if path.is_file() else b"")
        if hits := found_in(data, secrets):
            found[name] = hits
    return found


def errors_of(error: BaseException) -> Iterator[str]:
    """Yield everything that a handler could print of an error and of what stands behind it."""
    seen: list[BaseException] = []
    waiting: list[BaseException | None] = [error]
    while waiting:
        one = waiting.pop()
        if one is None or one in seen:
            continue
        seen.append(one)
        yield repr(one)
        yield str(one)
        if not one.__suppress_context__:
            waiting.append(one.__context__)
        waiting.append(one.__cause__)
        problem = getattr(one, "problem", None)
        if callable(problem):
            told: Mapping[str, Any] = problem()
            yield repr(told)
