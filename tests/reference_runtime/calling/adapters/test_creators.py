from __future__ import annotations

import pytest

import reference_runtime as trt
from reference_runtime.calling.adapters.creators import created, restored
from reference_runtime.calling.gate.gate import Gate
from reference_runtime.interfaces.field_collections import received
from reference_runtime.interfaces.saved_fields import SavedField
from reference_runtime.values.enums import TensorRTPhase


def creator_of(base, calls):
    class Creator(base):
        def create_plugin(self, *arguments):
            calls.append(arguments)

        def deserialize_plugin(self, *arguments):
            calls.append(arguments)

    made = Creator()
    made.name, made.plugin_version, made.plugin_namespace = "Noted", "1", "space"
    return made


@pytest.mark.parametrize(
    ("base", "shown"),
    [
        ("IPluginCreator", ("layer",)),
        ("IPluginCreatorV3One", ("layer", TensorRTPhase.BUILD)),
        ("IPluginCreatorV3Quick", ("Noted", "space", TensorRTPhase.BUILD, trt.QuickPluginCreationRequest.PREFER_JIT)),
    ],
)
def test_each_kind_of_creator_gets_the_arguments_of_its_interface(base, shown):
    calls, fields = [], received([])
    assert created(Gate(quiet=True), creator_of(getattr(trt, base), calls), "layer", fields) is None
    assert [each for each in calls[0] if each is not fields] == list(shown)


def test_bytes_are_deserialized_and_fields_create_a_plugin_for_the_runtime_phase():
    calls = []
    saved = [SavedField("factor", trt.PluginFieldType.INT32, 1, b"\x07\0\0\0")]
    assert restored(Gate(quiet=True), creator_of(trt.IPluginCreator, calls), "layer", b"seven") is None
    assert restored(Gate(quiet=True), creator_of(trt.IPluginCreatorV3One, calls), "layer", saved) is None
    assert calls[0] == ("layer", b"seven")
    assert calls[1][2] == TensorRTPhase.RUNTIME
