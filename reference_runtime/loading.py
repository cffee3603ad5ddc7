"""Deserialization: from a plan to an engine whose plugins are alive, and to its end.

Each plugin is made by the creator that the registry has under its type, version and namespace, and belongs to the
engine from then on. It is given its namespace, is initialized, and from then on serves as the source of the clones that
contexts run. At the end, contexts first, it is terminated and destroyed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from reference_runtime import formats, nodes, plan, trampolines
from reference_runtime.creators import IPluginCreator
from reference_runtime.enums import TensorIOMode
from reference_runtime.extents import ShapeRule, spread
from reference_runtime.gate import Phase
from reference_runtime.refusals import Reason, Refused

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from reference_runtime.backends.base import Device
    from reference_runtime.descriptions import Range
    from reference_runtime.gate import Gate
    from reference_runtime.logger import ILogger
    from reference_runtime.plan import LayerPlan, Plan
    from reference_runtime.registry import IPluginRegistry
    from reference_runtime.scheduler import Scheduler

__all__ = ["LiveEngine", "LiveLayer", "Surroundings", "load"]


@dataclass(frozen=True)
class Surroundings:
    """What an engine works with."""

    gate: Gate
    scheduler: Scheduler
    logger: ILogger
    registry: IPluginRegistry
    device: Device


@dataclass(eq=False)
class LiveLayer:
    """A layer, its plugin, and how the extents of its outputs follow from those of its inputs."""

    plan: LayerPlan
    plugin: Any
    rule: ShapeRule[int]
    initialized: bool = False


class LiveEngine:
    """An engine that can run."""

    def __init__(self, made: Plan, around: Surroundings) -> None:
        self.plan = made
        self.around = around
        self.layers: list[LiveLayer] = []
        self.closed = False
        self.contexts: list[Callable[[], None]] = []
        """What ends each context that is still there."""
        rules = [rule_of(layer) for layer in made.layers]
        self.ranges = [spread(rules, dict(enumerate(profile.ranges))) for profile in made.profiles]
        """For each profile the least, best and greatest extents of each tensor."""

    @property
    def memory_sizes(self) -> list[int]:
        """For each profile, how many bytes a context allocates at most."""
        return [self._memory_size(ranges) for ranges in self.ranges]

    def _memory_size(self, ranges: Mapping[int, Range]) -> int:
        greatest = {place: ranges[place][2] for place in ranges}
        tensors = self.plan.tensors
        inner = [
            tensor.desc.sized(greatest[place])
            for place, tensor in enumerate(tensors)
            if tensor.mode == TensorIOMode.NONE
        ]
        copies = [
            desc.sized(greatest[place])
            for layer in self.plan.layers
            for place, desc in zip(layer.tensors, layer.chosen, strict=True)
            if desc != tensors[place].desc
        ]
        workspace = max((layer.workspace for layer in self.plan.layers), default=0)
        return workspace + sum(formats.nbytes(desc) for desc in (*inner, *copies))

    def serialize(self) -> bytes:
        """Return the engine's bytes, with what its plugins serialize now."""
        gate = self.around.gate
        with gate.during(Phase.SERIALIZATION):
            layers = tuple(
                replace(
                    layer.plan,
                    payload=trampolines.serialize(
                        gate, layer.plugin, trampolines.get_serialization_size(gate, layer.plugin)
                    ),
                )
                for layer in self.layers
            )
        return plan.write(replace(self.plan, layers=layers))

    def close(self) -> None:
        """End the contexts, then terminate and destroy the plugins."""
        for end in self.contexts[::-1]:
            end()
        gate = self.around.gate
        with gate.during(Phase.DESTRUCTION):
            for layer in self.around.scheduler.order("engine plugins go", self.layers):
                if layer.initialized:
                    trampolines.terminate(gate, layer.plugin)
                trampolines.destroy(gate, layer.plugin)
        self.closed = True


def load(data: bytes, around: Surroundings) -> LiveEngine:
    """Return the engine that ``data`` holds, or raise `Refused`; then nothing is left of it."""
    try:
        made = plan.read(data)
    except plan.PlanError as error:
        raise Refused(str(error), Reason.SERIALIZATION) from error
    engine = LiveEngine(made, around)
    try:
        with around.gate.during(Phase.DESERIALIZATION):
            for recorded in made.layers:
                engine.layers.append(_deserialized(recorded, around))
        with around.gate.during(Phase.ENGINE):
            for layer in around.scheduler.order("engine plugins start", engine.layers):
                _start(layer, around.gate)
    except Refused:
        engine.close()
        raise
    return engine


def _deserialized(layer: LayerPlan, around: Surroundings) -> LiveLayer:
    identity = (layer.plugin_type, layer.plugin_version, layer.plugin_namespace)
    creator = around.registry.get_creator(*identity)
    if not isinstance(creator, IPluginCreator):
        raise Refused("Cannot find plugin: {}, version: {}, namespace:{}.".format(*identity), Reason.SERIALIZATION)
    plugin = trampolines.deserialize_plugin(around.gate, creator, layer.name, layer.payload)
    if plugin is None:
        raise Refused(f"{layer.name}: the creator's deserialize_plugin gave no plugin", Reason.SERIALIZATION)
    return LiveLayer(layer, plugin, rule_of(layer))


def rule_of(layer: LayerPlan) -> ShapeRule[int]:
    """Return a layer's shape expressions, ready to be evaluated."""
    shapes = [[nodes.from_plain(plain) for plain in shape] for shape in layer.shapes]
    return ShapeRule(layer.name, layer.inputs, layer.outputs, shapes)


def _start(layer: LiveLayer, gate: Gate) -> None:
    trampolines.set_plugin_namespace(layer.plugin, layer.plan.plugin_namespace)
    if trampolines.initialize(gate, layer.plugin) != trampolines.SUCCESS:
        raise Refused(f"{layer.plan.name}: the plugin could not be initialized", Reason.INTERNAL)
    layer.initialized = True
