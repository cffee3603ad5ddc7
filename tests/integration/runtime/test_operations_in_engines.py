"""Each kind of layer, built into an engine, saved, loaded, and run; and a plugin in the middle of a real graph."""

from __future__ import annotations

import math

import numpy as np
import pytest

from reference_runtime.values.enums import DataType
from reference_runtime.values.enums_layers import (
    ActivationType,
    ElementWiseOperation,
    GatherMode,
    MatrixOperation,
    ReduceOperation,
    SampleMode,
    UnaryOperation,
)
from tests.support.runtime.recording import Recorder, bind, result, shop

T = DataType


@pytest.fixture
def made():
    with shop() as made:
        yield made


def run(made, network, output, dtype=np.float32, **shapes):
    """Mark an output, build, and run with the inputs 0, 1, 2 ..."""
    output.name = "y0"
    network.mark_output(output)
    context = made.engine(network).create_execution_context()
    buffers = bind(context, shapes)
    assert context.execute_async_v3(0), made.log.errors
    return result(context, buffers, dtype=dtype)


def constant(network, values, dtype):
    data = np.array(values, dtype)
    return network.add_constant(data.shape, data).get_output(0)


def whole(network, *values):
    return constant(network, values, np.int64)


def real(network, *values):
    return constant(network, values, np.float32)


def stretched(network, x):
    layer = network.add_slice(x, (-1, 0), (2, 4), (1, 1))
    layer.mode = SampleMode.CLAMP
    return layer


def turned(network, x):
    layer = network.add_shuffle(x)
    layer.first_transpose = (1, 0)
    layer.set_input(1, whole(network, -1, 1))
    return layer


def there_and_back(network, x):
    scale = real(network, 2.0, 4.0)
    quantized = network.add_quantize(x, scale)
    quantized.axis = 0
    back = network.add_dequantize(quantized.get_output(0), scale)
    back.axis = 0
    return back


def along_the_last_axis(network, x):
    layer = network.add_softmax(network.add_elementwise(x, x, ElementWiseOperation.SUB).get_output(0))
    layer.axes = 2
    return layer


def cast_back(network, x):
    return network.add_cast(network.add_cast(x, T.BOOL).get_output(0), T.FLOAT)


def cast_of_the_shape(network, x):
    return network.add_cast(network.add_shape(x).get_output(0), T.FLOAT)


def ranged(network, x):
    layer = network.add_activation(x, ActivationType.CLIP)
    layer.alpha, layer.beta = 1.0, 3.5
    return layer


def chosen(network, x):
    condition = constant(network, [[True, False, True]], bool)
    return network.add_select(condition, x, network.add_unary(x, UnaryOperation.NEG).get_output(0))


CASES = {
    "activation": (ranged, [[1, 1, 2], [3, 3.5, 3.5]]),
    "cast": (cast_back, [[0, 1, 1], [1, 1, 1]]),
    "concatenation": (lambda n, x: n.add_concatenation([x, x]), [[0, 1, 2], [3, 4, 5], [0, 1, 2], [3, 4, 5]]),
    "constant": (
        lambda n, x: n.add_elementwise(x, real(n, [1, 2, 3]), ElementWiseOperation.PROD),
        [[0, 2, 6], [3, 8, 15]],
    ),
    "elementwise": (lambda n, x: n.add_elementwise(x, x, ElementWiseOperation.SUM), [[0, 2, 4], [6, 8, 10]]),
    "gather": (lambda n, x: n.add_gather(x, whole(n, 2, 0), 1), [[2, 0], [5, 3]]),
    "gather_nd": (lambda n, x: n.add_gather_v2(x, whole(n, [1, 1], [0, 2]), GatherMode.ND), [4, 2]),
    "identity": (lambda n, x: n.add_identity(x), [[0, 1, 2], [3, 4, 5]]),
    "matrix_multiply": (
        lambda n, x: n.add_matrix_multiply(x, MatrixOperation.NONE, x, MatrixOperation.TRANSPOSE),
        [[5, 14], [14, 50]],
    ),
    "quantize": (there_and_back, [[0, 0, 2], [4, 4, 4]]),
    "reduce": (lambda n, x: n.add_reduce(x, ReduceOperation.AVG, 0b10, keep_dims=False), [1, 4]),
    "select": (chosen, [[0, -1, 2], [3, -4, 5]]),
    "shape": (cast_of_the_shape, [2, 3]),
    "shuffle": (turned, [[0], [3], [1], [4], [2], [5]]),
    "slice": (stretched, [[0, 1, 2, 2], [0, 1, 2, 2]]),
    "softmax": (along_the_last_axis, [[1 / 3] * 3] * 2),
    "squeeze": (
        lambda n, x: n.add_squeeze(n.add_unsqueeze(x, whole(n, 1)).get_output(0), whole(n, 1)),
        [[0, 1, 2], [3, 4, 5]],
    ),
    "unary": (
        lambda n, x: n.add_unary(x, UnaryOperation.SQRT),
        [[0, 1, math.sqrt(2)], [math.sqrt(3), 2, math.sqrt(5)]],
    ),
    "unsqueeze": (lambda n, x: n.add_unsqueeze(x, whole(n, -1)), [[[0], [1], [2]], [[3], [4], [5]]]),
}


