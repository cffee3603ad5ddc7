"""Look at a library of C++ plugins as the original does; it is never driven from here."""

from __future__ import annotations

import _ctypes
import ctypes
from typing import TYPE_CHECKING, Final

from reference_runtime.values.refusals import Reason, Refused

if TYPE_CHECKING:
    from typing import NoReturn

_ENTRIES: Final = ("getCreators", "getPluginCreators")
"""The functions through which a library of plugins shows its creators, since TensorRT 10 and before."""


def load(path: str) -> NoReturn:
    """Refuse a library, and say why: it cannot be opened, has no plugins, or its plugins are in C++."""
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
