"""Compute the dimensions of a network's tensors for given values of its dynamic dimensions."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from math import prod
from typing import TYPE_CHECKING

import msgspec

from reference_runtime.builder.analysis import analyse
from reference_runtime.shapes.shape_rules import propagate
from reference_runtime.shapes.tensor_facts import ValueFacts
from reference_runtime.values.refusals import Refused

if TYPE_CHECKING:
    from harness.config.onnx_dims import Range
    from reference_runtime.instruments import Graph, Tensor
    from reference_runtime.shapes.shape_rules import Sizes

#: If there are more combinations of dimensions, only one dimension is changed at a time.
_MOST = 256


class Point(msgspec.Struct, frozen=True):
    """Values of the dynamic dimensions by name, and the dimensions and values of every tensor that follow from them."""

    extents: Mapping[str, int]
    facts: Mapping[Tensor, ValueFacts]


def variables_of(graph: Graph) -> dict[tuple[Tensor, int], str]:
    """Return the name of each dynamic dimension of the inputs: the model's, or ``input.axis`` where it gives none."""
    return {
        (tensor, axis): tensor.dimension_names.get(axis, f"{tensor.name}.{axis}")
        for tensor in graph.inputs
        for axis, extent in enumerate(tensor.dims or ())
        if extent < 0
    }


def points_of(graph: Graph, ranges: Mapping[str, Range]) -> tuple[list[Point], list[str]]:
    """Return the points at the least, best and greatest dimensions, further points, and a list of problems.

    Each problem says why the network does not allow one of the first three points. Further points that it does not
    allow are left out.

    Raises:
        Refused: The network is invalid.
    """
    variables = variables_of(graph)
    declared = {tensor: ValueFacts(tensor.dims or ()) for tensor in graph.inputs}
    rules = list(analyse(graph, graph.layers, {}, declared, aliasing=False).rules.values())
    points: list[Point] = []
    problems = []
    for number, extents in enumerate(_grid(ranges)):
        sizes: Sizes = _SIZES[number] if number < len(_SIZES) else "optimum"
        inputs = {
            tensor: ValueFacts(tuple(extents[variables[tensor, axis]] if n < 0 else n for axis, n in enumerate(dims)))
            for tensor, dims in ((tensor, tensor.dims or ()) for tensor in graph.inputs)
        }
        try:
            points.append(Point(extents, propagate(rules, inputs, sizes)))
        except Refused as refused:
            if number < len(_SIZES):
                shown = ", ".join(f"{name}={extent}" for name, extent in extents.items())
                problems.append(f"with {shown}: {refused}")
    return points, problems


_SIZES: tuple[Sizes, ...] = ("least", "optimum", "upper")


def _grid(ranges: Mapping[str, Range]) -> Iterator[dict[str, int]]:
    """Yield the least, the best and the greatest dimensions; then all combinations, or changes of one dimension."""
    for corner in ("low", "best", "high"):
        yield {name: getattr(each, corner) for name, each in ranges.items()}
    if prod(len(each.values) for each in ranges.values()) <= _MOST:
        for mixture in itertools.product(*(each.values for each in ranges.values())):
            yield dict(zip(ranges, mixture, strict=True))
        return
    best = {name: each.best for name, each in ranges.items()}
    for name, each in ranges.items():
        for value in each.values:
            yield {**best, name: value}
