"""The functions of ``cupy``: most call NumPy's through a wrapper, and a few differ."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import numpy as np

from reference_runtime.bridges.cupy import elementwise
from reference_runtime.bridges.cupy.arrays import ndarray
from reference_runtime.bridges.cupy.compute import Operands, compute, scratch, unsupported
from reference_runtime.bridges.cupy.methods import SCANS
from reference_runtime.bridges.cupy.placeholders import needs_gpu
from reference_runtime.bridges.cupy.storage import Storage

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["copyto", "offer", "where"]

# ruff: noqa: SIM905 - a list of many literals reads worse than its words
_CREATES = frozenset(
    "arange bartlett blackman diag_indices eye frombuffer fromfile fromiter fromstring full full_like "
    "genfromtxt hamming hanning identity indices kaiser linspace load loadtxt logspace mask_indices ones "
    "ones_like tri tril_indices triu_indices zeros zeros_like".split()
)
_ANSWERS_ON_HOST = frozenset(
    "array2string array_repr array_str base_repr binary_repr broadcast_shapes can_cast common_type "
    "get_printoptions iscomplexobj isfortran isrealobj isscalar issubdtype iterable may_share_memory "
    "min_scalar_type mintypecode ndim promote_types result_type set_printoptions shape shares_memory size "
    "typename".split()
)
_CALLS_BACK = frozenset("apply_along_axis apply_over_axes c_ fromfunction mgrid ogrid piecewise r_ vectorize".split())
_WRITES_FIRST = frozenset({"fill_diagonal", "place", "put", "put_along_axis", "putmask"})
_WAITS = frozenset(
    "argwhere asarray_chkfinite bincount compress extract flatnonzero histogram intersect1d nanmax nanmin nonzero "
    "setdiff1d setxor1d trim_zeros union1d unique unique_all unique_counts unique_inverse unique_values "
    "unravel_index".split()
)
_OLD_CONSTANTS = {
    "Inf": np.inf, "Infinity": np.inf, "NAN": np.nan, "NINF": -np.inf, "NZERO": -0.0, "NaN": np.nan,
    "PINF": np.inf, "PZERO": 0.0, "infty": np.inf,
}  # fmt: skip


@functools.cache
def offer(name: str) -> Any:
    """Return the member of ``cupy`` for a name of CuPy; functions that only a GPU can run raise when called."""
    member = getattr(np, name, None)
    if name in _OLD_CONSTANTS:
        return _OLD_CONSTANTS[name]
    if member is None or name in _CALLS_BACK:
        return None if name == "newaxis" else needs_gpu(f"cupy.{name}")
    if name in _ANSWERS_ON_HOST:
        return _answering(member)
    if isinstance(member, np.ufunc) and name != "matmul":
        return elementwise.ufunc(member, ndarray)
    if isinstance(member, type) or not callable(member):
        return member
    return creating(member) if name in _CREATES else wrapped(member, name)


def creating(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that creates an array as NumPy does, but on the device."""

    @functools.wraps(function)
    def create(*args: Any, **kwargs: Any) -> Any:
        operands = Operands(hosts_allowed=True)
        result = function(*operands.unwrap(list(args)), **kwargs)
        return operands.wrap(result, ndarray)

    return create


def wrapped(function: Callable[..., Any], name: str) -> Callable[..., Any]:
    """Return a function of NumPy that accepts arrays on the device, and refuses arrays of the host."""
    waits = f"the size of {name}'s result" if name in _WAITS else ""

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        if not any(list(map(_holds_array, (*args, *kwargs.values())))):
            raise unsupported(args[0] if args else None)
        out = kwargs.get("out", args[0] if name in _WRITES_FIRST else None)
        writes = out if isinstance(out, tuple) else [] if out is None else [out]
        if name in SCANS:
            scratch(args[0].nbytes)
        result = compute(function, args, kwargs, cls=ndarray, writes=writes, waits=waits)
        return ndarray.from_host(np.asarray(result)) if isinstance(result, int) else result

    return call


def _answering(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function whose result is on the host, and does not depend on the values of elements."""

    @functools.wraps(function)
    def answer(*args: Any, **kwargs: Any) -> Any:
        return function(*Operands(hosts_allowed=True).unwrap(list(args)), **kwargs)

    return answer


def _holds_array(value: Any) -> bool:
    if isinstance(value, np.ndarray):
        raise unsupported(value)
    if isinstance(value, (list, tuple)):
        return any(list(map(_holds_array, value)))
    return isinstance(value, Storage)


def copyto(dst: Any, src: Any, casting: Any = "same_kind", where: Any = None) -> None:
    """Copy elements of a device array, or one number, to ``dst``."""
    if not isinstance(dst, Storage):
        raise unsupported(dst)
    if isinstance(src, np.ndarray) and src.ndim:
        raise ValueError("non-scalar numpy.ndarray cannot be used for copyto")
    value = src if isinstance(src, Storage) else np.asarray(src)[()]
    if isinstance(value, Storage) and not np.can_cast(value.dtype, dst.dtype, casting):
        raise TypeError(f"Cannot cast {value.dtype} to {dst.dtype} in {casting} casting mode")
    plain = isinstance(src, (bool, int, float, complex))
    if plain and not np.can_cast(np.result_type(value), dst.dtype, casting):
        raise TypeError(
            f"Cannot cast scalar from {np.result_type(value)!r} to {dst.dtype!r} according to the rule {casting!r}"
        )
    mask = {} if where is None else {"where": where}
    arguments = (dst, src if plain else value)
    compute(np.copyto, arguments, {"casting": casting, **mask}, cls=ndarray, writes=[dst])


def where(condition: Any, x: Any = None, y: Any = None) -> Any:
    """Choose elements of ``x`` or ``y``; without them, return the indices at which ``condition`` is true."""
    if isinstance(condition, np.ndarray):
        raise unsupported(condition)
    chosen = condition.astype("?")
    if x is None and y is None:
        return chosen.nonzero()
    if x is None or y is None:
        raise ValueError("Must provide both 'x' and 'y' or neither.")
    return compute(np.where, (chosen, x, y), {}, cls=ndarray)
