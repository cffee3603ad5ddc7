"""Serialize a plugin of version 2, and check that it writes no byte outside the size that it announced."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Final

from reference_runtime.native.exchange.lent_memory import POISON
from reference_runtime.native.exchange.misuses import MisuseError

if TYPE_CHECKING:
    from reference_runtime.native.proxies.proxy import Proxy

_MARGIN: Final = 64


def serialized(plugin: Proxy) -> bytes:
    """Return a plugin's serialized data.

    Raises:
        MisuseError: The plugin wrote outside of the announced number of bytes.
    """
    size = plugin.call("getSerializationSize")
    memory = (ctypes.c_ubyte * (size + 2 * _MARGIN))()
    ctypes.memset(memory, POISON, ctypes.sizeof(memory))
    plugin.call("serialize", ctypes.addressof(memory) + _MARGIN)
    raw, margin = bytes(memory), bytes([POISON]) * _MARGIN
    if not (raw.startswith(margin) and raw.endswith(margin)):
        raise MisuseError(f"serialize wrote outside of the {size} bytes that getSerializationSize announced")
    return raw[_MARGIN:-_MARGIN]
