"""Name an application's objects, and convert its values to plain data for a trace."""

from __future__ import annotations

import contextlib
import dis
import sys
import weakref
from types import FrameType
from typing import Any

from harness.applications.references import Ref, Site
from harness.contract.own_names import own
from reference_runtime.instruments import pybind11_object

_KINDS = {
    "Builder": "builder",
    "IBuilderConfig": "configuration",
    "ICudaEngine": "engine",
    "IExecutionContext": "context",
    "INetworkDefinition": "network",
    "IOptimizationProfile": "profile",
    "IPluginRegistry": "registry",
    "ITensor": "tensor",
    "Runtime": "runtime",
}
_OURS = ("reference_runtime", own("harness"), own("conformance"))
_PLAIN = (bool, int, float, str, bytes, type(None))
_LIBRARIES = ("/site-packages/", "/dist-packages/", f"/lib/python{sys.version_info.major}.")


class Names:
    """Gives each object a name for the whole run, without keeping it alive."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Any, Ref]] = {}
        self._counts: dict[str, int] = {}

    def of(self, value: object) -> Ref:
        """Return the name of an object."""
        if self.knows(value):
            return self._known[id(value)][1]
        kind = _KINDS.get(type(value).__name__, type(value).__name__)
        self._counts[kind] = self._counts.get(kind, 0) + 1
        ref = Ref(kind, self._counts[kind])
        with contextlib.suppress(TypeError):  # an object without weak references gets a new name each time
            self._known[id(value)] = (weakref.ref(value), ref)
        return ref

    def knows(self, value: object) -> bool:
        """Return whether an object has a name."""
        known = self._known.get(id(value))
        return known is not None and known[0]() is value

    def plain(self, value: Any, *, depth: int = 2) -> Any:
        """Return a value as plain data: numbers and texts do not change, other objects become names."""
        if isinstance(value, _PLAIN):
            return value
        known = _known(value)
        if known is not None:
            return known
        if isinstance(value, (tuple, list)) and depth:
            return tuple(self.plain(each, depth=depth - 1) for each in value)
        is_object = isinstance(value, pybind11_object) or hasattr(value, "__dict__")
        return self.of(value) if is_object else f"<{type(value).__name__}>"


def _known(value: Any) -> str | int | tuple[int, ...] | None:
    """Convert members of enumerations, shapes and handles as the bindings do; return None for other values."""
    if hasattr(type(value), "__members__"):
        return str(value)
    if type(value).__name__.startswith("Dims"):
        return tuple(value)
    return int(value) if _is_integer(value) else None


def _is_integer(value: Any) -> bool:
    """Return whether the bindings accept an object as an integer, like a handle of cuda-python; arrays do not count."""
    kind = type(value)
    if isinstance(value, pybind11_object) or getattr(value, "shape", ()) != ():
        return False
    return hasattr(kind, "__index__") or (hasattr(kind, "__int__") and not hasattr(kind, "__float__"))


def is_ours(frame: FrameType) -> bool:
    """Return whether a frame is the runtime's, the harness's or a rule's."""
    return str(frame.f_globals.get("__name__", "")).partition(".")[0] in _OURS


def site_of(depth: int = 1) -> Site:
    """Return the application's line that runs now: the innermost line outside of libraries."""
    frame: FrameType | None = sys._getframe(depth)  # noqa: SLF001 - the documented way to the caller
    innermost: Site | None = None
    while frame is not None:
        file = frame.f_code.co_filename
        if not is_ours(frame):
            site = Site(file, frame.f_lineno)
            innermost = innermost or site
            if not file.startswith("<") and not any(each in file for each in _LIBRARIES):
                return site
        frame = frame.f_back
    return innermost or Site("unknown", 0)


def site_of_method(receiver: object, method: str) -> Site:
    """Return the line where a method is defined."""
    function = getattr(getattr(type(receiver), method, None), "__wrapped__", getattr(type(receiver), method, None))
    code = getattr(function, "__code__", None)
    return Site(code.co_filename, code.co_firstlineno) if code is not None else Site("unknown", 0)


def is_discarded() -> bool:
    """Return whether the innermost frame of the application discards the result of its call."""
    frame: FrameType | None = sys._getframe(1)  # noqa: SLF001 - the documented way to the caller
    while frame is not None and is_ours(frame):
        frame = frame.f_back
    if frame is None:
        return False
    # The next instruction shows whether the result is used. ``f_lasti`` may point into the inline caches of the call.
    later = (each for each in dis.get_instructions(frame.f_code) if each.offset > frame.f_lasti)
    following = next(later, None)
    return following is not None and following.opname == "POP_TOP"
