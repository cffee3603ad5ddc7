"""Show the progress of a long search on a terminal: examples done and time left, until the search is over.

The text follows pytest's own text in the current line, if there is room. Backspaces remove it: the rest of the screen
does not change, and the terminal needs no control sequences.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from harness.controller.fuzz.progress import Progress

#: Seconds that a search takes before it is shown.
PATIENCE = 2.0
#: The least number of seconds between two updates.
PAUSE = 0.25
_MINUTE, _HOUR = 60, 3600


class LiveLine:
    """Shows a text behind pytest's text in the current line of the terminal."""

    def __init__(
        self,
        config: pytest.Config,
        reporter: Any,
        clock: Callable[[], float] = time.monotonic,
        before: LiveLine | None = None,
    ) -> None:
        """Show a line through a reporter; ``before`` is another line that may be shown in the same place."""
        self._config = config
        self._before = before
        self._reporter = reporter
        self._clock = clock
        self._next = 0.0
        self._shown = 0

    @classmethod
    def of(cls, config: pytest.Config) -> LiveLine | None:
        """Return the line of a run, the same object each time; None if the line would not be seen.

        That is so without a terminal, on a terminal without backspaces, and in a CI job. It is also so with ``-q``, and
        in a worker of pytest-xdist.
        """
        if os.environ.get("TERM") == "dumb" or os.environ.get("CI"):
            return None
        reporter: Any = config.pluginmanager.getplugin("terminalreporter")
        if reporter is None or hasattr(config, "workerinput") or config.option.verbose < 0:
            return None
        if not getattr(reporter, "isatty", False):
            return None
        return config.stash.setdefault(_LINE, cls(config, reporter))

    def show(self, progress: Progress) -> None:
        """Show the progress of a search, if it takes long and the last update was not just now."""
        now = self._clock()
        if progress.seconds < PATIENCE or now < self._next:
            return
        self._next = now + PAUSE
        self.put(forms(progress))

    def put(self, texts: Sequence[str]) -> None:
        """Show the first of several texts for which there is room in the line."""
        writer = self._reporter._tw  # noqa: SLF001 - it has no public name
        taken = writer.width_of_current_line % writer.fullwidth + (self._before.width if self._before else 0)
        room = writer.fullwidth - taken - 2
        words = next((f" {text}" for text in texts if len(text) < room), "")
        self._write(self._gone + writer.markup(words, cyan=True) if words else self._gone)
        self._shown = len(words)

    @property
    def width(self) -> int:
        """Return the number of columns that the text takes now."""
        return self._shown

    def end(self) -> None:
        """Remove the text."""
        if self._shown:
            self._write(self._gone)
        self._shown = 0
        self._next = 0.0

    @property
    def _gone(self) -> str:
        back = "\b" * self._shown
        return back + " " * self._shown + back

    def _write(self, text: str) -> None:
        """Write directly to the file: pytest's count of the characters in the line must not change."""
        capture: Any = self._config.pluginmanager.getplugin("capturemanager")
        with capture.global_and_fixture_disabled() if capture else contextlib.nullcontext():
            file = self._reporter._tw._file  # noqa: SLF001 - as above
            file.write(text)
            file.flush()


_LINE = pytest.StashKey[LiveLine]()


def forms(progress: Progress) -> list[str]:
    """Return the texts to show, each shorter than the text before."""
    if progress.tries:
        tries = f"{progress.tries:,} tries" if progress.tries > 1 else "1 try"
        return [f"{progress.rule}: one fails, made smaller: {tries}", f"made smaller: {tries}", tries]
    of = "" if progress.of is None else f" of {progress.of:,}"
    left = "" if progress.left is None else f", {lasting(progress.left)} left"
    return [
        f"{progress.rule}: {progress.judged:,}{of} examples{left}",
        f"{progress.judged:,}{of}{left}",
        f"{progress.judged:,}{of.replace(' of ', '/')}",
    ]


def lasting(seconds: float) -> str:
    """Return a duration as text: ``12 s``, ``4 min``, ``1 h 20 min``."""
    if seconds < _MINUTE:
        return f"{seconds:.0f} s"
    if seconds < _HOUR:
        return f"{seconds / _MINUTE:.0f} min"
    return f"{seconds // _HOUR:.0f} h {seconds % _HOUR // _MINUTE:.0f} min"
