"""A deadline is one of the process's own time, and of one step; what has come by then is in time."""

import os
import socket
from types import SimpleNamespace

import pytest

from harness.process import wait
from harness.process.flight_recorder import FlightRecorder
from harness.process.wait import ChildHandle, watch
from harness.protocol import messages

TIMEOUT = 20.0


class Clock:
    """A clock that advances by a second with each look, and does something at some of them."""

    def __init__(self, events):
        self.seconds, self.looks, self._events = 0.0, 0, events

    def restart(self):
        self.seconds = 0.0

    def has_reached(self, seconds):
        self.seconds += 1
        self.looks += 1
        self._events.get(self.looks, lambda: None)()
        return self.seconds >= seconds


@pytest.fixture
def box():
    file = os.memfd_create("box")
    made = FlightRecorder.on(file)
    made.take_over()
    yield made
    made.close()
    os.close(file)


@pytest.fixture
def waited(monkeypatch, box):
    """Wait for a process that does something at some looks; return the ending, and how many looks it took."""
    ours, theirs = socket.socketpair()
    taps = SimpleNamespace(taps={}, drain=lambda: None, stack="Stack (most recent call first):" * 2)

    def run(events, **more):
        clock = Clock({look: lambda act=act: act(theirs) for look, act in events.items()})
        monkeypatch.setattr(wait, "OwnClock", lambda _: clock)
        monkeypatch.setattr(wait, "_TICK", 0.0)
        monkeypatch.setattr(wait, "os", SimpleNamespace(**{**vars(os), "kill": lambda *_: None}))
        return watch(ChildHandle(0, ours.fileno(), taps, box, is_ours=False), timeout=TIMEOUT, **more), clock.looks

    yield run
    ours.close()
    theirs.close()


def test_what_says_nothing_is_overdue_at_its_deadline(waited):
    ending, looks = waited({})
    assert (ending.overdue, looks) == (True, TIMEOUT)


def test_each_step_has_a_deadline_of_its_own(waited, box):
    ending, looks = waited({look: lambda _, look=look: box.begin(look) for look in (15, 30, 45)})
    assert (ending.overdue, ending.trail.example, looks) == (True, 45, 45 + TIMEOUT)


def hand_in(box, theirs):
    """Announce an answer; the secret that comes back is sent by `send_on`."""
    box.end()
    messages.send(theirs.fileno(), "ended")


def send_on(theirs):
    messages.send(theirs.fileno(), messages.receive(theirs.fileno()))
    messages.send(theirs.fileno(), "done")


@pytest.mark.parametrize("late", [0, 1, TIMEOUT // 2])
def test_what_ended_in_time_is_not_overdue_however_late_its_answer_is_read(waited, box, late):
    ending, _ = waited({TIMEOUT: lambda theirs: hand_in(box, theirs), TIMEOUT + 1 + late: send_on})
    assert (ending.message, ending.overdue) == ("done", False)


def test_what_ended_and_never_hands_in_is_overdue(waited, box):
    ending, looks = waited({3: lambda theirs: hand_in(box, theirs)})
    assert ending.overdue
    assert looks >= 2 * TIMEOUT
