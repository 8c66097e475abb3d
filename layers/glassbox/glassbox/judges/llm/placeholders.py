"""Stand-ins for packages that the evaluators import and this use of them never calls.

DeepEval and Ragas import vendors' clients, tracing and data frames at the top of their modules. Where such a package
is not installed, an inert module takes its place, so that the evaluators' real code imports and runs. Whoever calls
something inside a stand-in gets an ImportError that names it; a package that is installed is never shadowed.
"""

from __future__ import annotations

import abc
import importlib.abc
import importlib.machinery
import importlib.util
import sys
import types
from collections.abc import Sequence
from typing import Any, Final

NAMES: Final = (
    "_pytest",
    "aiohttp",
    "appdirs",
    "datasets",
    "diskcache",
    "grpc",
    "instructor",
    "langchain",
    "langchain_classic",
    "langchain_community",
    "langchain_core",
    "langchain_openai",
    "langsmith",
    "networkx",
    "openai",
    "opentelemetry",
    "pandas",
    "PIL",
    "posthog",
    "prompt_toolkit",
    "pyarrow",
    "pyfiglet",
    "pytest",
    "questionary",
    "requests",
    "scipy",
    "setuptools",
    "sknetwork",
    "tabulate",
    "tiktoken",
    "typer",
    "wheel",
)
"""Top-level packages that DeepEval 4.3.1 and Ragas 0.4.3 import beyond what they are installed with."""


class _Inert(abc.ABCMeta):
    """The kind of a stand-in's classes: they may be subclassed, subscripted and joined in annotations."""

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return cls

    def __or__(cls, _other: Any) -> Any:
        return Any

    def __ror__(cls, _other: Any) -> Any:
        return Any

    def __getitem__(cls, _item: Any) -> Any:
        return cls


class _StandIn(types.ModuleType):
    """A module each of whose public names is a class that can't be made an object of."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        made = _Inert(
            name,
            (),
            {
                "__module__": self.__name__,
                "__init__": _absent,
                "__get_pydantic_core_schema__": classmethod(_any_schema),
            },
        )
        setattr(self, name, made)
        return made


def _absent(self: Any, *_args: Any, **_kwargs: Any) -> None:
    kind = type(self)
    raise ImportError(f"{kind.__module__}.{kind.__name__} is not installed: GlassBox does not use it")


def _any_schema(_cls: Any, _source: Any, _handler: Any) -> Any:
    from pydantic_core import core_schema

    return core_schema.any_schema()


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds a stand-in for each of a few packages and for what lies inside them."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = frozenset(names)

    def find_spec(
        self, fullname: str, _path: Sequence[str] | None, _target: types.ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Return the spec of a stand-in, or None for any other module."""
        if fullname.partition(".")[0] not in self.names:
            return None
        return importlib.machinery.ModuleSpec(fullname, self, is_package=True)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType:
        """Return an empty stand-in."""
        return _StandIn(spec.name)

    def exec_module(self, module: types.ModuleType) -> None:
        """Make the stand-in a package, so that modules inside it are found too."""
        module.__path__ = []
        module.__dict__["__version__"] = "0"


def install(names: Sequence[str] = NAMES) -> Finder:
    """Return the finder, now in place, of the stand-ins for those packages that are not installed."""
    absent = [name for name in names if name not in sys.modules and importlib.util.find_spec(name) is None]
    finder = Finder(absent)
    sys.meta_path.append(finder)
    return finder


def remove(finder: Finder) -> None:
    """Take the finder and its stand-ins away again, so that nobody else takes them for the packages.

    The evaluators keep the stand-ins that they hold; what they import later by name is found as it really is.
    """
    sys.meta_path.remove(finder)
    for name in [n for n in sys.modules if n.partition(".")[0] in finder.names]:
        if isinstance(sys.modules[name], _StandIn):
            del sys.modules[name]
