"""What an application sets in a context beside shapes and addresses, and what it has of it."""

from __future__ import annotations

import numpy as np
import pytest

from reference_runtime.application.allocators import IGpuAllocator
from reference_runtime.application.debugging import IDebugListener
from reference_runtime.application.error_recorder import IErrorRecorder, reference_count
from reference_runtime.application.profilers import IProfiler
from reference_runtime.bound.capsules import capsule
from reference_runtime.devices import host
from reference_runtime.values.enums import ErrorCodeTRT, TensorLocation
from reference_runtime.values.enums_building import ExecutionContextAllocationStrategy as Strategy
from reference_runtime.values.enums_building import ProfilingVerbosity
from reference_runtime.values.logger import ILogger
from tests.support.runtime.recording import Recorder, bind, result, shop

SHAPE = {"x0": (2, 3, 4)}


@pytest.fixture
def made():
    with shop() as made:
        yield made


@pytest.fixture
def context(made):
    return made.engine().create_execution_context()


class Times(IProfiler):
    def __init__(self):
        super().__init__()
        self.seen = []

    def report_layer_time(self, name, ms):
        self.seen.append(name)
        assert ms >= 0


class Errors(IErrorRecorder):
    def __init__(self):
        super().__init__()
        self.seen = []

    def report_error(self, code, desc):
        self.seen.append((code, desc))
        return False


class Listener(IDebugListener):
    def __init__(self):
        super().__init__()
        self.seen = []

    def process_debug_tensor(self, addr, location, dtype, shape, name, stream):
        data = host.current_device().fetch(addr, 4 * int(np.prod(tuple(shape))), stream=stream)
        self.seen.append((name, location, dtype, tuple(shape), np.frombuffer(data, np.float32)[1], stream))
        return True


class Arena(IGpuAllocator):
    """Allocates on the device, and keeps account."""

    def __init__(self, *, empty=False, off=0):
        super().__init__()
        self.asked, self.freed, self.empty, self.off = [], [], empty, off

    def allocate(self, size, alignment, flags):
        self.asked.append((size, alignment, flags))
        return None if self.empty else host.current_device().allocate(size + self.off).address + self.off

    def deallocate(self, memory):
        self.freed.append(memory)
        host.free(memory - self.off)
        return True


def test_a_new_context_has_nothing_set(made, context):
    assert (context.name, context.debug_sync, context.profiler, context.error_recorder) == ("", False, None, None)
    assert context.enqueue_emits_profile
    assert context.nvtx_verbosity == ProfilingVerbosity.LAYER_NAMES_ONLY
    assert context.persistent_cache_limit == context.get_input_consumed_event() == 0
    assert context.temporary_allocator is context.get_debug_listener() is context.get_output_allocator("y0") is None
    assert not context.unfused_tensors_debug_state
    assert context.all_shape_inputs_specified
    assert made.log.lines == []


def test_a_profiler_hears_of_every_layer_in_their_order(made):
    made.profile()
    context = made.engine(made.network(chain=2)).create_execution_context()
    context.profiler = times = Times()
    bind(context, SHAPE)
    assert context.execute_async_v3(0)
    assert len(times.seen) == 2
    assert context.execute_v2([context.get_tensor_address(name) for name in ("x0", "y0")])
    assert times.seen[:2] == times.seen[2:]


def test_times_can_be_reported_later(made, context):
    bind(context, SHAPE)
    assert not context.report_to_profiler()
    assert "no profiler is set" in made.log.errors[-1]
    context.profiler = times = Times()
    context.enqueue_emits_profile = False
    assert not context.report_to_profiler()
    assert context.execute_async_v3(0)
    assert times.seen == []
    assert context.report_to_profiler()
    assert len(times.seen) == 1
    assert not context.report_to_profiler()
    assert "there is no execution whose times were not reported yet" in made.log.errors[-1]


