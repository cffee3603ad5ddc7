"""Plugins of version 3 in a context: attaching, tactics, changes of shape, shape inputs, sizes, aliases."""

from __future__ import annotations

import gc

import numpy as np
import pytest

from reference_runtime.bound import lifetimes
from reference_runtime.bound.errors import NativeCrash
from reference_runtime.devices import host
from reference_runtime.shapes.expressions import DimsExprs
from reference_runtime.values.enums import DataType, TensorFormat, TensorLocation
from reference_runtime.values.enums_building import PreviewFeature
from reference_runtime.values.enums_layers import ElementWiseOperation
from tests.support.runtime.recording import bind, load, result
from tests.support.runtime.recording_v3 import Aliasing, RecorderV3, shop_v3

SHAPE = {"x0": (2, 3, 4)}


@pytest.fixture
def made():
    with shop_v3() as made:
        yield made


def since(made, mark, *methods):
    return [method for _, method, _ in made.tape.calls[mark:] if not methods or method in methods]


def mark(made):
    return len(made.tape.calls)


def test_a_context_attaches_a_copy_with_resources_of_its_own(made):
    engine = made.engine()
    begin = mark(made)
    contexts = [engine.create_execution_context() for _ in range(2)]
    assert since(made, begin, "attach_to_context", "clone") == ["attach_to_context"] * 2
    one, other = (call[2][0] for call in made.tape.of("attach_to_context")[-2:])
    assert one is not other
    assert one.gpu_allocator is None
    lifetimes.close(contexts[0])
    with pytest.raises(NativeCrash, match="after its execution context was destroyed"):
        _ = one.gpu_allocator
    assert other.error_recorder is None


def test_the_first_execution_sets_the_tactic_and_names_the_shapes(made):
    context = made.engine().create_execution_context()
    begin = mark(made)
    buffers = bind(context, SHAPE)
    assert since(made, begin) == []
    assert context.execute_async_v3(0), made.log.errors
    assert since(made, begin) == ["set_tactic", "on_shape_change", "enqueue"]
    np.testing.assert_array_equal(result(context, buffers).ravel(), 2.0 * np.arange(24))
    (inputs, outputs) = made.tape.of("on_shape_change")[-1][2]
    assert inputs[0][0] == outputs[0][0] == (2, 3, 4)


def test_shapes_are_named_again_after_a_change_of_shape_profile_or_address(made):
    made.profile()
    made.profile((1, 3, 1), (8, 3, 8), (16, 3, 16))
    context = made.engine(made.network()).create_execution_context()
    bind(context, SHAPE)
    context.execute_async_v3(0)
    begin = mark(made)
    for _ in range(5):
        assert context.execute_async_v3(0)
    assert since(made, begin) == ["enqueue"] * 5
    kept = bind(context, SHAPE)  # at other addresses
    begin = mark(made)
    assert context.execute_async_v3(0)
    assert since(made, begin) == ["on_shape_change", "enqueue"]
    assert context.execute_v2([buffer.address for buffer in kept.values()])
    assert since(made, begin) == ["on_shape_change", "enqueue", "enqueue"]
    kept["y0"] = host.current_device().allocate(96)
    context.set_tensor_address("y0", kept["y0"].address)
    begin = mark(made)
    assert context.execute_async_v3(0)
    assert since(made, begin) == ["enqueue"], "an output has moved, and no input"
    for change in (lambda: None, lambda: context.set_optimization_profile_async(1, 0)):
        change()
        bind(context, {"x0": (1, 3, 4)})
        begin = mark(made)
        assert context.execute_async_v3(0)
        assert since(made, begin) == ["on_shape_change", "enqueue"]


@pytest.mark.parametrize("seed", range(6))
def test_the_tactic_always_comes_before_the_shapes(seed):
    with shop_v3(seed) as made:
        made.profile()
        context = made.engine(made.network(chain=2)).create_execution_context()
        numbers = sorted({who for who, method, _ in made.tape.calls if method == "attach_to_context"})
        for shape in ((2, 3, 4), (1, 3, 2)):
            bind(context, {"x0": shape})
            assert context.execute_async_v3(0)
        assert numbers
        for who in range(made.tape.objects - 1, made.tape.objects + 1):
            seen = [method for method in made.tape.methods(who) if method in ("set_tactic", "on_shape_change")]
            assert seen[0] == "set_tactic"


