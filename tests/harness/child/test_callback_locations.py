"""The lines of a plugin's callbacks are known where only one place can be meant."""

import sys
import types

import pytest

from harness.child.callback_locations import callback_places
from reference_runtime import plugin as trtp
from tests.support.decorated_plugins import forgotten

FILE = "/repo/placed.py"
PLUGIN = """
class {0}(trt.IPluginV2DynamicExt):
    def __init__(self): trt.IPluginV2DynamicExt.__init__(self)
    def helper(self): pass
    def enqueue(self, *_): "enqueue of {0}"
    def clone(self): "clone of {0}"
"""
CREATOR = """
class {0}Creator(trt.IPluginCreator):
    def create_plugin(self, name, field_collection): return {1}
"""


@pytest.fixture
def places_in(monkeypatch):
    """Run a module's source and return the callbacks of the creator ``BarCreator`` with the text of their lines."""

    def places(*parts):
        source = "import reference_runtime as trt\n" + "".join(parts)
        module = types.ModuleType("placed")
        monkeypatch.setitem(sys.modules, "placed", module)
        exec(compile(source, FILE, "exec"), vars(module))  # noqa: S102 - a test's own text
        found = callback_places(module.BarCreator())
        assert all(place["file"] == FILE for place in found.values())
        lines = source.splitlines()
        return {name: lines[place["line"] - 1].strip() for name, place in found.items()}

    return places


def test_callbacks_of_creator_and_plugin_are_found_and_helpers_are_not(places_in):
    found = places_in(PLUGIN.format("Bar"), CREATOR.format("Bar", "Bar()"))
    assert found == {
        "clone": 'def clone(self): "clone of Bar"',
        "create_plugin": "def create_plugin(self, name, field_collection): return Bar()",
        "enqueue": 'def enqueue(self, *_): "enqueue of Bar"',
    }


def test_of_several_plugins_the_one_that_the_creator_names_is_meant(places_in):
    found = places_in(PLUGIN.format("Other"), PLUGIN.format("Bar"), CREATOR.format("Bar", "Bar()"))
    assert found["enqueue"] == 'def enqueue(self, *_): "enqueue of Bar"'


def test_a_class_that_the_creator_holds_is_meant(places_in):
    held = CREATOR.format("Bar", "self.made()") + "    made = Bar\n"
    found = places_in(PLUGIN.format("Other"), PLUGIN.format("Bar"), held)
    assert found["enqueue"] == 'def enqueue(self, *_): "enqueue of Bar"'


def test_a_class_that_was_given_to_the_function_around_the_creator_is_meant(places_in):
    around = """
def creator_of(made):
    class Creator(trt.IPluginCreator):
        def create_plugin(self, name, field_collection): return made()
    return Creator
BarCreator = creator_of(Bar)
"""
    found = places_in(PLUGIN.format("Other"), PLUGIN.format("Bar"), around)
    assert found["enqueue"] == 'def enqueue(self, *_): "enqueue of Bar"'


def test_what_several_define_is_left_out_where_nothing_tells_which_is_meant(places_in):
    hidden = CREATOR.format("Bar", "globals()['B' + 'ar']()")
    assert set(places_in(PLUGIN.format("Other"), PLUGIN.format("Bar"), hidden)) == {"create_plugin"}
    assert set(places_in(PLUGIN.format("Bar"), hidden)) == {"clone", "create_plugin", "enqueue"}


def test_an_inherited_callback_is_where_the_base_class_is_written(places_in):
    derived = 'class Bar(Base):\n    def clone(self): "its own"\n'
    found = places_in(PLUGIN.format("Base"), derived, CREATOR.format("Bar", "Bar()"))
    assert found["enqueue"] == 'def enqueue(self, *_): "enqueue of Base"'
    assert found["clone"] == 'def clone(self): "its own"'


def test_the_parts_of_a_plugin_of_version_3_are_found(places_in):
    found = places_in(
        "class Core(trt.IPluginV3OneCore): pass\n",
        "class Run(trt.IPluginV3OneRuntime):\n    def enqueue(self, *_): 'of the part'\n",
        "class Bar(trt.IPluginV3):\n",
        "    def get_capability_interface(self, type): return Run() if type else Core()\n",
        "class BarCreator(trt.IPluginCreatorV3One):\n",
        "    def create_plugin(self, name, field_collection, phase): return Bar()\n",
    )
    assert found["enqueue"] == "def enqueue(self, *_): 'of the part'"
    assert {"create_plugin", "get_capability_interface"} < set(found)


def test_code_without_a_file_has_no_place(places_in, monkeypatch):
    monkeypatch.setitem(globals(), "FILE", "<string>")
    assert places_in(PLUGIN.format("Bar"), CREATOR.format("Bar", "Bar()")) == {}


def test_the_enqueue_of_a_decorated_plugin_is_the_function_that_implements_it():
    def register(x: trtp.TensorDesc) -> trtp.TensorDesc:
        return x.like()

    def implement(x, outputs, stream):
        pass

    with forgotten():
        trtp.register("m::placed")(register)
        trtp.impl("m::placed")(implement)
        places = callback_places(trtp.op.m.placed.creator)
    assert places["enqueue"]["line"] == implement.__code__.co_firstlineno
    assert places["register"]["line"] == register.__code__.co_firstlineno
