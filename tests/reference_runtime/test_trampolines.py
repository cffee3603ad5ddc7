from __future__ import annotations

import pytest

from reference_runtime import expressions, trampolines
from reference_runtime.descriptions import Bounds, Description
from reference_runtime.enums import DataType, TensorFormat
from reference_runtime.errors import NativeCrash
from reference_runtime.gate import FailureKind, Gate, Phase
from reference_runtime.lifecycle import LifecycleError, Stage
from reference_runtime.plugins.v2_dynamic import IPluginV2DynamicExt
from tests.reference_runtime.recording import Creator, Recorder, Tape

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
    trampolines.initialize(gate, plugin)
    trampolines.configure_plugin(gate, plugin, [BOUNDS] * inputs, [BOUNDS])
    plugin.enqueue = lambda *arguments: plugin.note("enqueue", *arguments)
    return plugin


def counts(tape):
    (_, _, arguments) = tape.of("enqueue")[-1]
    return [len(argument) for argument in arguments[:4]]


def run(gate, plugin):
    trampolines.enqueue(gate, plugin, [DESC] * 2, [DESC], [1, 2], [3], 0, 0)


def test_an_illegal_call_never_reaches_the_plugin_and_changes_nothing(gate, tape, plugin):
    calls = [
        lambda: run(gate, plugin),
        lambda: trampolines.terminate(gate, plugin),
        lambda: trampolines.get_workspace_size(gate, plugin, [DESC], [DESC]),
    ]
    for call in calls:
        with pytest.raises(LifecycleError, match="arrived while the plugin was created"):
            call()
    assert tape.calls == []
    assert gate.stage_of(plugin) is Stage.CREATED


def test_enqueue_shows_as_many_inputs_as_the_last_configuration_had(gate, tape, plugin):
    run(gate, ready(gate, plugin, inputs=2))
    assert counts(tape) == [2, 1, 2, 1]
    trampolines.configure_plugin(gate, plugin, [BOUNDS], [BOUNDS])
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
    assert gate.configured_inputs(trampolines.clone(gate, plugin)) == 0


def test_nothing_that_a_plugin_does_to_its_arguments_reaches_a_later_call(gate, plugin):
    seen = []

    def spoil(_pos, in_out, _num_inputs):
        seen.append((len(in_out), in_out[0].type, tuple(in_out[0].dims), in_out[0].scale))
        in_out[0].type, in_out[0].dims, in_out[0].scale = DataType.INT8, (9,), 7.0
        in_out.clear()
        return True

    plugin.supports_format_combination = spoil
    for _ in range(2):
        assert trampolines.supports_format_combination(gate, plugin, 0, [DESC] * 3, 2)
    assert seen == [(3, DataType.FLOAT, (2, 3), -1.0)] * 2


def test_a_clone_belongs_to_tensorrt_and_is_born_as_its_source_is(gate, plugin):
    copy = trampolines.clone(gate, plugin)
    assert gate.stage_of(copy) is Stage.CREATED
    trampolines.initialize(gate, plugin)
    attached = trampolines.clone(gate, plugin)
    assert gate.stage_of(attached) is Stage.ATTACHED
    assert [(owned.target, owned.parent) for owned in gate.owned] == [(copy, "Recorder#1"), (attached, "Recorder#1")]


def test_destroy_releases_what_tensorrt_owned(gate, tape, plugin):
    copy = trampolines.clone(gate, plugin)
    trampolines.destroy(gate, copy)
    assert tape.methods() == ["clone", "destroy"]
    assert [(owned.target, owned.destroyed) for owned in gate.owned] == [(None, True)]
    with pytest.raises(LifecycleError):
        trampolines.destroy(gate, copy)


def test_an_object_whose_destroy_raises_is_never_released(gate, plugin):
    copy = trampolines.clone(gate, plugin)
    copy.destroy = lambda: 1 / 0
    trampolines.destroy(gate, copy)
    assert gate.owned[0].target is copy
    assert gate.owned[0].destroyed


