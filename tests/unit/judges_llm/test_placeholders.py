"""Loading the two libraries: quietly, once, without what is absent, and without a trace for anybody else."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from glassbox.errors import UsageError
from glassbox.judges.llm import placeholders

LOAD = """
import json, os, sys, threading, logging
before = dict(os.environ)
opened = []
def hook(event, args):
    if event.startswith(("socket.connect", "socket.getaddrinfo")) or event == "os.mkdir":
        opened.append([event, str(args[0])])
    elif event == "open" and isinstance(args[1], str) and set(args[1]) & set("wax+"):
        opened.append([event, str(args[0])])
sys.addaudithook(hook)
from glassbox.judges.llm import deepeval, ragas
print(json.dumps({
    "changed": sorted(k for k, v in os.environ.items() if before.get(k) != v),
    "gone": sorted(k for k in before if k not in os.environ),
    "placeholders": sorted(m for m, x in sys.modules.items() if type(x).__name__ == "Placeholder"),
    "finders": [type(f).__name__ for f in sys.meta_path if type(f).__module__.startswith("glassbox")],
    "handlers": len(logging.root.handlers),
    "opened": opened,
    "loop": hasattr(__import__("asyncio"), "_nest_patched"),
}))
"""


def loaded(tmp_path: Path, **env: str) -> dict[str, list[str]]:
    """Return what loading the libraries changed in a process of its own."""
    here = {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONPATH": os.pathsep.join(sys.path),
        **env,
    }
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-c", LOAD], cwd=tmp_path, env=here, capture_output=True, text=True, check=True
    )
    assert ran.stderr == ""
    found: dict[str, list[str]] = json.loads(ran.stdout)
    return found


def test_loading_leaves_three_switches_and_nothing_else_behind(tmp_path: Path) -> None:
    found = loaded(tmp_path)
    assert found["changed"] == ["DEEPEVAL_DISABLE_LEGACY_KEYFILE", "DEEPEVAL_TELEMETRY_OPT_OUT", "RAGAS_DO_NOT_TRACK"]
    assert (found["gone"], found["placeholders"], found["finders"], found["handlers"]) == ([], [], [], 0)
    assert found["opened"] == []
    assert list(tmp_path.iterdir()) == []


def test_settings_of_the_caller_and_files_in_the_folder_do_not_matter(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text(
        "DEEPEVAL_EVAL_MODE=system_one\nOPENAI_API_KEY=secret\nDEEPEVAL_TELEMETRY_OPT_OUT=0\n"
    )
    (tmp_path / ".deepeval").write_text('{"api_key": "secret"}')
    found = loaded(tmp_path, RAGAS_DO_NOT_TRACK="false", DEEPEVAL_TELEMETRY_OPT_OUT="0", DEEPEVAL_HOME="/nowhere")
    assert "OPENAI_API_KEY" not in found["changed"]
    assert {"RAGAS_DO_NOT_TRACK", "DEEPEVAL_TELEMETRY_OPT_OUT"} <= set(found["changed"])
    assert "DEEPEVAL_HOME" not in found["changed"]
    assert found["opened"] == []


def test_a_placeholder_is_found_only_while_the_libraries_are_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(placeholders, "NAMES", frozenset({"no_such_package_here"}))
    with placeholders.evaluators():
        import no_such_package_here.inner  # type: ignore[import-not-found]

        inert = no_such_package_here.inner.Anything
        assert issubclass(type("Mine", (inert,), {}), inert)
        with pytest.raises(ImportError, match="not part of this installation"):
            inert()
        with pytest.raises(ImportError):
            import no_other_package_here  # type: ignore[import-not-found]  # noqa: F401
    with pytest.raises(ImportError):
        import no_such_package_here.inner
    assert "no_such_package_here" not in sys.modules


def test_a_package_that_is_there_is_never_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    import wave

    monkeypatch.setattr(placeholders, "NAMES", frozenset({"wave", "sunau"}))
    monkeypatch.delitem(sys.modules, "wave")
    with placeholders.evaluators():
        import wave as again
    assert again.__file__ == wave.__file__


def test_another_release_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(placeholders, "VERSIONS", {"deepeval": "4.3.2"})
    with pytest.raises(UsageError, match=r"deepeval 4\.3\.1 is installed"), placeholders.evaluators():
        pass
    monkeypatch.setattr(placeholders, "VERSIONS", {"no-such-library": "1"})
    with pytest.raises(UsageError, match="no-such-library is not installed"), placeholders.evaluators():
        pass


def test_the_local_engine_loads_neither_library() -> None:
    told = (
        "import sys\n"
        "from glassbox.judges.registry import judge_named\n"
        "for name in ('contextual_precision', 'semantic_faithfulness'): judge_named(name)\n"
        "import glassbox.verification\n"
        "print(sorted({'deepeval', 'ragas', 'httpx', 'boto3'} & set(sys.modules)))\n"
    )
    ran = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"
