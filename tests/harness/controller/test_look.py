"""Modules are looked into one after the other or several at a time, with the same result."""

import threading

import pytest

from harness.controller import looking
from harness.controller.children.pool import Children
from harness.protocol.asked import IsolationError, Loaded

LONG = 60
MODULES = [f"m{number}" for number in range(6)]


class Child:
    def __init__(self, module, log, meeting=None):
        self.module, self.log, self.meeting = module, log, meeting

    def load(self):
        if self.meeting:
            self.meeting.wait(LONG)  # only several at a time get past it
        if self.module == "gone":
            raise IsolationError("no child")
        return Loaded(ok=self.module != "m1", name=self.module)

    def discover(self):
        return {"plugins": [self.module]}

    def close(self):
        self.log.append(self.module)


def looked(modules, at_once, log, meeting=None):
    children = Children(lambda module, _: Child(module, log, meeting), most=9)
    return [(given, loaded.ok, found) for given, (loaded, found) in looking.look(modules, children, "10", at_once)]


def test_several_at_a_time_find_the_same_in_the_same_order():
    assert looked(MODULES, 3, []) == looked(MODULES, 1, [])


def test_they_do_look_at_the_same_time():
    assert len(looked(MODULES, 3, [], threading.Barrier(3))) == len(MODULES)


def test_what_several_looked_into_is_closed_and_what_one_did_is_kept():
    several, one = [], []
    looked(MODULES, 3, several)
    looked(MODULES, 1, one)
    assert (sorted(several)[:5], one) == (MODULES[:5], [])


def test_an_error_reaches_whoever_asked():
    with pytest.raises(IsolationError, match="no child"):
        looked([*MODULES, "gone"], 2, [])