def test_an_object_that_is_owned_twice_is_destroyed_once_by_its_last_owner(gate, tape, plugin):
    plugin.clone = lambda: plugin
    first, second = trampolines.clone(gate, plugin), trampolines.clone(gate, plugin)
    assert first is second is plugin
    assert gate.owned[0].claims == 2
    trampolines.destroy(gate, first)
    assert tape.methods() == []
    trampolines.destroy(gate, second)
    assert tape.methods() == ["destroy"]


def test_a_plugin_whose_initialize_raises_owes_no_terminate(gate, plugin):
    plugin.initialize = lambda: 1 / 0
    assert trampolines.initialize(gate, plugin) == -1
    assert gate.stage_of(plugin) is Stage.CREATED


def test_a_failure_says_where_what_and_what_becomes_of_it(gate, plugin):
    plugin.get_workspace_size = lambda *_: "many"
    trampolines.configure_plugin(gate, plugin, [BOUNDS], [BOUNDS])
    with gate.during(Phase.WORKSPACE):
        trampolines.get_workspace_size(gate, plugin, [DESC], [DESC])
    (failure,) = gate.failures
    assert (failure.phase, failure.target, failure.method) == (Phase.WORKSPACE, "Recorder#1", "get_workspace_size")
    assert failure.kind is FailureKind.RETURNED
    assert failure.what == "returned 'many', which is no size in bytes"
    assert failure.becomes == "TensorRT goes on with a workspace of 0 bytes"


def test_a_failure_keeps_the_exception_and_where_it_came_from(gate, plugin):
    plugin.serialize = lambda: 1 / 0
    trampolines.serialize(gate, plugin, 0)
    (failure,) = gate.failures
    assert failure.what == "raised ZeroDivisionError: division by zero"
    assert isinstance(failure.error, ZeroDivisionError)
    assert "1 / 0" in failure.traceback


@pytest.mark.parametrize(
    ("read", "becomes"),
    [(trampolines.num_outputs, "TensorRT reads -1"), (trampolines.plugin_type, "TensorRT reads a null pointer")],
)
def test_an_attribute_of_the_class_counts_as_unset(gate, read, becomes):
    class Shadow(IPluginV2DynamicExt):
        num_outputs, plugin_type = 1, "Shadow"

    assert read(gate, Shadow()) in (-1, None)
    assert gate.failures[0].becomes == becomes
    assert gate.failures[0].kind is FailureKind.MISSING


def test_the_namespace_that_tensorrt_sets_is_the_one_that_python_reads(plugin):
    trampolines.set_plugin_namespace(plugin, "from cpp")
    assert plugin.plugin_namespace == "from cpp"


def test_a_deserialized_plugin_belongs_to_tensorrt(gate, tape):
    creator = Creator(tape)
    plugin = trampolines.deserialize_plugin(gate, creator, "layer", b"1 1 2.0")
    assert gate.owned[0].target is plugin
    assert gate.owned[0].parent == "Creator#1"


def test_a_copy_whose_init_did_not_run_is_where_the_original_crashes(gate, plugin):
    plugin.clone = lambda: Recorder.__new__(Recorder)
    with pytest.raises(NativeCrash):
        trampolines.clone(gate, plugin)


def test_what_is_announced_beyond_the_data_is_stray_memory(gate, plugin):
    plugin.get_serialization_size = lambda: 12
    data = trampolines.serialize(gate, plugin, 12)
    assert data[:7] == b"2 1 2.0"
    assert len(data) == 12


def test_the_inputs_of_a_shape_query_are_the_ones_it_was_given(gate, plugin):
    builder = expressions.new_builder()
    inputs = [expressions.input_dims(builder, 0, (-1, 3))]
    dims = trampolines.get_output_dimensions(gate, plugin, 0, inputs, builder)
    assert [expressions.describe(dim) for dim in dims] == ["inputs[0][0]", "3"]
