"""Copy the inputs and results of a plugin when a program executes it, as arrays."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from harness.cases.case import plugin_key
from reference_runtime.devices import host
from reference_runtime.values.enums import TensorFormat
from reference_runtime.values.helpers import nptype


class Execution(NamedTuple):
    """The data of one execution of a plugin; None for a tensor that NumPy arrays cannot hold."""

    inputs: tuple[np.ndarray[Any, Any] | None, ...]
    outputs: tuple[np.ndarray[Any, Any] | None, ...]


def key_of(plugin: Any) -> str:
    """Return a plugin's namespace, name and version as one key."""
    name = getattr(plugin, "plugin_name", None) or getattr(plugin, "plugin_type", None)
    return plugin_key(str(plugin.plugin_namespace), str(name), str(plugin.plugin_version))


def tensors_of(descriptions: Any, addresses: Any) -> tuple[np.ndarray[Any, Any] | None, ...]:
    """Return copies of the tensors at the addresses that ``enqueue`` received, as in `Execution`."""
    return tuple(_tensor(desc, address) for desc, address in zip(descriptions, addresses, strict=False))


def _tensor(desc: Any, address: int) -> np.ndarray[Any, Any] | None:
    try:
        dtype = np.dtype(nptype(desc.type))
    except TypeError:  # NumPy has no such type
        return None
    shape = tuple(desc.dims)
    if desc.format != TensorFormat.LINEAR or not host.is_device_address(address) or min(shape, default=0) < 0:
        return None
    data = host.locate(address, math.prod(shape) * dtype.itemsize)
    return np.frombuffer(bytes(data), dtype).reshape(shape)
