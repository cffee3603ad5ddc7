from __future__ import annotations

import numpy as np
import pytest

from reference_runtime.values.enums import DataType
from reference_runtime.values.enums_layers import ElementWiseOperation, GatherMode
from tests.support.runtime.recording import Recorder, shop
from tests.support.runtime.recording_v3 import RecorderV3

T = DataType


@pytest.fixture
def made():
    with shop() as made:
        yield made


@pytest.fixture
def network(made):
    return made.builder.create_network()


def needed(tensor):
    return tensor.is_shape_tensor, tensor.is_execution_tensor


def test_a_tensor_that_nothing_uses_is_needed_for_nothing(network):
    x = network.add_input("x", T.FLOAT, (2, 3))
    assert needed(x) == (False, False)
    network.mark_output(network.add_identity(x).get_output(0))
    assert needed(x) == (False, True)


def test_the_shape_operation_ends_the_chain_and_elementwise_is_part_of_it(network):
    x, data = network.add_input("x", T.FLOAT, (-1, 3)), network.add_input("data", T.FLOAT, (-1,))
    shape = network.add_shape(x).get_output(0)
    two = network.add_constant((1,), np.array([2], np.int64)).get_output(0)
    doubled = network.add_elementwise(shape, two, ElementWiseOperation.PROD).get_output(0)
    assert needed(doubled) == (False, False)
    shuffle = network.add_shuffle(data)
    shuffle.set_input(1, doubled)
    assert [needed(tensor)[0] for tensor in (x, shape, two, doubled, data)] == [False, True, True, True, False]
    network.mark_output(shuffle.get_output(0))
    assert [needed(tensor)[1] for tensor in (x, shape, two, doubled, data)] == [False, False, False, False, True]
    shuffle.reshape_dims = (3, -1)
    assert not needed(doubled)[0]


def test_a_tensor_can_be_both(network):
    sizes = network.add_input("sizes", T.INT64, (2,))
    shuffle = network.add_shuffle(sizes)
    shuffle.set_input(1, sizes)
    network.mark_output(shuffle.get_output(0))
    assert needed(sizes) == (True, True)


def test_marking_for_shapes_needs_the_values(network):
    x, indices = network.add_input("x", T.INT32, (2,)), network.add_input("i", T.INT32, (1,))
    picked = network.add_gather_v2(x, indices, GatherMode.DEFAULT).get_output(0)
    assert network.mark_output_for_shapes(picked)
    assert [needed(tensor) for tensor in (x, indices, picked)] == [(True, False)] * 3
    assert network.unmark_output_for_shapes(picked)
    assert needed(x) == (False, False)


def test_a_plugin_needs_data_and_its_shape_inputs_values(made, network):
    x, sizes = network.add_input("x", T.FLOAT, (2, 3)), network.add_input("s", T.INT64, (2,))
    first = network.add_plugin_v2([x], Recorder(made.tape)).get_output(0)
    second = network.add_plugin_v3([first], [sizes], RecorderV3(made.tape)).get_output(0)
    network.mark_output(second)
    assert [needed(tensor) for tensor in (x, first, second, sizes)] == [(False, True)] * 3 + [(True, False)]
