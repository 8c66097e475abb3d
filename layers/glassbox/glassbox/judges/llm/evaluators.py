"""DeepEval and Ragas, imported once and quietly: no telemetry, no files, no network, no clients of their own."""

from __future__ import annotations

import os
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Final

from glassbox.errors import UsageError
from glassbox.judges.llm import placeholders

VERSIONS: Final = {"deepeval": "4.3.1", "ragas": "0.4.3"}
"""The versions whose inner workings this engine builds on; others are refused."""

_LOCK = threading.Lock()
_LOADED: list[Evaluators] = []


@dataclass(frozen=True, slots=True)
class Evaluators:
    """The classes of the two libraries that the judges are built on."""

    contextual_precision: Any
    test_case: Any
    deepeval_model: Any
    faithfulness: Any
    answer_relevancy: Any
    ragas_model: Any
    ragas_embedding: Any


def evaluators() -> Evaluators:
    """Return the libraries' classes, imported at the first call; raises UsageError where they are not installed."""
    with _LOCK:
        if not _LOADED:
            _LOADED.append(_load())
        return _LOADED[0]


def _load() -> Evaluators:
    for name, wanted in VERSIONS.items():
        try:
            found = version(name)
        except PackageNotFoundError:
            found = None
        if found != wanted:
            raise UsageError(
                f"The engine llm needs {name} {wanted}, and {found or 'none'} is installed",
                where="engine llm",
                fix='Install the extra: pip install "glassbox[evaluators]"',
            )
    with _quiet_environment():
        finder = placeholders.install()
        try:
            return _imported()
        finally:
            placeholders.remove(finder)


def _imported() -> Evaluators:
    from deepeval.metrics import ContextualPrecisionMetric
    from deepeval.models import DeepEvalBaseLLM
    from deepeval.test_case import LLMTestCase
    from ragas.embeddings.base import BaseRagasEmbedding
    from ragas.llms.base import InstructorBaseRagasLLM
    from ragas.metrics.collections import AnswerRelevancy, Faithfulness

    return Evaluators(
        contextual_precision=ContextualPrecisionMetric,
        test_case=LLMTestCase,
        deepeval_model=DeepEvalBaseLLM,
        faithfulness=Faithfulness,
        answer_relevancy=AnswerRelevancy,
        ragas_model=InstructorBaseRagasLLM,
        ragas_embedding=BaseRagasEmbedding,
    )


@contextmanager
def _quiet_environment() -> Iterator[None]:
    """Set the switches that the libraries read, before they are imported; they are read later too, so they stay.

    Only names that belong to the two libraries are set: nothing of the caller's own environment changes.
    """
    folder = os.path.join(tempfile.gettempdir(), "glassbox-evaluators")
    switches = {
        "DEEPEVAL_TELEMETRY_OPT_OUT": "1",
        "DEEPEVAL_DISABLE_DOTENV": "1",
        "DEEPEVAL_DISABLE_LEGACY_KEYFILE": "1",
        "DEEPEVAL_CACHE_FOLDER": folder,
        "DEEPEVAL_HOME": folder,
        "RAGAS_DO_NOT_TRACK": "true",
    }
    os.environ.update(switches)
    # A mode of DeepEval's that asks a service of its own must not be switched on from outside.
    for name in ("DEEPEVAL_EVAL_MODE", "CONFIDENT_API_KEY"):
        os.environ.pop(name, None)
    yield


def library(name: str) -> str:
    """Return `name-version` of one of the two libraries, for a signature."""
    return f"{name}-{VERSIONS[name]}"
