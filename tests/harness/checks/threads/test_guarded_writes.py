"""Writes to what objects share, under a lock and without one."""

import threading

import pytest

from harness.checks.observation.own_code import OwnCode
from harness.checks.observation.shared_state import SharedThings
from harness.checks.threads.guarded_writes import written_without_a_lock
from tests.support.workbench import Plugin

LOCK = threading.Lock()
TABLE = {}


class Counting(Plugin):
    lock = threading.RLock()
    calls = 0

    def careless(self):
        type(self).calls += 1

    def careful(self):
        with LOCK:
            type(self).calls += 1

    def careful_again(self):
        with self.lock:
            type(self).calls += 1

    def late(self):
        with LOCK:
            calls = type(self).calls
        type(self).calls = calls + 1


@pytest.mark.parametrize(
    ("how", "unguarded"), [("careless", True), ("careful", False), ("careful_again", False), ("late", True)]
)
def test_what_a_shared_lock_guards_is_told_from_the_rest(how, unguarded):
    plugin = Counting()
    names = ["Counting.calls"]
    found = written_without_a_lock(OwnCode(plugin), SharedThings(plugin), names, getattr(plugin, how))
    assert found == (names if unguarded else [])


def test_without_a_lock_all_writes_are_unguarded(monkeypatch):
    monkeypatch.delattr(Counting, "lock")
    monkeypatch.setitem(globals(), "LOCK", None)
    plugin = Counting()
    assert written_without_a_lock(OwnCode(plugin), SharedThings(plugin), ["x"], plugin.careless) == ["x"]
