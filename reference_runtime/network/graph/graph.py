"""The network as the runtime holds it: tensors, layers, and the plugin objects that the network owns.

Theory. The facts about a tensor are its dimensions and, if it is small, its values. They follow from the inputs of the
layer that produces the tensor. So they are inferred at the first query, and kept until an earlier tensor or layer
changes. The cost of adding a layer does not grow with the number of layers. ``version`` counts the changes, for code
that caches a result about the whole network.
"""

from __future__ import annotations

import weakref
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from reference_runtime.application.error_recorder import Recorder
from reference_runtime.bound.bound_class import state
from reference_runtime.calling.gate.gate import Phase
from reference_runtime.network.graph import layer_inference
from reference_runtime.network.graph import value_needs as needs
from reference_runtime.network.graph.graph_parts import Layer, refuse_long_name
from reference_runtime.shapes.tensor_facts import ValueFacts
from reference_runtime.values.refusals import Logged, Refused, complain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from reference_runtime.calling.gate.gate import Gate
    from reference_runtime.calling.gate.scheduler import Scheduler
    from reference_runtime.network.graph.graph_parts import Tensor
    from reference_runtime.network.graph.value_needs import Needs
    from reference_runtime.operations import Operation
    from reference_runtime.values.logger import ILogger
    from reference_runtime.values.weights import Weights


def graph_of(network: object) -> Graph:
    """Return the graph behind the Python object of a network."""
    graph: Graph = state(network)["_graph"]
    return graph


