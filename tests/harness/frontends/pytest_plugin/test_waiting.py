"""What is waited for: shown when it takes long, gone when it is over."""

import threading
from types import SimpleNamespace

import pytest

from harness.frontends.pytest_plugin import live_line, waiting
from harness.frontends.pytest_plugin.waiting import Waiting, _with_time


class Line:
    def __init__(self):
        self.shown, self.ended = [], 0
        self.seen = threading.Event()

    def put(self, told):
        self.shown.append(told[0])
        self.seen.set()

    def end(self):
        self.ended += 1


@pytest.fixture
def at_once(monkeypatch):
    monkeypatch.setattr(live_line, "PATIENCE", 0.0)
    monkeypatch.setattr(waiting, "PAUSE", 0.001)


@pytest.mark.usefixtures("at_once")
def test_what_takes_long_is_shown_and_taken_back_even_where_it_fails():
    line = Line()

    def fail():
        with Waiting(line).on("importing a"):
            line.seen.wait()
            raise ValueError("wrong")

    with pytest.raises(ValueError, match="wrong"):
        fail()
    assert line.shown[0].startswith("importing a: ")
    assert line.ended == 1


def test_what_is_over_soon_is_not_shown():
    line = Line()
    with Waiting(line).on("importing a"):
        pass
    assert (line.shown, line.ended) == ([], 1)


@pytest.mark.usefixtures("at_once")
def test_where_nobody_watches_no_thread_is_started():
    before = threading.active_count()
    with Waiting(None).on("importing a"):
        assert threading.active_count() == before


def test_each_form_is_shorter_than_the_one_before():
    assert _with_time(["ENQ-002 of /Bar/1", "ENQ-002"], 61.0) == ["ENQ-002 of /Bar/1: 1 min", "ENQ-002: 1 min", "1 min"]


def test_without_a_terminal_there_is_none():
    config = SimpleNamespace(pluginmanager=SimpleNamespace(getplugin=lambda _: None), option=SimpleNamespace(verbose=0))
    assert Waiting.of(config)._line is None
