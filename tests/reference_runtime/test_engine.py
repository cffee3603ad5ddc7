from __future__ import annotations

import numpy as np
import pytest

from reference_runtime import lifetimes
from reference_runtime.engine import ICudaEngine, Runtime
from reference_runtime.enums import DataType, TensorFormat, TensorIOMode, TensorLocation
from reference_runtime.enums_building import ExecutionContextAllocationStrategy
from reference_runtime.logger import Logger
from tests.reference_runtime.recording import Creator, Recorder, bind, registered, result, shop


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


def test_deprecated_questions_warn(made):
    engine = made.engine()
    with pytest.warns(DeprecationWarning, match="Superseded by get_device_memory_size_v2"):
        size = engine.device_memory_size
    assert size == engine.device_memory_size_v2 == engine.get_device_memory_size_for_profile_v2(0) == 64
    with pytest.warns(DeprecationWarning, match="Implicit batch"):
        assert not engine.has_implicit_batch_dimension


def test_memory_covers_what_lies_between_layers(made):
    made.profile()
    engine = made.engine(made.network(chain=2))
    assert engine.device_memory_size_v2 == 64 + 4 * 3 * 8 * 4


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


def test_memory_that_the_application_manages_is_not_modelled(made):
    engine = made.engine()
    assert engine.create_execution_context(ExecutionContextAllocationStrategy.USER_MANAGED) is None
    assert "manages the memory of its contexts itself" in made.log.errors[0]


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
