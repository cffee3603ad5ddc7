"""The dimensions that data decide are told to an allocator, which is taken back afterwards."""

import types

import reference_runtime as trt
from harness.checks.engines.output_allocator import reported_sizes
from reference_runtime.values.descriptions import NO_SCALE, Description


class Context:
    """Remembers the allocators that it was given."""

    def __init__(self):
        self.allocators = {}

    def set_output_allocator(self, name, allocator):
        self.allocators[name] = allocator


def description(*dims):
    return Description(dims, trt.DataType.INT32, trt.TensorFormat.LINEAR, NO_SCALE)


def test_the_extents_that_data_decide_are_those_that_tensorrt_tells():
    context, tensors = Context(), {"x": description(4), "places": description(-1)}
    buffers = {name: types.SimpleNamespace(address=256 * number) for number, name in enumerate(tensors, 1)}
    with reported_sizes(trt, context, tensors, buffers) as decided:
        allocator = context.allocators["places"]
        assert allocator.reallocate_output("places", 0, 16, 256) == 512
        allocator.notify_shape("places", trt.Dims((3,)))
    assert decided == {"x": description(4), "places": description(3)}
    assert context.allocators == {"places": None}


def test_a_context_that_tells_nothing_leaves_extents_unknown():
    context, tensors = Context(), {"places": description(-1)}
    with reported_sizes(trt, context, tensors, {}) as decided:
        pass
    assert decided == tensors
