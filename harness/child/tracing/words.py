"""Describe arguments and results of callbacks in a few words, without calling user code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from reference_runtime import instruments
from reference_runtime.values.descriptors import DynamicPluginTensorDesc, PluginTensorDesc
from reference_runtime.values.dims import Dims
from reference_runtime.values.enums import DataType, TensorFormat

_LONGEST: Final = 60
_MOST: Final = 8
_LEAST_ADDRESS: Final = 0xFFFF


def words(value: Any, depth: int = 3) -> str:
    """Return a short text for a value: its contents if the type is known, else the name of its class.

    Lists and tuples within it are described up to ``depth``.
    """
    kind = type(value)
    if kind in _BRACKETS:
        more = [f"{len(value) - _MOST} more"] if len(value) > _MOST else []
        items = ", ".join([*(words(each, depth - 1) for each in value[:_MOST]), *more]) if depth else "..."
        return _BRACKETS[kind].replace(" ", items)
    if kind in _PLAIN:
        return cut(_PLAIN[kind](value))
    for known, describe in _OURS.items():
        if isinstance(value, known):
            return describe(value)
    is_member = isinstance(value, instruments.pybind11_object) and hasattr(kind, "__members__")
    return str(value).rpartition(".")[2] if is_member else kind.__name__


def cut(text: str, longest: int = _LONGEST) -> str:
    """Return a text, cut to ``longest`` characters."""
    return text if len(text) <= longest else f"{text[: longest - 3]}..."


def _bytes(value: Any) -> str:
    return f"{len(value):,} bytes"


#: Descriptions of Python's types. A class that a user derives from them is left out: it could run user code.
_PLAIN: Final[dict[type, Callable[[Any], str]]] = {
    type(None): repr,
    bool: repr,
    float: repr,
    # a number as high as this is an address
    int: lambda value: hex(value) if value > _LEAST_ADDRESS else repr(value),
    str: repr,
    bytes: _bytes,
    bytearray: _bytes,
    memoryview: lambda value: f"{value.nbytes:,} bytes",
}
_BRACKETS: Final[dict[type, str]] = {list: "[ ]", tuple: "( )"}


def _extents(dims: Dims) -> str:
    return str(tuple(instruments.state(dims)["extents"][: len(dims)]))


def _description(desc: PluginTensorDesc) -> str:
    """Describe a tensor without reading its attributes, since the runtime records that."""
    held = instruments.state(desc)
    kind, layout = _member(DataType, held["type"]), _member(TensorFormat, held["format"])
    return f"{kind}:{layout} {_extents(held['dims'])}"


def _dynamic(desc: DynamicPluginTensorDesc) -> str:
    held = instruments.state(desc)
    bounds = " to ".join(_extents(held[name]) for name in ("min", "max"))
    return f"{_description(held['desc'])}, {bounds}"


def _member(kind: Any, number: int) -> str:
    """Return the name of an enumeration's member, or the number if it is no member, as in undefined descriptions."""
    return next((name for name, member in kind.__members__.items() if int(member) == number), str(number))


#: Descriptions of the runtime's types.
_OURS: Final[dict[type, Callable[[Any], str]]] = {
    Dims: _extents,
    PluginTensorDesc: _description,
    DynamicPluginTensorDesc: _dynamic,
}
