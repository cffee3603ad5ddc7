"""A decorated plugin's description of its compiled kernel: symbolic arguments and the launch parameters.

Python makes the expressions. TensorRT makes the list of extra arguments and the launch parameters, which
``get_launch_params`` fills: `new_arguments` and `new_launch_params` make them here. The attributes of an `ISymExpr` can
be assigned but not read. Its expression is any pointer in C++, so an `IDimensionExpr` or a capsule is accepted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reference_runtime.bound.bound_class import made, pybind11_object, state
from reference_runtime.bound.capsules import pointer
from reference_runtime.bound.conversions import instance, int32, optional
from reference_runtime.bound.overloads import Overload, accessor, bound, constructor
from reference_runtime.values.enums import PluginArgDataType, PluginArgType

if TYPE_CHECKING:
    from reference_runtime.bound.bound_class import attribute


def _assigned_only(name: str, shown: str, convert: Any) -> attribute:
    def put(self: object, value: Any) -> None:
        state(self)[name] = value

    return accessor(f"(arg0: ISymExpr, arg1: {shown}) -> None", None, put, convert)


class ISymExpr(pybind11_object, bound=True):
    """One symbolic argument: its kind, its type and the expression for its value."""

    @constructor(Overload("(self: ISymExpr) -> None"))
    def __init__(self) -> None:
        state(self).update(type=PluginArgType.INT, dtype=PluginArgDataType.INT32, expr=None)

    type = _assigned_only("type", "PluginArgType", instance(PluginArgType))
    dtype = _assigned_only("dtype", "PluginArgDataType", instance(PluginArgDataType))
    expr = _assigned_only(
        "expr",
        "typing_extensions.CapsuleType",
        lambda value: value if isinstance(value, pybind11_object) else pointer(value),
    )


_EXPRESSION = optional(instance(ISymExpr))


def content(expression: ISymExpr) -> tuple[PluginArgType, PluginArgDataType, Any]:
    """Return the kind, type and expression of a symbolic argument; the expression of a capsule is its address."""
    held = state(expression)
    return held["type"], held["dtype"], held["expr"]


def _items(arguments: ISymExprs) -> list[ISymExpr | None]:
    items: list[ISymExpr | None] = state(arguments)["items"]
    return items


def _resize(arguments: ISymExprs, count: int) -> None:
    items = _items(arguments)
    items[:] = [*items[:count], *[None] * (count - len(items))]


def _place(arguments: ISymExprs, index: int) -> int:
    if not 0 <= index < len(_items(arguments)):
        raise IndexError("Out of bounds")
    return index


class ISymExprs(pybind11_object, bound=True):
    """The arguments of a kernel beyond its inputs and outputs."""

    nbSymExprs = accessor(  # noqa: N815 - TensorRT's own spelling
        "(arg0: ISymExprs, arg1: typing.SupportsInt) -> bool",
        lambda self: len(_items(self)),
        _resize,
        int32,
    )

    @bound(Overload("(self: ISymExprs) -> int"))
    def __len__(self) -> int:
        """Return the number of arguments."""
        return len(_items(self))

    @bound(Overload("(self: ISymExprs, arg0: typing.SupportsInt) -> ISymExpr", int32))
    def __getitem__(self, index: Any) -> ISymExpr | None:
        """Return an argument; ``None`` if none was assigned."""
        return _items(self)[_place(self, index)]

    @bound(Overload("(self: ISymExprs, arg0: typing.SupportsInt, arg1: ISymExpr) -> bool", int32, _EXPRESSION))
    def __setitem__(self, index: Any, expression: Any) -> bool:
        """Assign an argument."""
        _items(self)[_place(self, index)] = expression
        return True


def _parameter(name: str) -> attribute:
    def put(self: object, value: ISymExpr | None) -> None:
        state(self)[name] = value

    text = "(arg0: KernelLaunchParams, arg1: nvinfer1::ISymExpr) -> bool"
    return accessor(text, lambda self: state(self).get(name), put, _EXPRESSION)


class KernelLaunchParams(pybind11_object, bound=True):
    """The sizes of a kernel's grid and blocks, and its shared memory."""

    grid_x = _parameter("grid_x")
    grid_y = _parameter("grid_y")
    grid_z = _parameter("grid_z")
    block_x = _parameter("block_x")
    block_y = _parameter("block_y")
    block_z = _parameter("block_z")
    shared_mem = _parameter("shared_mem")


def new_arguments() -> ISymExprs:
    """Make the list that a plugin fills; it is empty until its ``nbSymExprs`` is assigned."""
    return made(ISymExprs, items=[])


def new_launch_params() -> KernelLaunchParams:
    """Make the launch parameters that a plugin fills."""
    return made(KernelLaunchParams)
