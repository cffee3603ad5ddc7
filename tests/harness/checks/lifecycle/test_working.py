"""What was handed out works where it answers, can be stored, made again, copied and made ready."""

import struct

import pytest

from harness.checks.formats.choices import default_combination
from harness.checks.lifecycle.working import fault_of, fault_of_restored
from reference_runtime.devices.host import use
from tests.support.workbench import Creator, Doubler, running


class Stored(Doubler):
    """Stores its factor, and is otherwise changed by a test."""

    def serialize(self):
        return struct.pack("<f", self.factor)

    def clone(self):
        copy = type(self)()
        copy.factor = self.factor
        return copy


class Restoring(Creator):
    def __init__(self, plugin_class):
        super().__init__(lambda _: self.plugin_class())
        self.plugin_class = plugin_class

    def deserialize_plugin(self, _name, data):
        plugin = self.plugin_class()
        (plugin.factor,) = struct.unpack("<f", data)
        return plugin


def faults(plugin_class, creator_class=Restoring):
    """What is said of a new plugin, and of one that was made of stored data."""
    subject = running(creator_class(Stored))
    with use(subject.device):
        default_combination(subject)
        subject.creator.plugin_class = plugin_class
        new, restored = subject.create(), subject.deserialize(subject.serialize(subject.create()))
        return fault_of(subject, new), fault_of_restored(subject, restored)


def test_a_sound_plugin_works():
    assert faults(Stored) == ("", "")


def test_a_query_may_refuse_the_inputs_but_not_miss_an_attribute():
    class Particular(Stored):
        def get_output_dimensions(self, *_):
            raise IndexError("no such axis")

    class Lacking(Stored):
        def get_output_dimensions(self, *_):
            return self.axis

    assert faults(Particular)[0] == ""
    assert all("AttributeError" in fault for fault in faults(Lacking))


def test_no_type_is_no_answer_and_no_shape_may_be_a_refusal():
    class Typeless(Stored):
        def get_output_datatype(self, *_):
            return None

    class Shapeless(Stored):
        def get_output_dimensions(self, *_):
            return None

    assert all(fault.startswith("get_output_datatype") for fault in faults(Typeless))
    assert faults(Shapeless) == ("", "")


def test_what_it_stores_makes_it_again():
    class Once(Restoring):
        made = 0

        def deserialize_plugin(self, name, data):
            self.made += 1
            return super().deserialize_plugin(name, data) if self.made == 1 else None

    assert faults(Stored, Once)[1] == "deserialize_plugin refuses what serialize gave: it returned None"


def test_data_that_grow_are_said_of_restored_plugins_alone():
    class Growing(Restoring):
        def deserialize_plugin(self, name, data):
            plugin = super().deserialize_plugin(name, data)
            plugin.factor += 1
            return plugin

    new, restored = faults(Stored, Growing)
    assert new == ""
    assert restored == "serialize gives other data each time that the plugin is stored and restored"


def test_a_copy_is_one():
    class Forgetful(Stored):
        def clone(self):
            copy = type(self)()
            copy.factor = 0.5
            return copy

    class Raising(Stored):
        def clone(self):
            raise ValueError("no")

    assert faults(Forgetful)[0] == "serialize of a clone gives other data"
    assert all(fault.startswith("clone raised ValueError: no") for fault in faults(Raising))


@pytest.mark.parametrize(("error", "refuses"), [(ValueError, True), (MemoryError, True), (IndexError, False)])
def test_it_may_refuse_to_get_ready(error, refuses):
    class Unready(Stored):
        def initialize(self):
            raise error("no")

    assert (faults(Unready)[1] == "") is refuses


def test_a_misread_number_of_outputs_is_not_asked_about_each():
    subject = running(Restoring(Stored))
    with use(subject.device):
        plugin = subject.create()
        plugin.num_outputs = 2**31 - 1
        assert fault_of(subject, plugin) == ""


@pytest.mark.parametrize("where", ["clone", "serialize"])
def test_a_second_object_that_finds_no_memory_is_no_fault(where):
    class Large(Stored):
        def _want(self, place):
            if place == where:
                raise MemoryError("4 GiB")

        def clone(self):
            self._want("clone")
            return super().clone()

        def serialize(self):
            self._want("serialize")
            return super().serialize()

    subject = running(Restoring(Stored))
    with use(subject.device):
        default_combination(subject)
        subject.creator.plugin_class = Large
        assert fault_of(subject, subject.create()) == ""


def test_restoring_that_finds_no_memory_is_no_fault():
    class Short(Restoring):
        def deserialize_plugin(self, _name, _data):
            raise MemoryError("4 GiB")

    subject = running(Short(Stored))
    with use(subject.device):
        assert fault_of(subject, subject.create()) == ""
