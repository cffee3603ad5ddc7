"""CuPy's universal functions: they call NumPy's, and check operands and arguments as CuPy does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from reference_runtime.bridges.cupy.compute import compute, unsupported
from reference_runtime.bridges.cupy.storage import Storage

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["call", "is_operand", "ufunc"]

_SCALARS = (bool, int, float, complex, np.generic)


def is_operand(value: object) -> bool:
    """Return whether CuPy computes with ``value``: whether it is a device array or a scalar."""
    return isinstance(value, (Storage, *_SCALARS))


def call(
    function: np.ufunc,
    operands: Sequence[Any],
    *,
    cls: type[Storage],
    out: Any = None,
    dtype: Any = None,
    casting: Any = "same_kind",
    **others: Any,
) -> Any:
    """Call a universal function as ``cupy.ufunc`` does; CuPy has no ``where`` argument."""
    if others:
        raise TypeError(f"Wrong arguments {others}")
    inputs, outputs = _split(function, operands, out)
    for operand in (*inputs, *outputs):
        if not is_operand(operand):
            raise unsupported(operand)
    _check_shapes(inputs, outputs)
    keywords = {"out": tuple(outputs)} if outputs else {}
    if dtype is not None:
        keywords["dtype"] = dtype
    try:
        return compute(function, inputs, {**keywords, "casting": casting}, cls=cls, writes=outputs)
    except TypeError as error:
        raise _translated(error, function, inputs) from None


def _split(function: np.ufunc, operands: Sequence[Any], out: Any) -> tuple[list[Any], list[Any]]:
    """Return the inputs and the outputs; a caller passes outputs by position or as ``out``."""
    inputs, outputs = list(operands[: function.nin]), list(operands[function.nin :])
    if out is not None:
        if outputs:
            raise ValueError("Cannot specify 'out' as both a positional and keyword argument")
        outputs = list(out) if isinstance(out, tuple) else [out]
    return inputs, outputs


def _check_shapes(inputs: Sequence[Any], outputs: Sequence[Any]) -> None:
    shapes = [operand.shape for operand in (*inputs, *outputs) if isinstance(operand, Storage)]
    try:
        np.broadcast_shapes(*shapes)
    except ValueError:
        listed = " ".join(str(shape) for shape in shapes)
        raise ValueError(f"operands could not be broadcast together with shapes {listed}") from None


def _translated(error: TypeError, function: np.ufunc, inputs: Sequence[Any]) -> TypeError:
    """Return NumPy's error about types in CuPy's words."""
    if hasattr(error, "from_") and hasattr(error, "to"):
        rule = getattr(error, "casting", "same_kind")
        return TypeError(
            f"Cannot cast output operand from {error.from_!r} to {error.to!r} according to the rule {rule!r}"
        )
    if "not supported for the input types" in str(error) or hasattr(error, "dtypes"):
        types = tuple(operand.dtype for operand in inputs if isinstance(operand, Storage))
        return TypeError(f"Wrong type ({types}) of arguments for cupy_{function.__name__}")
    return error


class ufunc:
    """A universal function with CuPy's name."""

    def __init__(self, function: np.ufunc, cls: type[Storage]) -> None:
        self._function = function
        self._cls = cls
        self.__name__ = f"cupy_{function.__name__}"
        self.nin, self.nout, self.nargs = function.nin, function.nout, function.nargs

    def __call__(self, *operands: Any, **kwargs: Any) -> Any:
        """Apply the function element by element."""
        return call(self._function, operands, cls=self._cls, **kwargs)

    def reduce(self, array: Any, *args: Any, **kwargs: Any) -> Any:
        """Reduce along an axis."""
        return self._method("reduce", array, *args, **kwargs)

    def accumulate(self, array: Any, *args: Any, **kwargs: Any) -> Any:
        """Reduce along an axis, and return the result of each step."""
        return self._method("accumulate", array, *args, **kwargs)

    def outer(self, first: Any, second: Any, **kwargs: Any) -> Any:
        """Apply the function to each pair of an element of ``first`` and an element of ``second``."""
        return self._method("outer", first, second, **kwargs)

    def at(self, array: Any, indices: Any, *operands: Any) -> None:
        """Apply the function in place to some elements, again for each index that occurs again."""
        compute(self._function.at, (array, indices, *operands), {}, cls=self._cls, writes=[array])

    def _method(self, name: str, *args: Any, **kwargs: Any) -> Any:
        out = kwargs.get("out")
        writes = [] if out is None else [out]
        return compute(getattr(self._function, name), args, kwargs, cls=self._cls, writes=writes)

    def __repr__(self) -> str:
        return f"<ufunc '{self.__name__}'>"
