"""Define the shape of an output that a plugin states, as plain data."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from reference_runtime.shapes import expression_nodes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness.cases.case import Shape
    from reference_runtime.shapes.expression_nodes import Node, Sizes


class StatedShape(msgspec.Struct, frozen=True):
    """The stated shape of one output.

    Attributes:
        index: The index of the output.
        nodes: The expression of each dimension; None for a slot that the plugin left empty.
        data_inputs: The number of data inputs; the other inputs are shape inputs.
    """

    index: int
    nodes: tuple[Node | None, ...]
    data_inputs: int

    def value_of(self, node: Node, shapes: Sequence[Shape], sizes: Sizes = None) -> int:
        """Return the value of an expression for input shapes, which end with the values of shape inputs.

        Raises:
            ExpressionError: The expression has no value, for example because of a division by zero.
        """
        count = self.data_inputs
        return expression_nodes.evaluate(node, shapes[:count], shapes[count:], sizes)
