"""Query a plugin for the shapes of its outputs, and check the answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from reference_runtime.bound.bound_class import state
from reference_runtime.bound.errors import NativeCrash
from reference_runtime.calling.trampolines import v3
from reference_runtime.shapes import expression_nodes, expressions
from reference_runtime.values.dims import MAX_DIMS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from reference_runtime.calling.gate.gate import Gate
    from reference_runtime.calling.trampolines.v3 import Capabilities
    from reference_runtime.shapes.expression_nodes import Node
    from reference_runtime.shapes.expressions import DimsExprs, ExprBuilder
    from reference_runtime.shapes.tensor_facts import ValueFacts, Values
    from reference_runtime.values.descriptions import Extents


class OutputShape(Struct, frozen=True):
    """A plugin's answer for one output.

    ``slots`` has None for each dimension that the plugin left empty. ``length`` is the plugin's number of dimensions,
    which may be invalid. ``builder`` is the expression builder that the plugin received, closed after the call. It
    records forbidden uses, also later ones.
    """

    slots: tuple[Node | None, ...]
    length: int
    builder: ExprBuilder

    @property
    def problem(self) -> str | None:
        """The reason why TensorRT cannot use the shape, or None."""
        if not 0 <= self.length <= MAX_DIMS:
            return f"it has {self.length} dimensions"
        empty = [place for place, slot in enumerate(self.slots) if slot is None]
        return f"no expression was stored for dimension {empty[0]}" if empty else None

    @property
    def nodes(self) -> tuple[Node, ...]:
        """The expressions; valid only if ``problem`` is None."""
        return tuple(slot for slot in self.slots if slot is not None)


def output_expressions(
    ask: Callable[..., DimsExprs], gate: Gate, plugin: Any, inputs: Sequence[Extents], outputs: Sequence[int]
) -> list[OutputShape]:
    """Query a plugin of version 2 for the dimensions of ``outputs``, each with a new expression builder.

    ``ask`` calls the plugin. ``inputs`` are the dimensions of the inputs; a -1 among them becomes a symbol.
    """
    return [_asked(ask, gate, plugin, inputs, place) for place in outputs]


def output_expressions_v3(
    gate: Gate, capabilities: Capabilities, inputs: Sequence[Extents], shape_inputs: Sequence[ValueFacts], count: int
) -> list[OutputShape] | None:
    """Query an IPluginV3 for the dimensions of all its ``count`` outputs in one call; return None if it failed.

    The plugin gets a known element of a shape input as a constant, and an unknown element as a symbol.
    """
    builder = expressions.new_builder(sizes=True)
    symbols = [expressions.input_dims(builder, number, dims) for number, dims in enumerate(inputs)]
    elements = [expressions.value_dims(builder, number, _elements(facts)) for number, facts in enumerate(shape_inputs)]
    answers = v3.get_output_shapes(gate, capabilities.build, symbols, elements, builder, count)
    shapes = None if answers is None else [_shape(answer, builder) for answer in answers]
    builder.close()
    return shapes


def die_of_null(plugin: object, shapes: Sequence[OutputShape]) -> None:
    """Raise NativeCrash if a dimension is a null pointer: NVIDIA's builder dies (observed on TensorRT-RTX 1.7.1).

    NVIDIA's expression builder returns a null pointer for arithmetic with a size tensor. It also does so for a size
    tensor whose optimum or bound is another size tensor.
    """
    for output, shape in enumerate(shapes):
        for place, node in enumerate(shape.slots):
            problem = _null_pointer(node)
            if problem:
                where = f"get_output_shapes of a {type(plugin).__name__}"
                raise NativeCrash(f"{where}: dimension {place} of output {output} {problem}")


def _null_pointer(node: Node | None) -> str:
    """Return why a dimension is a null pointer for TensorRT, and how to fix that; return "" if it is none."""
    if node is None:
        return "has no expression: TensorRT dies here. Assign an expression to each dimension."
    if expression_nodes.is_computed_from_a_size(node):
        return (
            "is computed from a size tensor, and the expression builder gives a null pointer for that: TensorRT dies "
            "here. Use the expression that declare_size_tensor returned, and estimates from dimensions of inputs alone."
        )
    return ""


def _elements(facts: ValueFacts) -> Values:
    """Return the elements of a shape input, None for each unknown one; return () if their number is unknown."""
    if facts.values is not None:
        return facts.values
    count = 1
    for extent in facts.dims:
        count *= max(extent, 0)
    return (None,) * count


def _asked(
    ask: Callable[..., DimsExprs], gate: Gate, plugin: Any, inputs: Sequence[Extents], place: int
) -> OutputShape:
    builder = expressions.new_builder()
    symbols = [expressions.input_dims(builder, number, dims) for number, dims in enumerate(inputs)]
    shape = _shape(ask(gate, plugin, place, symbols, builder), builder)
    builder.close()
    return shape


def _shape(answer: DimsExprs, builder: ExprBuilder) -> OutputShape:
    slots = state(answer)["slots"]
    nodes = tuple(None if slot is None else expressions.node_of(slot) for slot in slots)
    return OutputShape(nodes, int(state(answer)["length"]), builder)
