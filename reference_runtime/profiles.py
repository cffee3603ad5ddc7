"""IOptimizationProfile: for each input the least, the best and the greatest extents that an engine is built for."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from reference_runtime.conversions import float32, string
from reference_runtime.dims import Dims, to_dims, values
from reference_runtime.native import made, pybind11_object, state
from reference_runtime.refusals import Reason, Refused
from reference_runtime.signatures import Overload, accessor, bound

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reference_runtime.descriptions import Range
    from reference_runtime.graph import Tensor

__all__ = ["IOptimizationProfile", "Ranges", "checked_ranges", "disorder", "new_profile", "ranges_of"]


@dataclass
class Ranges:
    """What a profile holds."""

    shapes: dict[str, Range] = field(default_factory=dict)
    extra_memory_target: float = 1.0


def new_profile() -> IOptimizationProfile:
    """Return an empty profile."""
    return made(IOptimizationProfile, _ranges=Ranges())


def ranges_of(profile: IOptimizationProfile) -> Ranges:
    """Return what stands behind the Python object."""
    ranges: Ranges = state(profile)["_ranges"]
    return ranges


class IOptimizationProfile(pybind11_object, bound=True):
    """Bounds of the shapes of a network's inputs."""

    extra_memory_target = accessor(
        "(self: IOptimizationProfile, arg0: typing.SupportsFloat) -> bool",
        lambda self: ranges_of(self).extra_memory_target,
        lambda self, value: setattr(ranges_of(self), "extra_memory_target", value),
        float32,
    )

    @bound(
        Overload(
            "(self: IOptimizationProfile, input: str, min: Dims, opt: Dims, max: Dims) -> None",
            string,
            to_dims,
            to_dims,
            to_dims,
        )
    )
    def set_shape(self, name: str, least: Dims, best: Dims, greatest: Dims) -> None:
        """Set the bounds of an input; RuntimeError for shapes that cannot go together.

        Whether they are in order is checked when the profile is added to a configuration.
        """
        shapes = (values(least), values(best), values(greatest))
        for selector, shape in zip(("min", "opt", "max"), shapes, strict=True):
            if len(shape) != len(shapes[0]) or any(extent < 0 for extent in shape):
                raise RuntimeError(f"Shape provided for {selector} is inconsistent with other shapes.")
        ranges_of(self).shapes[name] = shapes

    @bound(Overload("(self: IOptimizationProfile, input: str) -> list[Dims]", string))
    def get_shape(self, name: str) -> list[Dims]:
        """Return the bounds of an input: three shapes, or none where it has no bounds."""
        return [Dims(shape) for shape in ranges_of(self).shapes.get(name, ())]


def disorder(ranges: Ranges) -> str | None:
    """Return what is wrong with the order of a profile's bounds, or None."""
    for name, (least, best, greatest) in ranges.shapes.items():
        if not all(low <= middle <= high for low, middle, high in zip(least, best, greatest, strict=True)):
            return f"{name!r} needs min <= opt <= max, not {list(least)}, {list(best)}, {list(greatest)}"
    return None


def checked_ranges(inputs: Sequence[Tensor], profiles: Sequence[Ranges]) -> list[list[Range]]:
    """Return for each profile the bounds of each input; refuse profiles that do not fit the network.

    A network without wildcards needs no profile: it has one in which every bound is the shape itself.
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
        if len(shape) != len(dims) or any(fixed not in (-1, given) for fixed, given in zip(dims, shape, strict=True)):
            why = f"optimization profile {place} gives input {tensor.name!r} {list(shape)}, and it is {list(dims)}"
            raise Refused(why, Reason.NETWORK)
    return shapes
