"""A plugin that keeps and spoils everything it is given changes nothing in what the runtime does."""

from __future__ import annotations

import numpy as np
import pytest

from reference_runtime.values.dims import Dims
from reference_runtime.values.enums import DataType, TensorFormat
from tests.support.runtime.recording import Recorder, bind, result, shop

KEPT = []


def spoil(thing):
    """Change whatever can be changed, and keep it."""
    KEPT.append(thing)
    if hasattr(thing, "desc"):
        spoil(thing.desc)
        for name in ("min", "opt", "max"):
            setattr(thing, name, Dims((9, 9)))
    elif hasattr(thing, "scale"):
        if len(thing.dims):
            thing.dims[0] = 77
        thing.dims = Dims((7,))
        thing.type, thing.format, thing.scale = DataType.INT64, TensorFormat.DHWC8, 123.0
    elif isinstance(thing, list):
        for item in thing:
            spoil(item)
        thing.reverse()
        thing.append("spoilt")


class Spoiler(Recorder):
    """Does what a recorder does, and then spoils its arguments."""

    def get_output_datatype(self, index, input_types):
        answer = super().get_output_datatype(index, input_types)
        spoil(input_types)
        return answer

    def get_output_dimensions(self, output_index, inputs, expr_builder):
        answer = super().get_output_dimensions(output_index, inputs, expr_builder)
        inputs[0][0] = expr_builder.constant(99)
        KEPT.append(expr_builder)
        inputs.clear()
        return answer

    def supports_format_combination(self, pos, in_out, num_inputs):
        answer = super().supports_format_combination(pos, in_out, num_inputs)
        spoil(in_out)
        return answer

    def configure_plugin(self, in_, out):
        super().configure_plugin(in_, out)
        spoil(in_)
        spoil(out)

    def get_workspace_size(self, in_, out):
        answer = super().get_workspace_size(in_, out)
        spoil(in_)
        spoil(out)
        return answer

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        super().enqueue(input_desc, output_desc, inputs, outputs, workspace, stream)
        for arguments in (input_desc, output_desc, inputs, outputs):
            spoil(arguments)


def life(kind, seed):
    """Everything that was called, and what came out."""
    with shop(seed, kind=kind) as made:
        made.profile(inputs=2)
        network = made.network(inputs=2, outputs=2, chain=2, kind=kind)
        shapes = [tuple(tensor.shape) for tensor in (network.get_output(0), network.get_output(1))]
        context = made.engine(network).create_execution_context()
        outcomes = []
        for shape in [(1, 3, 2), (4, 3, 8), (1, 3, 2)]:
            buffers = bind(context, {"x0": shape, "x1": shape})
            assert context.execute_async_v3(0), made.log.errors
            outcomes.append(result(context, buffers, "y1"))
        calls = [(who, method, without_addresses(method, arguments)) for who, method, arguments in made.tape.calls]
        return calls, shapes, outcomes


def without_addresses(method, arguments):
    if method == "supports_format_combination":
        pos, in_out, num_inputs = arguments
        return pos, in_out[: pos + 1], num_inputs
    return arguments[:2] if method == "enqueue" else arguments


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_plugin_that_keeps_and_spoils_its_arguments_changes_nothing(seed):
    KEPT.clear()
    calls, shapes, outcomes = life(Recorder, seed)
    spoilt_calls, spoilt_shapes, spoilt_outcomes = life(Spoiler, seed)
    assert KEPT
    assert spoilt_calls == calls
    assert spoilt_shapes == shapes
    for expected, got in zip(outcomes, spoilt_outcomes, strict=True):
        np.testing.assert_array_equal(got, expected)
