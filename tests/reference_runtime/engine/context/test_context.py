from __future__ import annotations

import gc
import threading

import numpy as np
import pytest

from reference_runtime.bound import lifetimes
from reference_runtime.devices import host
from reference_runtime.engine.context.context import IExecutionContext
from reference_runtime.shapes.expressions import DimsExprs
from reference_runtime.values.dims import Dims
from reference_runtime.values.enums import DimensionOperation
from tests.support.runtime.recording import Recorder, bind, result, shop


@pytest.fixture
def made():
    with shop() as made:
        yield made


@pytest.fixture
def context(made):
    made.profile()
    made.profile((1, 3, 1), (8, 3, 8), (16, 3, 16))
    return made.engine(made.network()).create_execution_context()


def calls(made, *methods):
    """What reached the context's own copy."""
    number = int(made.gate.owned[-1].name.partition("#")[2])
    return [method for method in made.tape.methods(number) if not methods or method in methods]


def test_a_context_runs_the_plugin(made, context):
    buffers = bind(context, {"x0": (2, 3, 4)})
    assert context.execute_async_v3(0)
    np.testing.assert_array_equal(result(context, buffers).ravel(), 2.0 * np.arange(24))
    assert made.log.lines == []


def test_execute_v2_takes_addresses_in_order(context):
    buffers = bind(context, {"x0": (1, 3, 2)})
    assert context.execute_v2([buffers["x0"].address, buffers["y0"].address])
    np.testing.assert_array_equal(result(context, buffers).ravel(), 2.0 * np.arange(6))
    assert not context.execute_v2([buffers["x0"].address])


def test_setting_something_calls_nothing_and_the_next_execution_configures(made, context):
    bind(context, {"x0": (2, 3, 4)})
    assert calls(made) == []
    context.execute_async_v3(0)
    assert calls(made) == ["configure_plugin", "enqueue"]


def test_a_plugin_is_configured_again_only_after_a_change_of_shape_or_profile(made, context):
    bind(context, {"x0": (2, 3, 4)})
    context.execute_async_v3(0)
    bind(context, {"x0": (2, 3, 4)})  # the same shape, other addresses
    context.execute_async_v3(0)
    assert calls(made) == ["configure_plugin", "enqueue", "enqueue"]
    bind(context, {"x0": (1, 3, 4)})
    context.execute_async_v3(0)
    assert calls(made)[3:] == ["configure_plugin", "enqueue"]
    assert context.set_optimization_profile_async(1, 0)
    bind(context, {"x0": (1, 3, 4)})
    context.execute_async_v3(0)
    assert calls(made)[5:] == ["configure_plugin", "enqueue"]


def test_a_plugin_is_configured_with_the_extents_at_hand_and_the_profiles_bounds(made, context):
    context.set_optimization_profile_async(1, 0)
    bind(context, {"x0": (9, 3, 1)})
    context.execute_async_v3(0)
    (desc, *bounds), *_ = made.tape.of("configure_plugin")[-1][2][0]
    assert desc[0] == (9, 3, 1)
    assert bounds == [(1, 3, 1), (8, 3, 8), (16, 3, 16)]


def test_a_new_context_is_on_profile_0_and_a_switch_forgets_shapes(made, context):
    assert context.active_optimization_profile == 0
    bind(context, {"x0": (2, 3, 4)})
    assert context.set_optimization_profile_async(0, 0)
    assert context.infer_shapes() == []
    assert context.set_optimization_profile_async(1, 0)
    assert context.active_optimization_profile == 1
    assert context.infer_shapes() == ["x0"]
    assert not context.execute_async_v3(0)
    assert "Following input tensors' dimensions are not specified: x0." in made.log.errors[0]


@pytest.mark.parametrize("index", [-1, 2])
def test_a_profile_that_does_not_exist_is_a_runtime_error(made, context, index):
    with pytest.raises(RuntimeError, match="Error in set optimization profile async"):
        context.set_optimization_profile_async(index, 0)
    assert f"there is no optimization profile {index}; the engine has 2" in made.log.errors[0]
    assert context.active_optimization_profile == 0


@pytest.mark.parametrize("shape", [(2, 3, 4), [2, 3, 4], Dims((2, 3, 4))])
def test_a_shape_may_be_a_tuple_a_list_or_dims(context, shape):
    assert context.set_input_shape("x0", shape)
    assert context.get_tensor_shape("x0") == (2, 3, 4)


@pytest.mark.parametrize(
    ("name", "shape"),
    [("x0", (2, 3)), ("x0", (2, 4, 4)), ("x0", (5, 3, 4)), ("x0", (0, 3, 4)), ("x0", (2, 3, 9)), ("y0", (2, 3, 4))],
)
def test_a_shape_that_does_not_fit_is_refused_and_changes_nothing(made, context, name, shape):
    context.set_input_shape("x0", (2, 3, 4))
    assert not context.set_input_shape(name, shape)
    assert context.get_tensor_shape("x0") == (2, 3, 4)
    assert made.log.errors[0].startswith("IExecutionContext::setInputShape: Error Code 3: API Usage Error (")


