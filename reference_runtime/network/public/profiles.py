"""IOptimizationProfile: the minimum, optimum and maximum dimensions and values that an engine is built for.

Theory. A profile knows no network. So it refuses only dimensions below 0, and ranks that differ. The minimum, optimum
and maximum of an input must have one rank, also in later settings. For a shape tensor the number of values counts
instead. The configuration checks the order of minimum, optimum and maximum when the profile is added
(``bool(profile)``). The builder checks that the bounds match the network.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct, field

from reference_runtime.bound.bound_class import made, pybind11_object, state
from reference_runtime.bound.conversions import float32, int64, sequence, string
from reference_runtime.bound.overloads import Overload, accessor, bound
from reference_runtime.values.dims import Dims, to_dims, values
from reference_runtime.values.refusals import Reason, Refused

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from reference_runtime.network.graph.graph_parts import Tensor
    from reference_runtime.values.descriptions import Extents, Range


class Ranges(Struct):
    """The content of a profile: minimum, optimum and maximum of each input's shape, or of a shape tensor's values."""

    shapes: dict[str, Range] = field(default_factory=dict)
    values: dict[str, Range] = field(default_factory=dict)
    extra_memory_target: float = 1.0


def new_profile(builder: object) -> IOptimizationProfile:
    """Return an empty profile; it keeps ``builder`` alive, as in the genuine bindings."""
    return made(IOptimizationProfile, _ranges=Ranges(), _builder=builder)


def ranges_of(profile: IOptimizationProfile) -> Ranges:
    """Return the bounds behind the Python object."""
    ranges: Ranges = state(profile)["_ranges"]
    return ranges


def _set_memory_target(profile: IOptimizationProfile, target: float) -> None:
    if target >= 0:  # a negative target has no effect and gives no error: the bindings drop C++'s status
        ranges_of(profile).extra_memory_target = target


def _set(bounds: dict[str, Range], name: str, triple: Range, takes: Callable[[Extents], bool], message: str) -> None:
    """Set minimum, optimum and maximum in this order, until one contradicts the others or an earlier setting."""
    length = len(bounds[name][0]) if name in bounds else len(triple[0])
    for selector, values_ in zip(_SELECTORS, triple, strict=True):
        if len(values_) != length or not takes(values_):
            raise RuntimeError(message.format(selector))
    bounds[name] = triple


_SELECTORS = ("min", "opt", "max")
_WRONG_SHAPE = "Shape provided for {} is inconsistent with other shapes."
_WRONG_VALUES = "{} input provided for shape tensor is inconsistent with other inputs."
_SELF = "(self: IOptimizationProfile, input: str"
_INTS = "collections.abc.Sequence[typing.SupportsInt]"


class IOptimizationProfile(pybind11_object, bound=True):
    """Bounds of the shapes of a network's inputs, and of the values of those that are shape tensors."""

    extra_memory_target = accessor(
        "(arg0: IOptimizationProfile, arg1: typing.SupportsFloat) -> bool",
        lambda self: ranges_of(self).extra_memory_target,
        _set_memory_target,
        float32,
    )

    @bound(Overload(f"{_SELF}, min: Dims, opt: Dims, max: Dims) -> None", string, to_dims, to_dims, to_dims))
    def set_shape(self, name: str, least: Dims, best: Dims, greatest: Dims) -> None:
        """Set the bounds of an input's shape; RuntimeError for a negative dimension, and for ranks that differ."""
        shapes = (values(least), values(best), values(greatest))
        _set(ranges_of(self).shapes, name, shapes, lambda shape: all(extent >= 0 for extent in shape), _WRONG_SHAPE)

    @bound(Overload(f"{_SELF}) -> list[Dims]", string))
    def get_shape(self, name: str) -> list[Dims]:
        """Return the bounds of an input: three shapes, or an empty list if none were set."""
        return [Dims(shape) for shape in ranges_of(self).shapes.get(name, ())]

    @bound(
        Overload(
            f"{_SELF}, min: {_INTS}, opt: {_INTS}, max: {_INTS}) -> None",
            string,
            sequence(int64),
            sequence(int64),
            sequence(int64),
        )
    )
    def set_shape_input(self, name: str, least: list[int], best: list[int], greatest: list[int]) -> None:
        """Set the bounds of a shape tensor's values; RuntimeError if they are empty or differ in number."""
        triple = (tuple(least), tuple(best), tuple(greatest))
        _set(ranges_of(self).values, name, triple, bool, _WRONG_VALUES)

    @bound(Overload(f"{_SELF}) -> list[list[int]]", string))
    def get_shape_input(self, name: str) -> list[list[int]]:
        """Return the bounds of a shape tensor's values: three lists, or an empty list if none were set."""
        return [list(bounds) for bounds in ranges_of(self).values.get(name, ())]

    @bound(Overload("(self: IOptimizationProfile) -> bool"))
    def __bool__(self) -> bool:
        """Return whether all bounds are in order, so that a configuration accepts the profile."""
        return disorder(ranges_of(self)) is None

    @bound(Overload("(self: IOptimizationProfile) -> bool"))
    def __nonzero__(self) -> bool:
        """Return the same as ``__bool__``, under its name in Python 2."""
        return disorder(ranges_of(self)) is None


def disorder(ranges: Ranges) -> str | None:
    """Return what is wrong with the order of a profile's bounds, or None."""
    for name, (least, best, greatest) in (*ranges.shapes.items(), *ranges.values.items()):
        if not all(low <= middle <= high for low, middle, high in zip(least, best, greatest, strict=True)):
            return f"{name!r} needs min <= opt <= max, not {list(least)}, {list(best)}, {list(greatest)}"
    return None


def checked_ranges(inputs: Sequence[Tensor], profiles: Sequence[Ranges]) -> list[list[Range]]:
    """Return for each profile the bounds of each input; refuse profiles that do not match the network.

    A network without wildcards needs no profile: it gets a profile in which every bound is the shape itself.
    """
    if not profiles and any(-1 in (tensor.dims or ()) for tensor in inputs):
        raise Refused(
            "Network has dynamic or shape inputs, but no optimization profile has been defined.", Reason.NETWORK
        )
    return [
        [_range(tensor, profile, place) for tensor in inputs] for place, profile in enumerate(profiles or [Ranges()])
    ]


def _range(tensor: Tensor, profile: Ranges, place: int) -> Range:
    dims = tensor.dims or ()
    shapes = profile.shapes.get(tensor.name)
    if shapes is None:
        if -1 in dims:
            raise Refused(f"optimization profile {place} has no shape for input {tensor.name!r}", Reason.NETWORK)
        return (dims, dims, dims)
    for shape in shapes:
        if len(shape) != len(dims) or any(fixed not in (-1, extent) for fixed, extent in zip(dims, shape, strict=True)):
            why = f"optimization profile {place} gives input {tensor.name!r} {list(shape)}, and it is {list(dims)}"
            raise Refused(why, Reason.NETWORK)
    return shapes
