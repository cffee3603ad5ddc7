"""Show on a terminal what pytest waits for: a module's import or a long rule.

The thread that waits cannot write, so a second thread writes, through its own channel to the terminal. This does not
disturb the output that pytest captures meanwhile. A search shows its own progress (see ``live_line``).
"""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from harness.frontends.pytest_plugin import live_line
from harness.frontends.pytest_plugin.live_line import LiveLine, lasting

if TYPE_CHECKING:
    import pytest

#: Seconds between two updates.
PAUSE = 1.0


class Waiting:
    """Shows what pytest waits for, if that takes long; without a line it shows nothing."""

    def __init__(self, line: LiveLine | None) -> None:
        self._line = line

    @classmethod
    def of(cls, config: pytest.Config) -> Waiting:
        """Return the display of a run; call this while pytest captures no output."""
        reporter: Any = config.pluginmanager.getplugin("terminalreporter")
        shared = LiveLine.of(config)
        return cls(None if shared is None else LiveLine(config, _Channel.beside(reporter), before=shared))

    @contextlib.contextmanager
    def on(self, *forms: str) -> Iterator[None]:
        """Show a text and the seconds while the block runs: the first of ``forms`` for which there is room."""
        if self._line is None:
            yield
            return
        over = threading.Event()
        shower = threading.Thread(target=self._show, args=(self._line, forms, over), daemon=True)
        shower.start()
        try:
            yield
        finally:
            over.set()
            shower.join()
            self._line.end()

    def _show(self, line: LiveLine, forms: Sequence[str], over: threading.Event) -> None:
        begun = time.monotonic()
        if over.wait(live_line.PATIENCE):
            return
        line.put(_with_time(forms, time.monotonic() - begun))
        while not over.wait(PAUSE):
            line.put(_with_time(forms, time.monotonic() - begun))


def _with_time(forms: Sequence[str], seconds: float) -> list[str]:
    return [*(f"{form}: {lasting(seconds)}" for form in forms), lasting(seconds)]


class _Channel:
    """The parts of pytest's terminal reporter that a live line needs; it writes to the terminal past any capture."""

    def __init__(self, writer: Any, descriptor: int) -> None:
        self._tw = self
        self._file = self
        self._writer = writer
        self._descriptor = descriptor

    def __getattr__(self, name: str) -> Any:
        return getattr(self._writer, name)  # such as ``fullwidth`` and ``markup``

    @classmethod
    def beside(cls, reporter: Any) -> _Channel:
        writer = reporter._tw  # noqa: SLF001 - it has no public name
        return cls(writer, os.dup(writer._file.fileno()))  # noqa: SLF001 - as above

    def write(self, text: str) -> None:
        with contextlib.suppress(OSError):  # if the terminal is gone, pytest reports that
            os.write(self._descriptor, text.encode("ascii", "replace"))

    def flush(self) -> None:
        """Do nothing: ``write`` does not buffer."""