@dataclass(eq=False, repr=False, kw_only=True)
class Graph:
    """A network's contents."""

    flags: int
    strongly_typed: bool
    gate: Gate
    scheduler: Scheduler
    logger: ILogger
    name: str = "Unnamed Network 0"
    inputs: list[Tensor] = field(default_factory=list)
    layers: list[Layer] = field(default_factory=list)
    outputs: list[Tensor] = field(default_factory=list)
    shape_outputs: list[Tensor] = field(default_factory=list)
    """The tensors whose values the application can ask for."""
    producers: dict[Tensor, Layer | None] = field(default_factory=dict)
    """Every tensor, in the order of creation, with the layer that computes it; None for an input."""
    bound: weakref.WeakValueDictionary[Tensor | Layer, Any] = field(default_factory=weakref.WeakValueDictionary)
    """The Python objects of tensors and layers, so that each has one at a time."""
    looked_up: weakref.WeakValueDictionary[Layer, Any] = field(default_factory=weakref.WeakValueDictionary)
    """The Python objects of layers that were looked up; their class does not show their kind."""
    unfused_debug: bool = False
    """Whether every tensor that is left after fusion is a debug tensor."""
    error_recorder: Any = None
    batch_limit: Callable[[], int] | None = None
    """For a network with an implicit batch, a function that returns the maximum batch size.

    The tensors of this network have the batch as their first dimension.
    """
    weights: dict[tuple[int, int], Any] = field(default_factory=dict)
    """The weights whose memory the application owns, by address and number of elements."""
    weights_names: dict[str, Any] = field(default_factory=dict)
    refittable: set[str] = field(default_factory=set)
    closed: bool = False
    version: int = 0
    _consumers: dict[Tensor, list[Layer]] = field(default_factory=dict)
    _facts: dict[Tensor, ValueFacts | None] = field(default_factory=dict)
    _problems: dict[Layer, Refused] = field(default_factory=dict)
    _needs: tuple[int, Needs] | None = None

    @property
    def tensors(self) -> list[Tensor]:
        """Every tensor, in the order of creation."""
        return list(self.producers)

    @property
    def needs(self) -> Needs:
        """The tensors that are needed for their values on the host, and those that are needed as data."""
        if self._needs is None or self._needs[0] != self.version:
            self._needs = (self.version, needs.needs_of(self.layers, self.producers, self.outputs, self.shape_outputs))
        return self._needs[1]

    def add_input(self, tensor: Tensor) -> None:
        """Add a tensor that the application fills."""
        self.inputs.append(tensor)
        self.producers[tensor] = None
        self.version += 1

    def add_layer(self, layer: Layer) -> None:
        """Add a layer whose inputs exist."""
        self.layers.append(layer)
        self.producers.update(dict.fromkeys(layer.outputs, layer))
        for operand in layer.operands:
            self._consumers.setdefault(operand, []).append(layer)
        self.version += 1

    def consumers(self, tensor: Tensor) -> Sequence[Layer]:
        """Return the layers that have a tensor as an operand, once for each time."""
        return self._consumers.get(tensor, ())

    def replace(
        self,
        layer: Layer,
        operation: Operation | None,
        inputs: Sequence[Tensor],
        shape_inputs: Sequence[Tensor] = (),
    ) -> None:
        """Give a layer another operation or other inputs."""
        layer.operation = operation
        if [*inputs, *shape_inputs] != layer.operands:
            for operand in layer.operands:
                self._consumers[operand].remove(layer)
            layer.inputs[:], layer.shape_inputs[:] = inputs, shape_inputs
            for operand in layer.operands:
                self._consumers.setdefault(operand, []).append(layer)
        self.changed(layer.outputs)

    def remember_weights(self, weights: Weights) -> None:
        """Keep the weights of a layer, and the owner of their memory, alive."""
        held = state(weights)
        self.weights[held["address"], held["count"]] = weights

    def complain(self, where: str, refused: Refused) -> None:
        """Report a refusal to the application: to its recorder if it set one, otherwise to its logger."""
        logged = Logged(self.logger)
        complain(where, refused, to=logged if self.error_recorder is None else Recorder(self.gate, self.error_recorder))

    def rename(self, named: Tensor | Layer, name: str, where: str) -> None:
        """Give a tensor or a layer another name; one that is too long is refused."""
        try:
            refuse_long_name(name)
            named.name = name
        except Refused as refused:
            self.complain(where, refused)

    def remove_input(self, tensor: Tensor) -> None:
        """Remove an input from the network, which cannot be built if a layer still uses the input."""
        self.inputs.remove(tensor)
        del self.producers[tensor]
        self.changed([tensor])

    def changed(self, tensors: Iterable[Tensor]) -> None:
        """Forget the facts about some tensors and about all that follow from them."""
        self.version += 1
        pending = list(tensors)
        while pending:
            tensor = pending.pop()
            self._facts.pop(tensor, None)
            producer = self.producers.get(tensor)
            if producer is not None:
                self._problems.pop(producer, None)
            for layer in self._consumers.get(tensor, ()):
                pending += [output for output in layer.outputs if output in self._facts]

    def facts(self, tensor: Tensor) -> ValueFacts | None:
        """Return the facts about a tensor; None if they cannot be inferred for its layer, or for an earlier layer."""
        pending, opened = [tensor], set[Layer]()
        while pending:
            current = pending[-1]
            layer = self.producers.get(current)
            if current in self._facts:
                pending.pop()
            elif layer is None:
                self._facts[current] = ValueFacts(current.dims) if current.dims is not None else None
            else:
                missing = [operand for operand in layer.operands if operand not in self._facts]
                if missing and layer not in opened:
                    opened.add(layer)
                    pending += missing
                else:
                    self._facts.update(zip(layer.outputs, self._inferred(layer), strict=True))
        return self._facts[tensor]

    def problem(self, tensor: Tensor) -> Refused | None:
        """Return why the output of an operation has no facts, if the operation itself is the cause."""
        layer = self.producers.get(tensor)
        return None if layer is None or self.facts(tensor) is not None else self._problems.get(layer)

    def close(self) -> None:
        """Destroy the network's copies of its plugins."""
        with self.gate.during(Phase.DESTRUCTION):
            for layer in self.scheduler.order("network copies go", self.layers):
                if layer.interface is not None:
                    layer.interface.destroy(self.gate, layer.plugin)
        self.closed = True

    def _inferred(self, layer: Layer) -> Sequence[ValueFacts | None]:
        """Infer a layer's outputs; None for each if facts about an operand are missing, as in a cycle of layers."""
        inputs = [facts for operand in layer.operands if (facts := self._facts.get(operand)) is not None]
        if len(inputs) < len(layer.operands):
            return [None] * len(layer.outputs)
        try:
            return layer_inference.layer_facts(self.gate, layer, inputs)
        except Refused as refused:
            self._problems[layer] = refused
            return [None] * len(layer.outputs)
