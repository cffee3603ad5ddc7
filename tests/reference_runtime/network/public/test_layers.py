"""Each method that adds a layer without a plugin: what it gives, and what it refuses."""

from __future__ import annotations

import numpy as np
import pytest

import reference_runtime as trt
from reference_runtime.values.enums import DataType
from reference_runtime.values.enums_building import NetworkDefinitionCreationFlag
from reference_runtime.values.enums_layers import (
    ActivationType,
    ElementWiseOperation,
    GatherMode,
    LayerType,
    MatrixOperation,
    ReduceOperation,
    UnaryOperation,
)
from reference_runtime.values.weights import Weights
from tests.support.runtime.recording import shop

T = DataType
STRONG = 1 << int(NetworkDefinitionCreationFlag.STRONGLY_TYPED)


@pytest.fixture
def made():
    with shop() as made:
        yield made


@pytest.fixture
def network(made):
    return made.builder.create_network()


def real(network, shape=(2, 3)):
    return network.add_input(f"x{network.num_inputs}", T.FLOAT, shape)


def whole(network, *values):
    return network.add_constant((len(values),), np.array(values, np.int64)).get_output(0)


def scale(network):
    return network.add_constant((), np.array(0.5, np.float32)).get_output(0)


ADDED = [
    (lambda n: n.add_activation(real(n), ActivationType.RELU), "IActivationLayer", "ACTIVATION", (2, 3), T.FLOAT),
    (lambda n: n.add_cast(real(n), T.INT32), "ICastLayer", "CAST", (2, 3), T.INT32),
    (lambda n: n.add_concatenation([real(n), real(n)]), "IConcatenationLayer", "CONCATENATION", (4, 3), T.FLOAT),
    (lambda n: n.add_constant((1, 2), np.ones(2, np.float16)), "IConstantLayer", "CONSTANT", (1, 2), T.HALF),
    (
        lambda n: n.add_dequantize(n.add_input("q", T.INT8, (2, 3)), scale(n)),
        "IDequantizeLayer",
        "DEQUANTIZE",
        (2, 3),
        T.FLOAT,
    ),
    (
        lambda n: n.add_elementwise(real(n), real(n, (2, 1)), ElementWiseOperation.LESS),
        "IElementWiseLayer",
        "ELEMENTWISE",
        (2, 3),
        T.BOOL,
    ),
    (lambda n: n.add_gather(real(n), whole(n, 0, 0), 1), "IGatherLayer", "GATHER", (2, 2), T.FLOAT),
    (lambda n: n.add_gather_v2(real(n), whole(n, 0, 0), GatherMode.ND), "IGatherLayer", "GATHER", (), T.FLOAT),
    (lambda n: n.add_identity(real(n)), "IIdentityLayer", "IDENTITY", (2, 3), T.FLOAT),
    (
        lambda n: n.add_matrix_multiply(real(n), MatrixOperation.NONE, real(n), MatrixOperation.TRANSPOSE),
        "IMatrixMultiplyLayer",
        "MATRIX_MULTIPLY",
        (2, 2),
        T.FLOAT,
    ),
    (lambda n: n.add_quantize(real(n), scale(n)), "IQuantizeLayer", "QUANTIZE", (2, 3), T.INT8),
    (
        lambda n: n.add_reduce(real(n), ReduceOperation.SUM, 0b10, keep_dims=True),
        "IReduceLayer",
        "REDUCE",
        (2, 1),
        T.FLOAT,
    ),
    (
        lambda n: n.add_select(n.add_input("c", T.BOOL, (1, 1)), real(n), real(n)),
        "ISelectLayer",
        "SELECT",
        (2, 3),
        T.FLOAT,
    ),
    (lambda n: n.add_shape(real(n)), "IShapeLayer", "SHAPE", (2,), T.INT64),
    (lambda n: n.add_shuffle(real(n)), "IShuffleLayer", "SHUFFLE", (2, 3), T.FLOAT),
    (lambda n: n.add_slice(real(n), (0, 1), (2, 1), (1, 1)), "ISliceLayer", "SLICE", (2, 1), T.FLOAT),
    (lambda n: n.add_softmax(real(n)), "ISoftMaxLayer", "SOFTMAX", (2, 3), T.FLOAT),
    (lambda n: n.add_squeeze(real(n, (2, 1)), whole(n, 1)), "ISqueezeLayer", "SQUEEZE", (2,), T.FLOAT),
    (lambda n: n.add_unary(real(n), UnaryOperation.EXP), "IUnaryLayer", "UNARY", (2, 3), T.FLOAT),
    (lambda n: n.add_unsqueeze(real(n), whole(n, 0)), "IUnsqueezeLayer", "UNSQUEEZE", (1, 2, 3), T.FLOAT),
]


