from __future__ import annotations

import pytest

from reference_runtime.network.graph.output_types import computed_types
from reference_runtime.operations.elementwise import Elementwise
from reference_runtime.values.enums import DataType
from reference_runtime.values.enums_building import NetworkDefinitionCreationFlag
from reference_runtime.values.enums_layers import ElementWiseOperation, UnaryOperation
from reference_runtime.values.refusals import Refused
from tests.support.runtime.recording import Recorder, shop

T = DataType
STRONG = 1 << int(NetworkDefinitionCreationFlag.STRONGLY_TYPED)
SUM = ElementWiseOperation.SUM


@pytest.fixture
def made():
    with shop() as made:
        yield made


def test_a_weakly_typed_network_leaves_the_precision_open(made):
    network = made.builder.create_network()
    x, y = network.add_input("x", T.FLOAT, (2,)), network.add_input("y", T.HALF, (2,))
    assert network.add_elementwise(x, y, SUM).get_output(0).dtype == T.FLOAT
    assert network.add_elementwise(y, y, SUM).get_output(0).dtype == T.HALF


def test_a_strongly_typed_network_does_not(made):
    network = made.builder.create_network(STRONG)
    x, y = network.add_input("x", T.FLOAT, (2,)), network.add_input("y", T.HALF, (2,))
    assert network.add_elementwise(x, y, SUM) is None
    assert "must have the same type, and they have FLOAT, HALF" in made.log.errors[0]


def test_a_change_of_type_reaches_all_that_follows(made):
    network = made.builder.create_network()
    x = network.add_input("x", T.FLOAT, (2,))
    cast = network.add_cast(x, T.HALF)
    total = network.add_elementwise(cast.get_output(0), cast.get_output(0), SUM)
    last = network.add_identity(total.get_output(0)).get_output(0)
    cast.to_type = T.INT32
    assert (total.get_output(0).dtype, last.dtype) == (T.INT32, T.INT32)


def test_a_change_that_a_later_layer_cannot_take_is_refused_whole(made):
    network = made.builder.create_network()
    cast = network.add_cast(network.add_input("x", T.FLOAT, (2,)), T.HALF)
    network.add_unary(cast.get_output(0), UnaryOperation.EXP)
    cast.to_type = T.INT32
    assert (cast.to_type, cast.get_output(0).dtype) == (T.HALF, T.HALF)
    assert "ICastLayer::setToType" in made.log.errors[0]
    assert "the input of EXP has type INT32" in made.log.errors[0]


def test_an_input_passes_its_new_type_on(made):
    network = made.builder.create_network()
    x = network.add_input("x", T.FLOAT, (2,))
    y = network.add_identity(x).get_output(0)
    x.dtype = T.INT32
    assert y.dtype == T.INT32


def test_what_follows_through_a_plugin_is_left_to_the_builder(made):
    network = made.builder.create_network()
    x = network.add_input("x", T.FLOAT, (2,))
    y = network.add_plugin_v2([x], Recorder(made.tape)).get_output(0)
    x.dtype = T.INT32
    assert (x.dtype, y.dtype) == (T.INT32, T.FLOAT)


def test_a_type_that_was_fixed_stays(made):
    network = made.builder.create_network()
    x = network.add_input("x", T.FLOAT, (2,))
    layer = network.add_identity(x)
    later = network.add_identity(layer.get_output(0))
    layer.set_output_type(0, T.INT64)
    x.dtype = T.INT32
    assert (layer.get_output(0).dtype, later.get_output(0).dtype) == (T.INT64, T.INT64)
    layer.reset_output_type(0)
    assert (layer.get_output(0).dtype, later.get_output(0).dtype) == (T.INT32, T.INT32)


def test_the_precision_of_an_output_can_be_fixed_and_no_more(made):
    network = made.builder.create_network()
    layer = network.add_unary(network.add_input("x", T.FLOAT, (2,)), UnaryOperation.EXP)
    layer.get_output(0).dtype = T.HALF
    assert (layer.get_output(0).dtype, layer.output_type_is_set(0)) == (T.HALF, True)
    layer.set_output_type(0, T.INT32)
    layer.get_output(0).dtype = T.INT32
    assert layer.get_output(0).dtype == T.HALF
    assert [error.split(":")[0] for error in made.log.errors] == ["ILayer", "ITensor"]
    assert all("no conversion between HALF and INT32" in error for error in made.log.errors)


def test_an_operation_computes_in_one_floating_point_type():
    sum_ = Elementwise(SUM)
    mixed = (T.HALF, T.BF16)
    assert computed_types(sum_, mixed, strongly_typed=False) == ((T.FLOAT, T.FLOAT), (T.FLOAT,))
    assert computed_types(sum_, (T.HALF, T.HALF), strongly_typed=False) == ((T.HALF, T.HALF), (T.HALF,))
    with pytest.raises(Refused, match="same type"):
        computed_types(sum_, mixed, strongly_typed=True)
