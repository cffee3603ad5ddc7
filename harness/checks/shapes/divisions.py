"""Find divisions inside shape expressions: the divisors, and the shapes at which their rounding shows."""

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

#: How far from the optimum the search for a multiple goes: this many dimensions, or this many divisors if that is more.
_REACH = 64
_MULTIPLES = 2


class Division(msgspec.Struct, frozen=True):
    """One FLOOR_DIV or CEIL_DIV in the shape of an output."""

    asked: ShapeAnswer
    kind: str
    numerator: Any
    divisor: Any

    def __str__(self) -> str:
        return f"{self.kind}({expression_nodes.describe(self.numerator)}, {expression_nodes.describe(self.divisor)})"

    @property
    def output(self) -> int:
        """The output whose shape has the division."""
        return self.asked.index

    def divisor_at(self, shapes: Sequence[Shape]) -> int | None:
        """Return the divisor's value at the given input shapes; None where it has none."""
        return self.value_at(self.divisor, shapes)

    def value_at(self, node: Any, shapes: Sequence[Shape]) -> int | None:
        """Return the value of a node at the given input shapes; None if it has none."""
        try:
            return self.asked.value_of(node, shapes)
        except ExpressionError:
            return None

    @property
    def varying(self) -> list[tuple[int, int]]:
        """The dimensions (input, axis) and values (shape input, index) that the numerator depends on.

        Shape inputs are counted after the other inputs.
        """
        found = expression_nodes.in_order(self.numerator)
        extents = [(node.tensor, node.axis) for node in found if isinstance(node, Extent)]
        count = len(self.asked.inputs)
        return extents + [(count + node.tensor, node.index) for node in found if isinstance(node, Value)]


def divisions(asked: ShapeAnswer) -> list[Division]:
    """Return the divisions in an answer, each once, in the order of their dimensions."""
    roots = [expressions.node_of(expr) for expr in asked.expressions if expr is not None]
    found = {id(node): node for root in roots for node in _outside_sizes(root)}
    return [
        Division(asked, node.kind, node.first, node.second)
        for node in found.values()
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
    """Return legal shapes just below, at and just above a multiple of a constant divisor; empty for other divisors.

    They differ from the optimum shapes in one dimension that the numerator depends on.
    """
    if not isinstance(division.divisor, Constant) or abs(division.divisor.value) <= 1:
        return []
    modulus = abs(division.divisor.value)
    found: dict[int, Shapes] = {}
    for shapes in _neighbours(case, division, max(_REACH, _MULTIPLES * modulus)):
        value = division.value_at(division.numerator, shapes)
        if value is not None and value % modulus in {modulus - 1, 0, 1}:
            found.setdefault(value % modulus, shapes)
        if len(found) == min(modulus, 3):
            break
    return [found[remainder] for remainder in sorted(found)]


def _neighbours(case: Case, division: Division, reach: int) -> Iterator[Shapes]:
    best = best_shapes(case)
    for tensor, axis in division.varying:
        low, opt, high = (corner[axis] for corner in case.inputs[tensor].profile)
        upwards, downwards = range(opt, min(high, opt + reach) + 1), range(opt - 1, max(low, opt - reach) - 1, -1)
        for value in (*upwards, *downwards):
            shapes = with_extent(case, best, tensor, axis, value)
            if shapes is not None:
                yield shapes
