"""What a plugin keeps from call to call is seen wherever it lies; what never changes is none of it."""

import functools
import sys
import threading
import types

import pytest

from harness.checks.observation.kept_state import KeptState

SOURCE = """
import functools
flag, numbers, lock = False, [], None
class Part:
    total = 0
class Plugin:
    count, table = 0, {}
    def __init__(self):
        self.width, self.part = 0, Part()
    def nothing(self):
        return len(numbers) + self.width
    def own(self):
        self.width = 7
    def of_a_part(self):
        self.part.total = 3
    def of_the_class(self):
        type(self).count += 1
    def of_another_class(self):
        Part.total = 5
    def in_a_table(self):
        self.table[1] = 2
    def in_the_module(self):
        numbers.append(1)
    def in_a_cache(self):
        cached(3)
@functools.lru_cache
def cached(number):
    return number
"""


@pytest.fixture
def plugin(monkeypatch):
    module = types.ModuleType("a_plugin_that_keeps")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    exec(SOURCE, vars(module))  # noqa: S102 - it is ours
    return module.Plugin()


def kept_after(plugin, method):
    kept = KeptState(plugin)
    kept.begin(plugin)
    getattr(plugin, method)()
    kept.end(plugin)
    return kept.may_have_changed


def test_what_keeps_nothing_is_told_so(plugin):
    assert not kept_after(plugin, "nothing")


@pytest.mark.parametrize(
    "method",
    [
        "own",
        "of_a_part",
        "of_the_class",
        "of_another_class",
        "in_a_table",
        "in_the_module",
        "in_a_cache",
    ],
)
def test_what_is_kept_is_seen(plugin, method):
    assert kept_after(plugin, method)


def test_a_flag_is_seen_while_it_is_raised(plugin):
    module = sys.modules["a_plugin_that_keeps"]
    kept = KeptState(plugin)
    kept.begin(plugin)
    module.flag = True
    kept.look()
    module.flag = False
    kept.end(plugin)
    assert kept.may_have_changed


@pytest.mark.parametrize("value", [threading.Lock(), iter(()), list(range(5000))], ids=["lock", "iterator", "long"])
def test_what_cannot_be_looked_into_counts_as_kept(plugin, value):
    sys.modules["a_plugin_that_keeps"].lock = value
    assert KeptState(plugin).may_have_changed


class Lazy:
    """An object that imports a package for its attributes, as those of Polygraphy's ``mod.lazy_import``."""

    def __getattr__(self, name):
        raise ImportError(name)


def test_a_value_that_imports_nothing_until_it_is_used_is_not_used(plugin):
    sys.modules["a_plugin_that_keeps"].lock = Lazy()
    assert KeptState(plugin).may_have_changed


def test_functions_with_values_of_their_own_are_looked_into(plugin):
    sys.modules["a_plugin_that_keeps"].lock = functools.partial(print, held := [])
    kept = KeptState(plugin)
    kept.begin(plugin)
    held.append(1)
    kept.end(plugin)
    assert kept.may_have_changed
