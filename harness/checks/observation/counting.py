"""Count how often a method of plugins runs, also if Python code calls it and not TensorRT."""

from __future__ import annotations

import contextlib
import sys
from typing import TYPE_CHECKING, Any

import msgspec

from reference_runtime.instruments import pybind11_object

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import CodeType, FrameType


class Count(msgspec.Struct):
    """The number of calls of a method on a plugin. The reference to the plugin keeps its id unique."""

    plugin: Any
    calls: int = 0


@contextlib.contextmanager
def counting_calls(method: str) -> Iterator[dict[int, Count]]:
    """Count the calls of a method in the block, by the id of the plugin. Calls from its own methods do not count.

    So if a method calls the method that it overrides, only the outer call counts. Calls in other threads are not seen.
    """
    counts: dict[int, Count] = {}

    def profile(frame: FrameType, event: str, _argument: Any) -> None:
        if event != "call" or frame.f_code.co_name != method:
            return
        plugin = _receiver(frame)
        if not isinstance(plugin, pybind11_object) or frame.f_code is not _code(type(plugin), method):
            return
        if not _is_its_own(plugin, frame.f_back):
            counts.setdefault(id(plugin), Count(plugin)).calls += 1

    before = sys.getprofile()
    sys.setprofile(profile)
    try:
        yield counts
    finally:
        sys.setprofile(before)


def defines(cls: type, method: str) -> bool:
    """Return whether the class or one of its Python bases defines the method as an ordinary function."""
    code = _code(cls, method)
    return code is not None and code.co_name == method and code.co_argcount > 0


def _code(cls: type, method: str) -> CodeType | None:
    code: CodeType | None = getattr(getattr(cls, method, None), "__code__", None)
    return code


def _is_its_own(plugin: object, frame: FrameType | None) -> bool:
    """Return whether the frame runs a method of this plugin object."""
    if frame is None or _receiver(frame) is not plugin:
        return False
    name = frame.f_code.co_name
    return any(getattr(vars(cls).get(name), "__code__", None) is frame.f_code for cls in type(plugin).__mro__)


def _receiver(frame: FrameType) -> Any:
    """Return the first argument of a running function; None if it has no positional parameter."""
    if not frame.f_code.co_argcount:
        return None
    return frame.f_locals.get(frame.f_code.co_varnames[0])
