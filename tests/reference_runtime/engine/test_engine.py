from __future__ import annotations

import numpy as np
import pytest

from reference_runtime.bound import lifetimes
from reference_runtime.devices.base import ALIGNMENT, GUARD
from reference_runtime.engine.engine import ICudaEngine
from reference_runtime.engine.runtime import Runtime
from reference_runtime.values.enums import DataType, TensorFormat, TensorIOMode, TensorLocation
from reference_runtime.values.enums_building import (
    EngineCapability,
    EngineStat,
    ExecutionContextAllocationStrategy,
    HardwareCompatibilityLevel,
    ProfilingVerbosity,
    SerializationFlag,
)
from reference_runtime.values.enums_layers import ElementWiseOperation
from reference_runtime.values.logger import Logger
from tests.support.runtime.recording import Creator, Recorder, bind, registered, result, shop


@pytest.fixture
def made():
    with shop() as made:
        yield made


def test_an_engine_tells_its_inputs_and_outputs(made):
    made.profile()
    made.profile((1, 3, 1), (1, 3, 1), (9, 3, 9))
    engine = made.engine(made.network(dims=(-1, 3, -1), outputs=2))
    assert engine.num_io_tensors == 3
    assert [engine.get_tensor_name(place) for place in range(3)] == ["x0", "y0", "y1"]
    assert [engine[place] for place in (0, -1)] == ["x0", "y1"]
    assert [engine.get_tensor_mode(name) for name in ("x0", "y0")] == [TensorIOMode.INPUT, TensorIOMode.OUTPUT]
    assert engine.get_tensor_shape("x0") == (-1, 3, -1)
    assert engine.get_tensor_dtype("y1") == DataType.FLOAT
    assert engine.get_tensor_format("y1") == engine.get_tensor_format("y1", 1) == TensorFormat.LINEAR
    assert engine.get_tensor_format_desc("x0") == "FLOAT in LINEAR format"
    assert engine.get_tensor_location("x0") == TensorLocation.DEVICE
    assert engine.num_optimization_profiles == 2
    assert engine.get_tensor_profile_shape("x0", 1) == [(1, 3, 1), (1, 3, 1), (9, 3, 9)]
    assert (engine.num_layers, engine.name, engine.refittable) == (1, "Unnamed Network 0", False)
    assert engine.get_tensor_vectorized_dim("x0") == -1
    assert engine.get_tensor_components_per_element("x0") == engine.get_tensor_bytes_per_component("x0") == -1
    assert made.log.lines == []


def test_a_vectorized_tensor_tells_its_vectors(made):
    class Vectors(Recorder):
        def __init__(self, *arguments, **options):
            super().__init__(*arguments, **options)
            self.formats = [TensorFormat.HWC8]

        def enqueue(self, *_):
            pass

    network = made.network(dims=(2, 3, 4, 5), dtype=DataType.HALF, kind=Vectors)
    network.get_output(0).dtype = DataType.HALF
    for tensor in (network.get_input(0), network.get_output(0)):
        tensor.allowed_formats = 1 << int(TensorFormat.HWC8)
    engine = made.engine(network)
    assert engine.get_tensor_vectorized_dim("x0") == 1
    assert engine.get_tensor_components_per_element("x0") == 8
    assert engine.get_tensor_bytes_per_component("x0") == 2


def test_an_unknown_tensor_is_an_error_and_an_empty_answer(made):
    engine = made.engine()
    assert engine.get_tensor_mode("z") == TensorIOMode.NONE
    assert engine.get_tensor_format("z") == TensorFormat.LINEAR
    assert engine.get_tensor_name(7) is None
    with pytest.raises(ValueError, match="should return >= 0"):
        len(engine.get_tensor_shape("z"))
    with pytest.raises(IndexError):
        engine[2]
    assert all("invalid tensor name: z" in line for line in made.log.errors if "getIOTensorName" not in line)
    assert len(made.log.errors) == 4