@pytest.mark.parametrize(("add", "cls", "kind", "shape", "dtype"), ADDED, ids=[row[1] for row in ADDED])
def test_each_layer_has_its_class_kind_shape_and_type(network, add, cls, kind, shape, dtype):
    layer = add(network)
    assert type(layer) is getattr(trt, cls)
    assert layer.num_outputs == 1
    output = layer.get_output(0)
    assert (tuple(output.shape), output.dtype) == (shape, dtype)
    assert network[-1].name == layer.name
    assert network[-1].type == LayerType.__members__[kind]


def test_a_layer_that_is_looked_up_is_of_no_class_until_it_is_given_one(network):
    added = network.add_activation(real(network), ActivationType.RELU)
    found = network.get_layer(0)
    assert type(found) is trt.ILayer
    assert found is network[0]
    assert found.type == LayerType.ACTIVATION
    found.__class__ = trt.IActivationLayer
    assert found.type == ActivationType.RELU
    found.alpha = 0.5
    assert added.alpha == 0.5
    assert type(network[0]) is trt.ILayer
    assert found.get_output(0) is added.get_output(0)


def test_arguments_have_the_names_of_the_original(network):
    x = real(network)
    assert network.add_activation(input=x, type=ActivationType.TANH).type == ActivationType.TANH
    assert network.add_reduce(input=x, op=ReduceOperation.MAX, axes=1, keep_dims=False).axes == 1
    assert network.add_constant(shape=(1,), weights=Weights(np.ones(1, np.int8))).weights.tolist() == [1]
    assert network.add_slice(input=x, start=(0, 0), shape=(1, 1), stride=(1, 1)).shape == (1, 1)
    assert network.add_elementwise(input1=x, input2=x, op=ElementWiseOperation.SUM).num_inputs == 2
    assert network.add_cast(input=x, to_type=T.HALF).to_type == T.HALF


REFUSED = [
    (lambda n: n.add_concatenation([]), "addConcatenation", "needs at least one input"),
    (lambda n: n.add_constant((3,), np.ones(2, np.float32)), "addConstant", "needs 3 weights, not 2"),
    (lambda n: n.add_reduce(real(n), ReduceOperation.SUM, 0, keep_dims=True), "addReduce", "at least one axis"),
    (lambda n: n.add_reduce(real(n), ReduceOperation.NONE, 1, keep_dims=True), "addReduce", "NONE is no reduction"),
    (lambda n: n.add_slice(real(n), (0,), (1, 1), (1, 1)), "addSlice", "need the same length"),
    (lambda n: n.add_unary(real(n), UnaryOperation.NOT), "addUnary", "has type FLOAT"),
    (lambda n: n.add_select(real(n), real(n), real(n)), "addSelect", "condition"),
    (lambda n: n.add_softmax(whole(n, 1)), "addSoftMax", "has type INT64"),
    (lambda n: n.add_quantize(real(n), scale(n), T.INT32), "addQuantize", "has type INT32"),
    (lambda n: n.add_dequantize(real(n), scale(n)), "addDequantize", "has type FLOAT"),
    (lambda n: n.add_gather(real(n), real(n), 0), "addGather", "indices"),
    (lambda n: n.add_squeeze(real(n), real(n)), "addSqueeze", "axes"),
    (lambda n: n.add_cast(real(n), T.INT4), "addCast", "INT4"),
    (lambda n: n.add_activation(whole(n, 1), ActivationType.TANH), "addActivation", "INT64"),
]


@pytest.mark.parametrize(("add", "where", "message"), REFUSED)
def test_what_cannot_be_added_gives_none_and_an_error(made, network, add, where, message):
    before = network.num_layers
    assert add(network) is None
    assert len(made.log.errors) == 1
    assert f"INetworkDefinition::{where}: Error Code" in made.log.errors[0]
    assert message in made.log.errors[0]
    assert network.num_layers - before <= 1  # the constants that were made on the way


def test_a_tensor_of_another_network_is_refused(made, network):
    foreign = real(made.builder.create_network())
    assert network.add_identity(foreign) is None
    assert "of another network" in made.log.errors[0]


def test_a_strongly_typed_dequantization_follows_its_scale(made):
    network = made.builder.create_network(STRONG)
    half = network.add_constant((), np.array(0.5, np.float16)).get_output(0)
    quantized = network.add_quantize(network.add_input("x", T.HALF, (2,)), half, T.FP8)
    assert quantized.to_type == T.FP8
    assert network.add_dequantize(quantized.get_output(0), half).to_type == T.HALF
    assert network.add_dequantize(quantized.get_output(0), half, T.FLOAT).to_type == T.FLOAT


def test_a_shape_that_cannot_be_is_an_error_when_it_is_asked_for(made, network):
    layer = network.add_elementwise(real(network, (2,)), real(network, (3,)), ElementWiseOperation.SUM)
    shape = layer.get_output(0).shape
    with pytest.raises(ValueError, match="len"):
        len(shape)
    assert "ITensor::getDimensions: Error Code 4" in made.log.errors[0]
    assert "must be equal or 1" in made.log.errors[0]
