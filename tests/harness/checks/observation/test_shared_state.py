"""What classes and modules hold, before and after."""

import numpy as np
import pytest

from harness.checks.observation.shared_state import rewritten, shared_state
from tests.support.workbench import Plugin

LOG = []


class Base(Plugin):
    calls = 0
    table = {"a": 1}  # noqa: RUF012 - shared on purpose
    scratch = np.zeros(4)

    def method(self):
        pass


class Derived(Base):
    name = "derived"


CHANGES = {
    "Base.calls": lambda: setattr(Base, "calls", Base.calls + 1),
    "Base.table": lambda: Base.table.update(a=2),
    "Base.scratch": lambda: Base.scratch.__setitem__(0, 1.0),
    f"{__name__}.LOG": lambda: LOG.append("line"),
}


@pytest.fixture(autouse=True)
def everything_is_put_back(monkeypatch):
    monkeypatch.setattr(Base, "calls", 0)
    monkeypatch.setattr(Base, "table", {"a": 1})
    monkeypatch.setattr(Base, "scratch", np.zeros(4))
    LOG.clear()


@pytest.mark.parametrize("name", CHANGES)
def test_each_change_is_seen_by_its_name(name):
    before = shared_state(Derived())
    CHANGES[name]()
    assert rewritten(before, shared_state(Derived())) == [name]


def test_a_new_attribute_is_a_change(monkeypatch):
    before = shared_state(Derived())
    monkeypatch.setattr(Derived, "instances", [], raising=False)
    assert rewritten(before, shared_state(Derived())) == ["Derived.instances"]


def test_writing_what_was_there_is_no_change():
    before = shared_state(Derived())
    Base.calls = int("0")
    Base.table["a"] = int("1")
    assert rewritten(before, shared_state(Derived())) == []


def test_attributes_of_an_instance_are_its_own():
    plugin = Derived()
    before = shared_state(plugin)
    plugin.calls = 5
    assert rewritten(before, shared_state(plugin)) == []


def test_code_and_tensorrts_own_classes_are_left_out():
    assert not any(name.endswith((".method", ".np", ".Plugin", ".clone")) for name in shared_state(Derived()))
