"""Counting the calls that others than the object itself make."""

import sys

from harness.checks.observation.counting import counting_calls, defines
from tests.support.workbench import Plugin


class Parent(Plugin):
    def __init__(self, children=()):
        super().__init__()
        self.children = children

    def destroy(self):
        for child in self.children:
            child.destroy()


class Derived(Parent):
    def destroy(self):
        super().destroy()

    def terminate(self):
        self.destroy()


class Wrapped(Plugin):
    destroy = staticmethod(lambda: None)


def numbers(counts, *plugins):
    return [counts[id(plugin)].calls if id(plugin) in counts else 0 for plugin in plugins]


def test_calls_are_counted_for_each_object():
    one, other = Parent(), Parent()
    with counting_calls("destroy") as counts:
        one.destroy()
        other.destroy()
        other.destroy()
    assert numbers(counts, one, other) == [1, 2]


def test_what_another_object_calls_counts_too():
    child = Parent()
    parent = Parent([child])
    with counting_calls("destroy") as counts:
        child.destroy()
        parent.destroy()
    assert numbers(counts, parent, child) == [1, 2]


def test_an_overridden_method_that_is_called_by_its_override_counts_once():
    plugin = Derived()
    with counting_calls("destroy") as counts:
        plugin.destroy()
    assert numbers(counts, plugin) == [1]


def test_what_an_object_calls_on_itself_does_not_count():
    plugin = Derived()
    with counting_calls("destroy") as counts:
        plugin.terminate()
    assert numbers(counts, plugin) == [0]


def test_counted_objects_stay_alive_so_that_no_other_is_taken_for_them():
    with counting_calls("destroy") as counts:
        for _ in range(50):
            Parent().destroy()
    assert len(counts) == 50


def test_other_objects_with_such_a_method_do_not_count():
    class Stranger:
        def destroy(self):
            pass

    with counting_calls("destroy") as counts:
        Stranger().destroy()
    assert counts == {}


def test_an_earlier_profiler_is_put_back():
    def profiler(*_):
        pass

    sys.setprofile(profiler)
    try:
        with counting_calls("destroy"):
            pass
        assert sys.getprofile() is profiler
    finally:
        sys.setprofile(None)


def test_only_ordinary_methods_of_the_users_are_definitions():
    assert defines(Derived, "destroy")
    assert not defines(Plugin, "destroy")
    assert not defines(Wrapped, "destroy")
