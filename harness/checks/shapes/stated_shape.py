"""Hold the shape of an output as a plugin stated it, as plain data."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from reference_runtime.shapes import expression_nodes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness.cases.case import Shape
    from reference_runtime.shapes.expression_nodes import Node, Sizes


class StatedShape(msgspec.Struct, frozen=True):
    """One output's shape.

    Attributes:
        index: The output.
        nodes: The expression of each dimension; None where the plugin left a slot empty.
        data_inputs: How many inputs have shapes; those after them have values.
    """

    index: int
    nodes: tuple[Node | None, ...]
    data_inputs: int

    def value_of(self, node: Node, shapes: Sequence[Shape], sizes: Sizes = None) -> int:
        """Return the value of an expression at shapes of the case, which end with the values of shape inputs.

        Raises:
            ExpressionError: It has none.
        """
        count = self.data_inputs
        return expression_nodes.evaluate(node, shapes[:count], shapes[count:], sizes)
