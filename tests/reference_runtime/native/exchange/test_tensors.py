"""Descriptions of tensors are written as the structures of each epoch have them."""

import ctypes

import pytest

from reference_runtime.native.abi.facts import EPOCHS
from reference_runtime.native.abi.slots import Abi
from reference_runtime.native.exchange.tensors import Tensors, addresses, flags, numbers
from reference_runtime.values.descriptions import Bounds, Description, as_dims
from reference_runtime.values.enums import DataType, TensorFormat

DESC = Description((2, -1, 5), DataType.INT8, TensorFormat.CHW4, 0.5)


@pytest.fixture(params=EPOCHS)
def abi(request):
    return Abi(request.param)


def test_a_description_is_read_back(abi):
    read = abi.structures.type_named("PluginTensorDesc").from_buffer_copy(Tensors(abi.epoch).descs([DESC.fresh()]))
    assert (read.dims.nbDims, list(read.dims.d)) == (3, [2, -1, 5, 0, 0, 0, 0, 0])
    assert (read.type, read.format, read.scale) == (int(DataType.INT8), int(TensorFormat.CHW4), 0.5)


def test_bounds_are_read_back(abi):
    bounds = Bounds(DESC, (2, 1, 5), (2, 2, 5), (2, 9, 5))
    kind = abi.structures.type_named("DynamicPluginTensorDesc")
    read = kind.from_buffer_copy(Tensors(abi.epoch).dynamic_descs([bounds.fresh()]))
    assert (list(read.min.d)[:3], list(read.max.d)[:3]) == ([2, 1, 5], [2, 9, 5])
    if hasattr(read, "opt"):
        assert list(read.opt.d)[:3] == [2, 2, 5]
    assert read.desc.dims.nbDims == 3


def test_descriptions_are_read_from_memory():
    tensors = Tensors(Abi("10").epoch)
    memory = tensors.dynamic_descs([Bounds(DESC, (2, 1, 5), (2, 2, 5), (2, 9, 5)).fresh()] * 2)
    held = ctypes.create_string_buffer(memory, len(memory))
    read = tensors.read_dynamic_descs(ctypes.addressof(held), 2)
    assert [tuple(read[1].desc.dims), tuple(read[1].min), tuple(read[1].opt), tuple(read[1].max)] == [
        (2, -1, 5),
        (2, 1, 5),
        (2, 2, 5),
        (2, 9, 5),
    ]
    assert (read[0].desc.type, read[0].desc.format) == (DataType.INT8, TensorFormat.CHW4)
    assert tensors.read_dynamic_descs(None, 3) == []


def test_shapes_are_read_back(abi):
    kind = abi.structures.type_named("Dims") * 2
    read = kind.from_buffer_copy(Tensors(abi.epoch).dims([as_dims((7,)), as_dims((1, 2))]))
    assert [list(each.d)[: each.nbDims] for each in read] == [[7], [1, 2]]


def test_numbers_flags_and_addresses_are_arrays():
    assert numbers([DataType.INT8, 7]) == b"\2\0\0\0\7\0\0\0"
    assert flags([True, False]) == b"\1\0"
    assert addresses([256]) == b"\0\1" + bytes(6)