def test_errors_go_to_the_nearest_recorder(made, context):
    own, engines, runtimes = Errors(), Errors(), Errors()
    for holder, recorder in ((made.runtime, runtimes), (context.engine, engines), (context, own)):
        holder.error_recorder = recorder
        assert holder.error_recorder is recorder
        assert reference_count(recorder) == 1
        assert not context.execute_async_v3(0)
    assert len(own.seen) == len(engines.seen) == len(runtimes.seen) == 1
    assert own.seen[0][0] == ErrorCodeTRT.INVALID_ARGUMENT
    assert own.seen[0][1].startswith("IExecutionContext::enqueueV3: Error Code 3")
    context.error_recorder = None
    assert reference_count(own) == 0
    assert made.log.errors == []


def test_the_verbosity_for_nvtx_is_not_raised_above_the_engines(made, context):
    context.nvtx_verbosity = ProfilingVerbosity.NONE
    context.nvtx_verbosity = ProfilingVerbosity.DETAILED
    assert context.nvtx_verbosity == ProfilingVerbosity.NONE
    assert "DETAILED is above LAYER_NAMES_ONLY" in made.log.errors[0]


def test_what_is_only_kept_is_read_back(context):
    context.persistent_cache_limit, context.name, context.debug_sync = 4096, "mine", True
    assert (context.persistent_cache_limit, context.name, context.debug_sync) == (4096, "mine", True)
    for value in (-1, "many"):
        with pytest.raises(TypeError):
            context.persistent_cache_limit = value


def test_debug_sync_logs_each_layer_of_execute_v2(made, context):
    buffers = bind(context, SHAPE)
    context.debug_sync = True
    assert context.execute_v2([buffer.address for buffer in buffers.values()])
    assert [severity for severity, _ in made.log.lines] == [ILogger.INFO]
    assert "executed successfully" in made.log.lines[0][1]


def test_the_event_for_consumed_inputs_is_recorded_on_the_stream(made, context):
    device = host.current_device()
    stream, event = device.new_stream(), device.new_event()
    bind(context, SHAPE)
    assert context.set_input_consumed_event(event.handle)
    assert context.get_input_consumed_event() == event.handle
    assert context.execute_async_v3(stream.handle)
    assert event.stream == stream.handle
    assert context.set_input_consumed_event(0x1234)
    assert not context.execute_async_v3(stream.handle)
    assert "is not the handle of an event" in made.log.errors[0]


def test_auxiliary_streams_differ_from_each_other_and_from_the_default_stream(made, context):
    for streams in ([0], [1], [2], [5, 5]):
        context.set_aux_streams(streams)
    assert len(made.log.errors) == 4
    context.set_aux_streams([host.current_device().new_stream().handle])
    assert len(made.log.errors) == 4


def test_layers_run_on_auxiliary_streams_in_an_order_that_holds(made):
    device = host.HostDevice()
    with host.use(device):
        made.config.max_aux_streams = 1
        made.profile()
        context = made.engine(made.network(chain=3)).create_execution_context()
        assert context.engine.num_aux_streams == 1
        buffers = bind(context, SHAPE)
        main, side = device.new_stream(), device.new_stream()
        context.set_aux_streams([side.handle])
        assert context.execute_async_v3(main.handle), made.log.errors
        streams = [call[2][-1] for call in made.tape.of("enqueue")][-3:]
        assert streams == [main.handle, side.handle, main.handle]
        np.testing.assert_array_equal(result(context, buffers).ravel(), 8.0 * np.arange(24))


def test_a_switch_of_profile_comes_before_what_runs_after_it(made):
    made.profile()
    made.profile()
    context = made.engine(made.network()).create_execution_context()
    device = host.current_device()
    one, other = device.new_stream(), device.new_stream()
    assert context.set_optimization_profile_async(1, one.handle)
    bind(context, SHAPE)
    assert not context.execute_async_v3(other.handle)
    assert "was switched on another stream" in made.log.errors[0]
    one.synchronize()
    assert context.execute_async_v3(other.handle)
    with pytest.raises(RuntimeError):
        context.set_optimization_profile_async(0, 0x1234)


