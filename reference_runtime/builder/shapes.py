"""Analysis: asking each plugin for the extents of its outputs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from reference_runtime import expressions, trampolines
from reference_runtime.extents import ShapeRule, known
from reference_runtime.native import read, state
from reference_runtime.plugins.v2_dynamic import IPluginV2DynamicExt
from reference_runtime.refusals import Reason, Refused

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from reference_runtime.descriptions import Extents
    from reference_runtime.expressions import DimsExprs, ExprBuilder
    from reference_runtime.gate import Gate
    from reference_runtime.graph import Graph, Layer, Tensor
    from reference_runtime.nodes import Node

__all__ = ["OutputShape", "Shapes", "infer", "output_expressions", "settle"]

MAX_RANK = 8
Shapes = dict["Tensor", "Extents"]


@dataclass(frozen=True)
class OutputShape:
    """What a plugin said of one output; a slot it left empty holds None.

    ``builder`` is the one that the plugin was lent. It is closed, and keeps what was done wrong with it, then or later.
    """

    slots: tuple[Node | None, ...]
    length: int
    builder: ExprBuilder

    @property
    def problem(self) -> str | None:
        """What TensorRT cannot work with, or None."""
        if not 0 <= self.length <= MAX_RANK:
            return f"it has {self.length} dimensions"
        empty = [place for place, slot in enumerate(self.slots) if slot is None]
        return f"no expression was stored for dimension {empty[0]}" if empty else None

    @property
    def nodes(self) -> tuple[Node, ...]:
        """The expressions; only where there is no ``problem``."""
        return tuple(slot for slot in self.slots if slot is not None)


def output_expressions(
    gate: Gate, plugin: Any, inputs: Sequence[Extents], outputs: Sequence[int] | None = None
) -> list[OutputShape]:
    """Ask for the extents of all or some ``outputs``, each time with a builder made for that call alone.

    ``inputs`` are the extents of the inputs; an extent of -1 is shown to the plugin as a symbol.
    """
    if outputs is None:
        outputs = range(max(read(plugin, IPluginV2DynamicExt, "num_outputs"), 0))
    return [_ask(gate, plugin, inputs, place) for place in outputs]


def _ask(gate: Gate, plugin: Any, inputs: Sequence[Extents], place: int) -> OutputShape:
    builder = expressions.new_builder()
    symbols = [expressions.input_dims(builder, number, dims) for number, dims in enumerate(inputs)]
    answer = trampolines.get_output_dimensions(gate, plugin, place, symbols, builder)
    shape = OutputShape(_slots(answer), int(state(answer)["length"]), builder)
    builder.close()
    return shape


def _slots(dims: DimsExprs) -> tuple[Node | None, ...]:
    slots = state(dims)["slots"]
    return tuple(None if slot is None else expressions.node_of(slot) for slot in slots)


def infer(graph: Graph) -> Shapes:
    """Return the extents of each tensor of a network that may not be complete; a plugin's mistake leaves some out."""
    shapes = {tensor: tensor.dims for tensor in graph.inputs if tensor.dims is not None}
    for layer in graph.layers:
        inputs = [shapes[tensor] for tensor in layer.inputs if tensor in shapes]
        if len(inputs) == len(layer.inputs):
            answers = output_expressions(graph.gate, layer.plugin, inputs, range(len(layer.outputs)))
            shapes |= {
                tensor: known(answer.nodes)
                for tensor, answer in zip(layer.outputs, answers, strict=True)
                if answer.problem is None
            }
    return shapes


def settle(
    gate: Gate, layers: Sequence[Layer], plugins: Mapping[Layer, Any], inputs: Sequence[Tensor]
) -> tuple[Shapes, list[ShapeRule[Tensor]]]:
    """Return the extents of each tensor of a complete network, and each layer's rule; refuse what has none."""
    shapes = {tensor: tensor.dims for tensor in inputs if tensor.dims is not None}
    rules = []
    for layer in layers:
        if any(tensor not in shapes for tensor in layer.inputs):
            raise Refused(f"{layer.name}: an input comes from a later layer", Reason.NETWORK)
        given = [shapes[tensor] for tensor in layer.inputs]
        answers = output_expressions(gate, plugins[layer], given, range(len(layer.outputs)))
        for place, answer in enumerate(answers):
            if answer.problem is not None:
                why = f"{layer.name}: the shape of output {place} cannot be used: {answer.problem}"
                raise Refused(why, Reason.NETWORK)
        rules.append(ShapeRule(layer.name, layer.inputs, layer.outputs, [answer.nodes for answer in answers]))
        shapes |= {tensor: known(answer.nodes) for tensor, answer in zip(layer.outputs, answers, strict=True)}
    return shapes, rules
