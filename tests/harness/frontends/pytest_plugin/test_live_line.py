"""The live line: what it says, that it is on terminals alone, and that nothing of it is left."""

import os
import re
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from harness.controller.fuzz.budget import Budget
from harness.controller.fuzz.progress import Progress
from harness.frontends.pytest_plugin.live_line import PATIENCE, PAUSE, LiveLine, forms, lasting
from tests.support.pseudoterminal import written_by

HOME = Path(__file__).parents[4]
COLOUR = re.compile(r"\x1b\[[0-9;]*m")


class Terminal:
    """As much of pytest's terminal writer as is used, and the line that a user would see."""

    def __init__(self, standing="", width=80):
        self.fullwidth, self.width_of_current_line = width, len(standing)
        self._file, self.written = self, standing

    def markup(self, text, **_):
        return text

    def write(self, text):
        self.written += text

    def flush(self):
        pass

    @property
    def seen(self):
        return screen(self.written)


def screen(written):
    """Return what is seen of a line, which backspaces lead back in."""
    cells, place = [], 0
    for letter in COLOUR.sub("", written):
        if letter == "\b":
            place -= 1
        else:
            cells[place : place + 1] = [letter]
            place += 1
    return "".join(cells)


class Clock:
    now = 100.0

    def __call__(self):
        return self.now


def line_on(terminal, clock=None):
    config = SimpleNamespace(pluginmanager=SimpleNamespace(getplugin=lambda _: None))
    return LiveLine(config, SimpleNamespace(_tw=terminal), clock or Clock())


def after(seconds, judged=100, **more):
    return Progress("FUZ-001", judged, seconds, Budget(1000), **more)


def test_a_long_search_is_shown_behind_what_stands_there_and_taken_back():
    terminal = Terminal("conformance ...")
    line = line_on(terminal)
    line.show(after(PATIENCE))
    assert terminal.seen == "conformance ... FUZ-001: 100 of 1,000 examples, 18 s left"
    line.end()
    assert terminal.seen.rstrip() == "conformance ..."
    terminal.write("F")
    assert terminal.seen.rstrip() == "conformance ...F"


def test_a_short_search_is_not_shown():
    terminal = Terminal("...")
    line = line_on(terminal)
    line.show(after(PATIENCE - 0.1))
    line.end()
    assert terminal.written == "..."


def test_it_changes_a_few_times_a_second_only():
    terminal, clock = Terminal(), Clock()
    line = line_on(terminal, clock)
    line.show(after(2.0, judged=100))
    clock.now += PAUSE / 2
    line.show(after(2.0, judged=200))
    assert terminal.seen.startswith(" FUZ-001: 100 of")
    clock.now += PAUSE / 2
    line.show(after(2.0, judged=300))
    assert terminal.seen.startswith(" FUZ-001: 300 of")


@pytest.mark.parametrize(
    ("standing", "shown"),
    [
        (20, " FUZ-001: 100 of 1,000 examples, 18 s left"),
        (45, " 100 of 1,000, 18 s left"),
        (64, " 100/1,000"),
        (75, ""),
    ],
)
def test_it_is_as_short_as_the_room_in_the_line(standing, shown):
    terminal = Terminal("." * standing)
    line_on(terminal).show(after(2.0))
    assert terminal.seen == "." * standing + shown


def test_a_failure_that_is_made_smaller_is_told():
    assert forms(after(2.0, tries=12))[0] == "FUZ-001: one fails, made smaller: 12 tries"
    assert forms(after(2.0, tries=1))[-1] == "1 try"


def test_where_the_time_decides_there_is_no_number_to_come():
    assert forms(Progress("FUZ-001", 4100, 45.0, Budget(sys.maxsize, 60.0)))[0] == "FUZ-001: 4,100 examples, 15 s left"


@pytest.mark.parametrize(("seconds", "said"), [(0.4, "0 s"), (59.0, "59 s"), (240.0, "4 min"), (4800.0, "1 h 20 min")])
def test_times_are_said_briefly(seconds, said):
    assert lasting(seconds) == said


@pytest.mark.parametrize(
    ("reporter", "worker", "verbose", "is_shown"),
    [
        (SimpleNamespace(isatty=True), False, 0, True),
        (SimpleNamespace(isatty=True), False, 2, True),
        (SimpleNamespace(isatty=False), False, 0, False),
        (SimpleNamespace(isatty=True), True, 0, False),
        (SimpleNamespace(isatty=True), False, -1, False),
        (None, False, 0, False),
    ],
)
def test_it_is_for_somebody_who_watches(reporter, worker, verbose, is_shown, monkeypatch):
    monkeypatch.delenv("CI", raising=False)
    config = SimpleNamespace(
        pluginmanager=SimpleNamespace(getplugin=lambda _: reporter),
        option=SimpleNamespace(verbose=verbose),
        stash=pytest.Stash(),
        **({"workerinput": {}} if worker else {}),
    )
    assert (LiveLine.of(config) is not None) == is_shown


def test_two_in_one_line_leave_each_other_room():
    terminal = Terminal("conformance ....", width=60)
    first = line_on(terminal)
    first.put(["20 of 200 done"])
    second = LiveLine(first._config, SimpleNamespace(_tw=terminal), Clock(), before=first)
    second.put(["FUZ-001 with a long explanation: 12 s", "12 s"])
    assert terminal.seen.rstrip() == "conformance .... 20 of 200 done 12 s"
    second.end()
    first.end()
    assert terminal.seen.rstrip() == "conformance ...."


def on_a_terminal(folder, *arguments):
    """Run pytest in a pseudoterminal, where each search is shown at once; return all that was written."""
    (folder / "pytest.ini").write_text("[pytest]\n")
    (folder / "conftest.py").write_text(
        "from harness.frontends.pytest_plugin import live_line\nlive_line.PATIENCE = 0.0\n"
    )
    module = "--plugin-module=plugin_examples.faulty.fuzzing.tail_of_seven_left_out"
    line = [sys.executable, "-m", "pytest", "-p", "no:randomly", "-p", "no:cacheprovider", module, *arguments]
    clean = {name: value for name, value in os.environ.items() if name not in {"CI", "NO_COLOR", "PYTEST_ADDOPTS"}}
    environment = {**clean, "PYTHONPATH": str(HOME), "COLUMNS": "120", "TERM": "xterm"}
    return written_by(line, folder, environment)


@pytest.mark.parametrize(
    ("colour", "has_colour"), [pytest.param("no", False, marks=pytest.mark.nightly), ("yes", True)]
)
def test_on_a_terminal_it_comes_and_goes(tmp_path, colour, has_colour):
    written = on_a_terminal(tmp_path, "--plugin-select=FUZ-001,FUZ-003", f"--color={colour}")
    assert "FUZ-001: 25 of 50 examples, " in written or "FUZ-001: 0 of 50 examples" in written
    assert "FUZ-003: " in written
    assert bool(COLOUR.search(written)) == has_colour
    seen = [screen(each) for each in written.replace("\r", "").split("\n")]
    assert not [each for each in seen if " of 50 examples" in each or "made smaller" in each]
    assert next(each for each in seen if each.startswith("conformance")).split()[:2] == ["conformance", ".F"]


@pytest.mark.nightly
@pytest.mark.parametrize("arguments", [("-q",), ("-n", "1")], ids=["quiet", "worker"])
def test_where_nobody_watches_there_is_none(tmp_path, arguments):
    written = on_a_terminal(tmp_path, "--plugin-select=FUZ-001", *arguments)
    assert "passed" in written
    assert "FUZ-001:" not in written
