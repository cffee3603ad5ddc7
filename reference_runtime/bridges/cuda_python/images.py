"""Write and read the output of the replaced NVRTC: a marker line and the program's source, in place of code."""

from __future__ import annotations

import ctypes
import re
from typing import Any, Final

from reference_runtime.bridges.cuda_python.handles import host_address

__all__ = ["image_of", "source_in"]

_HEAD: Final = b"// source for the host device, %010d bytes\n"
_FORM: Final = re.compile(rb"// source for the host device, (\d{10}) bytes\n")
_LENGTH: Final = len(_HEAD % 0)


def image_of(source: bytes) -> bytes:
    """Return the image of a program with this source."""
    return _HEAD % len(source) + source + b"\0"


def source_in(image: Any) -> str:
    """Return the source in an image, a buffer or an address; empty for the image of a real compiler."""
    address = host_address(image)
    # an image may be shorter than the marker
    whole = getattr(image, "nbytes", None) or (len(image) if isinstance(image, (bytes, bytearray)) else _LENGTH)
    head = _FORM.fullmatch(ctypes.string_at(address, min(_LENGTH, whole)))
    return "" if head is None else ctypes.string_at(address + _LENGTH, int(head[1])).decode(errors="replace")
