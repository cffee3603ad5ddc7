"""The properties of the layers that compute from many elements, bring data along, or quantize."""

from __future__ import annotations

import numpy as np
import pytest

from reference_runtime.values.enums import DataType
from reference_runtime.values.enums_layers import MatrixOperation, ReduceOperation
from reference_runtime.values.weights import Weights
from tests.support.runtime.recording import shop

T = DataType


@pytest.fixture
def made():
    with shop() as made:
        yield made


@pytest.fixture
def network(made):
    return made.builder.create_network()


@pytest.fixture
def x(network):
    return network.add_input("x", T.FLOAT, (2, 3, 4))


def shape_of(layer):
    return tuple(layer.get_output(0).shape)


def test_constant(made, network):
    layer = network.add_constant((2, 2), np.array([[1, 2], [3, 4]], np.float32))
    assert (tuple(layer.shape), layer.weights.tolist()) == ((2, 2), [1.0, 2.0, 3.0, 4.0])
    layer.shape = (4,)
    assert (tuple(layer.shape), shape_of(layer)) == ((4,), (4,))
    layer.weights = Weights(np.array([5, 6, 7, 8], np.int32))
    assert (layer.weights.tolist(), layer.get_output(0).dtype) == ([5, 6, 7, 8], T.INT32)
    layer.weights = np.array([9, 9, 9, 9], np.int32)
    assert layer.weights.tolist() == [9, 9, 9, 9]
    layer.shape = (3,)
    layer.weights = Weights(np.ones(5, np.int32))
    assert (tuple(layer.shape), layer.weights.size) == ((4,), 4)
    assert [error.split(":")[2] for error in made.log.errors] == ["setDimensions", "setWeights"]
    with pytest.raises(TypeError, match="incompatible function arguments"):
        layer.weights = [1, 2, 3, 4]


def test_a_constant_shows_the_memory_that_it_borrows(network):
    data = np.array([1.0, 2.0], np.float32)
    layer = network.add_constant((2,), data)
    data[0] = 5
    assert layer.weights.tolist() == [5.0, 2.0]


def test_matrix_multiply(network, x):
    layer = network.add_matrix_multiply(x, MatrixOperation.NONE, x, MatrixOperation.TRANSPOSE)
    assert (layer.op0, layer.op1, shape_of(layer)) == (MatrixOperation.NONE, MatrixOperation.TRANSPOSE, (2, 3, 3))
    layer.op0 = MatrixOperation.TRANSPOSE
    layer.op1 = MatrixOperation.NONE
    assert (layer.op0, layer.op1, shape_of(layer)) == (MatrixOperation.TRANSPOSE, MatrixOperation.NONE, (2, 4, 4))


def test_reduce(network, x):
    layer = network.add_reduce(x, ReduceOperation.SUM, 0b001, keep_dims=False)
    assert (layer.op, layer.axes, layer.keep_dims, shape_of(layer)) == (ReduceOperation.SUM, 1, False, (3, 4))
    layer.op, layer.axes, layer.keep_dims = ReduceOperation.AVG, 0b110, True
    assert (layer.op, layer.axes, layer.keep_dims, shape_of(layer)) == (ReduceOperation.AVG, 6, True, (2, 1, 1))


def test_softmax(made, network, x):
    layer = network.add_softmax(x)
    assert layer.axes == 0b001
    layer.axes = 0b100
    assert (layer.axes, shape_of(layer)) == (0b100, (2, 3, 4))
    layer.axes = 0b110
    with pytest.raises(ValueError, match="len"):
        len(layer.get_output(0).shape)
    assert "takes one axis" in made.log.errors[0]


def scales(network, *shape):
    return network.add_constant(shape, np.ones(shape, np.float32)).get_output(0)


def test_quantize(network, x):
    layer = network.add_quantize(x, scales(network, 3))
    assert (layer.axis, layer.to_type, layer.get_output(0).dtype) == (-1, T.INT8, T.INT8)
    layer.axis, layer.to_type = 1, T.FP8
    assert (layer.axis, layer.to_type, layer.get_output(0).dtype, shape_of(layer)) == (1, T.FP8, T.FP8, (2, 3, 4))


def test_dequantize(network, x):
    quantized = network.add_quantize(x, scales(network, 2, 3, 2)).get_output(0)
    layer = network.add_dequantize(quantized, scales(network, 2, 3, 2), T.HALF)
    assert (layer.axis, layer.to_type, layer.get_output(0).dtype) == (-1, T.HALF, T.HALF)
    layer.axis, layer.to_type = 2, T.FLOAT
    assert (layer.axis, layer.to_type, layer.get_output(0).dtype, shape_of(layer)) == (2, T.FLOAT, T.FLOAT, (2, 3, 4))


def test_blocks_have_a_shape(made, network, x):
    for layer in (
        network.add_quantize(x, scales(network, 2, 3, 2)),
        network.add_dequantize(network.add_input("q", T.INT8, (2, 3, 4)), scales(network, 2, 3, 2)),
    ):
        with pytest.raises(ValueError, match="len"):
            len(layer.block_shape)
        layer.block_shape = (1, 1, 2)
        assert (tuple(layer.block_shape), shape_of(layer)) == ((1, 1, 2), (2, 3, 4))
        layer.block_shape = (1, 1, 4)
        with pytest.raises(ValueError, match="len"):
            len(layer.get_output(0).shape)
    assert ["have 2 elements, not 4" in error for error in made.log.errors] == [True, True]


def test_a_zero_point_is_a_third_input(made, network, x):
    layer = network.add_quantize(x, scales(network))
    zero, three = (network.add_constant((), np.array(value, np.int8)).get_output(0) for value in (0, 3))
    layer.set_input(2, zero)
    assert (layer.num_inputs, layer.get_input(2), shape_of(layer)) == (3, zero, (2, 3, 4))
    layer.set_input(2, three)
    with pytest.raises(ValueError, match="len"):
        len(layer.get_output(0).shape)
    assert "must be 0" in made.log.errors[0]
