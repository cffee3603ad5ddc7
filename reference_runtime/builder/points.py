"""Check optimization profiles against a network, and compute the bounds of all tensors in each profile."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from reference_runtime.builder.work import Point
from reference_runtime.network.public.profiles import Ranges, checked_ranges
from reference_runtime.plan import ProfilePlan
from reference_runtime.shapes.shape_rules import propagate, spread
from reference_runtime.shapes.tensor_facts import ValueFacts
from reference_runtime.values.refusals import Reason, Refused

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reference_runtime.network.graph.graph import Graph
    from reference_runtime.network.graph.graph_parts import Tensor
    from reference_runtime.plan import ValueRange
    from reference_runtime.shapes.shape_rules import ExtentRule


def checked_profiles(graph: Graph, profiles: Sequence[Ranges]) -> list[ProfilePlan]:
    """Return for each profile the bounds of each input; refuse profiles that do not match the network.

    A network without wildcards and shape inputs needs no profile.
    """
    hosted = [tensor for tensor in graph.inputs if tensor in graph.needs.shape]
    if hosted and not profiles:
        raise Refused(
            "Network has dynamic or shape inputs, but no optimization profile has been defined.", Reason.NETWORK
        )
    ranges = checked_ranges(graph.inputs, profiles)
    return [
        ProfilePlan(
            tuple(bounds),
            tuple(_values(tensor, profile, place) if tensor in hosted else None for tensor in graph.inputs),
        )
        for place, (bounds, profile) in enumerate(zip(ranges, profiles or [Ranges()], strict=True))
    ]


def _values(tensor: Tensor, profile: Ranges, place: int) -> ValueRange:
    dims, bounds = tensor.dims or (), profile.values.get(tensor.name)
    if -1 in dims or len(dims) > 1:
        why = f"{tensor.name} is a shape tensor: it has at most one dimension, known in the network, not {list(dims)}"
        raise Refused(why, Reason.NETWORK)
    if bounds is None:
        raise Refused(f"optimization profile {place} has no values for shape input {tensor.name!r}", Reason.NETWORK)
    least, best, greatest = (tuple(values) for values in bounds)
    if {len(least), len(best), len(greatest)} != {prod(dims)}:
        counts = [len(least), len(best), len(greatest)]
        why = f"optimization profile {place} gives shape input {tensor.name!r} {counts} values, and it has {prod(dims)}"
        raise Refused(why, Reason.NETWORK)
    if not all(low <= middle <= high for low, middle, high in zip(least, best, greatest, strict=True)):
        why = f"{tensor.name!r} needs min <= opt <= max, not {list(least)}, {list(best)}, {list(greatest)}"
        raise Refused(why, Reason.NETWORK)
    return least, best, greatest


def points_of(
    inputs: Sequence[Tensor], rules: Sequence[ExtentRule[Tensor]], profiles: Sequence[ProfilePlan]
) -> list[Point]:
    """Return the dimensions of every tensor for each profile; refuse a profile if a dimension cannot be computed."""
    return [_point(inputs, rules, profile) for profile in profiles]


def _point(inputs: Sequence[Tensor], rules: Sequence[ExtentRule[Tensor]], profile: ProfilePlan) -> Point:
    ranges = dict(zip(inputs, profile.ranges, strict=True))
    values = {tensor: bounds for tensor, bounds in zip(inputs, profile.values, strict=True) if bounds is not None}
    best = {
        tensor: ValueFacts(extents[1], values[tensor][1] if tensor in values else None)
        for tensor, extents in ranges.items()
    }
    return Point(spread(rules, ranges, values), propagate(rules, best, "optimum"))
