"""Create arrays, and copy them to the device and back."""

from __future__ import annotations

import math
import os
from typing import Any

import numpy as np

from reference_runtime.bridges.cupy.arrays import ndarray
from reference_runtime.bridges.cupy.compute import compute
from reference_runtime.bridges.cupy.cuda.memory import MemoryPointer, UnownedMemory
from reference_runtime.bridges.cupy.storage import Storage, as_shape
from reference_runtime.bridges.cupy.waiting import wait_for

__all__ = [
    "array",
    "asanyarray",
    "asarray",
    "ascontiguousarray",
    "asfortranarray",
    "asnumpy",
    "empty",
    "empty_like",
    "from_dlpack",
]


def empty(shape: Any, dtype: Any = float, order: str = "C") -> ndarray:
    """Return an array with unspecified contents."""
    return ndarray(as_shape(shape), dtype, order=order)


def empty_like(prototype: Any, dtype: Any = None, order: str = "K", subok: Any = None, shape: Any = None) -> ndarray:
    """Return an array with unspecified contents, and the shape and type of another array."""
    fortran = order == "F" or (order in "AK" and prototype.flags.fnc)
    extents = prototype.shape if shape is None else shape
    return empty(extents, prototype.dtype if dtype is None else dtype, "F" if fortran else "C")


def array(
    obj: Any,
    dtype: Any = None,
    copy: bool | None = True,
    order: str = "K",
    subok: bool = False,
    ndmin: int = 0,
    *,
    blocking: bool = False,
) -> Any:
    """Return an array on the device with the elements of another array, a sequence or a number."""
    if not isinstance(obj, Storage) and hasattr(obj, "__cuda_array_interface__"):
        obj = _over(obj)
    if not isinstance(obj, Storage):
        return ndarray.from_host(np.array(_to_host(obj), dtype, order=_host_order(order), ndmin=ndmin))
    kind = obj.dtype if dtype is None else np.dtype(dtype)
    if not copy and kind == obj.dtype and ndmin <= obj.ndim and _has_order(obj, order):
        return obj
    keywords = {"dtype": kind, "order": order, "ndmin": ndmin, "copy": True}
    return compute(np.array, (obj,), keywords, cls=ndarray)


def asarray(
    a: Any, dtype: Any = None, order: str | None = None, *, copy: bool | None = None, blocking: bool = False
) -> Any:
    """Return an array on the device; a device array of the right type and order is returned itself."""
    return array(a, dtype, copy, order or "K", blocking=blocking)


asanyarray = asarray


def ascontiguousarray(a: Any, dtype: Any = None) -> Any:
    """Return a row-major array on the device, with at least one axis."""
    return compute(np.ascontiguousarray, (asarray(a, dtype),), {}, cls=ndarray)


def asfortranarray(a: Any, dtype: Any = None) -> Any:
    """Return a column-major array on the device."""
    return array(a, dtype, copy=False, order="F")


def asnumpy(a: Any, stream: Any = None, order: str = "C", out: Any = None, *, blocking: bool = True) -> Any:
    """Return an array on the host."""
    if isinstance(a, ndarray):
        return a.get(stream, order, out, blocking)
    if hasattr(a, "__cuda_array_interface__"):
        return asarray(a).get(stream, order, out, blocking)
    result = np.asarray(a, order=_host_order(order))
    if out is None:
        return result
    np.copyto(out, result)
    return out


def from_dlpack(obj: Any, **kwargs: Any) -> Any:
    """Return an array over the memory of another library's device array.

    Raises:
        TypeError: The array is a NumPy array.
    """
    if isinstance(obj, Storage):
        return obj
    if isinstance(obj, np.ndarray):
        raise TypeError(
            "CPU arrays cannot be directly imported to CuPy. Use `cupy.array(numpy.from_dlpack(input))` instead."
        )
    return asarray(obj)


def _over(obj: Any) -> ndarray:
    """Return an array over the memory of an object with the CUDA array interface; the host waits for its stream."""
    facts = obj.__cuda_array_interface__
    if os.environ.get("CUPY_CUDA_ARRAY_INTERFACE_SYNC", "1") != "0":
        wait_for(facts)
    dtype, shape = np.dtype(facts["typestr"]), tuple(facts["shape"])
    strides = facts.get("strides")
    reach = sum(abs(stride) * (extent - 1) for stride, extent in zip(strides or (), shape, strict=bool(strides)))
    nbytes = reach + dtype.itemsize if strides else math.prod(shape) * dtype.itemsize
    memory = UnownedMemory(facts["data"][0], nbytes, obj, 0)
    return ndarray(shape, dtype, MemoryPointer(memory, 0), strides)


def _to_host(obj: Any) -> Any:
    if isinstance(obj, ndarray):
        return obj.get()
    if isinstance(obj, (list, tuple)):
        return [_to_host(item) for item in obj]
    return obj


def _host_order(order: str) -> Any:
    return order if order in "CF" else "K"


def _has_order(a: Storage, order: str) -> bool:
    flags = a.on_host().flags
    return order in "AK" or bool(flags.c_contiguous if order == "C" else flags.f_contiguous)
