"""Run the media marker attacks in this process and print, as JSON, which files and addresses were touched meanwhile.

`python -m tests.attacks.marker_audit FILE` puts markers of FILE into every text field beside the suite's own. What the
library's built-in models do with a prompt is done to each prompt that the judges were sent: it is parsed for media.
"""

from __future__ import annotations

import json
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from tests.attacks.defences import FULL, NONE, Defences, Models, evaluate, policy_for
from tests.attacks.judges import ScriptedJudge
from tests.attacks.model import Attack
from tests.attacks.reading import library
from tests.attacks.scenes import LIBRARY
from tests.attacks.suite import ATTACKS

ROOT: Final = Path(__file__).resolve().parents[2]
_EVENTS: Final = ("open", "os.listdir", "os.system", "subprocess.Popen", "urllib.Request")


class Watch:
    """Notes what is opened and connected to; files of Python, its packages and this repository don't count."""

    def __init__(self) -> None:
        self.on = False
        self.seen: list[str] = []
        self._own = tuple({str(Path(path).resolve()) for path in (sys.prefix, sys.base_prefix, ROOT)})

    def __call__(self, event: str, arguments: tuple[Any, ...]) -> None:
        if not self.on or not (event in _EVENTS or event.startswith("socket.")):
            return
        first = arguments[0] if arguments else ""
        if event in ("open", "os.listdir") and (isinstance(first, int) or str(first).startswith(self._own)):
            return
        self.seen.append(f"{event} {first if event == 'open' else arguments[-1]}")


def attacks_on(path: Path) -> list[Attack]:
    """Return the suite's marker attacks, and markers of one file in each field that reaches a judge model."""
    media = [attack for attack in ATTACKS if attack.kind == "media"]
    own = [
        replace(media[0], id=f"media-{field}-{name}", scene=LIBRARY, texts={field: f"[DEEPEVAL:{name}:{path}]"})
        for field in ("query", "answer", "expected", "passages.0", "passages.+")
        for name in ("IMAGE", "PDF")
    ]
    return [*media, *own]


def touched(attacks: list[Attack], defences: Defences, models: Models, watch: Watch) -> list[str]:
    """Return what was touched while the attacks ran and the library read every prompt."""
    watch.seen.clear()
    watch.on = True
    for attack in attacks:
        request = attack.request()
        judge = ScriptedJudge(request, attack, inside=True, lenient=not defences.cover)
        evaluate(request, judge, defences, policy_for(attack.scene.language), models)
        for prompt in judge.prompts:
            # Fails on a path that doesn't exist, and on an address of another kind: the look-up is what counts.
            with suppress(ValueError, FileNotFoundError):
                library().convert_to_multi_modal_array(prompt.text)
    watch.on = False
    return list(dict.fromkeys(watch.seen))


def main(path: Path) -> None:
    """Print what was touched with all defences, and with none."""
    models, watch = Models(), Watch()
    attacks = attacks_on(path)
    touched(attacks[:1], FULL, models, watch)
    sys.addaudithook(watch)
    found = {"full": touched(attacks, FULL, models, watch), "none": touched(attacks, NONE, models, watch)}
    print(json.dumps(found))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
