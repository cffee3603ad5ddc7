import pytest

import reference_runtime as trt
from reference_runtime.plugin.symbols import ShapeExprs
from reference_runtime.plugin.tensors import Shape, SizeTensorDesc, Tensor, TensorDesc
from reference_runtime.values.descriptions import Bounds, Description

LINEAR = trt.TensorFormat.LINEAR


def bounds(dims):
    return Bounds(Description(dims, trt.float32, LINEAR), (1, 3), (2, 3), (4, 3)).fresh()


def desc():
    return TensorDesc(ShapeExprs(2, _is_dummy=True), trt.float16)


def test_a_dynamic_shape_knows_its_bounds():
    shape = Shape(bounds((-1, 3)))
    assert (shape.min, shape.opt, shape.max) == ((1, 3), (2, 3), (4, 3))
    with pytest.raises(ValueError, match="at least one dynamic dimension"):
        shape.numel()
    with pytest.raises(ValueError, match="only accessible if is_dynamic"):
        Shape(bounds((2, 3))).opt  # noqa: B018 - the property raises


def test_the_descriptor_of_an_input_cannot_be_assigned_to():
    given = desc()
    given._immutable = True
    with pytest.raises(ValueError, match="Cannot modify immutable TensorDesc"):
        given.dtype = trt.float32
    other = given.like()
    other.dtype = trt.float32
    assert (given.dtype, other.dtype) == (trt.float16, trt.float32)


def test_an_alias_knows_its_source():
    given = desc()
    made = given.aliased()
    assert made.get_aliased() is given
    assert made.is_aliased
    assert not given.like().is_aliased


def test_there_is_no_shape_before_there_are_numbers():
    with pytest.raises(ValueError, match="no shape information available"):
        desc().shape  # noqa: B018 - the property raises


def test_a_size_tensor_is_a_scalar_of_int32():
    extent = ShapeExprs(1, _is_dummy=True)[0]
    size = SizeTensorDesc(extent, extent)
    assert (size.ndim, size.dtype, size.is_size_tensor) == (0, trt.int32, True)
    with pytest.raises(ValueError, match="binary operations on size tensor"):
        size.expr() + 1


@pytest.fixture
def tensor():
    made = Tensor()
    made.shape, made.dtype, made.strides = Shape((2, 3)), trt.float16, (3, 1)
    made.data_ptr, made._stream, made.scale, made.format = 512, 7, -1.0, LINEAR
    return made


def test_other_libraries_see_the_tensor_in_bytes_and_on_its_stream(tensor):
    assert tensor.__cuda_array_interface__ == {
        "shape": (2, 3),
        "typestr": "<f2",
        "stream": 7,
        "version": 3,
        "data": (512, False),
        "strides": (6, 2),
    }


def test_a_tensor_can_be_seen_in_another_shape(tensor):
    other = tensor.aliased((3, 2))
    assert (list(other.shape), other.data_ptr, other.get_aliased()) == ([3, 2], 512, tensor)


def test_what_is_not_decided_has_no_number_of_elements(tensor):
    tensor.shape = Shape((-1, 3))
    assert tensor.is_data_dependent
    with pytest.raises(ValueError, match="data-dependent dimension"):
        tensor.numel()


def test_a_tensor_that_was_handed_out_cannot_be_assigned_to(tensor):
    tensor._immutable = True
    with pytest.raises(ValueError, match="Cannot modify immutable Tensor"):
        tensor.data_ptr = 0