def slot(nbytes):
    """What a piece takes in an arena: a multiple of the alignment, between two guard bands."""
    return 2 * GUARD + -(-nbytes // ALIGNMENT) * ALIGNMENT


def test_deprecated_questions_warn(made):
    engine = made.engine()
    with pytest.warns(DeprecationWarning, match="Superseded by get_device_memory_size_v2"):
        size = engine.device_memory_size
    assert size == engine.device_memory_size_v2 == engine.get_device_memory_size_for_profile_v2(0)
    assert size == slot(64)
    with pytest.warns(DeprecationWarning, match="Superseded by get_device_memory_size_for_profile_v2"):
        assert engine.get_device_memory_size_for_profile(0) == size
    with pytest.warns(DeprecationWarning, match="Implicit batch"):
        assert not engine.has_implicit_batch_dimension


def test_memory_covers_what_lies_between_layers(made):
    made.profile()
    engine = made.engine(made.network(chain=2))
    assert engine.device_memory_size_v2 == slot(64) + slot(4 * 3 * 8 * 4)
    assert engine.get_device_memory_size_for_profile_v2(1) == 0
    assert "there is no optimization profile 1; the engine has 1" in made.log.errors[0]


def test_the_plugin_is_made_again_from_its_bytes(made):
    class Tripling(Recorder):
        pass

    made.profile()
    network = made.builder.create_network()
    layer = network.add_plugin_v2(
        [network.add_input("x0", DataType.FLOAT, (-1, 3, -1))], Tripling(made.tape, factor=3.0)
    )
    layer.get_output(0).name = "y0"
    network.mark_output(layer.get_output(0))
    context = made.engine(network).create_execution_context()
    buffers = bind(context, {"x0": (1, 3, 2)})
    assert context.execute_async_v3(0)
    np.testing.assert_array_equal(result(context, buffers).ravel(), 3.0 * np.arange(6))


def test_an_engine_serializes_to_what_it_came_from(made):
    made.profile()
    data = made.build(made.network(chain=2))
    engine = made.runtime.deserialize_cuda_engine(data)
    assert bytes(engine.serialize()) == data


@pytest.mark.parametrize("given", [bytes, bytearray, memoryview, lambda data: np.frombuffer(data, np.uint8)])
def test_any_buffer_can_be_deserialized(made, given):
    made.profile()
    assert made.runtime.deserialize_cuda_engine(given(made.build(made.network()))).num_layers == 1


def test_host_memory_can_be_deserialized_written_and_viewed(made, tmp_path):
    made.profile()
    memory = made.builder.build_serialized_network(made.network(), made.config)
    assert memory.nbytes == len(bytes(memory)) == len(memoryview(memory))
    (tmp_path / "plan").write_bytes(memory)
    assert made.runtime.deserialize_cuda_engine(memory).num_layers == 1


def test_what_is_no_buffer_is_a_type_error(made):
    with pytest.raises(TypeError, match="incompatible function arguments"):
        made.runtime.deserialize_cuda_engine("plan")


def test_damaged_bytes_are_an_error_and_no_engine(made):
    made.profile()
    data = made.build(made.network())
    for bad in (b"", data[:-1], data[:100], data + b"\0", bytes(200)):
        assert made.runtime.deserialize_cuda_engine(bad) is None
    assert len(made.log.errors) == 5
    assert made.log.errors[0].startswith("IRuntime::deserializeCudaEngine: Error Code 1: Serialization (")


def test_a_creator_that_is_not_registered_is_an_error_and_no_engine():
    with shop() as made:
        made.profile()
        data = made.build(made.network())
    log = made.log
    assert Runtime(log).deserialize_cuda_engine(data) is None
    assert "Cannot find plugin: Recorder, version: 1, namespace:." in log.errors[0]


@pytest.mark.parametrize("answer", [lambda *_: None, lambda *_: 1 / 0, lambda *_: "plugin"])
def test_a_creator_that_makes_no_plugin_is_an_error_and_no_engine(made, answer):
    made.profile()
    data = made.build(made.network())
    creator = made.runtime.get_plugin_registry().get_creator("Recorder", "1", "")
    creator.deserialize_plugin = answer
    assert made.runtime.deserialize_cuda_engine(data) is None
    assert "deserialize_plugin gave no plugin" in made.log.errors[0]
    assert made.gate.failures[0].method == "deserialize_plugin"


def test_where_one_plugin_does_not_start_the_others_are_ended(made):
    class Fragile(Recorder):
        def initialize(self):
            super().initialize()
            if self.inputs == 2:
                raise OSError("no room")

    made.profile()
    data = made.build(made.network(chain=2))
    numbers = iter([1, 2])
    creator = made.runtime.get_plugin_registry().get_creator("Recorder", "1", "")
    creator.deserialize_plugin = lambda _name, _data: Fragile(made.tape, inputs=next(numbers))
    mark = len(made.tape.calls)
    assert made.runtime.deserialize_cuda_engine(data) is None
    assert "could not be initialized" in made.log.errors[0]
    started, failed = made.tape.objects - 1, made.tape.objects
    assert [call[:2] for call in made.tape.calls[mark:]] == [
        (started, "initialize"),
        (failed, "initialize"),
        (started, "terminate"),
        (started, "destroy"),
        (failed, "destroy"),
    ]


def test_the_namespace_of_a_plugin_is_set_by_the_engine(made):
    class Elsewhere(Recorder):
        def __init__(self, *arguments, **options):
            super().__init__(*arguments, **options)
            self.plugin_namespace = "elsewhere"

    class Forgetful(Creator):
        def deserialize_plugin(self, _name, _data):
            return Recorder(self.tape)

    creator = Forgetful(made.tape)
    creator.plugin_namespace = "elsewhere"
    made.profile()
    with registered(creator):
        engine = made.engine(made.network(kind=Elsewhere))
        assert engine.num_layers == 1
        assert made.gate.owned[-1].target.plugin_namespace == "elsewhere"


def test_a_context_that_cannot_clone_is_an_error_and_none(made):
    engine = made.engine()
    made.gate.owned[-1].target.clone = lambda: None
    assert engine.create_execution_context() is None
    assert "could not be cloned for the context" in made.log.errors[0]


def test_closing_an_engine_ends_its_contexts_first(made):
    engine = made.engine()
    contexts = [engine.create_execution_context() for _ in range(2)]
    mark = len(made.tape.calls)
    lifetimes.close(engine)
    assert [method for _, method, _ in made.tape.calls[mark:]] == ["destroy", "destroy", "terminate", "destroy"]
    assert engine.create_execution_context() is None
    assert not contexts[0].execute_async_v3(0)
    assert "the engine was closed" in made.log.errors[0]


def test_engines_and_runtimes_are_made_in_their_way_only():
    with pytest.raises(TypeError, match="No constructor defined"):
        ICudaEngine()
    assert isinstance(Runtime(Logger()).logger, Logger)
    with pytest.raises(TypeError, match="incompatible constructor arguments"):
        Runtime("logger")


def test_an_engine_tells_how_it_was_built(made):
    made.config.profiling_verbosity = ProfilingVerbosity.DETAILED
    made.config.engine_capability = EngineCapability.STANDARD
    engine = made.engine()
    assert engine.profiling_verbosity == ProfilingVerbosity.DETAILED
    assert engine.engine_capability == EngineCapability.STANDARD
    assert engine.hardware_compatibility_level == HardwareCompatibilityLevel.NONE
    assert (engine.num_aux_streams, engine.refittable, engine.error_recorder) == (0, False, None)
    assert engine.tactic_sources == made.config.get_tactic_sources()


def test_an_engine_tells_the_size_of_its_weights(made):
    network = made.builder.create_network()
    weights = np.ones((2, 3), np.float32)
    constant = network.add_constant((2, 3), weights).get_output(0)
    x = network.add_input("x0", DataType.FLOAT, (2, 3))
    network.mark_output(network.add_elementwise(x, constant, ElementWiseOperation.SUM).get_output(0))
    engine = made.engine(network)
    assert engine.get_engine_stat() == engine.get_engine_stat(EngineStat.TOTAL_WEIGHTS_SIZE) >= weights.nbytes
    assert engine.get_engine_stat(EngineStat.STRIPPED_WEIGHTS_SIZE) == 0


def test_no_weights_are_streamed(made):
    engine = made.engine()
    assert engine.streamable_weights_size == engine.weight_streaming_scratch_memory_size == 0
    assert engine.get_weight_streaming_automatic_budget() == engine.weight_streaming_budget_v2 == 0
    with pytest.warns(DeprecationWarning, match="Not required by V2 APIs"):
        assert engine.minimum_weight_streaming_budget == 0
    engine.weight_streaming_budget_v2 = -1
    with pytest.warns(DeprecationWarning, match="Superseded by weight_streaming_budget_v2"):
        assert engine.weight_streaming_budget == -1
    with pytest.warns(DeprecationWarning, match="Superseded by weight_streaming_budget_v2"):
        engine.weight_streaming_budget = 1
    assert "was not built with BuilderFlag.WEIGHT_STREAMING" in made.log.errors[-1]
    context = engine.create_execution_context()
    engine.weight_streaming_budget_v2 = 0
    assert "cannot change while there are execution contexts" in made.log.errors[-1]
    engine.weight_streaming_budget_v2 = -2
    assert "-2 is no budget" in made.log.errors[-1]
    assert context.engine.weight_streaming_budget_v2 == -1


def test_an_engine_is_serialized_as_its_configuration_says(made):
    engine = made.engine()
    config = engine.create_serialization_config()
    assert bytes(engine.serialize_with_config(config)) == bytes(engine.serialize())
    config.set_flag(SerializationFlag.INCLUDE_REFIT)
    assert engine.serialize_with_config(config) is None
    assert "INCLUDE_REFIT goes with EXCLUDE_WEIGHTS" in made.log.errors[-1]
    config.set_flag(SerializationFlag.EXCLUDE_WEIGHTS)
    assert engine.serialize_with_config(config) is None
    assert "needs an engine that is refittable" in made.log.errors[-1]


def test_bounds_of_values_are_those_of_shape_inputs(made):
    engine = made.engine()
    assert engine.get_tensor_profile_values(0, "x0") == []
    for profile, name in ((1, "x0"), (0, "y0"), (0, "z")):
        assert engine.get_tensor_profile_values(profile, name) == []
    assert len(made.log.errors) == 3
    assert len(engine.get_tensor_profile_shape("x0", 1)) == 3
    assert "there is no optimization profile 1" in made.log.errors[-1]


def test_outputs_that_share_no_memory_have_no_aliased_input(made):
    engine = made.engine()
    assert engine.get_aliased_input_tensor("y0") is None
    assert engine.get_aliased_input_tensor("x0") is None
    assert "x0 is no output" in made.log.errors[0]
    assert not engine.is_shape_inference_io("x0")


def test_a_context_can_be_made_without_memory(made):
    engine = made.engine()
    with pytest.warns(DeprecationWarning, match="Use create_execution_context instead"):
        context = engine.create_execution_context_without_device_memory()
    strategy = context.get_runtime_config().get_execution_context_allocation_strategy()
    assert strategy == ExecutionContextAllocationStrategy.USER_MANAGED
    assert engine.create_execution_context(None) is not None
    assert engine.create_execution_context(runtime_config=engine.create_runtime_config()) is not None
    with pytest.raises(TypeError, match="incompatible function arguments"):
        engine.create_execution_context(3)