def test_a_shape_of_too_many_dimensions_is_a_runtime_error(context):
    with pytest.raises(RuntimeError, match="exceeds the maximum allowed number of dimensions"):
        context.set_input_shape("x0", (1,) * 9)


def test_a_shape_that_is_not_made_of_integers_is_a_runtime_error(context):
    with pytest.raises(RuntimeError, match="Unable to cast"):
        context.set_input_shape("x0", (1, 3, 2.0))


def test_shapes_are_known_as_far_as_they_were_set(context):
    assert context.get_tensor_shape("x0") == (-1, 3, -1)
    assert context.get_tensor_shape("y0") == (-1, 3, -1)
    assert not context.all_binding_shapes_specified
    assert context.infer_shapes() == ["x0"]
    assert context.get_tensor_strides("x0") == (-1, -1, -1)
    assert context.get_max_output_size("y0") == -1
    context.set_input_shape("x0", (2, 3, 4))
    assert context.get_tensor_shape("y0") == (2, 3, 4)
    assert context.get_tensor_strides("y0") == (12, 4, 1)
    assert context.get_max_output_size("y0") == 4 * 3 * 8 * 4
    assert context.get_max_output_size("x0") == -1


def test_refusals_have_the_words_of_the_original(made):
    context = made.engine().create_execution_context()
    assert not context.set_input_shape("x0", (9, 3, 1))
    assert not context.set_input_shape("x0", (1, 4, 2))
    assert not context.execute_async_v3(0)
    bind(context, {"x0": (1, 3, 2)})
    assert context.set_tensor_address("x0", 0)
    assert not context.execute_async_v3(0)
    before = "Error Code 3: API Usage Error (Parameter check failed, condition:"
    address = "mContext.profileObliviousBindings.at(profileObliviousIndex)"
    assert made.log.errors == [
        (
            f"IExecutionContext::setInputShape: {before} satisfyProfile. Set dimension [9,3,1] for tensor x0 does not "
            f"satisfy any optimization profiles. Valid range for profile 0: [1,3,2]..[4,3,8].)"
        ),
        (
            f"IExecutionContext::setInputShape: {before} engineDims.d[i] == dims.d[i]. Static dimension mismatch while "
            f"setting input shape for x0. Set dimensions are [1,4,2]. Expected dimensions are [-1,3,-1].)"
        ),
        (
            f"IExecutionContext::enqueueV3: {before} inputDimensionSpecified && inputShapesSpecified. Not all shapes "
            f"are specified. Following input tensors' dimensions are not specified: x0.)"
        ),
        (
            f"IExecutionContext::enqueueV3: {before} {address} != nullptr. Address is not set for input tensor x0. "
            f"Call setInputTensorAddress or setTensorAddress before enqueue/execute.)"
        ),
    ]


def test_zero_extents_are_legal_where_the_profile_allows_them(made):
    made.profile((0, 3, 0), (1, 3, 1), (4, 3, 4))
    context = made.engine(made.network()).create_execution_context()
    assert context.set_input_shape("x0", (0, 3, 2))
    assert not context.execute_v2([0, 0]), "an empty tensor needs an address too"
    assert "Address is not set for input tensor x0" in made.log.errors[-1]
    one, other = (host.current_device().allocate(1) for _ in range(2))
    assert context.execute_v2([one.address, other.address])


def test_shapes_that_cannot_be_inferred_are_a_runtime_error(made):
    class Pooling(Recorder):
        def get_output_dimensions(self, _index, inputs, builder):
            reduced = builder.operation(DimensionOperation.SUB, inputs[0][0], inputs[0][2])
            return DimsExprs([reduced])

        def enqueue(self, *_):
            pass

    made.profile((2, 3, 1), (4, 3, 1), (8, 3, 8))
    context = made.engine(made.network(kind=Pooling)).create_execution_context()
    context.set_input_shape("x0", (2, 3, 8))
    with pytest.raises(RuntimeError, match="infer_shapes error code"):
        context.infer_shapes()
    assert not context.execute_v2([256, 512])
    assert "output 0 would have the shape [-6]" in made.log.errors[0]
    with pytest.raises(ValueError, match="should return >= 0"):
        len(context.get_tensor_shape("y0"))


def test_addresses_are_aligned_kept_and_needed(made, context):
    bind(context, {"x0": (2, 3, 4)})
    assert not context.set_tensor_address("x0", 0x1001)
    assert context.get_tensor_address("x0") % 256 == 0
    assert context.get_tensor_address("nothing") == 0
    assert context.set_tensor_address("y0", 0)
    assert not context.execute_async_v3(0)
    assert "Neither address or allocator is set for output tensor y0" in made.log.errors[-1]