def test_the_chosen_tactic_is_set():
    class Choosing(RecorderV3):
        def get_valid_tactics(self):
            return [7, 9]

    with shop_v3(kind=Choosing) as made:
        context = made.engine().create_execution_context()
        bind(context, SHAPE)
        assert context.execute_async_v3(0)
        assert made.tape.of("set_tactic")[-1][2][0] in (7, 9)


@pytest.mark.parametrize(
    ("method", "words"),
    [
        ("set_tactic", "set_tactic(0) failed"),
        ("on_shape_change", "on_shape_change failed"),
        ("enqueue", "enqueue failed"),
    ],
)
def test_what_a_plugin_raises_fails_the_execution_and_the_next_one_may_work(made, method, words):
    context = made.engine().create_execution_context()
    buffers = bind(context, SHAPE)
    plugin = made.gate.owned[-1].target
    setattr(plugin, method, lambda *_: 1 / 0)
    assert not context.execute_async_v3(0)
    assert words in made.log.errors[0]
    assert made.gate.failures[-1].what == "raised ZeroDivisionError: division by zero"
    delattr(plugin, method)
    assert context.execute_async_v3(0)
    np.testing.assert_array_equal(result(context, buffers).ravel(), 2.0 * np.arange(24))


@pytest.mark.parametrize("answer", [lambda *_: None, lambda *_: 1 / 0, lambda *_: "plugin"])
def test_a_plugin_that_cannot_be_attached_leaves_nothing(made, answer):
    engine = made.engine(chain=2)
    made.gate.owned[-1].target.attach_to_context = answer
    begin = mark(made)
    assert engine.create_execution_context() is None
    assert "could not be attached to the context" in made.log.errors[0]
    assert since(made, begin, "attach_to_context", "destroy") == ["attach_to_context", "destroy"]


def test_what_attach_returned_needs_its_capabilities(made):
    engine = made.engine()
    source = made.gate.owned[-1].target

    def attach(_resources):
        copy = source.copied()
        copy.get_capability_interface = lambda _kind: None
        return copy

    source.attach_to_context = attach
    assert engine.create_execution_context() is None
    assert "has no CORE or RUNTIME capability" in made.log.errors[0]


def test_copies_are_destroyed_with_their_context(made):
    engine = made.engine(chain=2)
    context = engine.create_execution_context()
    begin = mark(made)
    del context
    gc.collect()
    assert since(made, begin) == ["destroy", "destroy"]


class Reshaping(RecorderV3):
    """Gives its output the shape that its shape input says."""

    def get_output_shapes(self, _inputs, shape_inputs, _builder):
        return [DimsExprs([shape_inputs[0][0], shape_inputs[0][1]])]

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        self.note("enqueue", input_desc, output_desc, inputs, outputs, workspace, stream)
        host.view(outputs[0], 4 * int(np.prod(tuple(output_desc[0].dims))))[:] = host.view(inputs[0], 24)


def reshaping(made):
    network = made.builder.create_network()
    x, shape = network.add_input("x0", DataType.FLOAT, (6,)), network.add_input("shape", DataType.INT32, (2,))
    made.mark(network, made.add(network, [x], Reshaping(made.tape), [shape]))
    profile = made.builder.create_optimization_profile()
    profile.set_shape_input("shape", [1, 1], [2, 3], [6, 6])
    made.config.add_optimization_profile(profile)
    return made.engine(network)


