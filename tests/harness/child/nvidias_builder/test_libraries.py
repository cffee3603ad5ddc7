"""What a library answers is kept by question; its mistakes are written down at once, by the names of callbacks."""

import ctypes
import types

import pytest

from harness.child.nvidias_builder import libraries
from harness.subject.calling import Fault
from reference_runtime.native.abi.slots import Abi
from reference_runtime.native.exchange.tensors import Tensors
from reference_runtime.native.services import forwarding
from reference_runtime.values.descriptions import Bounds, Description
from reference_runtime.values.enums import DataType, PluginFieldType, TensorFormat

ABI = Abi("10")
#: Memory that C++ would have: it stays.
NAME, VALUE = ctypes.create_string_buffer(b"factor"), ctypes.c_float(2.5)


@pytest.fixture
def calls(monkeypatch):
    said = []
    objects = types.SimpleNamespace(abi=ABI, tensors=Tensors(ABI.epoch))
    monkeypatch.setattr(libraries._Process, "library", types.SimpleNamespace(objects=objects))
    made = libraries.Calls(lambda **what: said.append(what))
    made.said = said
    return made


def described(*extents):
    bounds = Bounds(Description(extents, DataType.HALF, TensorFormat.LINEAR, 1.0), extents, extents, extents)
    memory = Tensors(ABI.epoch).dynamic_descs([bounds.fresh()])
    return ctypes.create_string_buffer(memory, len(memory))


def test_a_workspace_is_kept_by_its_question_and_none_is_an_answer_too(calls):
    one, other = described(2, 3), described(4, 5)
    for given, answer in ((one, 0), (other, 64), (other, 65)):
        arguments = ctypes.addressof(given), 1, ctypes.addressof(one), 1
        calls.answered("getWorkspaceSize", arguments, answer)
    (first, zero), (second, size) = calls.workspace.items()
    assert (zero, size) == (0, 64)
    assert first == "HALF:LINEAR:(2, 3):(2, 3)..(2, 3)..(2, 3); " + "HALF:LINEAR:(2, 3):(2, 3)..(2, 3)..(2, 3)"
    assert second.startswith("HALF:LINEAR:(4, 5)")
    calls.begin()
    assert calls.workspace == {}


def test_fields_are_kept_once(calls):
    record = ABI.structures.field(
        ctypes.cast(NAME, ctypes.c_char_p), ctypes.addressof(VALUE), int(PluginFieldType.FLOAT32), 1
    )
    collection = ABI.structures.field_collection(1, ctypes.addressof(record))
    for answer in (ctypes.addressof(collection), ctypes.addressof(collection), 0):
        calls.answered("getFieldsToSerialize", (), answer)
    ((field,),) = calls.fields
    assert field.startswith("factor:FLOAT32[1] ")


@pytest.mark.parametrize(
    ("method", "about", "callback"),
    [
        ("clone", " of itself", "clone of itself"),
        ("getOutputDataTypes", "", "get_output_data_types"),
        ("getPluginName", "", "plugin_name"),
        ("getCapabilityInterface", " of another kind", "get_capability_interface of another kind"),
    ],
)
def test_mistakes_have_the_names_of_callbacks_that_rules_own(calls, method, about, callback):
    calls.tell(method, about, "did it")
    assert calls.said == [{"misdeed": [callback, "did it"]}]


def test_what_this_machine_lacks_is_no_mistake(calls):
    calls.lacking(RuntimeError("needs cuDNN"))
    assert calls.said == [{"unusable": "needs cuDNN"}]


def test_a_mistake_is_named_as_rules_own_it():
    faults = Fault.RETURNED_ITSELF, Fault.OF_ANOTHER_KIND, Fault.PAST_POS
    abouts = forwarding.ITSELF, forwarding.OF_ANOTHER_KIND, forwarding.PAST_POS
    assert [fault.of("clone") for fault in faults] == [f"clone{about}" for about in abouts]
