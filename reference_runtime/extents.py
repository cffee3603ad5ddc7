"""How the extents of tensors follow from those of the inputs, layer by layer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from reference_runtime import nodes
from reference_runtime.errors import ExpressionError
from reference_runtime.refusals import Reason, Refused

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping, Sequence

    from reference_runtime.descriptions import Extents, Range
    from reference_runtime.nodes import Node

__all__ = ["ShapeRule", "known", "propagate", "spread"]

K = TypeVar("K", bound="Hashable")


@dataclass(frozen=True)
class ShapeRule(Generic[K]):
    """How a layer's outputs follow from its inputs; tensors are told apart by keys."""

    layer: str
    inputs: Sequence[K]
    outputs: Sequence[K]
    shapes: Sequence[Sequence[Node]]


def known(shape: Sequence[Node]) -> Extents:
    """Return the extents as a network shows them: -1 for one that depends on an input's wildcard."""
    return tuple(node.value if isinstance(node, nodes.Constant) else -1 for node in shape)


def propagate(rules: Iterable[ShapeRule[K]], inputs: Mapping[K, Extents]) -> dict[K, Extents]:
    """Return the extents of every tensor for given extents of the inputs; none may be negative."""
    found = dict(inputs)
    for rule in rules:
        given = [found[key] for key in rule.inputs]
        for place, (key, shape) in enumerate(zip(rule.outputs, rule.shapes, strict=True)):
            found[key] = _evaluated(f"{rule.layer}: output {place}", shape, given)
    return found


def spread(rules: Sequence[ShapeRule[K]], inputs: Mapping[K, Range]) -> dict[K, Range]:
    """Return the least, best and greatest extents of every tensor in a profile.

    An expression may fall where its inputs grow, so least and greatest are taken over the three points at which it is
    evaluated; the best extents are those of the best inputs.
    """
    points = [propagate(rules, {key: ranges[place] for key, ranges in inputs.items()}) for place in range(3)]
    return {key: _over([point[key] for point in points]) for key in points[0]}


def _over(points: Sequence[Extents]) -> Range:
    return (
        tuple(min(values) for values in zip(*points, strict=True)),
        points[1],
        tuple(max(values) for values in zip(*points, strict=True)),
    )


def _evaluated(what: str, shape: Sequence[Node], inputs: Sequence[Extents]) -> Extents:
    try:
        extents = tuple(nodes.evaluate(node, inputs) for node in shape)
    except ExpressionError as error:
        raise Refused(f"the shape of {what} has no value: {error}", Reason.NETWORK) from error
    if any(extent < 0 for extent in extents):
        given = ", ".join(str(list(dims)) for dims in inputs)
        raise Refused(f"{what} would have the shape {list(extents)} for inputs {given}", Reason.NETWORK)
    return extents
