"""What each callback of an IPluginV3 is given and what comes of it; long, because there are many callbacks."""

from __future__ import annotations

import numpy as np
import pytest

import reference_runtime as trt
from reference_runtime.bound.errors import NativeCrash
from reference_runtime.calling.gate.gate import Gate, Phase
from reference_runtime.calling.lifecycle.table import LifecycleError, Stage
from reference_runtime.calling.trampolines import v2, v3
from reference_runtime.interfaces.field_collections import received
from reference_runtime.interfaces.resources import new_resource_context
from reference_runtime.shapes import expressions
from reference_runtime.values.descriptions import Bounds, Description
from tests.support.runtime.fault_plugins import LOG, creator_class, v3_class
from tests.support.runtime.unordered_gate import UnorderedGate

DESC = Description((2, 3), trt.DataType.FLOAT, trt.TensorFormat.LINEAR)
BOUNDS = Bounds(DESC.sized((-1, 3)), (1, 3), (2, 3), (4, 3))


@pytest.fixture
def gate():
    LOG.clear()
    return Gate(quiet=True)


@pytest.fixture
def plugin():
    return v3_class()()


def methods():
    return [method for method, _, _ in LOG]


def counts():
    return [arguments for method, arguments, _ in LOG if method == "enqueue"][-1][:4]


def run(gate, runtime, inputs=1):
    return v3.enqueue(gate, runtime, [DESC] * inputs, [DESC], [1] * inputs, [2], 0, 0)


def attached(gate, plugin):
    found = v3.capabilities(gate, plugin, build=False)
    copy = v3.attach_to_context(gate, found.runtime, new_resource_context())
    return v3.capabilities(gate, copy, build=False)


def test_an_illegal_call_never_reaches_the_plugin_and_changes_nothing(gate, plugin):
    calls = [
        lambda: run(gate, plugin),
        lambda: v3.get_valid_tactics(gate, plugin),
        lambda: v3.get_workspace_size(gate, plugin, [BOUNDS], [BOUNDS]),
        lambda: v3.set_tactic(gate, plugin, 0),
        lambda: v3.on_shape_change(gate, plugin, [DESC], [DESC]),
    ]
    for call in calls:
        with pytest.raises(LifecycleError, match="arrived while the plugin was created"):
            call()
    assert LOG == []
    assert gate.stage_of(plugin) is Stage.CREATED


@pytest.mark.parametrize(
    ("method", "call", "before"),
    [
        ("configure_plugin", lambda gate, one: v3.configure_plugin(gate, one, [], []), Stage.CREATED),
        ("set_tactic", lambda gate, one: v3.set_tactic(gate, one, 1), Stage.ATTACHED_IN_A_BUILD),
        (
            "on_shape_change",
            lambda gate, one: v3.on_shape_change(gate, one, [DESC], [DESC]),
            Stage.ATTACHED_TACTIC_SET,
        ),
    ],
)
def test_a_call_that_fails_leaves_the_plugin_where_it_was(gate, method, call, before):
    cls = v3_class()
    plugin = cls()
    if before is not Stage.CREATED:
        plugin = attached(gate, plugin).plugin
    if before is Stage.ATTACHED_TACTIC_SET:
        v3.set_tactic(gate, plugin, 1)
    setattr(cls, method, lambda *_: 1 / 0)
    assert call(gate, plugin) == v3.FAILURE
    assert gate.stage_of(plugin) is before


def test_enqueue_shows_as_many_tensors_as_the_last_shape_change_on_this_object_named(gate, plugin):
    first, second = attached(gate, plugin), attached(gate, plugin)
    for found, inputs in ((first, 2), (second, 1)):
        v3.set_tactic(gate, found.runtime, 0)
        v3.on_shape_change(gate, found.runtime, [DESC] * inputs, [DESC])
    assert run(gate, first.runtime, 3) == 0
    assert counts() == [2, 1, 2, 1]
    assert run(gate, second.runtime, 3) == 0
    assert counts() == [1, 1, 1, 1]


def test_what_was_counted_beyond_what_there_is_is_stray_memory(gate, plugin):
    found = attached(gate, plugin)
    v3.set_tactic(gate, found.runtime, 0)
    v3.on_shape_change(gate, found.runtime, [DESC] * 2, [DESC])
    run(gate, found.runtime, 1)
    input_desc, _, inputs, _, _, _ = LOG[-1][2]
    assert input_desc[0].type == trt.DataType.FLOAT
    assert int(input_desc[1].type) == 0x7F
    assert inputs == [1, v2.STRAY_ADDRESS]


def test_tensors_are_counted_even_where_the_shape_change_failed(gate):
    cls = v3_class()
    found = attached(gate, cls())
    v3.set_tactic(gate, found.runtime, 0)
    v3.on_shape_change(gate, found.runtime, [DESC], [DESC])
    cls.on_shape_change = lambda *_: 1 / 0
    assert v3.on_shape_change(gate, found.runtime, [DESC] * 2, [DESC]) == -1
    run(gate, found.runtime, 2)
    assert counts() == [2, 1, 2, 1]


