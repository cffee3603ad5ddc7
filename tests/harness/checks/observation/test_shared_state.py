"""What classes and modules hold, before and after."""

import types

import numpy as np
import pytest

from harness.checks.observation.shared_state import SharedThings, rewritten
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
    before = SharedThings(Derived()).look()
    CHANGES[name]()
    assert rewritten(before, SharedThings(Derived()).look()) == [name]


def test_a_new_attribute_is_a_change(monkeypatch):
    before = SharedThings(Derived()).look()
    monkeypatch.setattr(Derived, "instances", [], raising=False)
    assert rewritten(before, SharedThings(Derived()).look()) == ["Derived.instances"]


def test_writing_what_was_there_is_no_change():
    before = SharedThings(Derived()).look()
    Base.calls = int("0")
    Base.table["a"] = int("1")
    assert rewritten(before, SharedThings(Derived()).look()) == []


def test_attributes_of_an_instance_are_its_own():
    plugin = Derived()
    before = SharedThings(plugin).look()
    plugin.calls = 5
    assert rewritten(before, SharedThings(plugin).look()) == []


def test_code_and_tensorrts_own_classes_are_left_out():
    assert not any(name.endswith((".method", ".np", ".Plugin", ".clone")) for name in SharedThings(Derived()).look())


def counter():
    count = 0

    def step():
        nonlocal count
        count += 1

    return step


STATE = types.SimpleNamespace(calls=0)
NESTED = {"by name": [{"calls": 0}]}
STEP = counter()


def step_once():
    STEP()


DEEP = {
    f"{__name__}.STATE": lambda: setattr(STATE, "calls", STATE.calls + 1),
    f"{__name__}.NESTED": lambda: NESTED["by name"][0].update(calls=NESTED["by name"][0]["calls"] + 1),
    f"{__name__}.STEP": step_once,
}


@pytest.mark.parametrize("name", DEEP)
def test_what_lies_deeper_is_seen(name):
    things = SharedThings(Derived())
    before = things.look()
    DEEP[name]()
    assert rewritten(before, things.look()) == [name]
    assert rewritten(before, things.look_at([name]) | {key: before[key] for key in before if key != name}) == [name]


def test_what_a_creator_holds_is_shared():
    creator = Derived()
    things = SharedThings(Derived(), creator)
    before = things.look()
    creator.made = 1
    assert rewritten(before, things.look()) == ["the creator.made"]
