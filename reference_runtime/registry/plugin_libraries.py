"""Refuse libraries of C++ plugins, which this runtime does not call, with TensorRT's errors where there are some."""

from __future__ import annotations

import _ctypes
import ctypes
from typing import TYPE_CHECKING, Final

from reference_runtime.values.refusals import Reason, Refused

if TYPE_CHECKING:
    from typing import NoReturn

_ENTRIES: Final = ("getCreators", "getPluginCreators")
"""The functions by which a library returns its creators: the first since TensorRT 10, the second before."""


def load(path: str) -> NoReturn:
    """Raise `Refused` with the reason: the library cannot be opened, has no plugins, or its plugins are in C++."""
    try:
        library = ctypes.CDLL(path)
    except OSError as error:
        raise Refused(f"Unable to load library: {path}: {error}", Reason.UNAVAILABLE) from error
    has_plugins = any(hasattr(library, entry) for entry in _ENTRIES)
    _ctypes.dlclose(library._handle)  # noqa: SLF001 - ctypes has no other way to close a library
    if not has_plugins:
        raise Refused("SymbolAddress for getCreators could not be loaded, check function name against library symbol")
    raise Refused(
        f"{path} holds plugins in C++, which load_library() of this runtime does not load. "
        f"Certify them with pytest --plugin-library={path}",
        Reason.UNAVAILABLE,
    )