@pytest.mark.parametrize("name", CASES)
def test_each_layer_computes_in_an_engine(made, name):
    add, expected = CASES[name]
    network = made.builder.create_network()
    output = add(network, network.add_input("x", T.FLOAT, (2, 3))).get_output(0)
    computed = run(made, network, output, x=(2, 3))
    assert computed.shape == np.shape(expected)
    assert computed.reshape(-1).tolist() == pytest.approx(np.reshape(expected, -1).tolist())


def test_a_plugin_in_a_real_graph_with_shapes_that_the_graph_computes(made):
    network = made.builder.create_network()
    x = network.add_input("x0", T.FLOAT, (-1, 3, -1))
    first = network.add_gather(network.add_shape(x).get_output(0), whole(network, 0), 0)
    wanted = network.add_concatenation([first.get_output(0), whole(network, -1)]).get_output(0)
    doubled = network.add_plugin_v2([x], Recorder(made.tape)).get_output(0)
    flat = network.add_shuffle(doubled)
    flat.set_input(1, wanted)
    tripled = network.add_plugin_v2([flat.get_output(0)], Recorder(made.tape, factor=3.0)).get_output(0)
    largest = network.add_reduce(tripled, ReduceOperation.MAX, 0b10, keep_dims=True).get_output(0)
    made.profile()
    computed = run(made, network, largest, x0=(2, 3, 4))
    assert computed.tolist() == [[11 * 6.0], [23 * 6.0]]


def test_a_shape_may_be_computed_by_way_of_real_numbers(made):
    network = made.builder.create_network()
    x = network.add_input("x0", T.FLOAT, (-1, 3, -1))
    extents = network.add_cast(network.add_shape(x).get_output(0), T.FLOAT).get_output(0)
    scaled = network.add_elementwise(extents, real(network, 0.5, 1, 2), ElementWiseOperation.PROD).get_output(0)
    wanted = network.add_cast(scaled, T.INT64).get_output(0)
    shuffle = network.add_shuffle(x)
    shuffle.set_input(1, wanted)
    assert shuffle.get_output(0).shape == (-1, 3, -1)
    made.profile(least=(2, 3, 2))
    assert run(made, network, shuffle.get_output(0), x0=(2, 3, 4)).shape == (1, 3, 8)


def test_a_weakly_typed_network_mixes_precisions(made):
    network = made.builder.create_network()
    x = network.add_input("x", T.FLOAT, (2, 3))
    half = network.add_cast(x, T.HALF).get_output(0)
    total = network.add_elementwise(x, half, ElementWiseOperation.SUM)
    total.set_output_type(0, T.HALF)
    computed = run(made, network, total.get_output(0), np.float16, x=(2, 3))
    assert computed.tolist() == [[0, 2, 4], [6, 8, 10]]


def test_an_identity_layer_converts_to_the_type_of_its_output(made):
    network = made.builder.create_network()
    layer = network.add_identity(network.add_input("x", T.FLOAT, (2, 3)))
    layer.set_output_type(0, T.INT32)
    assert run(made, network, layer.get_output(0), np.int32, x=(2, 3)).tolist() == [[0, 1, 2], [3, 4, 5]]
