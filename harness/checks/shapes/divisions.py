"""Find divisions in shape expressions, and input shapes for which the direction of rounding matters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from harness.checks.sampling.sampling import best_shapes, with_extent
from reference_runtime.instruments import ExpressionError
from reference_runtime.shapes import expression_nodes, expressions
from reference_runtime.shapes.expression_nodes import Constant, Extent, Operation, Value

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from harness.cases.case import Case, Shape
    from harness.checks.sampling.sampling import Shapes
    from harness.checks.shapes.shapes import ShapeAnswer

#: The search for a multiple goes this far from the optimum, or `_MULTIPLES` times the divisor if that is more.
_REACH = 64
_MULTIPLES = 2


class Division(msgspec.Struct, frozen=True):
    """One FLOOR_DIV or CEIL_DIV in the shape of an output.

    Attributes:
        answer: The answer that has the division.
        kind: ``FLOOR_DIV`` or ``CEIL_DIV``.
        numerator: The node of the numerator.
        divisor: The node of the divisor.
    """

    answer: ShapeAnswer
    kind: str
    numerator: Any
    divisor: Any

    def __str__(self) -> str:
        return f"{self.kind}({expression_nodes.describe(self.numerator)}, {expression_nodes.describe(self.divisor)})"

    @property
    def output(self) -> int:
        """The index of the output whose shape has the division."""
        return self.answer.index

    def divisor_at(self, shapes: Sequence[Shape]) -> int | None:
        """Return the divisor's value for input shapes; None if it has none."""
        return self.value_at(self.divisor, shapes)

    def value_at(self, node: Any, shapes: Sequence[Shape]) -> int | None:
        """Return the value of a node for input shapes; None if it has none, as after a division by zero."""
        try:
            return self.answer.value_of(node, shapes)
        except ExpressionError:
            return None

    @property
    def varying(self) -> list[tuple[int, int]]:
        """The dimensions (input, axis) and values (shape input, index) that the numerator depends on.

        Shape inputs are counted after the other inputs.
        """
        nodes = expression_nodes.in_order(self.numerator)
        extents = [(node.tensor, node.axis) for node in nodes if isinstance(node, Extent)]
        count = len(self.answer.inputs)
        return extents + [(count + node.tensor, node.index) for node in nodes if isinstance(node, Value)]


def divisions(answer: ShapeAnswer) -> list[Division]:
    """Return the divisions in an answer, each once, in the order of the output's dimensions."""
    roots = [expressions.node_of(expr) for expr in answer.expressions if expr is not None]
    operations = {id(node): node for root in roots for node in _outside_sizes(root)}
    return [
        Division(answer, node.kind, node.first, node.second)
        for node in operations.values()
        if node.kind in {"FLOOR_DIV", "CEIL_DIV"}
    ]


def _outside_sizes(root: Any) -> Iterator[Operation]:
    """Yield the operations of a shape, without those in the bounds of size tensors."""
    pending = [root]
    while pending:
        node = pending.pop()
        if isinstance(node, Operation):
            yield node
            pending += [node.second, node.first]


def boundary_shapes(case: Case, division: Division) -> list[Shapes]:
    """Return legal shapes for which the numerator is 1 below, at and 1 above a multiple of a constant divisor.

    They differ from the optimal shapes in one dimension that the numerator depends on. Empty for other divisors, and
    for 1 and -1.
    """
    if not isinstance(division.divisor, Constant) or abs(division.divisor.value) <= 1:
        return []
    modulus = abs(division.divisor.value)
    by_remainder: dict[int, Shapes] = {}
    for shapes in _neighbours(case, division, max(_REACH, _MULTIPLES * modulus)):
        value = division.value_at(division.numerator, shapes)
        if value is not None and value % modulus in {modulus - 1, 0, 1}:
            by_remainder.setdefault(value % modulus, shapes)
        if len(by_remainder) == min(modulus, 3):
            break
    return [by_remainder[remainder] for remainder in sorted(by_remainder)]


def _neighbours(case: Case, division: Division, reach: int) -> Iterator[Shapes]:
    best = best_shapes(case)
    for tensor, axis in division.varying:
        low, opt, high = (corner[axis] for corner in case.inputs[tensor].profile)
        upwards, downwards = range(opt, min(high, opt + reach) + 1), range(opt - 1, max(low, opt - reach) - 1, -1)
        for value in (*upwards, *downwards):
            shapes = with_extent(case, best, tensor, axis, value)
            if shapes is not None:
                yield shapes
