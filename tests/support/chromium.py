"""Drives a headless Chromium through its debugging pipe: messages of JSON, each ended by a NUL."""

import base64
import contextlib
import json
import os
import shutil
import subprocess
import tempfile

PROGRAM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
_FLAGS = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--remote-debugging-pipe",
]


class Chromium:
    """One browser with one page."""

    def __init__(self, send, receive):
        self._send, self._receive = send, receive
        self._buffer = b""
        self._number = 0
        self._session = None
        self.said = []
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.ask(f"{domain}.enable")

    def ask(self, method, **parameters):
        """Call a method of the protocol, and return its result."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        message |= {"sessionId": self._session} if self._session else {}
        os.write(self._send, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.said.append(answer)

    def _next(self):
        while b"\0" not in self._buffer:
            data = os.read(self._receive, 65536)
            if not data:
                raise RuntimeError("Chromium ended")
            self._buffer += data
        message, _, self._buffer = self._buffer.partition(b"\0")
        return json.loads(message)

    def show(self, file, width, *, scheme="light", script=True):
        """Show a file at a width; wait until it is loaded."""
        self.said.clear()
        self.ask("Emulation.setScriptExecutionDisabled", value=not script)
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        self.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.ask("Page.navigate", url=file.as_uri())
        while not any(event.get("method") == "Page.loadEventFired" for event in self.said):
            self.said.append(self._next())

    def value(self, expression):
        """Return the value of an expression of JavaScript."""
        answer = self.ask("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    @property
    def complaints(self):
        """What was said on the console, and every exception."""
        self.value("1")  # whatever comes before the answer has been read then
        kinds = ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded")
        return [event["params"] for event in self.said if event.get("method") in kinds]

    @property
    def requests(self):
        """The addresses of what was asked for."""
        sent = [event for event in self.said if event.get("method") == "Network.requestWillBeSent"]
        return [event["params"]["request"]["url"] for event in sent]

    def picture(self, clip=None):
        """Return a screenshot of the whole page, or of a part of it, as PNG."""
        more = {"clip": {**clip, "scale": 1}} if clip else {}
        shot = self.ask("Page.captureScreenshot", format="png", captureBeyondViewport=True, **more)
        return base64.b64decode(shot["data"])


@contextlib.contextmanager
def running():
    """Run a browser."""
    to_it, send = os.pipe()
    receive, from_it = os.pipe()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = subprocess.Popen(  # noqa: S603 - a browser that is installed here, on files that we made
            [
                "/bin/bash",
                "-c",
                f'exec "$@" 3<&{to_it} 4>&{from_it}',
                "-",
                PROGRAM,
                *_FLAGS,
                f"--user-data-dir={profile}",
            ],
            pass_fds=(to_it, from_it),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(to_it)
        os.close(from_it)
        try:
            yield Chromium(send, receive)
        finally:
            os.close(send)  # it ends when nobody asks any more
            os.close(receive)
            try:
                browser.wait(10)
            except subprocess.TimeoutExpired:
                browser.kill()
                browser.wait()
