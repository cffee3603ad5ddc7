from __future__ import annotations

import pytest

from reference_runtime.bound.errors import NativeCrash
from reference_runtime.calling.gate.gate import FailureKind, Gate, Phase
from reference_runtime.calling.lifecycle.table import LifecycleError, Stage
from reference_runtime.calling.trampolines import v2
from reference_runtime.interfaces.v2_dynamic import IPluginV2DynamicExt
from reference_runtime.shapes import expressions
from reference_runtime.values.descriptions import Bounds, Description
from reference_runtime.values.enums import DataType, TensorFormat
from tests.support.runtime.recording import Creator, Recorder, Tape

DESC = Description((2, 3), DataType.FLOAT, TensorFormat.LINEAR)
BOUNDS = Bounds(DESC, (1, 3), (2, 3), (4, 3))


@pytest.fixture
def gate():
    return Gate(quiet=True)


@pytest.fixture
def tape():
    return Tape()


@pytest.fixture
def plugin(tape):
    return Recorder(tape, inputs=2)


def ready(gate, plugin, inputs=2):
    v2.initialize(gate, plugin)
    v2.configure_plugin(gate, plugin, [BOUNDS] * inputs, [BOUNDS])
    plugin.enqueue = lambda *arguments: plugin.note("enqueue", *arguments)
    return plugin


def counts(tape):
    (_, _, arguments) = tape.of("enqueue")[-1]
    return [len(argument) for argument in arguments[:4]]


def run(gate, plugin):
    v2.enqueue(gate, plugin, [DESC] * 2, [DESC], [1, 2], [3], 0, 0)


def test_an_illegal_call_never_reaches_the_plugin_and_changes_nothing(gate, tape, plugin):
    calls = [
        lambda: run(gate, plugin),
        lambda: v2.terminate(gate, plugin),
        lambda: v2.get_workspace_size(gate, plugin, [DESC], [DESC]),
    ]
    for call in calls:
        with pytest.raises(LifecycleError, match="arrived while the plugin was created"):
            call()
    assert tape.calls == []
    assert gate.stage_of(plugin) is Stage.CREATED


def test_enqueue_shows_as_many_inputs_as_the_last_configuration_had(gate, tape, plugin):
    run(gate, ready(gate, plugin, inputs=2))
    assert counts(tape) == [2, 1, 2, 1]
    v2.configure_plugin(gate, plugin, [BOUNDS], [BOUNDS])
    run(gate, plugin)
    assert counts(tape) == [1, 1, 1, 1]


def test_enqueue_shows_as_many_outputs_as_num_outputs_says(gate, tape, plugin):
    ready(gate, plugin)
    plugin.num_outputs = 3
    run(gate, plugin)
    assert counts(tape) == [2, 3, 2, 3]
    assert tape.of("enqueue")[-1][2][3][0] == 3


def test_the_count_of_inputs_is_kept_where_configure_plugin_raised_and_not_cloned(gate, tape, plugin):
    plugin.configure_plugin = lambda *_: 1 / 0
    run(gate, ready(gate, plugin))
    assert counts(tape) == [2, 1, 2, 1]
    assert gate.configured_inputs(v2.clone(gate, plugin)) == 0


def test_nothing_that_a_plugin_does_to_its_arguments_reaches_a_later_call(gate, plugin):
    seen = []

    def spoil(_pos, in_out, _num_inputs):
        seen.append((len(in_out), in_out[0].type, tuple(in_out[0].dims), in_out[0].scale))
        in_out[0].type, in_out[0].dims, in_out[0].scale = DataType.INT8, (9,), 7.0
        in_out.clear()
        return True

    plugin.supports_format_combination = spoil
    for _ in range(2):
        assert v2.supports_format_combination(gate, plugin, 0, [DESC] * 3, 2)
    assert seen == [(3, DataType.FLOAT, (2, 3), -1.0)] * 2


def test_a_clone_belongs_to_tensorrt_and_is_born_as_its_source_is(gate, plugin):
    copy = v2.clone(gate, plugin)
    assert gate.stage_of(copy) is Stage.CREATED
    v2.initialize(gate, plugin)
    attached = v2.clone(gate, plugin)
    assert gate.stage_of(attached) is Stage.ATTACHED
    assert [(owned.target, owned.parent) for owned in gate.owned] == [(copy, "Recorder#1"), (attached, "Recorder#1")]


def test_destroy_releases_what_tensorrt_owned(gate, tape, plugin):
    copy = v2.clone(gate, plugin)
    v2.destroy(gate, copy)
    assert tape.methods() == ["clone", "destroy"]
    assert [(owned.target, owned.destroyed) for owned in gate.owned] == [(None, True)]
    with pytest.raises(LifecycleError):
        v2.destroy(gate, copy)