def test_nothing_that_enqueue_does_to_its_arguments_reaches_a_later_call(gate):
    seen, kept = [], []

    def spoil(_self, input_desc, output_desc, inputs, outputs, *_rest):
        seen.append((tuple(input_desc[0].dims), input_desc[0].type, len(output_desc), list(inputs), list(outputs)))
        kept.extend([input_desc, output_desc, inputs, outputs, *input_desc, *output_desc])
        input_desc[0].dims, input_desc[0].type = (9,), trt.DataType.INT8
        for given in (input_desc, output_desc, inputs, outputs):
            given.clear()

    cls = v3_class()
    cls.enqueue = spoil
    found = attached(gate, cls())
    v3.set_tactic(gate, found.runtime, 0)
    v3.on_shape_change(gate, found.runtime, [DESC], [DESC])
    for _ in range(2):
        assert run(gate, found.runtime) == 0
    assert seen == [((2, 3), trt.DataType.FLOAT, 1, [1], [2])] * 2
    assert len({id(one) for one in kept}) == len(kept)


def test_each_context_gets_a_whole_plugin_that_tensorrt_owns(gate, plugin):
    found = attached(gate, plugin)
    assert found.plugin is not plugin
    assert gate.stage_of(found.plugin) is Stage.ATTACHED_IN_A_BUILD
    assert [owned.target for owned in gate.owned] == [found.plugin]
    v3.destroy(gate, found.plugin)
    assert methods()[-1] == "destroy"
    assert gate.owned[0].destroyed


def test_an_engines_plugin_that_attaches_itself_can_run(gate):
    cls = v3_class()
    cls.attach_to_context = lambda self, _context: self
    creator = creator_class(trt.IPluginCreatorV3One, {}, log=False)()
    type(creator).create_plugin = lambda *_: cls()
    plugin = v3.create_plugin(gate, creator, "layer", received([]), trt.TensorRTPhase.RUNTIME)
    assert gate.stage_of(plugin) is Stage.LOADED
    for _ in range(2):
        found = attached(gate, plugin)
        v3.set_tactic(gate, found.runtime, 0)
        v3.on_shape_change(gate, found.runtime, [DESC], [DESC])
        assert run(gate, found.runtime) == 0
    assert gate.owned[0].claims == 3


def test_a_clone_starts_anew(gate, plugin):
    v3.configure_plugin(gate, plugin, [BOUNDS], [BOUNDS])
    v3.set_tactic(gate, plugin, 1)
    v3.on_shape_change(gate, plugin, [DESC], [DESC])
    copy = v3.clone(gate, plugin)
    assert gate.stage_of(copy) is Stage.CONFIGURED
    with pytest.raises(LifecycleError):
        run(gate, copy)


def test_destroy_runs_once_and_what_raises_there_is_never_released(gate, plugin):
    copy = v3.clone(gate, plugin)
    type(copy).destroy = lambda _self: 1 / 0
    v3.destroy(gate, copy)
    assert gate.owned[0].target is copy
    with pytest.raises(LifecycleError):
        v3.destroy(gate, copy)


def test_without_order_one_destroy_more_than_there_are_claims_is_where_the_original_crashes(plugin):
    gate = UnorderedGate(quiet=True)
    copy = v3.clone(gate, plugin)
    v3.destroy(gate, copy)
    with pytest.raises(NativeCrash, match="destroyed more often than it was handed out"):
        v3.destroy(gate, copy)


def test_all_outputs_are_answered_for_at_once(gate):
    cls = v3_class()
    cls.get_output_data_types = lambda _self, types: [types[1], trt.DataType.HALF]
    types = [trt.DataType.FLOAT, trt.DataType.INT32]
    assert v3.get_output_data_types(gate, cls(), types, 2) == [trt.DataType.INT32, trt.DataType.HALF]
    assert v3.get_output_data_types(gate, cls(), types, 3) is None
    assert gate.failures[0].what == "returned a list of 2 for 3 outputs"


def test_shapes_may_depend_on_the_values_of_shape_inputs_and_on_size_tensors(gate):
    def shapes(_self, inputs, shape_inputs, builder):
        size = builder.declare_size_tensor(1, shape_inputs[0][1], inputs[0][0])
        return [trt.DimsExprs([size, shape_inputs[0][0]]), trt.DimsExprs(0)]

    cls = v3_class()
    cls.get_output_shapes = shapes
    builder = expressions.new_builder(sizes=True)
    inputs = [expressions.input_dims(builder, 0, (-1, 3))]
    values = [expressions.value_dims(builder, 0, (None, 7))]
    data, size = v3.get_output_shapes(gate, cls(), inputs, values, builder, 2)
    assert [expressions.evaluate(dim, [(5, 3)], [(4, 7)], {1: 2}) for dim in data] == [2, 4]
    assert len(size) == 0
    assert data[0].is_size_tensor()


