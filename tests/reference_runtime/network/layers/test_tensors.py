"""ITensor: what an application sees and may fix of a tensor."""

from __future__ import annotations

import pytest

from reference_runtime.values.enums import DataType, TensorLocation
from reference_runtime.values.enums_layers import UnaryOperation
from tests.support.runtime.recording import Recorder, shop

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


def test_what_was_set_is_read_back(x):
    x.name, x.location, x.allowed_formats = "other", TensorLocation.HOST, 0b11
    assert (x.name, x.location, x.allowed_formats) == ("other", TensorLocation.HOST, 0b11)


def test_nothing_is_broadcast_across_a_batch(x):
    with pytest.warns(DeprecationWarning, match="Implicit batch dimensions support has been removed"):
        x.broadcast_across_batch = True
    with pytest.warns(DeprecationWarning, match="Implicit batch dimensions support has been removed"):
        assert x.broadcast_across_batch is False


@pytest.mark.parametrize("ends", [(1.0,), (1.0, 2.0, 3.0)])
def test_a_range_has_two_ends(x, ends):
    with pytest.raises(ValueError, match="Dynamic range must contain exactly 2 elements"):
        x.dynamic_range = ends


def test_the_ends_of_a_range_are_in_order(made, x):
    with pytest.raises(ValueError, match="Error in set dynamic range"):
        x.dynamic_range = (1.0, -1.0)
    assert x.set_dynamic_range(-1.0, 2.0)
    assert x.dynamic_range == (-1.0, 2.0)
    x.reset_dynamic_range()
    assert x.dynamic_range is None
    assert len(made.log.errors) == 1
    with pytest.raises(TypeError, match="incompatible function arguments"):
        x.dynamic_range = "ab"


def test_an_output_knows_what_it_is(network, x):
    y = network.add_identity(x).get_output(0)
    network.mark_output(y)
    assert (x.is_network_input, x.is_network_output) == (True, False)
    assert (y.is_network_input, y.is_network_output) == (False, True)
    network.unmark_output(y)
    assert not y.is_network_output


def test_a_type_that_a_later_layer_cannot_take_is_refused(made, network, x):
    network.add_unary(x, UnaryOperation.EXP)
    x.dtype = T.INT32
    assert x.dtype == T.FLOAT
    assert "ITensor::setType" in made.log.errors[0]


def test_the_type_of_an_output_can_be_fixed(network, x):
    layer = network.add_identity(x)
    layer.get_output(0).dtype = T.HALF
    assert layer.get_output(0).dtype == T.HALF
    assert layer.output_type_is_set(0)


def test_axes_have_names(x):
    x.set_dimension_name(1, "width")
    assert (x.get_dimension_name(0), x.get_dimension_name(1)) == (None, "width")
    x.set_dimension_name(1, "")
    assert x.get_dimension_name(1) is None


def test_the_shape_of_an_input_can_change(made, network, x):
    y = network.add_plugin_v2([x], Recorder(made.tape)).get_output(0)
    assert y.shape == (2, 3)
    x.shape = (4, 3)
    assert y.shape == (4, 3)
    y.shape = (1,)
    assert "ITensor::setDimensions" in made.log.errors[0]


def test_a_name_has_room_for_its_terminator(made, network, x):
    layer = network.add_unary(x, UnaryOperation.NEG)
    for named in (x, layer):
        named.name = "n" * 4095
        named.name = "n" * 4094 + "\u00fc"
        assert named.name == "n" * 4095
    assert network.add_input("n" * 4096, T.FLOAT, (2,)) is None
    assert network.num_inputs == 1
    whys = [text.split(": ")[0] for text in made.log.errors]
    assert whys == ["ITensor::setName", "ILayer::setName", "INetworkDefinition::addInput"]
    assert all("a name has at most 4096 bytes with its terminator" in text for text in made.log.errors)
