"""Dims, permutations, weights and descriptors: their arithmetic, their conversions and whose memory they are."""

import copy

import numpy as np
import tensorrt as trt


def dims_like_sequences():
    dims = trt.Dims((1, 2, 3))
    return [
        len(dims), list(dims), dims[0], dims[-1], dims[:2], 2 in dims, tuple(dims), dims == (1, 2, 3),
        dims == [1, 2, 3], dims != (1,), str(dims), repr(dims), [*dims, 4],
    ]  # fmt: skip


def dims_backwards():
    return trt.Dims((1, 2, 3))[::-1]


def dims_compared_with_dims():
    return trt.Dims((1, 2, 3)) == trt.Dims((1, 2, 3))


def dims_assigned():
    dims = trt.Dims((1, 2, 3))
    dims[1] = 7
    dims[-1] = -1
    dims[0:2] = trt.Dims((4, 5))
    return list(dims)


def dims_out_of_range():
    return trt.Dims((1, 2))[2]


def dims_assigned_out_of_range():
    trt.Dims((1, 2))[5] = 1


def dims_of_too_many():
    return trt.Dims(range(9))


def dims_by_class():
    return [trt.Dims2(1, 2), trt.Dims3((1, 2, 3)), trt.Dims4(1, 2, 3, 4), trt.DimsHW(5, 6).h, trt.DimsHW((5, 6)).w]


def dims_of_the_wrong_length():
    return trt.Dims3((1, 2))


def dims_compared_with_others():
    dims = trt.Dims((1,))
    return [dims == 1, dims == None, dims == "1", dims == {1}, dims == np.array([1])]  # noqa: E711


def dims_ordered():
    return trt.Dims((1,)) < trt.Dims((2,))


def dims_added():
    return trt.Dims((1,)) + trt.Dims((2,))


def dims_hashed():
    return hash(trt.Dims((1,)))


def dims_deleted():
    del trt.Dims((1,))[0]


def dims_copied():
    return copy.deepcopy(trt.Dims((1,)))


def dims_large():
    return [list(trt.Dims((2**62, -(2**63)))), trt.Dims((2**31,))[0]]


def dims_too_large():
    return trt.Dims((2**63,))


def volumes():
    return [trt.volume((2, 3)), trt.volume(()), trt.volume(trt.Dims((2, -1))), trt.volume([0, 5])]


def numpy_types():
    return [trt.nptype(one) for one in (trt.float32, trt.float16, trt.int8, trt.int32, trt.int64, trt.bool, trt.uint8)]


def numpy_types_that_there_are_not():
    return trt.nptype(trt.bfloat16)


def sizes_of_types():
    return {name: kind.itemsize for name, kind in trt.DataType.__members__.items()}


def weights_of_numpy():
    values = np.arange(6, dtype=np.float32).reshape(2, 3)
    weights = trt.Weights(values)
    values[0, 0] = 9
    return [weights.size, weights.nbytes, weights.dtype, len(weights), weights.numpy()]


def weights_of_a_type():
    weights = trt.Weights(trt.DataType.HALF)
    return [weights.size, weights.nbytes, weights.dtype, weights.numpy()]


def weights_of_an_address():
    values = np.arange(4, dtype=np.int32)
    weights = trt.Weights(trt.int32, values.ctypes.data, 4)
    return [weights.size, weights.nbytes, weights.numpy()]


def weights_without_anything():
    weights = trt.Weights()
    return [weights.size, weights.nbytes, weights.dtype]


def weights_that_are_strided():
    return trt.Weights(np.arange(6, dtype=np.float32)[::2]).numpy()


def weights_of_types_that_there_are_not():
    return trt.Weights(np.zeros(2, np.float64)).dtype


def descriptions():
    description = trt.PluginTensorDesc()
    description.dims, description.type, description.scale = trt.Dims((1, 2)), trt.int8, 0.1
    description.dims[0] = 5
    held = description.dims
    description.dims = (7,)
    return [description.dims, held, description.type, description.scale]


def dynamic_descriptions():
    outer, inner = trt.DynamicPluginTensorDesc(), trt.PluginTensorDesc()
    inner.dims = (1, 2)
    outer.desc = inner
    inner.dims = (9,)
    outer.desc.dims[0] = 4
    outer.min, outer.max, outer.opt = (1,), (3,), (2,)
    return [outer.desc.dims, outer.min, outer.opt, outer.max, outer.desc is outer.desc]


def types_are_new_objects_each_time():
    description = trt.PluginTensorDesc()
    return [
        description.type is description.type,
        description.type == description.type,
        trt.float32 is trt.DataType.FLOAT,
    ]


def expressions_without_values():
    exprs = trt.DimsExprs(3)
    return [len(exprs), trt.DimsExprs() is not None]


def expressions_out_of_range():
    return trt.DimsExprs(2)[5]


def profiles_are_not_made_by_hand():
    return trt.IOptimizationProfile()
