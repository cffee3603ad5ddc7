"""Checks that the parts of a plan fit together, so that code that runs it need not check again.

Derived values are computed again: the extents of every tensor from those of the inputs, and the tensors on the host
from the values that decide shapes. Each layer is checked once, and the facts of a tensor are forgotten after its last
reader.
"""

from __future__ import annotations

import functools
from math import prod
from typing import TYPE_CHECKING

from reference_runtime.plan.layer_checks import check_layer, operation_of, rule_of
from reference_runtime.plan.refusing import unless_refused
from reference_runtime.shapes.tensor_facts import ValueFacts
from reference_runtime.values.checked_json import require
from reference_runtime.values.enums import TensorFormat, TensorIOMode, TensorLocation
from reference_runtime.values.enums_layers import LayerType

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reference_runtime.plan.records import LayerPlan, Plan, ProfilePlan, TensorPlan, ValueRange
    from reference_runtime.values.descriptions import Range

__all__ = ["check"]

_ORDER = (TensorIOMode.INPUT, TensorIOMode.OUTPUT, TensorIOMode.NONE)


def check(plan: Plan) -> None:
    """Raise `PlanError` for a plan whose parts do not fit together."""
    modes = [_ORDER.index(tensor.mode) for tensor in plan.tensors]
    require(modes == sorted(modes), "the tensors are not in order")
    names = [tensor.name for tensor in plan.io]
    require(len(set(names)) == len(names), "two inputs or outputs have the same name")
    require(TensorIOMode.OUTPUT in [tensor.mode for tensor in plan.tensors], "there is no output")
    require(bool(plan.profiles), "there is no profile")
    inputs = plan.inputs
    for profile in plan.profiles:
        _check_profile(inputs, profile)
    ready = set(range(len(inputs)))
    for layer in plan.layers:
        check_layer(layer, plan.tensors, ready)
        ready.update(layer.outputs)
    require(len(ready) == len(plan.tensors), "a tensor has no source")
    _check_places(plan)
    _check_extents(plan)


def _check_profile(inputs: Sequence[TensorPlan], profile: ProfilePlan) -> None:
    require(len(profile.ranges) == len(inputs), "a profile has not one range for each input")
    require(len(profile.values) == len(inputs), "a profile has not values, or none, for each input")
    for tensor, extents, values in zip(inputs, profile.ranges, profile.values, strict=True):
        require(_fits(tensor.desc.dims, extents), f"a profile does not fit {tensor.name!r}")
        hosted = tensor.location == TensorLocation.HOST
        require(hosted == (values is not None), f"{tensor.name!r} needs values in a profile, or must have none")
        if values is not None:
            require(_are_values(tensor.desc.dims, values), f"a profile's values do not fit {tensor.name!r}")


def _fits(dims: Sequence[int], extents: Range) -> bool:
    ranks = {len(shape) for shape in extents}
    if ranks != {len(dims)}:
        return False
    ordered = all(0 <= low <= best <= high for low, best, high in zip(*extents, strict=True))
    return ordered and all(
        fixed in (-1, extent) for shape in extents for fixed, extent in zip(dims, shape, strict=True)
    )


def _are_values(dims: Sequence[int], values: ValueRange) -> bool:
    if -1 in dims or len(dims) > 1 or {len(row) for row in values} != {prod(dims)}:
        return False
    return all(low <= best <= high for low, best, high in zip(*values, strict=True))


def _check_places(plan: Plan) -> None:
    """Check that exactly the tensors are on the host whose values decide shapes, or that were marked for that."""
    hosted = _values_needed(plan)
    for place, tensor in enumerate(plan.tensors):
        is_hosted = tensor.location == TensorLocation.HOST
        fits = is_hosted == (place in hosted) or (tensor.mode == TensorIOMode.OUTPUT and not is_hosted)
        require(fits, f"{tensor.name!r} is on the host without need, or is needed there")
        plain = tensor.desc.format == TensorFormat.LINEAR
        require(plain or not is_hosted, f"{tensor.name!r} is on the host, and is not linear")


def _values_needed(plan: Plan) -> set[int]:
    sources = {output: layer for layer in plan.layers for output in layer.outputs}
    pending = [
        place
        for place, tensor in enumerate(plan.tensors)
        if tensor.mode == TensorIOMode.OUTPUT and tensor.location == TensorLocation.HOST
    ]
    for layer in plan.layers:
        pending += _deciding(layer)
    found: set[int] = set()
    while pending:
        place = pending.pop()
        if place not in found:
            found.add(place)
            source = sources.get(place)
            require(source is None or source.plugin is None, "a plugin computes a shape tensor")
            if source is not None and source.kind != LayerType.SHAPE.name:
                pending += source.inputs
    return found


def _deciding(layer: LayerPlan) -> Sequence[int]:
    if layer.plugin is not None:
        return layer.plugin.shape_inputs
    return [layer.inputs[place] for place in sorted(operation_of(layer).shape_operands) if place < len(layer.inputs)]


def _check_extents(plan: Plan) -> None:
    facts = {place: ValueFacts(tensor.desc.dims) for place, tensor in enumerate(plan.inputs)}
    last = {place: number for number, layer in enumerate(plan.layers) for place in layer.needed}
    for number, layer in enumerate(plan.layers):
        given = [facts[place] for place in layer.needed]
        found = unless_refused(functools.partial(rule_of(layer).infer, given))
        require(len(found) == len(layer.outputs), f"{layer.name!r} has {len(found)} outputs")
        for place, known in zip(layer.outputs, found, strict=True):
            dims = plan.tensors[place].desc.dims
            require(known.dims == dims, f"{plan.tensors[place].name!r} would have the shape {list(known.dims)}")
            facts[place] = known
        for place in (*layer.needed, *layer.outputs):
            if last.get(place, number) == number:
                facts.pop(place, None)
