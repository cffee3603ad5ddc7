"""A deadline is one of the process's own time, as long as it works: on a machine under load it works now and then."""

from types import SimpleNamespace

import pytest

from harness.process import linux, wait

TIMEOUT = 20.0


@pytest.fixture
def waited(monkeypatch):
    """Wait for a process that gets a part of a CPU and stops after some seconds of work; its message may come then."""

    def run(*, share, works=float("inf"), answers=True):
        clock = [0.0]

        class Vigil(wait._Wait):
            def __init__(self):
                self._watched = SimpleNamespace(pid=1, box=SimpleNamespace(trail=lambda: None))
                self._cpu = 0.0

            def _wait(self, deadline):
                ends = works / share if answers else float("inf")
                clock[0] = min(deadline, ends)
                return self.ending(message="done") if ends <= deadline else self.ending(overdue=True)

        monkeypatch.setattr(wait, "time", SimpleNamespace(monotonic=lambda: clock[0]))
        monkeypatch.setattr(linux, "cpu_seconds", lambda _: min(clock[0] * share, works))
        return Vigil().wait(TIMEOUT), clock[0]

    return run


@pytest.mark.parametrize("share", [1.0, 0.5, 0.2])
def test_what_comes_in_time_comes_at_any_load(share, waited):
    ending, _ = waited(share=share, works=19.0)
    assert (ending.message, ending.overdue) == ("done", False)


@pytest.mark.parametrize("share", [1.0, 0.5, 0.2])
def test_what_works_longer_than_its_deadline_is_overdue_at_any_load(share, waited):
    ending, seconds = waited(share=share)
    assert ending.overdue
    assert seconds * share == pytest.approx(TIMEOUT, rel=0.1)


def test_what_no_longer_works_is_overdue_soon(waited):
    ending, seconds = waited(share=0.5, works=3.0, answers=False)
    assert ending.overdue
    assert seconds < TIMEOUT * 1.3


def test_nothing_is_waited_for_without_end(waited):
    ending, seconds = waited(share=0.06)
    assert ending.overdue
    assert seconds < TIMEOUT * 11