def test_marked_tensors_are_shown_to_the_listener(made):
    made.profile()
    network = made.network(chain=2)
    inner = network.get_layer(0).get_output(0)
    assert network.mark_debug(inner)
    context = made.engine(network).create_execution_context()
    assert context.engine.is_debug_tensor(inner.name)
    assert not context.engine.is_debug_tensor("y0")
    listener = Listener()
    assert context.set_debug_listener(listener)
    assert context.get_debug_listener() is listener
    bind(context, SHAPE)
    assert context.execute_async_v3(0)
    assert listener.seen == []
    assert context.set_tensor_debug_state(inner.name, flag=True)
    assert context.get_debug_state(inner.name)
    assert context.execute_async_v3(0)
    ((name, location, _, shape, value, stream),) = listener.seen
    assert (name, location, shape, value, stream) == (inner.name, TensorLocation.DEVICE, (2, 3, 4), 2.0, 0)
    assert context.set_all_tensors_debug_state(flag=False)
    assert not context.get_debug_state(inner.name)
    assert not context.set_tensor_debug_state("y0", flag=True)
    assert "y0 was not marked as a debug tensor" in made.log.errors[0]
    assert not context.get_debug_state("y0")


def test_tensors_that_were_not_marked_are_shown_as_unfused(made):
    made.profile()
    context = made.engine(made.network(chain=2)).create_execution_context()
    listener = Listener()
    context.set_debug_listener(listener)
    context.unfused_tensors_debug_state = True
    assert context.unfused_tensors_debug_state
    bind(context, SHAPE)
    assert context.execute_async_v3(0)
    assert len(listener.seen) == 2
    context.unfused_tensors_debug_state = False
    assert context.execute_async_v3(0)
    assert len(listener.seen) == 2


def test_a_communicator_is_not_null(made, context):
    assert context.set_communicator(capsule(1))
    assert not context.set_communicator(None)
    assert "the communicator is null" in made.log.errors[0]
    with pytest.raises(TypeError):
        context.set_communicator(5)


def test_a_context_knows_the_configuration_it_was_made_with(made):
    engine = made.engine()
    config = engine.create_runtime_config()
    config.set_execution_context_allocation_strategy(Strategy.ON_PROFILE_CHANGE)
    context = engine.create_execution_context(config)
    assert context.get_runtime_config() is config
    plain = engine.create_execution_context().get_runtime_config()
    assert plain.get_execution_context_allocation_strategy() == Strategy.STATIC


def test_an_allocator_for_temporary_memory_is_kept(context):
    allocator = Arena()
    context.temporary_allocator = allocator
    assert context.temporary_allocator is allocator
    context.temporary_allocator = None
    assert context.temporary_allocator is None
    with pytest.raises(TypeError):
        context.temporary_allocator = 3


def test_the_application_manages_the_memory(made):
    engine = made.engine()
    context = engine.create_execution_context(Strategy.USER_MANAGED)
    buffers = bind(context, SHAPE)
    assert not context.execute_async_v3(0)
    assert "the context has no device memory" in made.log.errors[-1]
    size = engine.device_memory_size_v2
    memory = host.current_device().allocate(size)
    context.set_device_memory(memory.address, size)
    assert context.execute_async_v3(0)
    np.testing.assert_array_equal(result(context, buffers).ravel(), 2.0 * np.arange(24))
    workspace = made.tape.of("enqueue")[-1][2][4]
    assert memory.address <= workspace < memory.address + size


def test_memory_that_is_too_small_or_lies_wrong_is_refused(made):
    engine = made.engine()
    context = engine.create_execution_context(Strategy.USER_MANAGED)
    bind(context, SHAPE)
    size = engine.device_memory_size_v2
    memory = host.current_device().allocate(size)
    context.set_device_memory(memory.address + 1, size)
    assert "has to begin at a multiple of 256" in made.log.errors[-1]
    context.set_device_memory(memory.address, -1)
    assert "cannot have -1 bytes" in made.log.errors[-1]
    context.set_device_memory(memory.address, size - 1)
    assert not context.execute_async_v3(0)
    assert f"needs {size} bytes of device memory, and {size - 1} were set" in made.log.errors[-1]
    context.set_device_memory(memory.address, size + 1)
    assert not context.execute_async_v3(0)
    assert "the memory of set_device_memory is of no use" in made.log.errors[-1]
    context.device_memory = memory.address
    assert context.execute_async_v3(0)
    with pytest.raises(AttributeError):
        _ = context.device_memory


def test_a_context_with_memory_of_its_own_takes_no_other(made, context):
    context.set_device_memory(256, 256)
    assert "the context manages its memory itself" in made.log.errors[0]