def test_shape_inputs_lie_on_the_host_and_are_read_when_they_are_needed():
    with shop_v3(kind=Reshaping) as made:
        engine = reshaping(made)
        assert engine.get_tensor_location("shape") == TensorLocation.HOST
        assert engine.is_shape_inference_io("shape")
        assert engine.get_tensor_profile_values(0, "shape") == [[1, 1], [2, 3], [6, 6]]
        context = engine.create_execution_context()
        assert context.infer_shapes() == ["shape"]
        assert not context.all_shape_inputs_specified
        assert context.get_tensor_shape("y0") == (-1, -1)
        wanted = np.array([2, 3], np.int32)
        assert context.set_tensor_address("shape", wanted.ctypes.data), "no alignment is asked of host memory"
        assert context.all_shape_inputs_specified
        buffers = {"x0": host.current_device().allocate(24), "y0": host.current_device().allocate(144)}
        buffers["x0"].write(np.arange(6, dtype=np.float32))
        for name, buffer in buffers.items():
            context.set_tensor_address(name, buffer.address)
        for rows in (2, 3):
            wanted[:] = rows, 6 // rows
            assert context.execute_async_v3(0), made.log.errors
            assert context.get_tensor_shape("y0") == (rows, 6 // rows)
            assert made.tape.of("enqueue")[-1][2][1][0][0] == (rows, 6 // rows)
        np.testing.assert_array_equal(buffers["y0"].read(np.float32, 6), np.arange(6))
        assert len(made.tape.of("enqueue")[-1][2][0]) == 1, "shape inputs are not shown to enqueue"


def test_values_of_shape_inputs_stay_within_the_profile_and_on_the_host():
    with shop_v3(kind=Reshaping) as made:
        context = reshaping(made).create_execution_context()
        wanted = np.array([2, 7], np.int32)
        context.set_tensor_address("shape", wanted.ctypes.data)
        with pytest.raises(RuntimeError, match="infer_shapes error code"):
            context.infer_shapes()
        assert "shape: the values [2, 7] are not within [1, 1] and [6, 6] of profile 0" in made.log.errors[0]
        device = host.current_device().allocate(8)
        device.write(np.array([2, 3], np.int32))
        context.set_tensor_address("shape", device.address)
        assert not context.execute_async_v3(0)
        assert "its address is in device memory" in made.log.errors[-1]


class NonZero(RecorderV3):
    """Gives the elements that are not zero, and their number; with ``factor`` 1 it gives what it got."""

    def get_output_data_types(self, input_types):
        return [input_types[0], DataType.INT32]

    def get_output_shapes(self, inputs, _shape_inputs, builder):
        return [DimsExprs([builder.declare_size_tensor(1, inputs[0][0], inputs[0][0])]), DimsExprs(0)]

    def supports_format_combination(self, pos, in_out, _num_inputs):
        wanted = DataType.INT32 if pos == 2 else DataType.FLOAT
        return in_out[pos].desc.type == wanted and in_out[pos].desc.format == TensorFormat.LINEAR

    lie = None

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        self.note("enqueue", input_desc, output_desc, inputs, outputs, workspace, stream)
        given = load(input_desc[0], inputs[0])
        found = given[given != 0].astype(np.float32)
        host.view(outputs[0], found.nbytes)[:] = found.tobytes()
        host.view(outputs[1], 4)[:] = np.int32(len(found) if self.lie is None else self.lie).tobytes()


def counting(made, *, behind=0):
    """An engine of a `NonZero`; each layer that is ``behind`` adds its output to itself."""
    network = made.builder.create_network()
    found, number = made.add(network, [network.add_input("x0", DataType.FLOAT, (-1,))], NonZero(made.tape, outputs=2))
    for _ in range(behind):
        found = network.add_elementwise(found, found, ElementWiseOperation.SUM).get_output(0)
    made.mark(network, [found, number])
    made.profile((1,), (4,), (8,))
    return made.engine(network)


def give(context, values, room=8):
    device = host.current_device()
    context.set_input_shape("x0", (len(values),))
    buffers = {"x0": device.allocate(4 * len(values)), "y0": device.allocate(4 * room), "y1": device.allocate(4)}
    buffers["x0"].write(np.array(values, np.float32))
    for name, buffer in buffers.items():
        context.set_tensor_address(name, buffer.address)
    return buffers


@pytest.mark.parametrize("behind", [0, 1, 3])
def test_what_data_decide_is_read_and_everything_behind_it_follows(behind):
    with shop_v3(kind=NonZero) as made:
        context = counting(made, behind=behind).create_execution_context()
        buffers = give(context, [0, 1, 0, 2, 3])
        assert context.get_tensor_shape("y0") == (-1,)
        assert context.get_tensor_shape("y1") == ()
        assert context.get_max_output_size("y0") == 32
        for _ in range(2):
            assert context.execute_async_v3(0), made.log.errors
        assert buffers["y1"].read(np.int32, ()) == 3
        np.testing.assert_array_equal(buffers["y0"].read(np.float32, 3), 2**behind * np.array([1, 2, 3]))
        described = made.tape.of("enqueue")[-1][2][1]
        assert described[0][0] == (-1,), "the size is not known to the plugin before it runs"


def test_a_size_that_data_decide_may_decide_the_extents_of_other_tensors():
    with shop_v3(kind=NonZero) as made:
        network = made.builder.create_network()
        given = network.add_input("x0", DataType.FLOAT, (-1,))
        found, number = made.add(network, [given], NonZero(made.tape, outputs=2))
        part = network.add_slice(given, (0,), (1,), (1,))
        part.set_input(2, network.add_shape(found).get_output(0))
        total = network.add_elementwise(found, part.get_output(0), ElementWiseOperation.SUM).get_output(0)
        made.mark(network, [total, number])
        made.profile((1,), (4,), (8,))
        context = made.engine(network).create_execution_context()
        buffers = give(context, [0, 1, 0, 2, 3])
        for _ in range(2):
            assert context.execute_async_v3(0), made.log.errors
        np.testing.assert_array_equal(buffers["y0"].read(np.float32, 3), [1, 3, 3])


def test_a_size_that_data_decide_meets_a_fixed_extent_when_it_is_known():
    with shop_v3(kind=NonZero) as made:
        network = made.builder.create_network()
        found, number = made.add(
            network, [network.add_input("x0", DataType.FLOAT, (-1,))], NonZero(made.tape, outputs=2)
        )
        fixed = network.add_constant((3,), np.array([10, 20, 30], np.float32)).get_output(0)
        total = network.add_elementwise(found, fixed, ElementWiseOperation.SUM).get_output(0)
        made.mark(network, [total, number])
        made.profile((1,), (4,), (8,))
        context = made.engine(network).create_execution_context()
        for data, expected in [([0, 1, 0, 2, 3], [11, 22, 33]), ([0, 5], [15, 25, 35]), ([1, 2, 3], [11, 22, 33])]:
            buffers = give(context, data)
            assert context.get_tensor_shape("y0") == (3,)
            assert context.execute_async_v3(0), made.log.errors
            np.testing.assert_array_equal(buffers["y0"].read(np.float32, 3), expected)
        give(context, [0, 1, 2])
        assert not context.execute_async_v3(0)
        assert "the operands of SUM [2], [3] cannot be broadcast" in made.log.errors[-1]


@pytest.mark.parametrize(("size", "words"), [(6, "beyond the declared upper bound [5]"), (-1, "a size is 0 or more")])
def test_a_size_that_cannot_be_fails_the_execution(size, words):
    with shop_v3(kind=NonZero) as made:
        context = counting(made).create_execution_context()
        give(context, [0, 1, 0, 2, 3])
        made.gate.owned[-1].target.lie = size
        assert not context.execute_async_v3(0)
        assert words in made.log.errors[0]


@pytest.fixture
def aliasing():
    with shop_v3(kind=Aliasing) as made:
        made.config.set_preview_feature(PreviewFeature.ALIASED_PLUGIN_IO_10_03, enable=True)
        made.profile()
        yield made


def test_an_aliased_output_is_in_the_memory_of_its_input(aliasing):
    context = aliasing.engine(aliasing.network(chain=2)).create_execution_context()
    assert context.engine.get_aliased_input_tensor("y0") == "x0"
    buffers = bind(context, SHAPE)
    assert context.execute_async_v3(0)
    for call in aliasing.tape.of("enqueue")[-2:]:
        assert call[2][2] == call[2][3] == [buffers["x0"].address]
    np.testing.assert_array_equal(buffers["x0"].read(np.float32, 24), 4.0 * np.arange(24))
    np.testing.assert_array_equal(result(context, buffers).ravel(), 4.0 * np.arange(24))


def test_an_aliased_pair_at_one_address_is_not_copied(aliasing):
    context = aliasing.engine(aliasing.network()).create_execution_context()
    buffers = bind(context, SHAPE)
    context.set_tensor_address("y0", buffers["x0"].address)
    assert context.execute_async_v3(0)
    np.testing.assert_array_equal(buffers["x0"].read(np.float32, 24), 2.0 * np.arange(24))
    assert 0 not in buffers["y0"].read(np.uint8, 96)


def test_an_output_that_is_converted_lies_elsewhere_than_its_input(aliasing):
    network = aliasing.network(dtype=DataType.HALF)
    network.get_output(0).dtype = DataType.FLOAT
    context = aliasing.engine(network).create_execution_context()
    assert context.engine.get_tensor_dtype("x0") == DataType.HALF
    assert context.engine.get_aliased_input_tensor("y0") is None


class NotAliasing(Aliasing):
    def get_aliased_input(self, _output):
        return -1


def test_a_plugin_that_aliases_nothing_shares_nothing():
    with shop_v3(kind=NotAliasing) as made:
        context = made.engine().create_execution_context()
        assert context.engine.get_aliased_input_tensor("y0") is None
        buffers = bind(context, SHAPE)
        assert context.execute_async_v3(0)
        np.testing.assert_array_equal(buffers["x0"].read(np.float32, 24), np.arange(24))
