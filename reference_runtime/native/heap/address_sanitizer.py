"""Query GCC's AddressSanitizer, if its library is loaded into this process."""

from __future__ import annotations

import ctypes
from typing import Final

_C: Final = ctypes.CDLL(None)


def is_loaded() -> bool:
    """Return whether AddressSanitizer has replaced the allocator of this process."""
    return hasattr(_C, "__asan_report_present")


def finding() -> str:
    """Return the error for which AddressSanitizer is about to end the process, as a text; empty if there is none."""
    if not is_loaded() or not _C["__asan_report_present"]():
        return ""
    describe = _C["__asan_get_report_description"]
    describe.restype = ctypes.c_char_p
    description = (describe() or b"").decode(errors="replace")
    size = _C["__asan_get_report_access_size"]()
    access = "a write" if _C["__asan_get_report_access_type"]() else "a read"
    return f"{description}, {access} of {size} bytes" if size else description
