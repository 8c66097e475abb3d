"""Loading DeepEval and Ragas without what they import and we never call, and without their telemetry and files."""

from __future__ import annotations

import os
import sys
import tempfile
import threading
import typing
import warnings
from abc import ABCMeta
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.metadata import PackageNotFoundError, version
from types import ModuleType
from typing import Any, Final

from glassbox.errors import UsageError

NAMES: Final = frozenset(
    (
        *("PIL", "_pytest", "aiohttp", "appdirs", "datasets", "diskcache", "grpc", "instructor", "langchain"),
        *("langchain_classic", "langchain_community", "langchain_core", "langchain_openai", "langsmith", "networkx"),
        *("openai", "opentelemetry", "pandas", "posthog", "prompt_toolkit", "pyarrow", "pyfiglet", "pytest"),
        *("questionary", "requests", "scipy", "setuptools", "sknetwork", "tabulate", "tiktoken", "typer", "wheel"),
    )
)
"""Packages that the two libraries import at their top and that neither metric calls."""

_GONE: Final = frozenset({"langchain_community.chat_models.vertexai"})
"""Modules that newer releases of a package no longer have, though Ragas still imports them."""

VERSIONS: Final = {"deepeval": "4.3.1", "ragas": "0.4.3"}
"""The releases whose inner workings the engine builds on; others are refused."""

_LOCK: Final = threading.RLock()
# Read again at every measurement: no telemetry, and no settings from a file in the working directory.
_LASTING: Final = {
    "DEEPEVAL_TELEMETRY_OPT_OUT": "1",
    "DEEPEVAL_DISABLE_LEGACY_KEYFILE": "1",
    "RAGAS_DO_NOT_TRACK": "true",
}
# DeepEval sets the two of gRPC itself, for an exporter of its own.
_PASSING: Final = ("DEEPEVAL_DISABLE_DOTENV", "DEEPEVAL_CACHE_FOLDER", "DEEPEVAL_HOME", "GRPC_VERBOSITY", "GRPC_TRACE")


class _AnyClass(ABCMeta):
    """The class of placeholder classes: usable as a base, in annotations and in unions, and never to be called."""

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return cls

    def __or__(cls, _other: Any) -> Any:
        return typing.Any

    def __ror__(cls, _other: Any) -> Any:
        return typing.Any

    def __getitem__(cls, _key: Any) -> Any:
        return cls


class Placeholder(ModuleType):
    """Stands in for a package that is not installed; whatever is taken from it is a class that refuses to be made."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        made = _AnyClass(
            name,
            (),
            {
                "__module__": self.__name__,
                "__init__": _refuse,
                "__class_getitem__": classmethod(lambda cls, _key: cls),
                "__get_pydantic_core_schema__": classmethod(_any_schema),
            },
        )
        setattr(self, name, made)
        return made


def _refuse(self: Any, *_args: Any, **_more: Any) -> None:
    raise ImportError(f"{type(self).__module__}.{type(self).__name__} is not part of this installation")


def _any_schema(_cls: Any, _source: Any, _handler: Any) -> Any:
    from pydantic_core import core_schema

    return core_schema.any_schema()


class _Finder(MetaPathFinder, Loader):
    """Finds a placeholder where every other finder has found nothing, for the one thread that loads the libraries."""

    def __init__(self) -> None:
        self._thread = threading.get_ident()
        self.made: list[str] = []

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if threading.get_ident() != self._thread or not self._stands_in(fullname):
            return None
        return ModuleSpec(fullname, self, is_package=True)

    def _stands_in(self, fullname: str) -> bool:
        top = fullname.partition(".")[0]
        if fullname in _GONE or fullname in NAMES:
            return True
        return top in NAMES and isinstance(sys.modules.get(top), Placeholder)

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        self.made.append(spec.name)
        return Placeholder(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        module.__path__ = []
        module.__version__ = "0"  # type: ignore[attr-defined]


@contextmanager
def evaluators() -> Iterator[None]:
    """Import DeepEval or Ragas within this: quietly, with their switches set and placeholders for what is absent.

    Three switches stay in the environment, since they are read again later; whatever else is changed there is put
    back. No placeholder is left in `sys.modules`, so that nobody else takes an absent package for a present one.
    Raises UsageError where a library is not installed, is another release, or can't be loaded.
    """
    _check_versions()
    with _LOCK, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        os.environ.update(_LASTING)
        before = {name: os.environ.get(name) for name in _PASSING}
        os.environ.update(_at_import())
        # Last in the list: whatever is installed is found before.
        finder = _Finder()
        sys.meta_path.append(finder)
        try:
            yield
        except ImportError as error:
            raise _unusable(f"{error.name or 'a module'} can't be imported") from None
        finally:
            sys.meta_path.remove(finder)
            for name in finder.made:
                sys.modules.pop(name, None)
            _restore(before)


def _at_import() -> dict[str, str]:
    folder = os.path.join(tempfile.gettempdir(), "glassbox-deepeval")
    return {"DEEPEVAL_DISABLE_DOTENV": "1", "DEEPEVAL_CACHE_FOLDER": folder, "DEEPEVAL_HOME": folder}


def _restore(before: dict[str, str | None]) -> None:
    for name, value in before.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value


def _check_versions() -> None:
    for name, wanted in VERSIONS.items():
        try:
            found = version(name)
        except PackageNotFoundError:
            raise _unusable(f"{name} is not installed") from None
        if found != wanted:
            raise _unusable(f"{name} {found} is installed")


def _unusable(why: str) -> UsageError:
    return UsageError(
        f"The engine llm needs {' and '.join(f'{name} {number}' for name, number in VERSIONS.items())}: {why}",
        where="engine llm",
        fix="Install glassbox with its extra `evaluators` from the lock, or use --engine local",
    )
