"""Read the CUDA array interface, through which libraries share device memory."""

from __future__ import annotations

from typing import Any

import numpy as np

from reference_runtime.bridges.launches import Memory
from reference_runtime.devices import host

__all__ = ["memory_of"]


def memory_of(interface: dict[str, Any]) -> Memory:
    """Return the memory that a ``__cuda_array_interface__`` describes; its elements keep their strides.

    Raises:
        DeviceFault: The memory is not inside one living buffer.
    """
    shape, dtype = tuple(interface["shape"]), np.dtype(interface["typestr"])
    address, is_constant = interface["data"]
    strides = interface.get("strides") or _contiguous(shape, dtype.itemsize)
    nbytes = 0 if 0 in shape else dtype.itemsize + sum((n - 1) * step for n, step in zip(shape, strides, strict=True))
    elements: np.ndarray[Any, Any] = np.ndarray(
        shape, dtype, host.locate(address, nbytes, alignment=dtype.itemsize), 0, strides
    )
    elements.flags.writeable = elements.flags.writeable and not is_constant
    return Memory(address, nbytes, elements)


def _contiguous(shape: tuple[int, ...], itemsize: int) -> tuple[int, ...]:
    steps, step = [], itemsize
    for extent in reversed(shape):
        steps.append(step)
        step *= max(extent, 1)
    return tuple(reversed(steps))
