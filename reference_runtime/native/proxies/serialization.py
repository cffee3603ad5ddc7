"""Let a plugin of version 2 write itself into TensorRT's memory: exactly the announced number of bytes."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Final

from reference_runtime.native.exchange.lent_memory import POISON
from reference_runtime.native.exchange.misuses import MisuseError

if TYPE_CHECKING:
    from reference_runtime.native.proxies.proxy import Proxy

_MARGIN: Final = 64


def serialized(plugin: Proxy) -> bytes:
    """Return what a plugin writes.

    Raises:
        MisuseError: It wrote beside the memory that it was given.
    """
    size = plugin.call("getSerializationSize")
    memory = (ctypes.c_ubyte * (size + 2 * _MARGIN))()
    ctypes.memset(memory, POISON, ctypes.sizeof(memory))
    plugin.call("serialize", ctypes.addressof(memory) + _MARGIN)
    raw, margin = bytes(memory), bytes([POISON]) * _MARGIN
    if not (raw.startswith(margin) and raw.endswith(margin)):
        raise MisuseError(f"serialize wrote outside of the {size} bytes that getSerializationSize announced")
    return raw[_MARGIN:-_MARGIN]
