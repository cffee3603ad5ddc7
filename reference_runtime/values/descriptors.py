"""The tensor descriptions that a plugin gets: PluginTensorDesc and DynamicPluginTensorDesc."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reference_runtime.bound.bound_class import attribute, holding, pybind11_object, state
from reference_runtime.bound.conversions import float32, instance
from reference_runtime.bound.overloads import Overload, accessor, constructor
from reference_runtime.values.dims import Dims, assign, to_dims
from reference_runtime.values.enums import DataType, TensorFormat

if TYPE_CHECKING:
    from collections.abc import Callable


def _held(desc: object) -> dict[str, Any]:
    """Return a descriptor's native state, to read a shape or change a member; a watched descriptor records the use."""
    held = state(desc)
    if "_watch" in held:
        held["_watch"]()
    return held


def watch_reads(desc: PluginTensorDesc | DynamicPluginTensorDesc, notify: Callable[[], object]) -> None:
    """Call a function whenever a shape of the descriptor is read from now on."""
    state(desc)["_watch"] = notify
    if isinstance(desc, DynamicPluginTensorDesc):
        watch_reads(state(desc)["desc"], notify)


def _shape(owner: str, name: str) -> attribute:
    """Make a ``Dims`` member: reading gives the only live object, writing copies into it."""
    return accessor(
        f"(self: {owner}, arg0: Dims) -> None",
        lambda self: _held(self)[name],
        lambda self, value: assign(_held(self)[name], value),
        to_dims,
    )


def _enumerated(owner: str, name: str, kind: type[Any]) -> attribute:
    """Make an enumeration member: each read gives a new object, so ``is`` never holds."""
    return accessor(
        f"(self: {owner}, arg0: {kind.__name__}) -> None",
        lambda self: holding(kind, {"value": state(self)[name]}),
        lambda self, value: _held(self).update({name: int(value)}),
        instance(kind),
    )


class PluginTensorDesc(pybind11_object, bound=True):
    """The shape, type, layout and scale of one tensor."""

    @constructor(Overload("(self: PluginTensorDesc) -> None"))
    def __init__(self) -> None:
        state(self).update(dims=Dims(), type=0, format=0, scale=0.0)

    dims = _shape("PluginTensorDesc", "dims")
    type = _enumerated("PluginTensorDesc", "type", DataType)
    format = _enumerated("PluginTensorDesc", "format", TensorFormat)
    scale = accessor(
        "(self: PluginTensorDesc, arg0: typing.SupportsFloat) -> None",
        lambda self: state(self)["scale"],
        lambda self, value: _held(self).update(scale=value),
        float32,
    )


def _copy_description(target: PluginTensorDesc, source: PluginTensorDesc) -> None:
    held = state(source)
    assign(state(target)["dims"], held["dims"])
    state(target).update(type=held["type"], format=held["format"], scale=held["scale"])


class DynamicPluginTensorDesc(pybind11_object, bound=True):
    """A tensor's description, with the shapes that a profile allows."""

    @constructor(Overload("(self: DynamicPluginTensorDesc) -> None"))
    def __init__(self) -> None:
        state(self).update(desc=PluginTensorDesc(), min=Dims(), max=Dims(), opt=Dims())

    desc = accessor(
        "(self: DynamicPluginTensorDesc, arg0: PluginTensorDesc) -> None",
        lambda self: state(self)["desc"],
        lambda self, value: _copy_description(state(self)["desc"], value),
        instance(PluginTensorDesc),
    )
    min = _shape("DynamicPluginTensorDesc", "min")
    max = _shape("DynamicPluginTensorDesc", "max")
    opt = _shape("DynamicPluginTensorDesc", "opt")
