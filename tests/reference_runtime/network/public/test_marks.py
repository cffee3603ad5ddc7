"""Marking tensors and weights of a network."""

from __future__ import annotations

import numpy as np
import pytest

from reference_runtime.network.graph.graph import graph_of
from reference_runtime.values.enums import DataType
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
    return network.add_input("x", T.FLOAT, (2, 3))


def test_unmarking_what_is_no_output_does_nothing(made, network, x):
    network.unmark_output(network.add_identity(x).get_output(0))
    assert (network.num_outputs, made.log.lines) == (0, [])


def test_values_can_be_asked_for_of_shape_tensors(network, x):
    shape = network.add_shape(x).get_output(0)
    assert network.mark_output_for_shapes(shape)
    assert [tensor.name for tensor in graph_of(network).shape_outputs] == [shape.name]
    assert not network.mark_output_for_shapes(shape)
    assert network.unmark_output_for_shapes(shape)
    assert not network.unmark_output_for_shapes(shape)
    assert graph_of(network).shape_outputs == []


def test_other_tensors_are_no_shape_outputs(made, network, x):
    half = network.add_cast(x, T.HALF).get_output(0)
    matrix = network.add_cast(x, T.INT32).get_output(0)
    output = network.add_shape(x).get_output(0)
    network.mark_output(output)
    foreign = made.builder.create_network().add_input("f", T.INT32, (2,))
    for tensor in (x, half, matrix, output, foreign):
        assert not network.mark_output_for_shapes(tensor)
    reasons = ("is an input", "has type HALF", "has 2 dimensions", "an output already", "of another network")
    assert len(made.log.errors) == 5
    for reason, error in zip(reasons, made.log.errors, strict=True):
        assert "INetworkDefinition::markOutputForShapes" in error
        assert reason in error
    assert not network.unmark_output_for_shapes(foreign)


def test_tensors_can_be_marked_for_debugging(made, network, x):
    foreign = made.builder.create_network().add_input("f", T.INT32, (2,))
    assert not network.is_debug_tensor(x)
    assert network.mark_debug(x)
    assert network.is_debug_tensor(x)
    assert network.unmark_debug(x)
    assert not network.is_debug_tensor(x)
    assert (network.mark_debug(foreign), network.unmark_debug(foreign), network.is_debug_tensor(foreign)) == (
        False,
        False,
        False,
    )
    assert [error.split(":")[2] for error in made.log.errors] == ["markDebug", "unmarkDebug"]


def test_all_tensors_can_be_marked_for_debugging_at_once(network):
    assert network.mark_unfused_tensors_as_debug_tensors()
    assert graph_of(network).unfused_debug
    assert network.unmark_unfused_tensors_as_debug_tensors()
    assert not graph_of(network).unfused_debug


def test_an_input_that_nothing_uses_can_be_removed(made, network, x):
    unused = network.add_input("unused", T.FLOAT, (1,))
    y = network.add_identity(x).get_output(0)
    network.remove_tensor(unused)
    assert network.num_inputs == 1
    for tensor in (x, y, unused):
        network.remove_tensor(tensor)
    assert (network.num_inputs, made.log.errors) == (1, [])
    assert [text.split(":")[2] for _, text in made.log.lines] == ["removeTensor"] * 3
    assert network.add_identity(unused) is None


def test_weights_have_names_and_can_be_marked_as_refittable(made, network):
    used, unused = Weights(np.ones(2, np.float32)), Weights(np.ones(2, np.float32))
    network.add_constant((2,), used)
    assert network.set_weights_name(used, "ones")
    assert network.set_weights_name(used, "ones")
    assert not network.set_weights_name(unused, "twos")
    assert not network.are_weights_marked_refittable("ones")
    assert network.mark_weights_refittable("ones")
    assert network.are_weights_marked_refittable("ones")
    assert network.unmark_weights_refittable("ones")
    assert not network.are_weights_marked_refittable("ones")
    assert not network.mark_weights_refittable("twos")
    assert not network.unmark_weights_refittable("twos")
    assert len(made.log.errors) == 3


def test_a_name_is_for_one_set_of_weights(made, network):
    first, second = Weights(np.ones(2, np.float32)), Weights(np.ones(2, np.float32))
    for weights in (first, second):
        network.add_constant((2,), weights)
    assert network.set_weights_name(first, "w")
    assert not network.set_weights_name(second, "w")
    assert "'w' names others" in made.log.errors[0]
