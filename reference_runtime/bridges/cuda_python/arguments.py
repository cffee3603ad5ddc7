"""Read the arguments of ``cuLaunchKernel``: an array of addresses, or a pair of values and their ctypes."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any

import numpy as np

from reference_runtime.bound.errors import NeedsGpu
from reference_runtime.bridges.cuda_python.handles import as_int, host_address
from reference_runtime.bridges.launches import memory_from

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reference_runtime.bridges.parameters import Parameter
    from reference_runtime.bridges.stand_ins import Kernel

__all__ = ["arguments_of"]

_ADDRESS = 8


def arguments_of(kernel: Kernel, params: Any) -> list[Any]:
    """Return the arguments of a launch, from ``kernelParams``, as `stand_ins.launch` takes them.

    Raises:
        NeedsGpu: The number or the types of the arguments are unknown.
    """
    if isinstance(params, tuple) and len(params) == 2 and isinstance(params[0], (tuple, list)):  # noqa: PLR2004 - a pair
        return _of_values(kernel, *params)
    if params is None or (isinstance(params, int) and params == 0):
        return []
    parameters = kernel.parameters
    if parameters is None:
        raise NeedsGpu(f"the {kernel.kind} {kernel.name!r}, whose parameters are unknown without its source,")
    addresses = np.frombuffer(ctypes.string_at(host_address(params), _ADDRESS * len(parameters)), np.uint64)
    return [_read(int(address), each) for address, each in zip(addresses, parameters, strict=True)]


def _of_values(kernel: Kernel, values: Sequence[Any], types: Sequence[Any]) -> list[Any]:
    """Return the values; a ctype of None means a type of CUDA, such as an address."""
    declared = kernel.parameters
    if declared is not None:
        return [as_int(value) if kind is None else value for value, kind in zip(values, types, strict=True)]
    are_pointers = [kind in {None, ctypes.c_void_p} for kind in types]
    return [
        memory_from(as_int(value), None) if is_pointer else value
        for value, is_pointer in zip(values, are_pointers, strict=True)
    ]


def _read(address: int, parameter: Parameter) -> Any:
    """Return a parameter's value at an address of the host."""
    if parameter.is_pointer:
        return int.from_bytes(ctypes.string_at(address, _ADDRESS), "little")
    if parameter.dtype is None:
        raise NeedsGpu(f"a kernel whose parameter {parameter.name!r} has a type that NumPy does not have")
    return np.frombuffer(ctypes.string_at(address, parameter.dtype.itemsize), parameter.dtype)[0]
