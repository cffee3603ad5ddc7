from __future__ import annotations

import pytest

from reference_runtime.devices import host
from reference_runtime.values.enums import DataType, TensorFormat
from reference_runtime.values.enums_building import MemoryPoolType
from tests.support.runtime.recording import Recorder, shop


@pytest.fixture
def made():
    with shop() as made:
        yield made


def first(tape, method):
    return tape.of(method)[0][2]


def test_the_build_phase_has_wildcards_and_bounds_and_the_execution_phase_the_best_extents(made):
    made.profile()
    made.build(made.network())
    build, execution, _ = [arguments for _, _, arguments in made.tape.of("configure_plugin")]
    bounds = ((1, 3, 2), (2, 3, 4), (4, 3, 8))
    linear = (DataType.FLOAT, TensorFormat.LINEAR, -1.0)
    assert build == ([(((-1, 3, -1), *linear), *bounds)],) * 2
    assert execution == ([(((2, 3, 4), *linear), *bounds)],) * 2


def test_the_workspace_is_asked_for_at_the_greatest_extents(made):
    made.profile()
    made.build(made.network())
    inputs, outputs = first(made.tape, "get_workspace_size")
    assert [desc[0] for desc in (*inputs, *outputs)] == [(4, 3, 8)] * 2


def test_timing_runs_on_device_memory_that_is_given_back(made):
    device = host.HostDevice()
    with host.use(device):
        made.profile()
        made.build(made.network())
    inputs, outputs, sources, targets, workspace, stream = first(made.tape, "enqueue")
    assert [desc[0] for desc in (*inputs, *outputs)] == [(2, 3, 4)] * 2
    assert all(address % 256 == 0 for address in (*sources, *targets, workspace))
    assert len({*sources, *targets, workspace, stream}) == 4
    assert device.buffers == []
    assert device.faults == []


def test_inputs_are_zero_and_outputs_and_workspace_hold_poison(made):
    held = []

    class Looking(Recorder):
        def enqueue(self, _input_desc, _output_desc, inputs, outputs, workspace, _stream):
            held.append([bytes(host.view(address, 32)) for address in (*inputs, *outputs, workspace)])

    made.profile()
    made.build(made.network(kind=Looking))
    source, target, workspace = held[0]
    assert source == bytes(32)
    assert 0 not in target
    assert 0 not in workspace


def test_a_plugin_without_workspace_gets_a_null_address(made):
    class Frugal(Recorder):
        def get_workspace_size(self, *_):
            return 0

    made.profile()
    made.build(made.network(kind=Frugal))
    assert first(made.tape, "enqueue")[4] == 0


@pytest.mark.parametrize(
    ("broken", "why"),
    [("initialize", "could not be initialized"), ("enqueue", "enqueue failed")],
)
def test_a_combination_that_does_not_get_through_is_skipped(made, broken, why):
    class Broken(Recorder):
        pass

    setattr(Broken, broken, lambda *_: 1 / 0)
    made.profile()
    assert made.builder.build_serialized_network(made.network(kind=Broken), made.config) is None
    assert made.log.errors[0].count("Could not find any implementation for node") == 1
    assert why in made.log.errors[0]
    builder_copy = made.gate.owned[1]
    assert builder_copy.destroyed


def test_another_combination_is_taken_where_one_does_not_get_through(made):
    class Picky(Recorder):
        def __init__(self, *arguments, **options):
            super().__init__(*arguments, **options)
            self.formats = [TensorFormat.LINEAR, TensorFormat.HWC]

        def enqueue(self, input_desc, *_):
            if input_desc[0].format == TensorFormat.LINEAR:
                raise ValueError("not this one")

    made.profile()
    made.build(made.network(kind=Picky))
    assert first(made.tape, "configure_plugin")[0][0][0][2] == TensorFormat.LINEAR
    assert made.tape.of("configure_plugin")[-1][2][0][0][0][2] == TensorFormat.HWC
    assert made.log.errors == []
    assert any("Skipping a combination" in text for _, text in made.log.lines)


def test_what_was_initialized_is_terminated_even_where_enqueue_fails(made):
    class Broken(Recorder):
        def enqueue(self, *_):
            raise ValueError

    made.profile()
    made.builder.build_serialized_network(made.network(kind=Broken), made.config)
    assert made.tape.methods(3)[-2:] == ["terminate", "destroy"]


def test_the_applications_limit_of_the_workspace_holds(made):
    made.profile()
    assert made.config.get_memory_pool_limit(MemoryPoolType.WORKSPACE) == 16 << 30
    made.config.set_memory_pool_limit(MemoryPoolType.WORKSPACE, 63)
    assert made.builder.build_serialized_network(made.network(), made.config) is None
    assert "needs 64 bytes of workspace, and 63 are allowed" in made.log.errors[0]


def test_a_failing_configuration_does_not_stop_the_build(made):
    class Broken(Recorder):
        def configure_plugin(self, *_):
            raise ValueError("not with me")

        def get_workspace_size(self, *_):
            raise ValueError("nor that")

    made.profile()
    made.build(made.network(kind=Broken))
    assert {failure.becomes for failure in made.gate.failures} == {
        "TensorRT goes on as if the plugin were configured",
        "TensorRT goes on with a workspace of 0 bytes",
    }
    assert first(made.tape, "enqueue")[4] == 0
