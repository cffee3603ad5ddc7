"""Deserialize an engine and its plugins from a plan, serialize it again, and close it.

An engine's own plugins do not run; contexts run copies of them (but share an `IPluginV2`). A plugin is made by the
creator that the registry has under its type (or name), version and namespace. From then on the engine owns it.

A plugin of version 2 is deserialized from bytes, then gets its namespace and is initialized. At the end it is
terminated and destroyed. A plugin of version 3 is created in the runtime phase, from copies of the build plugin's
fields. It must have a CORE and a RUNTIME capability. At the end it is destroyed. Contexts are closed before the plugins
are destroyed.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from reference_runtime import plan
from reference_runtime.calling.adapters.creators import restored
from reference_runtime.calling.adapters.of_plugin import interface_of
from reference_runtime.calling.gate.gate import Phase
from reference_runtime.engine.activations import Demand
from reference_runtime.interfaces.creators import IPluginCreator, IPluginCreatorV3One, IPluginCreatorV3Quick
from reference_runtime.plan.layer_rules import operation_of, rule_of
from reference_runtime.registry.registry import find_creator
from reference_runtime.shapes.shape_rules import spread
from reference_runtime.values import formats
from reference_runtime.values.checked_json import MAX_BYTES
from reference_runtime.values.enums_layers import LayerType
from reference_runtime.values.refusals import Reason, Refused

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from reference_runtime.calling.adapters.plugin_interface import PluginInterface
    from reference_runtime.calling.gate.gate import Gate
    from reference_runtime.calling.gate.scheduler import Scheduler
    from reference_runtime.calling.trampolines.capabilities import Capabilities
    from reference_runtime.devices.base import Device
    from reference_runtime.operations import Operation
    from reference_runtime.plan import LayerPlan, Plan, PluginPlan, ProfilePlan
    from reference_runtime.registry.registry import IPluginRegistry
    from reference_runtime.shapes.shape_rules import ExtentRule
    from reference_runtime.values.descriptions import Description, Range
    from reference_runtime.values.logger import ILogger


class EngineServices(Struct, frozen=True):
    """The services that an engine uses: gate, scheduler, logger, registry and device."""

    gate: Gate
    scheduler: Scheduler
    logger: ILogger
    registry: IPluginRegistry
    device: Device


class LiveLayer(Struct, eq=False):
    """A layer with its plugin or operation, and the rule for the dimensions of its outputs.

    A plugin that was compiled ahead of time has neither object: its kernel is in the plan. ``interface`` is the adapter
    of a plugin, and ``started`` says whether the plugin is ready to be copied.
    """

    plan: LayerPlan
    rule: ExtentRule[int]
    plugin: Any = None
    interface: PluginInterface | None = None
    capabilities: Capabilities | None = None
    operation: Operation | None = None
    started: bool = False


class LiveEngine:
    """An engine that can run."""

    def __init__(self, made: Plan, around: EngineServices) -> None:
        self.plan: Plan = made
        self.around = around
        self.layers: list[LiveLayer] = []
        self.closed = False
        self.contexts: list[Callable[[], None]] = []
        """The functions that close the open contexts."""
        self.rules: list[ExtentRule[int]] = [rule_of(layer) for layer in made.layers]
        self.ranges = [_ranges(self.rules, profile) for profile in made.profiles]
        """For each profile the minimum, optimum and maximum dimensions of each tensor."""
        self.io_places = {tensor.name: place for place, tensor in enumerate(made.io)}
        self.demand = Demand(made)
        """The memory that contexts need."""

    def serialize(self) -> bytes:
        """Return the engine's bytes, with the data that its plugins serialize now, or raise `Refused`."""
        with self.around.gate.during(Phase.SERIALIZATION):
            layers = tuple(self._saved(layer) for layer in self.layers)
        return plan.write(replace(self.plan, layers=layers))

    def _saved(self, layer: LiveLayer) -> LayerPlan:
        if layer.interface is None or layer.capabilities is None:
            return layer.plan
        saved = layer.interface.saved(self.around.gate, layer.capabilities, layer.plan.name, plan.MAX_BLOB)
        return replace(layer.plan, payload=saved.payload, fields=saved.fields)

    def close(self) -> None:
        """Close the contexts, then destroy the plugins."""
        for close_context in self.contexts[::-1]:
            close_context()
        gate = self.around.gate
        with gate.during(Phase.DESTRUCTION):
            for layer in self.around.scheduler.order("engine plugins go", self.layers):
                if layer.interface is not None:
                    if layer.started:
                        layer.interface.terminate(gate, layer.plugin)
                    layer.interface.destroy(gate, layer.plugin)
        self.closed = True


