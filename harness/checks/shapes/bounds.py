"""Compute the minimum and maximum of output dimensions at the corners of the profile."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.checks.sampling.sampling import corner_mixtures
from harness.contract.finding import NotRun
from reference_runtime.instruments import ExpressionError
from reference_runtime.shapes import expression_nodes, expressions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.cases.case import Case
    from harness.checks.shapes.shapes import ShapeAnswer
    from reference_runtime.shapes.expression_nodes import Node

#: The most free dimensions that an output dimension may depend on: the number of corners is two to this power.
_MOST = 10


def bounds_of(case: Case, answer: ShapeAnswer) -> list[tuple[int, int]]:
    """Return the minimum and maximum of each dimension of an output at the corners of the profile.

    A corner has each free dimension at its minimum or maximum. It need not be legal or small, because TensorRT does not
    check that. Only those input dimensions vary that the output dimension depends on.

    Raises:
        NotRun: The shape has an empty slot, a dimension has no value at a corner, or there are too many corners.
    """
    if None in answer.expressions:
        raise NotRun(f"the shape of output {answer.index} has a slot without an expression")
    return [_range(case, answer, expressions.node_of(expr)) for expr in answer.expressions]


def _range(case: Case, answer: ShapeAnswer, node: Node) -> tuple[int, int]:
    mixtures = corner_mixtures(case, list(_places(answer, node)), _MOST)
    if mixtures is None:
        raise NotRun(f"a dimension of output {answer.index} depends on more than {_MOST} free dimensions")
    try:
        values = [answer.value_of(node, shapes, "upper") for shapes in mixtures]
    except ExpressionError as error:
        raise NotRun(f"output {answer.index} has no bounds: {error} at a corner of the profile") from error
    return min(values), max(values)


def _places(answer: ShapeAnswer, root: Node) -> Iterator[tuple[int, int]]:
    """Yield input and axis of each dimension that an expression depends on; shape inputs count after data inputs."""
    for node in expression_nodes.in_order(root):
        if isinstance(node, expression_nodes.Extent):
            yield node.tensor, node.axis
        elif isinstance(node, expression_nodes.Value):
            yield len(answer.inputs) + node.tensor, node.index
