"""The machinery behind the callbacks; that it gives what was measured is shown by test_fault_table."""

from __future__ import annotations

import numpy as np
import pytest

from reference_runtime.bound.conversions import Mismatch, int32
from reference_runtime.bound.errors import NativeCrash
from reference_runtime.calling.callbacks import v2
from reference_runtime.calling.callbacks.v2 import (
    CALLBACKS,
    Callback,
    NoValue,
    NullValue,
    invoke,
    made_by,
    read_attribute,
    reject,
)
from reference_runtime.calling.callbacks.v3 import CALLBACKS as CALLBACKS_V3
from reference_runtime.calling.callbacks.v3 import capability_callbacks
from reference_runtime.calling.gate.gate import FailureKind, Gate
from reference_runtime.calling.lifecycle.table import Call
from reference_runtime.interfaces.v2_dynamic import IPluginV2DynamicExt
from reference_runtime.interfaces.v3 import IPluginV3, IPluginV3OneBuild
from reference_runtime.values.enums import DataType, PluginCapabilityType


class Plain:
    """Has what a test gives it."""

    def __init__(self, **methods):
        self.__dict__.update(methods)


TABLE = {
    Call.GET_ALIASED_INPUT: Callback("TensorRT takes none", int32, "int32_t"),
    Call.DESTROY: Callback("it stays", optional=True),
    Call.CLONE: Callback("there is none", v2.pointer(IPluginV3), "IPluginV3*"),
}


@pytest.fixture
def gate():
    return Gate()


def test_a_value_comes_back_converted_and_says_nothing(gate, capfd):
    target = Plain(get_aliased_input=lambda output: np.int64(output + 1))
    assert invoke(gate, target, Call.GET_ALIASED_INPUT, 3, table=TABLE) == 4
    assert (gate.failures, capfd.readouterr().err) == ([], "")


def test_a_missing_optional_method_is_no_failure_and_a_missing_required_one_is(gate, capfd):
    assert invoke(gate, Plain(), Call.DESTROY, table=TABLE) is NoValue.MISSING
    assert (gate.failures, capfd.readouterr().err) == ([], "")
    assert invoke(gate, Plain(), Call.GET_ALIASED_INPUT, 0, table=TABLE) is NoValue.MISSING
    assert [(failure.kind, failure.what) for failure in gate.failures] == [(FailureKind.MISSING, "is not overridden")]
    assert "get_aliased_input was not overriden" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("returned", "what"),
    [
        ("x" * 100, f"returned '{'x' * 76}..., which is no integer of 32 bits"),
        (None, "returned None, which is no integer of 32 bits"),
    ],
)
def test_an_unusable_result_is_shown_in_the_words_of_python(gate, returned, what):
    gate.quiet = True
    target = Plain(get_aliased_input=lambda _output: returned)
    assert invoke(gate, target, Call.GET_ALIASED_INPUT, 0, table=TABLE) is NoValue.FAILED
    (failure,) = gate.failures
    assert (failure.kind, failure.what, failure.becomes) == (FailureKind.RETURNED, what, "TensorRT takes none")


def test_a_value_whose_repr_fails_is_still_reported(gate):
    class Shy:
        def __repr__(self):
            raise RuntimeError("no")

    gate.quiet = True
    invoke(gate, Plain(get_aliased_input=lambda _output: Shy()), Call.GET_ALIASED_INPUT, 0, table=TABLE)
    assert gate.failures[0].what == "returned a Shy, which is no integer of 32 bits"


def test_no_object_is_silent_and_a_failure(gate, capfd):
    assert made_by(gate, Plain(clone=lambda: None), Call.CLONE, table=TABLE) is None
    assert capfd.readouterr().err == ""
    assert gate.failures[0].what == "returned None"


def test_an_object_that_is_made_is_counted(gate):
    plugin = IPluginV3()
    source = Plain(clone=lambda: plugin)
    for expected in (False, True):
        assert made_by(gate, source, Call.CLONE, table=TABLE) is plugin
        assert gate.is_handed_out_again(plugin) is expected


def test_what_is_wrong_with_a_result_of_the_right_type_is_said_and_recorded(gate, capfd):
    reject(gate, Plain(), Call.GET_OUTPUT_SHAPES, "too short", "returned 1 of 2", "TensorRT stops")
    assert capfd.readouterr().err == "[ERROR] Exception thrown from get_output_shapes() RuntimeError: too short\n"
    assert (gate.failures[0].what, gate.failures[0].becomes) == ("returned 1 of 2", "TensorRT stops")


def test_a_pointer_may_be_null_and_a_value_may_not():
    assert v2.pointer(IPluginV3)(None) is None
    with pytest.raises(NullValue):
        v2.value(DataType)(None)
    for convert in (v2.pointer(IPluginV3), v2.value(IPluginV3)):
        with pytest.raises(Mismatch):
            convert(IPluginV2DynamicExt())


def test_a_pointer_to_what_was_never_initialised_is_where_the_original_crashes():
    with pytest.raises(NativeCrash, match="whose __init__ did not run"):
        v2.pointer(IPluginV3)(IPluginV3.__new__(IPluginV3))


def test_truth_goes_through_bool_alone():
    assert v2.truth(NotImplemented)
    assert not v2.truth(None)
    with pytest.raises(Mismatch):
        v2.truth([1])


def test_an_attribute_is_read_past_what_stands_in_front_of_it(gate, capfd):
    class Shadow(IPluginV3OneBuild):
        num_outputs = 3

    assert read_attribute(gate, Shadow(), "num_outputs", IPluginV3OneBuild) == -1
    assert "num_outputs not initialized" in capfd.readouterr().err
    assert gate.failures[0].becomes == "TensorRT reads -1"


def test_every_callback_says_what_becomes_of_its_failure_and_what_it_wanted():
    tables = [CALLBACKS, CALLBACKS_V3, *(capability_callbacks(kind) for kind in kinds())]
    for table in tables:
        for callback in table.values():
            assert callback.becomes.startswith(("TensorRT ", "the "))
            assert "<" not in (callback.plain or callback.type_name)


def kinds():
    return [getattr(PluginCapabilityType, name) for name in ("CORE", "BUILD", "RUNTIME")]


def test_a_capability_is_asked_for_in_the_words_of_its_kind(gate, capfd):
    core, build, _runtime = kinds()
    plugin = Plain(get_capability_interface=lambda _kind: IPluginV3OneBuild())
    assert made_by(gate, plugin, Call.GET_CAPABILITY_INTERFACE, build, table=capability_callbacks(build)) is not None
    assert made_by(gate, plugin, Call.GET_CAPABILITY_INTERFACE, core, table=capability_callbacks(core)) is None
    assert "could not be interpreted as  a valid core capability interface" in capfd.readouterr().err
    assert gate.failures[0].what.endswith(", which is no core capability")