def load(data: bytes, around: EngineServices) -> LiveEngine:
    """Return the engine that is serialized in ``data``, or raise `Refused` and release everything."""
    try:
        made = plan.read(data)
    except plan.PlanError as error:
        raise Refused(str(error), Reason.SERIALIZATION) from error
    engine = LiveEngine(made, around)
    _check_sizes(engine)
    try:
        with around.gate.during(Phase.DESERIALIZATION):
            for recorded, rule in zip(made.layers, engine.rules, strict=True):
                _add(engine, recorded, rule)
        with around.gate.during(Phase.ENGINE):
            for layer in around.scheduler.order("engine plugins start", engine.layers):
                _start(layer, around.gate)
            _make_room(engine)
    except Refused:
        engine.close()
        raise
    return engine


def _check_sizes(engine: LiveEngine) -> None:
    """Refuse tensors that no memory can hold, even if the profile allows them."""
    for ranges in engine.ranges:
        for place, tensor in enumerate(engine.plan.tensors):
            size = formats.nbytes(tensor.desc.sized(ranges[place][2]))
            if size > MAX_BYTES:
                raise Refused(f"{tensor.name!r} would have {size} bytes", Reason.SERIALIZATION)


def _add(engine: LiveEngine, layer: LayerPlan, rule: ExtentRule[int]) -> None:
    """Add a layer to the engine, or raise `Refused`; the engine owns the plugin before any further call."""
    around = engine.around
    if layer.plugin is None:
        engine.layers.append(LiveLayer(layer, rule, operation=operation_of(layer)))
        return
    if layer.kernel is not None:
        engine.layers.append(LiveLayer(layer, rule))
        return
    plugin = _made(layer, layer.plugin, around)
    interface = interface_of(plugin, getattr(LayerType, layer.kind))
    live = LiveLayer(layer, rule, plugin, interface)
    engine.layers.append(live)
    live.capabilities = interface.capabilities(around.gate, plugin, build=False)
    if live.capabilities is None:
        why = f"{layer.name}: the plugin that the creator made lacks its CORE or RUNTIME capability"
        raise Refused(why, Reason.SERIALIZATION)


def _made(layer: LayerPlan, identity: PluginPlan, around: EngineServices) -> Any:
    """Return the plugin of a layer, which belongs to TensorRT, or raise `Refused`."""
    is_v3 = layer.kind == plan.PLUGIN_V3
    classes = (IPluginCreatorV3One, IPluginCreatorV3Quick) if is_v3 else (IPluginCreator,)
    creator = find_creator(around.registry, (identity.type, identity.version, identity.namespace))
    if not isinstance(creator, classes):
        why = f"Cannot find plugin: {identity.type}, version: {identity.version}, namespace:{identity.namespace}."
        raise Refused(why, Reason.SERIALIZATION)
    plugin = restored(around.gate, creator, layer.name, layer.fields if is_v3 else layer.payload)
    if plugin is None:
        made_by = "create_plugin" if is_v3 else "deserialize_plugin"
        raise Refused(f"{layer.name}: the creator's {made_by} gave no plugin", Reason.SERIALIZATION)
    return plugin


def _start(layer: LiveLayer, gate: Gate) -> None:
    if layer.interface is not None and layer.plan.plugin is not None:
        namespace = layer.plan.plugin.namespace
        layer.interface.start(gate, layer.plugin, layer.plan.name, namespace, layer.plan.chosen)
        layer.started = True


def _make_room(engine: LiveEngine) -> None:
    """Query the workspace of plugins whose interface has that query when an engine starts; keep the greater size."""
    changed = False
    for layer in engine.layers:
        if layer.interface is None:
            continue
        greatest = functools.partial(_greatest_tensors, engine, layer.plan)
        size = layer.interface.workspace_at_start(engine.around.gate, layer.plugin, greatest)
        if size > layer.plan.workspace:
            layer.plan, changed = replace(layer.plan, workspace=size), True
    if changed:
        engine.plan = replace(engine.plan, layers=tuple(layer.plan for layer in engine.layers))
        engine.demand = Demand(engine.plan)


def _greatest_tensors(engine: LiveEngine, layer: LayerPlan) -> tuple[list[Description], list[Description]]:
    """Return the inputs and outputs of a layer at the maximum dimensions of the first profile and of the batch."""
    greatest = []
    for position, desc in enumerate(layer.chosen):
        most = engine.ranges[0][layer.tensors[position]][2]
        # a broadcast tensor that the plugin gets repeated has 1 as its batch in ``most``
        greatest.append(desc.sized((engine.plan.traits.max_batch, *most[1:]) if desc.dims[:1] == (-1,) else most))
    return greatest[: len(layer.inputs)], greatest[len(layer.inputs) :]


def _ranges(rules: Sequence[ExtentRule[int]], profile: ProfilePlan) -> dict[int, Range]:
    values = {place: bounds for place, bounds in enumerate(profile.values) if bounds is not None}
    return spread(rules, dict(enumerate(profile.ranges)), values)
