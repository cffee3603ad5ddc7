"""The operators and methods of CuPy's array that call the operators and methods of NumPy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from reference_runtime.bridges.cupy import elementwise
from reference_runtime.bridges.cupy.compute import compute, scratch

if TYPE_CHECKING:
    from collections.abc import Callable

    from reference_runtime.bridges.cupy.storage import Storage

__all__ = ["SCANS", "attach"]

SCANS = frozenset({"cumprod", "cumsum"})
"""Functions for which CuPy allocates scratch memory, even if ``out`` is given."""

_OPERATORS: dict[str, np.ufunc] = {
    "add": np.add, "sub": np.subtract, "mul": np.multiply, "truediv": np.true_divide,
    "floordiv": np.floor_divide, "mod": np.remainder, "pow": np.power, "and": np.bitwise_and,
    "or": np.bitwise_or, "xor": np.bitwise_xor, "lshift": np.left_shift, "rshift": np.right_shift,
}  # fmt: skip
_METHODS = (
    "all", "any", "argmax", "argmin", "argpartition", "argsort", "byteswap", "choose", "clip", "conj",
    "conjugate", "cumprod", "cumsum", "diagonal", "dot", "flatten", "max", "mean", "min", "prod", "ptp",
    "ravel", "repeat", "reshape", "round", "squeeze", "std", "sum", "swapaxes", "take", "trace", "transpose",
    "var",
)  # fmt: skip
_METHODS_IN_PLACE = ("partition", "put", "sort")
_UNARY: dict[str, np.ufunc] = {"neg": np.negative, "pos": np.positive, "abs": np.absolute, "invert": np.invert}
_COMPARISONS: dict[str, np.ufunc] = {
    "eq": np.equal, "ne": np.not_equal, "lt": np.less, "le": np.less_equal, "gt": np.greater,
    "ge": np.greater_equal,
}  # fmt: skip
_OF_NONE = {"eq": False, "ne": True}  # the results of comparisons with None
_METHODS_THAT_WAIT = ("compress", "nonzero")


def attach(cls: type[Storage]) -> None:
    """Add the operators and methods to a class."""
    for name, function in _OPERATORS.items():
        setattr(cls, f"__{name}__", _binary(function))
        setattr(cls, f"__r{name}__", _reflected(function))
        setattr(cls, f"__i{name}__", _in_place(function))
    for name, function in _UNARY.items():
        setattr(cls, f"__{name}__", _unary(function))
    for name, function in _COMPARISONS.items():
        setattr(cls, f"__{name}__", _comparison(function, of_none=_OF_NONE.get(name)))
    for name in _METHODS:
        setattr(cls, name, _method(name))
    for name in _METHODS_IN_PLACE:
        setattr(cls, name, _method(name, in_place=True))
    for name in _METHODS_THAT_WAIT:
        setattr(cls, name, _method(name, waits="the size of a selection"))


def _method(name: str, *, in_place: bool = False, waits: str = "") -> Callable[..., Any]:
    """Return a method that calls NumPy's method of that name."""
    numpys = getattr(np.ndarray, name, None)
    function = numpys if callable(numpys) else getattr(np, name)  # some methods became functions in NumPy 2

    def method(self: Storage, *args: Any, **kwargs: Any) -> Any:
        out = kwargs.get("out")
        writes = [self] if in_place else [] if out is None else [out]
        if in_place or name in SCANS:
            scratch(self.nbytes)
        return compute(function, (self, *args), kwargs, cls=type(self), writes=writes, waits=waits)

    method.__name__ = name
    return method


def _binary(function: np.ufunc) -> Callable[[Any, Any], Any]:
    def operator(self: Storage, other: Any) -> Any:
        if not elementwise.is_operand(other) and not isinstance(other, np.ndarray):
            return function(self, other)  # NumPy reports that it cannot do this operation
        return elementwise.call(function, (self, other), cls=type(self))

    return operator


def _reflected(function: np.ufunc) -> Callable[[Any, Any], Any]:
    return lambda self, other: elementwise.call(function, (other, self), cls=type(self))


def _in_place(function: np.ufunc) -> Callable[[Any, Any], Any]:
    return lambda self, other: elementwise.call(function, (self, other), out=self, cls=type(self))


def _unary(function: np.ufunc) -> Callable[[Any], Any]:
    return lambda self: elementwise.call(function, (self,), cls=type(self))


def _comparison(function: np.ufunc, *, of_none: bool | None = None) -> Callable[[Any, Any], Any]:
    compare = _binary(function)

    def comparison(self: Storage, other: Any) -> Any:
        if other is None and of_none is not None:
            return type(self).from_host(np.full(self.shape, of_none))
        return compare(self, other)

    return comparison
