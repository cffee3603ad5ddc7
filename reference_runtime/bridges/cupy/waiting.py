"""Wait for the stream of an array, as the CUDA array interface requires of a library that uses the array."""

from __future__ import annotations

from typing import Any

from reference_runtime.bridges.cupy.cuda import runtime

__all__ = ["wait_for"]


def wait_for(interface: dict[str, Any]) -> None:
    """Wait for the stream that an interface names, if any, as CuPy and Numba do before they use the array."""
    if interface.get("stream"):
        handle = int(interface["stream"])
        runtime.streamSynchronize(0 if handle == runtime.streamLegacy else handle)
