"""The properties of the layers that work element by element, and their effect."""

from __future__ import annotations

import pytest

from reference_runtime.values.enums import DataType
from reference_runtime.values.enums_layers import ActivationType, ElementWiseOperation, UnaryOperation
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
    return network.add_input("x", T.FLOAT, (2, 3))


def test_activation(network, x):
    layer = network.add_activation(x, ActivationType.RELU)
    assert (layer.type, layer.alpha, layer.beta) == (ActivationType.RELU, 0.0, 0.0)
    layer.type, layer.alpha, layer.beta = ActivationType.CLIP, -1.0, 2.5
    assert (layer.type, layer.alpha, layer.beta) == (ActivationType.CLIP, -1.0, 2.5)


def test_an_activation_that_does_not_take_the_type_is_refused(made, network):
    layer = network.add_activation(network.add_input("n", T.INT32, (2,)), ActivationType.RELU)
    layer.type = ActivationType.TANH
    assert layer.type == ActivationType.RELU
    assert "IActivationLayer::setActivationType" in made.log.errors[0]


def test_cast(network, x):
    layer = network.add_cast(x, T.INT32)
    layer.to_type = T.HALF
    assert (layer.to_type, layer.get_output(0).dtype) == (T.HALF, T.HALF)


def test_elementwise(network, x):
    layer = network.add_elementwise(x, x, ElementWiseOperation.SUM)
    layer.op = ElementWiseOperation.EQUAL
    assert (layer.op, layer.get_output(0).dtype) == (ElementWiseOperation.EQUAL, T.BOOL)


def test_unary(network, x):
    layer = network.add_unary(x, UnaryOperation.EXP)
    layer.op = UnaryOperation.ISNAN
    assert (layer.op, layer.get_output(0).dtype) == (UnaryOperation.ISNAN, T.BOOL)


def test_layers_without_settings(network, x):
    condition = network.add_input("c", T.BOOL, (1, 3))
    assert network.add_identity(x).num_inputs == 1
    assert network.add_select(condition, x, x).num_inputs == 3
