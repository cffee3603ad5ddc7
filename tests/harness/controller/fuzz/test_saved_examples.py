"""A failing example is remembered for the module and API level that it failed in."""

import dataclasses
import json

import pytest

from harness.controller.fuzz.saved_examples import CacheMemory, Memories, SavedExample, file_of
from harness.protocol.messages import ChildSettings, Request

pytest_plugins = ["pytester"]

REQUEST = Request("FUZ-003", "/Bar/1", "rows", seed=3, examples=[{"shapes": [[1, 7]]}])
CHILD = ChildSettings("bar", path=("/a",))


class Cache:
    def __init__(self):
        self.values = {}

    def get(self, key, default):
        return json.loads(self.values.get(key, json.dumps(default)))

    def set(self, key, value):
        self.values[key] = json.dumps(value)


def test_what_was_kept_is_saved_until_it_is_forgotten():
    memory = CacheMemory(Cache(), CHILD)
    assert memory.saved(REQUEST) == []
    memory.keep(REQUEST)
    assert memory.saved(dataclasses.replace(REQUEST, examples=[], seed=5)) == REQUEST.examples
    memory.forget(REQUEST)
    assert memory.saved(REQUEST) == []


@pytest.mark.parametrize("change", [{"rule": "FUZ-001"}, {"plugin": "/Other/1"}, {"case": "images"}])
def test_every_rule_on_every_case_has_its_own(change):
    memory = CacheMemory(Cache(), CHILD)
    memory.keep(REQUEST)
    assert memory.saved(dataclasses.replace(REQUEST, **change)) == []


@pytest.mark.parametrize("child", [ChildSettings("other"), ChildSettings("bar", spec="11")])
def test_another_module_or_level_has_another_memory(child):
    cache = Cache()
    CacheMemory(cache, CHILD).keep(REQUEST)
    assert CacheMemory(cache, child).saved(REQUEST) == []


def test_several_memories_are_one():
    memories = [CacheMemory(Cache(), CHILD) for _ in range(2)]
    memories[0].keep(REQUEST)
    memories[1].keep(dataclasses.replace(REQUEST, examples=[{"shapes": [[2, 2]]}]))
    both = Memories(tuple(memories))
    assert both.saved(REQUEST) == [{"shapes": [[1, 7]]}, {"shapes": [[2, 2]]}]
    both.keep(REQUEST)
    assert [each.saved(REQUEST) for each in (both, *memories)] == [REQUEST.examples] * 3
    both.forget(REQUEST)
    assert [each.saved(REQUEST) for each in (both, *memories)] == [[], [], []]
    assert Memories(()).saved(REQUEST) == []


@pytest.mark.parametrize("data", [None, 3, {}, {"schema": 1}, {"schema": 1, "child": {}, "request": {}}, {"schema": 2}])
def test_what_is_no_record_is_none(data):
    assert SavedExample.read(data) is None


def test_a_record_crosses_as_json():
    record = SavedExample(CHILD, REQUEST)
    assert SavedExample.read(json.loads(json.dumps(record.to_plain()))) == record


def test_pytests_cache_keeps_it_where_replay_looks(pytester):
    pytester.makeconftest(
        """
        from harness.protocol.messages import ChildSettings, Request
        from harness.controller.fuzz.saved_examples import CacheMemory
        def pytest_configure(config):
            CacheMemory(config.cache, ChildSettings("bar")).keep(Request("FUZ-003", "/Bar/1", "rows", examples=[1]))
        """
    )
    pytester.makeini("[pytest]")
    pytester.runpytest_subprocess()
    file = file_of(pytester.path / ".pytest_cache", REQUEST)
    assert SavedExample.read(json.loads(file.read_text())).request.examples == [1]