def test_an_execution_fails_where_a_plugin_does(made, context):
    bind(context, {"x0": (2, 3, 4)})
    made.gate.owned[-1].target.enqueue = lambda *_: 1 / 0
    assert not context.execute_async_v3(0)
    assert "the plugin's enqueue failed" in made.log.errors[0]
    assert made.gate.failures[-1].what == "raised ZeroDivisionError: division by zero"


def test_layers_run_one_after_the_other_through_memory_of_the_context(made):
    made.profile()
    context = made.engine(made.network(chain=3)).create_execution_context()
    buffers = bind(context, {"x0": (2, 3, 4)})
    assert context.execute_async_v3(0)
    np.testing.assert_array_equal(result(context, buffers).ravel(), 8.0 * np.arange(24))


def test_several_inputs_and_outputs_go_to_their_places(made):
    made.profile(inputs=2)
    context = made.engine(made.network(inputs=2, outputs=3)).create_execution_context()
    buffers = bind(context, {"x0": (1, 3, 2), "x1": (1, 3, 2)})
    assert context.execute_async_v3(0)
    for place in range(3):
        np.testing.assert_array_equal(result(context, buffers, f"y{place}").ravel(), 4.0 * np.arange(6) + place)


def test_what_a_context_lends_is_poisoned_before_each_run():
    held = []

    class Looking(Recorder):
        def enqueue(self, *arguments):
            held.append(bytes(host.view(arguments[4], 64)))
            super().enqueue(*arguments)
            host.view(arguments[4], 64)[:] = bytes(64)

    with shop(kind=Looking) as made:
        context = made.engine().create_execution_context()
        bind(context, {"x0": (2, 3, 4)})
        held.clear()
        for _ in range(2):
            context.execute_async_v3(0)
    assert held == [held[0]] * 2
    assert 0 not in held[0]


def test_a_context_gives_its_memory_back(made):
    device = host.HostDevice()
    with host.use(device):
        context = made.engine(chain=2).create_execution_context()
        buffers = bind(context, {"x0": (2, 3, 4)})
        for shape in [(2, 3, 4), (1, 3, 2)]:
            context.set_input_shape("x0", shape)
            context.execute_async_v3(0)
        assert len(device.buffers) > len(buffers)
        lifetimes.close(context)
        assert sorted(device.buffers, key=id) == sorted(buffers.values(), key=id)
    assert device.faults == []


def test_a_closed_context_does_not_run_and_is_not_closed_again(made, context):
    bind(context, {"x0": (2, 3, 4)})
    lifetimes.close(context)
    lifetimes.close(context)
    assert not context.execute_async_v3(0)
    del context
    gc.collect()
    assert calls(made) == ["destroy"]


def test_contexts_of_one_engine_do_not_disturb_each_other(made):
    engine = made.engine()
    one, other = (engine.create_execution_context() for _ in range(2))
    first, second = bind(one, {"x0": (1, 3, 2)}), bind(other, {"x0": (4, 3, 8)})
    for context in (one, other, one):
        assert context.execute_async_v3(0)
    np.testing.assert_array_equal(result(one, first).ravel(), 2.0 * np.arange(6))
    np.testing.assert_array_equal(result(other, second).ravel(), 2.0 * np.arange(96))


def test_contexts_may_run_in_threads(made):
    engine = made.engine()
    contexts = [engine.create_execution_context() for _ in range(4)]
    buffers = [bind(context, {"x0": (4, 3, 8)}) for context in contexts]
    done = []
    threads = [
        threading.Thread(target=lambda context=context: done.extend(context.execute_async_v3(0) for _ in range(20)))
        for context in contexts
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert done == [True] * 80
    for context, held in zip(contexts, buffers, strict=True):
        np.testing.assert_array_equal(result(context, held).ravel(), 2.0 * np.arange(96))


def test_a_context_keeps_its_engine_alive(made):
    context = made.engine().create_execution_context()
    gc.collect()
    buffers = bind(context, {"x0": (2, 3, 4)})
    assert context.execute_async_v3(0)
    assert context.engine.num_layers == 1
    assert len(buffers) == 2


def test_a_context_for_which_one_plugin_cannot_be_cloned_leaves_nothing(made):
    engine = made.engine(chain=2)
    made.gate.owned[-1].target.clone = lambda: None
    mark = len(made.tape.calls)
    assert engine.create_execution_context() is None
    assert [method for _, method, _ in made.tape.calls[mark:]] == ["clone", "destroy"]


def test_a_context_has_a_name(context):
    context.name, context.debug_sync = "mine", True
    assert (context.name, context.debug_sync) == ("mine", True)
    with pytest.raises(TypeError, match="No constructor defined"):
        IExecutionContext()
