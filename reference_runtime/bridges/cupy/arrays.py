"""``cupy.ndarray``: an array on the device, which is not converted to a NumPy array implicitly.

The module is long because the class has many methods. Methods that only call NumPy's are in ``methods``.
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from reference_runtime.bound.errors import NeedsGpu
from reference_runtime.bridges.cupy import assignment, elementwise, indexing, methods
from reference_runtime.bridges.cupy.compute import compute, unsupported, wait
from reference_runtime.bridges.cupy.cuda.device import Device
from reference_runtime.bridges.cupy.cuda.stream import get_current_stream
from reference_runtime.bridges.cupy.flags import Flags
from reference_runtime.bridges.cupy.storage import Storage

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

__all__ = ["ndarray"]

_NO_CONVERSION = (
    "Implicit conversion to a NumPy array is not allowed. Please use `.get()` to construct a NumPy array explicitly."
)
_EMPTY_TRUTH = (
    "The truth value of an empty array is ambiguous. Returning False, but in future this will result in "
    "an error. Use `array.size > 0` to check that an array is not empty."
)
_NOT_AN_ARRAY = "Argument '{}' has incorrect type (expected cupy._core.core._ndarray_base, got {})"


class ndarray(Storage):
    """An array on the device."""

    __slots__ = ()
    __array_priority__ = 100
    __hash__ = None  # type: ignore[assignment]
    module: ClassVar[ModuleType]
    """The replacement of ``cupy``, in which NumPy's functions look for CuPy's functions."""

    # --- what it is

    @property
    def T(self) -> Any:
        """The array with its axes reversed."""
        return compute(np.transpose, (self,), {}, cls=ndarray)

    @property
    def mT(self) -> Any:
        """The array with its last two axes exchanged."""
        return compute(np.swapaxes, (self, -2, -1), {}, cls=ndarray)

    @property
    def flags(self) -> Flags:
        """The memory layout of the array."""
        return Flags(self)

    @property
    def device(self) -> Device:
        """The device that the array is on."""
        return Device(self.data.device_id)

    @property
    def real(self) -> Any:
        """The real parts."""
        return compute(np.real, (self,), {}, cls=ndarray)

    @property
    def imag(self) -> Any:
        """The imaginary parts."""
        return compute(np.imag, (self,), {}, cls=ndarray)

    @property
    def flat(self) -> Any:
        """Raise `NeedsGpu`: the host device has no iterator over elements."""
        raise NeedsGpu("cupy.ndarray.flat")

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        stream = get_current_stream().ptr
        contiguous = self.flags.c_contiguous
        return {
            "shape": self.shape,
            "typestr": self.dtype.str,
            "descr": self.dtype.descr,
            "stream": stream or 1,
            "version": 3,
            "strides": None if contiguous else self.strides,
            "data": (self.data.ptr, False),
        }

    # --- to and from the host

    def get(
        self,
        stream: Any = None,
        order: str = "C",
        out: np.ndarray[Any, Any] | None = None,
        blocking: bool = True,
    ) -> np.ndarray[Any, Any]:
        """Return a copy on the host; the host waits for the stream unless ``blocking`` is False."""
        if out is not None and out.dtype != self.dtype:
            raise TypeError(f"{out.dtype} array cannot be obtained from {self.dtype} array")
        if out is not None and out.shape != self.shape:
            raise ValueError(f"Shape mismatch. Expected shape: {self.shape}, actual shape: {out.shape}")
        with stream or get_current_stream():
            self.note("read")
            if blocking:
                wait("a copy to the host")
        seen = self.on_host()
        if out is None:
            return np.array(seen, order="F" if order == "F" or (order == "A" and self.flags.fnc) else "C")
        out[...] = seen
        return out

    def set(self, arr: Any, stream: Any = None) -> None:
        """Copy an array of the host into this array."""
        if not isinstance(arr, np.ndarray):
            raise TypeError("Only numpy.ndarray can be set to cupy.ndarray")
        if arr.dtype != self.dtype:
            raise TypeError(f"{arr.dtype} array cannot be set to {self.dtype} array")
        if arr.shape != self.shape:
            raise ValueError(f"Shape mismatch. Old shape: {self.shape}, new shape: {arr.shape}")
        if not self.flags.forc:
            raise RuntimeError("Cannot set to non-contiguous array")
        with stream or get_current_stream():
            self.on_host()[...] = arr
            self.note("write")

    def item(self) -> Any:
        """Return the only element as a Python number."""
        if self.size != 1:
            raise ValueError("can only convert an array of size 1 to a Python scalar")
        return self.get().item()

    def tolist(self) -> Any:
        """Return the elements as nested lists of Python numbers."""
        return self.get().tolist()

    def tobytes(self, order: str = "C") -> bytes:
        """Return the elements as bytes."""
        return self.get().tobytes("F" if order == "F" else "C")

    def __array__(self, dtype: Any = None) -> Any:
        raise TypeError(_NO_CONVERSION)

    def __dlpack__(self, **kwargs: Any) -> Any:
        raise NeedsGpu("exchange of arrays through DLPack")

    def __dlpack_device__(self) -> tuple[int, int]:
        return 2, self.data.device_id

    def __reduce__(self) -> tuple[Any, ...]:
        return _on_device, (self.get(),)

    def __bytes__(self) -> bytes:
        return self.tobytes()

    # --- a number, for the host

    def _scalar(self) -> Any:
        if self.ndim:
            raise TypeError("only 0-dimensional arrays can be converted to Python scalars")
        return self.item()

    def __int__(self) -> int:
        return int(self._scalar())

    def __float__(self) -> float:
        return float(self._scalar())

    def __complex__(self) -> complex:
        return complex(self._scalar())

    def __bool__(self) -> bool:
        if self.size > 1:
            raise ValueError(
                "The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()"
            )
        if not self.size:
            warnings.warn(_EMPTY_TRUTH, DeprecationWarning, stacklevel=2)
            return False
        return bool(self.get().item())

    def __repr__(self) -> str:
        return repr(self.get())

    def __str__(self) -> str:
        return str(self.get())

    def __format__(self, spec: str) -> str:
        return format(self.get(), spec)

    # --- parts

    def __len__(self) -> int:
        if not self.ndim:
            raise TypeError("len() of unsized object")
        return self.shape[0]

    def __iter__(self) -> Iterator[Any]:
        if not self.ndim:
            raise TypeError("iteration over a 0-d array")
        return (self[index] for index in range(len(self)))

    def __getitem__(self, index: Any) -> Any:
        understood = indexing.understand(index, self.shape)
        return compute(lambda seen: seen[understood.items], (self,), {}, cls=ndarray)

    def __setitem__(self, index: Any, value: Any) -> None:
        understood = indexing.understand(index, self.shape)
        whole = self.on_host()
        if understood.gathers:
            assignment.scatter(self, understood.items, value)
        else:
            assignment.copy(self.view_like(whole[understood.items], whole), value)

    def fill(self, value: Any) -> None:
        """Set every element to a value."""
        self[...] = value

    # --- shape and type; views where NumPy makes views

    def astype(
        self,
        dtype: Any,
        order: str = "K",
        casting: Any = None,
        subok: Any = None,
        copy: bool = True,
    ) -> Any:
        """Return the elements in another type."""
        keywords = {"order": order, "casting": casting or "unsafe", "copy": copy}
        return compute(np.ndarray.astype, (self, np.dtype(dtype)), keywords, cls=ndarray)

    def copy(self, order: str = "C") -> Any:
        """Return a copy on the device."""
        return compute(np.array, (self,), {"order": order, "copy": True}, cls=ndarray)

    def view(self, dtype: Any = None) -> Any:
        """Return the same memory as elements of another type."""
        return compute(np.ndarray.view, (self, np.dtype(dtype or self.dtype)), {}, cls=ndarray)

    def searchsorted(self, v: Any, *args: Any, **kwargs: Any) -> Any:
        """Return the indices at which values can be inserted into this sorted array."""
        return compute(np.searchsorted, (self, v, *args), kwargs, cls=ndarray)

    def scatter_add(self, slices: Any, value: Any) -> None:
        """Add values to some elements; an index that occurs twice is added to twice."""
        compute(np.add.at, (self, slices, value), {}, cls=ndarray, writes=[self])

    def toDlpack(self) -> Any:
        """Raise `NeedsGpu`: the host device has no exchange through DLPack."""
        return self.__dlpack__()

    # --- calls of NumPy's functions

    def __array_ufunc__(self, function: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        for operand in (*inputs, *kwargs.get("out", ())):
            if isinstance(operand, np.ndarray):
                raise unsupported(operand)
            if not elementwise.is_operand(operand):
                return NotImplemented
        counterpart = getattr(ndarray.module, function.__name__, None)
        if counterpart is None:
            return NotImplemented
        if "out" in kwargs and len(kwargs["out"]) == 1:
            kwargs["out"] = kwargs["out"][0]
        return getattr(counterpart, method)(*inputs, **kwargs)

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        if any(kind not in (ndarray, np.ndarray) for kind in types):
            return NotImplemented
        counterpart: Any = ndarray.module
        for name in (*function.__module__.split(".")[1:], function.__name__):
            counterpart = getattr(counterpart, name, None)
        return NotImplemented if counterpart is None else counterpart(*args, **kwargs)

    def __matmul__(self, other: Any) -> Any:
        return _matmul(self, other)

    def __rmatmul__(self, other: Any) -> Any:
        return _matmul(other, self)

    def __divmod__(self, other: Any) -> Any:
        return elementwise.call(np.divmod, (self, other), cls=ndarray)

    def __rdivmod__(self, other: Any) -> Any:
        return elementwise.call(np.divmod, (other, self), cls=ndarray)


def _on_device(array: np.ndarray[Any, Any]) -> Storage:
    """Return an array on the device, from the elements of a pickled array."""
    return ndarray.from_host(array)


def _matmul(first: Any, second: Any) -> Any:
    for name, operand in (("a", first), ("b", second)):
        if not isinstance(operand, Storage):
            raise TypeError(_NOT_AN_ARRAY.format(name, f"{type(operand).__module__}.{type(operand).__name__}"))
    return compute(np.matmul, (first, second), {}, cls=ndarray)


methods.attach(ndarray)
ndarray.__module__ = "cupy"
