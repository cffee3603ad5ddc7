"""The line of a long search on a terminal: examples done and time left, gone when the search is over.

It comes after pytest's own text in the current line, as far as there is room. Backspaces take it back: the rest of the
screen stays, and no colour is needed.
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
#: Seconds between one showing and the next.
PAUSE = 0.25
_MINUTE, _HOUR = 60, 3600


class LiveLine:
    """Shows how far a search is."""

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
        """Return the line of a run, which all share; None where it would not be seen.

        That is so without a terminal or on a terminal that cannot go back. It is also so in a CI job, with ``-q``, or
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
        """Show how far a search is, where it takes long and was not shown just now."""
        now = self._clock()
        if progress.seconds < PATIENCE or now < self._next:
            return
        self._next = now + PAUSE
        self.put(forms(progress))

    def put(self, told: Sequence[str]) -> None:
        """Show the first of several forms for which there is room in the line."""
        writer = self._reporter._tw  # noqa: SLF001 - it has no public name
        taken = writer.width_of_current_line % writer.fullwidth + (self._before.width if self._before else 0)
        room = writer.fullwidth - taken - 2
        words = next((f" {form}" for form in told if len(form) < room), "")
        self._write(self._gone + writer.markup(words, cyan=True) if words else self._gone)
        self._shown = len(words)

    @property
    def width(self) -> int:
        """The columns that it takes now."""
        return self._shown

    def end(self) -> None:
        """Take the line back."""
        if self._shown:
            self._write(self._gone)
        self._shown = 0
        self._next = 0.0

    @property
    def _gone(self) -> str:
        back = "\b" * self._shown
        return back + " " * self._shown + back

    def _write(self, text: str) -> None:
        """Write past pytest's count of the characters in the line, which must not change."""
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
    """Return a time as it is said: ``12 s``, ``4 min``, ``1 h 20 min``."""
    if seconds < _MINUTE:
        return f"{seconds:.0f} s"
    if seconds < _HOUR:
        return f"{seconds / _MINUTE:.0f} min"
    return f"{seconds // _HOUR:.0f} h {seconds % _HOUR // _MINUTE:.0f} min"
