"""Infer the outputs of a layer: facts in an incomplete network, a shape rule in a complete network."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from reference_runtime.shapes.shape_rules import OperationRule, ShapeRule, known
from reference_runtime.shapes.tensor_facts import ValueFacts
from reference_runtime.values.refusals import Reason, Refused

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reference_runtime.calling.adapters.output_shapes import OutputShape
    from reference_runtime.calling.adapters.plugin_interface import PluginInterface
    from reference_runtime.calling.gate.gate import Gate
    from reference_runtime.calling.trampolines.capabilities import Capabilities
    from reference_runtime.network.graph.graph_parts import Layer, Tensor
    from reference_runtime.shapes.shape_rules import ExtentRule


class PluginHolder(Protocol):
    """A layer, or a builder's copy of one, which may have a plugin."""

    @property
    def interface(self) -> PluginInterface | None:
        """The interface by which the plugin is called; None without a plugin."""
        ...

    @property
    def capabilities(self) -> Capabilities | None:
        """The plugin's capability objects; None without a plugin."""
        ...


def layer_facts(gate: Gate, layer: Layer, inputs: Sequence[ValueFacts]) -> list[ValueFacts | None]:
    """Return the facts about a layer's outputs; None for an output if the plugin gave no usable answer.

    Raise `Refused` if an operation cannot be applied to its inputs.
    """
    if layer.operation is not None:
        return list(OperationRule(layer.name, layer.inputs, layer.outputs, layer.operation).infer(inputs))
    answers = _answers(gate, layer, layer, inputs)
    if answers is None:
        return [None] * len(layer.outputs)
    return [None if answer.problem is not None else ValueFacts(known(answer.nodes)) for answer in answers]


def layer_rule(
    gate: Gate, layer: Layer, inputs: Sequence[ValueFacts], *, copy: PluginHolder | None = None
) -> ExtentRule[Tensor]:
    """Return the shape rule of a layer in its network, or raise `Refused`; a builder passes its ``copy`` to query."""
    if layer.operation is not None:
        return OperationRule(layer.name, layer.inputs, layer.outputs, layer.operation)
    answers = _answers(gate, layer, copy or layer, inputs)
    if answers is None:
        raise Refused(f"{layer.name}: the plugin's get_output_shapes failed", Reason.NETWORK)
    for place, answer in enumerate(answers):
        if answer.problem is not None:
            why = f"{layer.name}: the shape of output {place} cannot be used: {answer.problem}"
            raise Refused(why, Reason.NETWORK)
    shapes = [answer.nodes for answer in answers]
    return ShapeRule(layer.name, layer.inputs, layer.outputs, shapes, layer.shape_inputs)


def _answers(gate: Gate, layer: Layer, holder: PluginHolder, inputs: Sequence[ValueFacts]) -> list[OutputShape] | None:
    """Ask a plugin for its outputs' shapes; ``inputs`` are the facts of its inputs, then of its shape inputs."""
    if holder.interface is None or holder.capabilities is None:
        raise Refused(f"{layer.name}: the layer does nothing", Reason.NETWORK)
    data, shapes = inputs[: len(layer.inputs)], inputs[len(layer.inputs) :]
    dims = [facts.dims for facts in data]
    return holder.interface.output_shapes(gate, holder.capabilities, dims, shapes, len(layer.outputs))