def test_tactics_are_asked_for_once(gate, plugin):
    v3.configure_plugin(gate, plugin, [BOUNDS], [BOUNDS])
    assert v3.get_valid_tactics(gate, plugin) == [1, 2]
    assert methods().count("get_valid_tactics") == 1
    type(plugin).get_valid_tactics = lambda _self: "1"
    assert v3.get_valid_tactics(gate, plugin) is None


@pytest.mark.parametrize("first", [2, 1, 0])
def test_counted_tactics_are_gone_after_the_first_fetch_whatever_came_of_it(gate, plugin, first):
    v3.configure_plugin(gate, plugin, [BOUNDS], [BOUNDS])
    assert v3.fetch_tactics(gate, plugin, 0) is None
    assert v3.count_tactics(gate, plugin) == 2
    assert v3.fetch_tactics(gate, plugin, first) == ([1, 2] if first == 2 else None)
    assert v3.fetch_tactics(gate, plugin, 2) is None


def test_a_count_that_fails_leaves_what_was_counted_before(gate, plugin):
    v3.configure_plugin(gate, plugin, [BOUNDS], [BOUNDS])
    v3.count_tactics(gate, plugin)
    type(plugin).get_valid_tactics = lambda _self: 1 / 0
    assert v3.count_tactics(gate, plugin) == -1
    assert v3.fetch_tactics(gate, plugin, 2) == [1, 2]


def test_only_a_build_of_version_2_is_asked_for_aliases(gate, plugin):
    assert v3.get_aliased_input(gate, plugin, 0) == -1
    assert LOG == []
    aliasing = v3_class(build=trt.IPluginV3OneBuildV2)()
    assert v3.get_aliased_input(gate, aliasing, 0) == 0


def test_formats_and_workspace_are_asked_for_with_bounds(gate, plugin):
    assert v3.supports_format_combination(gate, plugin, 0, [BOUNDS, BOUNDS], 1)
    v3.configure_plugin(gate, plugin, [BOUNDS], [BOUNDS])
    assert v3.get_workspace_size(gate, plugin, [BOUNDS], [BOUNDS]) == 4096
    in_out = next(arguments for method, _, arguments in LOG if method == "supports_format_combination")[1]
    assert type(in_out[0]) is trt.DynamicPluginTensorDesc


def returning(*fields):
    cls = v3_class()
    cls.get_fields_to_serialize = lambda _self: trt.PluginFieldCollection(fields)
    return cls()


def test_fields_are_copied_before_anything_else_happens(gate):
    data = np.array([1, 2], np.int16)
    plugin = returning(trt.PluginField("a", data, trt.PluginFieldType.INT16))
    (saved,) = v3.get_fields_to_serialize(gate, plugin)
    data[:] = 9
    assert (saved.name, saved.type, saved.length) == ("a", trt.PluginFieldType.INT16, 2)
    assert np.frombuffer(saved.data, np.int16).tolist() == [1, 2]
    assert gate.failures == []


def test_a_field_whose_memory_is_gone_is_poison_and_on_record(gate):
    cls = v3_class()
    cls.get_fields_to_serialize = lambda _self: trt.PluginFieldCollection(
        [trt.PluginField("a", np.array([1, 2], np.int32), trt.PluginFieldType.INT32)]
    )
    with gate.during(Phase.SERIALIZATION):
        (saved,) = v3.get_fields_to_serialize(gate, cls())
    assert saved.data == b"\xa5" * 8
    (failure,) = gate.failures
    assert failure.phase is Phase.SERIALIZATION
    assert failure.what == "returned the field 'a'; TensorRT could read 0 of its 8 bytes"
    assert failure.becomes == "TensorRT serializes the bytes in that memory"


def test_a_field_that_reaches_beyond_its_buffer_is_poison_there(gate):
    field = trt.PluginField("a", np.array([1], np.int32), trt.PluginFieldType.INT32)
    field.size = 2
    (saved,) = v3.get_fields_to_serialize(gate, returning(field))
    assert saved.data == b"\1\0\0\0" + b"\xa5" * 4
    assert "TensorRT could read 4 of its 8 bytes" in gate.failures[0].what


@pytest.mark.parametrize(("phase", "owner"), [("BUILD", None), ("RUNTIME", "TensorRT")])
def test_a_plugin_made_for_an_engine_belongs_to_tensorrt(gate, phase, owner):
    creator = creator_class(trt.IPluginCreatorV3One, {})()
    plugin = v3.create_plugin(gate, creator, "layer", received([]), getattr(trt.TensorRTPhase, phase))
    assert bool(gate.owned) is (owner is not None)
    assert gate.stage_of(plugin) is (Stage.LOADED if owner else Stage.CREATED)
    assert str(LOG[0][2][2]) == f"TensorRTPhase.{phase}"