def test_small_shapes_need_less_memory(made):
    made.profile()
    engine = made.engine(made.network(chain=2))
    context = engine.create_execution_context(Strategy.USER_MANAGED)
    assert context.update_device_memory_size_for_shapes() == 0
    assert "the shapes or values of x0 are not set" in made.log.errors[0]
    bind(context, {"x0": (1, 3, 2)})
    size = context.update_device_memory_size_for_shapes()
    assert 0 < size < engine.device_memory_size_v2
    context.set_device_memory(host.current_device().allocate(size).address, size)
    assert context.execute_async_v3(0)


def test_memory_comes_from_the_runtimes_allocator(made):
    allocator = Arena()
    made.runtime.gpu_allocator = allocator
    engine = made.engine()
    context = engine.create_execution_context()
    assert allocator.asked == [(engine.device_memory_size_v2, 256, 0)]
    buffers = bind(context, SHAPE)
    assert context.execute_async_v3(0)
    np.testing.assert_array_equal(result(context, buffers).ravel(), 2.0 * np.arange(24))
    del context
    assert len(allocator.freed) == 1


def test_an_allocator_without_memory_leaves_no_context(made):
    made.runtime.gpu_allocator = Arena(empty=True)
    engine = made.engine()
    mark = len(made.tape.calls)
    assert engine.create_execution_context() is None
    assert "the allocator gave no memory" in made.log.errors[-1]
    assert [method for _, method, _ in made.tape.calls[mark:]] == ["clone", "destroy"]


def test_memory_that_is_not_aligned_leaves_no_context_and_is_given_back(made):
    made.runtime.gpu_allocator = allocator = Arena(off=8)
    assert made.engine().create_execution_context() is None
    assert "which is not a multiple of 256" in made.log.errors[-1]
    assert len(allocator.asked) == len(allocator.freed) == 1


def test_memory_is_allocated_anew_when_the_profile_changes(made):
    made.profile((1, 3, 2), (1, 3, 2), (1, 3, 2))
    made.profile((1, 3, 2), (1, 3, 2), (64, 3, 64))
    made.runtime.gpu_allocator = allocator = Arena()
    engine = made.engine(made.network(chain=2))
    sizes = [engine.get_device_memory_size_for_profile_v2(profile) for profile in range(2)]
    context = engine.create_execution_context(Strategy.ON_PROFILE_CHANGE)
    assert [size for size, _, _ in allocator.asked] == sizes[:1]
    assert context.set_optimization_profile_async(1, 0)
    assert [size for size, _, _ in allocator.asked] == sizes
    assert len(allocator.freed) == 1
    buffers = bind(context, {"x0": (64, 3, 64)})
    assert context.execute_async_v3(0)
    np.testing.assert_array_equal(result(context, buffers).ravel(), 4.0 * np.arange(64 * 3 * 64))


def test_memory_of_the_device_is_taken_as_shapes_need_it(made):
    made.profile((1, 3, 2), (1, 3, 2), (1 << 20, 3, 1 << 20))
    device = host.HostDevice()
    with host.use(device):
        context = made.engine(made.network(chain=2)).create_execution_context()
        assert device.buffers == []
        sizes = []
        for shape in [(1, 3, 2), (64, 3, 64), (1, 3, 2)]:
            buffers = bind(context, {"x0": shape})
            assert context.execute_async_v3(0)
            (arena,) = [buffer for buffer in device.buffers if buffer.label == "device memory of a context"]
            sizes.append(arena.nbytes)
            np.testing.assert_array_equal(result(context, buffers).ravel(), 4.0 * np.arange(np.prod(shape)))
        assert sizes[0] < sizes[1] == sizes[2]


def test_a_context_that_is_running_is_not_executed_again():
    again = []

    class Recursive(Recorder):
        def enqueue(self, *arguments):
            super().enqueue(*arguments)
            if again:
                again.append(again[0].execute_async_v3(0))

    with shop(kind=Recursive) as other:
        context = other.engine().create_execution_context()
        bind(context, SHAPE)
        again.append(context)
        assert context.execute_async_v3(0)
        assert again[1:] == [False]
        assert "the context is being executed already" in other.log.errors[0]
