"""The properties of the layers that move elements, and their effect."""

from __future__ import annotations

import numpy as np
import pytest

from reference_runtime.values.dims import Permutation
from reference_runtime.values.enums import DataType
from reference_runtime.values.enums_layers import GatherMode, SampleMode
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


def constant(network, *values):
    return network.add_constant((len(values),), np.array(values, np.int64)).get_output(0)


def shape_of(layer):
    return tuple(layer.get_output(0).shape)


def is_unset(dims):
    with pytest.raises(ValueError, match="len"):
        len(dims)
    return True


def test_concatenation(network, x):
    layer = network.add_concatenation([x, x])
    assert (layer.axis, shape_of(layer)) == (0, (4, 3, 4))
    layer.axis = 2
    assert (layer.axis, shape_of(layer)) == (2, (2, 3, 8))


def test_the_default_axis_of_a_concatenation_is_the_third_from_the_end(network):
    images = network.add_input("images", T.FLOAT, (1, 3, 8, 8))
    assert network.add_concatenation([images, images]).axis == 1


def test_gather(network, x):
    layer = network.add_gather(x, constant(network, 0, 1), 1)
    assert (layer.axis, layer.mode, layer.num_elementwise_dims, shape_of(layer)) == (
        1,
        GatherMode.DEFAULT,
        0,
        (2, 2, 4),
    )
    layer.num_elementwise_dims = 1
    assert (layer.num_elementwise_dims, shape_of(layer)) == (1, (2, 4))
    layer.axis = 2
    assert (layer.axis, shape_of(layer)) == (2, (2, 3))
    layer.mode, layer.num_elementwise_dims = GatherMode.ND, 0
    assert (layer.mode, shape_of(layer)) == (GatherMode.ND, (4,))


def test_shuffle(network, x):
    layer = network.add_shuffle(x)
    assert list(layer.first_transpose) == list(layer.second_transpose) == [0, 1, 2, 3, 4, 5, 6, 7]
    assert is_unset(layer.reshape_dims)
    assert layer.zero_is_placeholder
    layer.first_transpose = (2, 0, 1)
    assert (list(layer.first_transpose)[:3], shape_of(layer)) == ([2, 0, 1], (4, 2, 3))
    layer.reshape_dims = (0, -1)
    assert (tuple(layer.reshape_dims), shape_of(layer)) == ((0, -1), (4, 6))
    layer.second_transpose = Permutation([1, 0])
    assert (list(layer.second_transpose)[:2], shape_of(layer)) == ([1, 0], (6, 4))


def test_zero_may_stop_being_a_placeholder(made, network, x):
    layer = network.add_shuffle(x)
    layer.reshape_dims = (0, 12)
    assert shape_of(layer) == (2, 12)
    layer.zero_is_placeholder = False
    assert not layer.zero_is_placeholder
    assert is_unset(layer.get_output(0).shape)
    assert "number of elements differs" in made.log.errors[0]


def test_the_shape_of_a_shuffle_can_be_an_input(made, network, x):
    layer = network.add_shuffle(x)
    layer.reshape_dims = (24,)
    layer.set_input(1, constant(network, 0, 12))
    assert (shape_of(layer), layer.num_inputs) == ((2, 12), 2)
    assert is_unset(layer.reshape_dims)
    layer.reshape_dims = (4, 6)
    assert (shape_of(layer), layer.num_inputs, layer.get_input(1)) == ((4, 6), 1, None)
    layer.set_input(2, x)
    assert "there is no input 2" in made.log.errors[0]
    layer.set_input(1, x)
    assert "the shape that a shuffle is given has type FLOAT" in made.log.errors[1]
    assert layer.num_inputs == 1


def test_slice(network, x):
    layer = network.add_slice(x, (0, 0, 0), (2, 2, 2), (1, 1, 1))
    assert (tuple(layer.start), tuple(layer.shape), tuple(layer.stride)) == ((0, 0, 0), (2, 2, 2), (1, 1, 1))
    assert layer.mode == SampleMode.STRICT_BOUNDS
    assert is_unset(layer.axes)
    layer.start, layer.shape, layer.stride, layer.mode = (1, 0, 3), (1, 3, 5), (1, 1, -1), SampleMode.WRAP
    assert (tuple(layer.start), tuple(layer.stride), layer.mode) == ((1, 0, 3), (1, 1, -1), SampleMode.WRAP)
    assert shape_of(layer) == (1, 3, 5)


def test_a_slice_may_go_along_some_axes(network, x):
    layer = network.add_slice(x, (1,), (2,), (1,))
    layer.axes = (2,)
    assert (tuple(layer.axes), shape_of(layer)) == ((2,), (2, 3, 2))


def test_what_a_slice_takes_can_be_inputs(network, x):
    layer = network.add_slice(x, (0, 0, 0), (1, 1, 1), (1, 1, 1))
    sizes, fill = constant(network, 2, 1, 3), network.add_constant((), np.array(7, np.float32)).get_output(0)
    layer.set_input(2, sizes)
    layer.set_input(4, fill)
    assert (layer.num_inputs, shape_of(layer)) == (5, (2, 1, 3))
    assert [layer.get_input(index) for index in range(6)] == [x, None, sizes, None, fill, None]
    assert is_unset(layer.shape)
    assert sizes.is_shape_tensor
    assert not fill.is_shape_tensor
    layer.shape = (2, 2, 2)
    assert (shape_of(layer), layer.get_input(2), layer.get_input(4)) == ((2, 2, 2), None, fill)


def test_layers_without_settings(network, x):
    one = network.add_unsqueeze(x, constant(network, 0))
    assert shape_of(one) == (1, 2, 3, 4)
    assert shape_of(network.add_squeeze(one.get_output(0), constant(network, 0))) == (2, 3, 4)
    assert shape_of(network.add_shape(x)) == (3,)
