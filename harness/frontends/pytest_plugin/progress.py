"""Show progress: pytest's count of tests, the rule's title with ``-v``, and on a terminal the time left."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from harness.frontends.pytest_plugin.live_line import PATIENCE, PAUSE, LiveLine, lasting

if TYPE_CHECKING:
    import pytest

#: The least number of columns for a title, and the number of columns between the title and the count of tests.
_LEAST, _BESIDE = 24, 4
#: pytest's ini option for the verbosity of single tests, and the verbosity that shows whole reasons.
_OF_TESTS, _WHOLE = "verbosity_test_cases", 2
#: The number of tests after which the time left is estimated.
_FIRST = 10


class ProgressLine:
    """Shows the number of tests done and an estimate of the time left, behind the letters of the tests."""

    def __init__(self, line: LiveLine | None, clock: Callable[[], float] = time.monotonic) -> None:
        """Show the progress in ``line``; None shows nothing."""
        self._line = line
        self._clock = clock
        self._begun = self._next = clock()
        self._done = 0

    @classmethod
    def of(cls, config: pytest.Config) -> ProgressLine:
        """Return the progress line of a run. With ``-v`` it shows nothing, because each test has its own line."""
        return cls(None if config.option.verbose else LiveLine.of(config))

    def hide(self) -> None:
        """Remove the text before pytest writes."""
        if self._line is not None:
            self._line.end()

    def one_more(self, of: int) -> None:
        """Count one more test of ``of``, and update the text if the run takes long."""
        self._done += 1
        now, done = self._clock(), self._done
        seconds = now - self._begun
        if self._line is None or seconds < PATIENCE or now < self._next or done < _FIRST or done >= of:
            return
        self._next = now + PAUSE
        left = f"about {lasting(seconds / done * (of - done))} left"
        self._line.put([f"{done:,} of {of:,} done, {left}", f"{done:,}/{of:,}, {left}", left])


def count_tests(reporter: Any) -> None:
    """Have pytest show ``[37/182]`` in place of a percentage, unless the user chose another style."""
    if getattr(reporter, "_show_progress_info", "") == "progress":
        reporter._show_progress_info = "count"  # noqa: SLF001 - pytest has already read console_output_style


def show_whole_reasons(reporter: Any) -> None:
    """With ``-v`` and without a terminal, have pytest show the reasons of skipped tests in full."""
    config = getattr(reporter, "config", None)
    if config is None or config.option.verbose <= 0 or reporter.isatty or not hasattr(config, "get_verbosity"):
        return  # pytest 7 has one verbosity
    if config.getini(_OF_TESTS) == "auto":
        config._inicache[_OF_TESTS] = str(max(config.option.verbose, _WHOLE))  # noqa: SLF001 - as the ini file sets it
        reporter._screen_width = sys.maxsize  # noqa: SLF001 - a reason is one line


def collected(reporter: Any) -> int:
    """Return the number of collected tests; 0 if pytest has no session yet."""
    session: Any = getattr(reporter, "_session", None)
    return 0 if session is None else int(session.testscollected)


def titled(word: str, title: str, place: str, reporter: Any) -> str:
    """Return the word for a verdict and then the rule's title, as far as a terminal has room."""
    if not getattr(reporter, "isatty", False):
        return f"{word}: {title}"
    count = 2 * len(str(collected(reporter))) + _BESIDE
    room = reporter._tw.fullwidth - len(f"{place} {word}: ") - count  # noqa: SLF001 - it has no public name
    if room < _LEAST:
        return word
    return f"{word}: {title if len(title) <= room else f'{title[: room - 3]}...'}"