def test_an_object_whose_destroy_raises_is_never_released(gate, plugin):
    copy = v2.clone(gate, plugin)
    copy.destroy = lambda: 1 / 0
    v2.destroy(gate, copy)
    assert gate.owned[0].target is copy
    assert gate.owned[0].destroyed


def test_an_object_that_is_owned_twice_is_destroyed_once_by_its_last_owner(gate, tape, plugin):
    plugin.clone = lambda: plugin
    first, second = v2.clone(gate, plugin), v2.clone(gate, plugin)
    assert first is second is plugin
    assert gate.owned[0].claims == 2
    v2.destroy(gate, first)
    assert tape.methods() == []
    v2.destroy(gate, second)
    assert tape.methods() == ["destroy"]


def test_a_plugin_whose_initialize_raises_owes_no_terminate(gate, plugin):
    plugin.initialize = lambda: 1 / 0
    assert v2.initialize(gate, plugin) == -1
    assert gate.stage_of(plugin) is Stage.CREATED


def test_a_failure_says_where_what_and_what_becomes_of_it(gate, plugin):
    plugin.get_workspace_size = lambda *_: "many"
    v2.configure_plugin(gate, plugin, [BOUNDS], [BOUNDS])
    with gate.during(Phase.WORKSPACE):
        v2.get_workspace_size(gate, plugin, [DESC], [DESC])
    (failure,) = gate.failures
    assert (failure.phase, failure.target, failure.method) == (Phase.WORKSPACE, "Recorder#1", "get_workspace_size")
    assert failure.kind is FailureKind.RETURNED
    assert failure.what == "returned 'many', which is no size in bytes"
    assert failure.becomes == "TensorRT goes on with a workspace of 0 bytes"


def test_a_failure_keeps_the_exception_and_where_it_came_from(gate, plugin):
    plugin.serialize = lambda: 1 / 0
    v2.serialize(gate, plugin, 0)
    (failure,) = gate.failures
    assert failure.what == "raised ZeroDivisionError: division by zero"
    assert isinstance(failure.error, ZeroDivisionError)
    assert "1 / 0" in failure.traceback


@pytest.mark.parametrize(
    ("read", "becomes"),
    [(v2.num_outputs, "TensorRT reads -1"), (v2.plugin_type, "TensorRT reads a null pointer")],
)
def test_an_attribute_of_the_class_counts_as_unset(gate, read, becomes):
    class Shadow(IPluginV2DynamicExt):
        num_outputs, plugin_type = 1, "Shadow"

    assert read(gate, Shadow()) in (-1, None)
    assert gate.failures[0].becomes == becomes
    assert gate.failures[0].kind is FailureKind.MISSING


def test_the_namespace_that_tensorrt_sets_is_the_one_that_python_reads(plugin):
    v2.set_plugin_namespace(plugin, "from cpp")
    assert plugin.plugin_namespace == "from cpp"


def test_a_deserialized_plugin_belongs_to_tensorrt(gate, tape):
    creator = Creator(tape)
    plugin = v2.deserialize_plugin(gate, creator, "layer", b"1 1 2.0")
    assert gate.owned[0].target is plugin
    assert gate.owned[0].parent == "Creator#1"


def test_a_copy_whose_init_did_not_run_is_where_the_original_crashes(gate, plugin):
    plugin.clone = lambda: Recorder.__new__(Recorder)
    with pytest.raises(NativeCrash):
        v2.clone(gate, plugin)


def test_what_is_announced_beyond_the_data_is_stray_memory(gate, plugin):
    plugin.get_serialization_size = lambda: 12
    data = v2.serialize(gate, plugin, 12)
    assert data[:7] == b"2 1 2.0"
    assert len(data) == 12


def test_bytes_that_no_machine_has_are_a_failure_of_the_size(gate, plugin):
    assert v2.serialize(gate, plugin, 2**63) == b""
    assert [(each.method, each.what) for each in gate.failures] == [("get_serialization_size", f"returned {2**63}")]


def test_bytes_that_this_machine_may_not_have_are_not_taken(gate, plugin):
    with pytest.raises(MemoryError, match="get_serialization_size returned 2,147,483,648 bytes"):
        v2.serialize(gate, plugin, 2**31)


def test_the_inputs_of_a_shape_query_are_the_ones_it_was_given(gate, plugin):
    builder = expressions.new_builder()
    inputs = [expressions.input_dims(builder, 0, (-1, 3))]
    dims = v2.get_output_dimensions(gate, plugin, 0, inputs, builder)
    assert [expressions.describe(dim) for dim in dims] == ["inputs[0][0]", "3"]
