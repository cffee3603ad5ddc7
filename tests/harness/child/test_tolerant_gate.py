"""A tolerant gate passes over failures of some callbacks, and answers the format query from the case."""

import weakref

import numpy as np
import pytest

import reference_runtime as trt
from harness.cases.case import Case
from harness.child.tolerant_gate import TolerantGate
from reference_runtime.calling.gate.records import FailureKind
from reference_runtime.interfaces.field_collections import is_alive, received
from tests.support import workbench


class Raising:
    """A plugin in which every callback raises."""

    def __getattr__(self, name):
        def callback(*_):
            raise ValueError(name)

        return callback


def fail(gate, method):
    gate.fail(Raising(), method, FailureKind.RAISED, "raised", "nothing", outcome=gate.call(Raising(), method))


def test_failures_of_tolerated_callbacks_are_not_remembered():
    gate = TolerantGate({"terminate"})
    for method in ("terminate", "enqueue"):
        fail(gate, method)
    assert [failure.method for failure in gate.failures] == ["enqueue"]


@pytest.mark.parametrize("method", ["configure_plugin", "on_shape_change"])
def test_what_would_end_the_build_counts_as_done_where_it_is_tolerated(method):
    assert TolerantGate({method}).call(Raising(), method).error is None
    assert TolerantGate({"enqueue"}).call(Raising(), method).error is not None


def test_another_callback_that_is_tolerated_has_still_failed():
    assert TolerantGate({"clone"}).call(Raising(), "clone").error is not None


def test_arrays_of_stored_fields_live_where_their_end_is_tolerated():
    class Storing:
        def get_fields_to_serialize(self):
            self.array = weakref.ref(array := np.ones(3))
            return trt.PluginFieldCollection([trt.PluginField("array", array, trt.PluginFieldType.FLOAT64)])

    for tolerated in ("get_fields_to_serialize", "enqueue"):
        plugin, gate = Storing(), TolerantGate({tolerated})
        fields = gate.call(plugin, "get_fields_to_serialize").value
        lives = tolerated == "get_fields_to_serialize"
        assert (plugin.array() is not None, is_alive(fields[0])) == (lives, lives)


class Converting:
    """A creator that takes an array for a number, and a plugin that asks for 8 bytes of workspace."""

    def create_plugin(self, name, fields):  # noqa: ARG002 - TensorRT's signature
        return float(fields[0].data)

    def get_workspace_size(self, inputs, outputs):  # noqa: ARG002 - TensorRT's signature
        return 8


def test_a_creator_takes_an_array_of_one_element_for_a_number_where_its_failure_is_tolerated():
    def refuse(array):  # noqa: ARG001 - a method
        raise TypeError("only 0-dimensional arrays can be converted to Python scalars")

    given = received([trt.PluginField("factor", np.array([1.5], np.float32), trt.PluginFieldType.FLOAT32)])
    strict = type("Strict", (np.ndarray,), {"__float__": refuse})  # as NumPy 2.4, whichever is installed
    for tolerated, outcome in (("create_plugin", 1.5), ("enqueue", None)):
        given.read_through(strict)
        assert TolerantGate({tolerated}).call(Converting(), "create_plugin", "name", given).value == outcome


def test_enqueue_gets_more_workspace_where_its_failure_is_tolerated():
    sizes = [
        TolerantGate({name}).call(Converting(), "get_workspace_size", [], []).value for name in ("enqueue", "clone")
    ]
    assert sizes == [128, 8]


@pytest.mark.parametrize(
    ("types", "layout", "takes"),
    [
        (("HALF", "FLOAT", "HALF"), "LINEAR", [True, True, True]),
        (("HALF", "INT32", "INT32"), "LINEAR", [True, False, False]),
        (("HALF", "FLOAT", "HALF"), "CHW4", [False, False, False]),
    ],
)
def test_the_case_answers_the_format_query(types, layout, takes):
    inputs = ({"dims": (2, 3), "types": ("float32", "float16")}, {"dims": (2, 3)})
    gate = TolerantGate({"supports_format_combination"})
    gate.take_types(workbench.subject_of(workbench.Creator(), Case(plugin="P", inputs=inputs)))
    in_out = [trt.PluginTensorDesc() for _ in types]
    for desc, name in zip(in_out, types, strict=True):
        desc.type, desc.format = getattr(trt.DataType, name), getattr(trt.TensorFormat, layout)
    found = [gate.call(Raising(), "supports_format_combination", pos, in_out, 2).value for pos in range(len(types))]
    assert found == takes
