"""A headless Chromium driven through its DevTools pipe: no port, no driver to install, nothing but the browser."""

from __future__ import annotations

import base64
import fcntl
import itertools
import json
import os
import select
import shutil
import subprocess
import time
from pathlib import Path
from types import TracebackType
from typing import Any, Self

NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-extensions",
    "--disable-sync",
    "--no-first-run",
    "--no-default-browser-check",
    "--hide-scrollbars",
    "--mute-audio",
    "--remote-debugging-pipe",
)
PATIENCE = 60.0


def find() -> str | None:
    """Return the path of a Chromium on this machine, or None."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


class Chromium:
    """One browser process; `page` opens a file in a tab of its own."""

    def __init__(self, binary: str, profile: Path) -> None:
        requests_in, self._out = os.pipe()
        self._in, replies_out = os.pipe()
        # Descriptors 3 and 4 are the browser's; ours are moved out of their way first.
        inherited = [fcntl.fcntl(fd, fcntl.F_DUPFD, 20) for fd in (requests_in, replies_out)]
        script = f'exec "$@" 3<&{inherited[0]} 4>&{inherited[1]}'
        self._process = subprocess.Popen(
            ["/bin/bash", "-c", script, "chromium", binary, *FLAGS, f"--user-data-dir={profile}", "about:blank"],
            pass_fds=inherited,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "HOME": str(profile)},
        )
        for fd in (requests_in, replies_out, *inherited):
            os.close(fd)
        self._ids = itertools.count(1)
        self._buffer = b""
        self.events: list[dict[str, Any]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        os.close(self._out)
        try:
            self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait(timeout=10)
        os.close(self._in)

    def call(self, method: str, session: str | None = None, **params: Any) -> dict[str, Any]:
        """Return the browser's answer to a command; events that come meanwhile are kept."""
        number = next(self._ids)
        message = {"id": number, "method": method, "params": params} | ({"sessionId": session} if session else {})
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            reply = self._read()
            if reply.get("id") == number:
                assert "error" not in reply, f"{method}: {reply.get('error')}"
                return dict(reply["result"])
            self.events.append(reply)

    def wait_for(self, method: str, session: str) -> None:
        """Return when an event of that name has come for that page."""
        while not any(e.get("method") == method and e.get("sessionId") == session for e in self.events):
            self.events.append(self._read())

    def settle(self, seconds: float) -> None:
        """Collect events for a while, so that what a page does late is seen too."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if b"\0" in self._buffer or select.select([self._in], [], [], left)[0]:
                self.events.append(self._read())

    def _read(self) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._in], [], [], PATIENCE)
            chunk = os.read(self._in, 1 << 20) if ready else b""
            assert chunk, "Chromium has stopped answering"
            self._buffer += chunk
        line, self._buffer = self._buffer.split(b"\0", 1)
        return dict(json.loads(line))

    def page(self, path: Path, *, width: int = 1280, height: int = 900, dark: bool = False) -> Page:
        """Return the page of a file, loaded; everything that it asks for or runs is recorded from the start."""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Network", "Runtime", "Log", "DOM"):
            self.call(f"{domain}.enable", session)
        page = Page(self, session, target)
        page.resize(width, height)
        if dark:
            features = [{"name": "prefers-color-scheme", "value": "dark"}]
            self.call("Emulation.setEmulatedMedia", session, features=features)
        self.events = [e for e in self.events if e.get("sessionId") != session]
        self.call("Page.navigate", session, url=path.as_uri())
        self.wait_for("Page.loadEventFired", session)
        return page


class Page:
    """A tab."""

    def __init__(self, browser: Chromium, session: str, target: str) -> None:
        self._browser = browser
        self._session = session
        self._target = target

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        """Return the answer to a command about this page."""
        return self._browser.call(method, self._session, **params)

    def resize(self, width: int, height: int = 900) -> None:
        """Give the page a window of that size in CSS pixels; below 600 as a phone."""
        phone = width < 600
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=2 if phone else 1,
            mobile=phone,
        )

    def value(self, expression: str) -> Any:
        """Return what a JavaScript expression of the test gives in the page."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, userGesture=True)
        assert "exceptionDetails" not in result, result
        return result["result"].get("value")

    def press(self, key: str, code: int, text: str = "") -> None:
        """Press and release a key."""
        for kind in ("keyDown", "keyUp"):
            self.call(
                "Input.dispatchKeyEvent",
                type=kind,
                key=key,
                code=key,
                windowsVirtualKeyCode=code,
                text=text if kind == "keyDown" else "",
            )

    def click(self, selector: str) -> None:
        """Click in the middle of the first line of an element with the mouse."""
        middle = (
            "(() => {const e = document.querySelector(%s);"
            " e.scrollIntoView({block: 'center', behavior: 'instant'});"
            " const r = e.getClientRects()[0]; return [r.x + r.width / 2, r.y + r.height / 2]})()"
        )
        x, y = self.value(middle % json.dumps(selector))
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def settle(self, seconds: float) -> None:
        """Let the page do for a while what it would do."""
        self._browser.settle(seconds)

    def events(self, method: str) -> list[dict[str, Any]]:
        """Return the parameters of the events of that name since the page was opened."""
        own = (e for e in self._browser.events if e.get("sessionId") == self._session)
        return [e["params"] for e in own if e.get("method") == method]

    def requests(self) -> list[str]:
        """Return every address that the page asked for, its own first."""
        return [e["request"]["url"] for e in self.events("Network.requestWillBeSent")]

    def screenshot(self, path: Path, *, full: bool = True) -> None:
        """Write a PNG of the page."""
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=full)["data"]
        path.write_bytes(base64.b64decode(data))

    def pdf(self, path: Path) -> None:
        """Write the page as it prints on A4."""
        data = self.call("Page.printToPDF", paperWidth=8.27, paperHeight=11.69, printBackground=False)["data"]
        path.write_bytes(base64.b64decode(data))

    def close(self) -> None:
        """Close the tab."""
        self._browser.call("Target.closeTarget", targetId=self._target)
