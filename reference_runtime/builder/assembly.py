"""From a network to a plan: each phase in its order, for one layer after the other.

The builder works on copies of its own, cloned from the network's. For each layer it negotiates, times every accepted
combination, and chooses. A real builder chooses the fastest; this one chooses the combination that needs the fewest
reformats at the layer's edges, the first found among equals. Seeds other than 0 take any combination that got through,
since a plugin has to work with whichever is chosen. What was chosen is configured once more, and serialized.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from reference_runtime import nodes, trampolines
from reference_runtime.builder import formats, shapes, tactics
from reference_runtime.descriptions import Description
from reference_runtime.enums import TensorFormat, TensorIOMode
from reference_runtime.extents import ShapeRule, spread
from reference_runtime.gate import Phase
from reference_runtime.plan import MAX_PAYLOAD, LayerPlan, Plan, ProfilePlan, TensorPlan
from reference_runtime.precision import scale_of
from reference_runtime.profiles import checked_ranges
from reference_runtime.refusals import Reason, Refused, warn
from reference_runtime.scheduler import Scheduler

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from reference_runtime.backends.base import Device
    from reference_runtime.builder.config import Settings
    from reference_runtime.builder.formats import Combination
    from reference_runtime.descriptions import Range
    from reference_runtime.gate import Gate
    from reference_runtime.graph import Graph, Layer, Tensor
    from reference_runtime.nodes import Node

__all__ = ["build"]


@dataclass
class _Build:
    """What is known so far of the engine that is being built."""

    graph: Graph
    settings: Settings
    device: Device
    plugins: dict[Layer, Any]
    tensors: list[Tensor]
    dims: shapes.Shapes
    expressions: dict[Layer, Sequence[Sequence[Node]]]
    ranges: list[dict[Tensor, Range]]
    scheduler: Scheduler
    stored: dict[Tensor, Description] = field(default_factory=dict)
    """How each tensor lies in memory, as far as that is settled."""

    def place(self, tensor: Tensor) -> int:
        """Return the index of a tensor in the plan."""
        return self.tensors.index(tensor)


def build(graph: Graph, settings: Settings, device: Device, keep: Callable[[list[Any]], None]) -> Plan:
    """Return the plan of a network, or raise `Refused`.

    ``keep`` takes builder's copies that are to live as long as the builder; all others are destroyed here.
    """
    ranges = checked_ranges(graph.inputs, settings.profiles)
    layers = _needed(graph)
    with _copies(graph, layers, keep) as plugins:
        with graph.gate.during(Phase.ANALYSIS):
            dims, rules = _analysis(graph, layers, plugins)
        points = [spread(rules, dict(zip(graph.inputs, profile, strict=True))) for profile in ranges]
        expressions = {layer: rule.shapes for layer, rule in zip(layers, rules, strict=True)}
        inner = [tensor for layer in layers for tensor in layer.outputs if not tensor.is_output]
        tensors = [*_application(graph), *inner]
        scheduler = Scheduler(graph.scheduler.seed)  # of its own, so that the same network gives the same bytes
        work = _Build(graph, settings, device, plugins, tensors, dims, expressions, points, scheduler)
        work.stored = {tensor: _default(work, tensor) for tensor in _application(graph) if tensor.formats is None}
        plans = tuple(_layer_plan(work, layer) for layer in layers)
        return Plan(graph.name, _tensor_plans(work), plans, tuple(ProfilePlan(tuple(profile)) for profile in ranges))


def _analysis(
    graph: Graph, layers: Sequence[Layer], plugins: Mapping[Layer, Any]
) -> tuple[shapes.Shapes, list[ShapeRule[Tensor]]]:
    """Ask for the shapes of everything, once or several times; the last answers count."""
    for _ in range(graph.scheduler.count("analyses that are repeated", 0, 2)):
        shapes.settle(graph.gate, layers, plugins, graph.inputs)
    return shapes.settle(graph.gate, layers, plugins, graph.inputs)


def _application(graph: Graph) -> list[Tensor]:
    return [*graph.inputs, *graph.outputs]


def _needed(graph: Graph) -> list[Layer]:
    """Return the layers that outputs depend on; a builder drops the others."""
    if graph.closed:
        raise Refused("the network was closed", Reason.NETWORK)
    if not graph.outputs:
        raise Refused("Network must have at least one output", Reason.NETWORK)
    names = [tensor.name for tensor in _application(graph)]
    if len(set(names)) < len(names):
        raise Refused(f"inputs and outputs need different names, and they are {names}", Reason.NETWORK)
    needed: set[Tensor] = set(graph.outputs)
    layers = []
    for layer in reversed(graph.layers):
        if needed.intersection(layer.outputs):
            needed.update(layer.inputs)
            layers.append(layer)
    return layers[::-1]


@contextmanager
def _copies(graph: Graph, layers: Sequence[Layer], keep: Callable[[list[Any]], None]) -> Iterator[dict[Layer, Any]]:
    """Clone the plugins for the builder, and destroy the clones in the end."""
    gate, plugins = graph.gate, {}
    try:
        with gate.during(Phase.ANALYSIS):
            for layer in layers:
                plugins[layer] = trampolines.clone(gate, layer.plugin)
                if plugins[layer] is None:
                    del plugins[layer]
                    raise Refused(f"{layer.name}: the plugin could not be cloned for the builder")
        yield plugins
    finally:
        copies = graph.scheduler.order("builder copies go", list(plugins.values()))
        if graph.scheduler.choose("builder copies live as long as the builder", [False, True]):
            keep(copies)
        else:
            with gate.during(Phase.DESTRUCTION):
                for copy in copies:
                    trampolines.destroy(gate, copy)


def _default(work: _Build, tensor: Tensor) -> Description:
    scale = scale_of(tensor.dtype, tensor.dynamic_range)
    return Description(work.dims[tensor], tensor.dtype, TensorFormat.LINEAR, scale)


def _layer_plan(work: _Build, layer: Layer) -> LayerPlan:
    gate, plugin = work.graph.gate, work.plugins[layer]
    tensors = [*layer.inputs, *layer.outputs]
    accepted = _negotiated(work, layer, tensors)
    bench = _bench(work, layer, tensors)
    chosen = _chosen(work, tensors, _timed(work, layer, bench, accepted))
    for tensor, desc in zip(tensors, chosen, strict=True):
        work.stored.setdefault(tensor, desc)
    workspace = tactics.configure_for_building(bench, plugin, chosen)
    with gate.during(Phase.SERIALIZATION):
        kind, version, namespace = _identity(gate, layer, plugin)
        return LayerPlan(
            name=layer.name,
            plugin_type=kind,
            plugin_version=version,
            plugin_namespace=namespace,
            inputs=tuple(work.place(tensor) for tensor in layer.inputs),
            outputs=tuple(work.place(tensor) for tensor in layer.outputs),
            chosen=chosen,
            shapes=tuple(tuple(nodes.to_plain(node) for node in shape) for shape in work.expressions[layer]),
            workspace=workspace,
            payload=_payload(work, layer, plugin),
        )


def _bench(work: _Build, layer: Layer, tensors: Sequence[Tensor]) -> tactics.Bench:
    return tactics.Bench(
        gate=work.graph.gate,
        scheduler=work.scheduler,
        device=work.device,
        workspace_limit=work.settings.workspace_limit,
        iterations=work.settings.avg_timing_iterations + work.scheduler.count("more timed runs", 0, 3),
        num_inputs=len(layer.inputs),
        profiles=[[profile[tensor] for tensor in tensors] for profile in work.ranges],
    )


def _negotiated(work: _Build, layer: Layer, tensors: Sequence[Tensor]) -> list[Combination]:
    graph = work.graph
    candidates = [
        work.scheduler.order(
            "candidates",
            formats.offers(tensor, work.dims[tensor], work.settings.chosen, strongly_typed=graph.strongly_typed),
        )
        for tensor in tensors
    ]
    with graph.gate.during(Phase.NEGOTIATION):
        accepted = formats.accepted_combinations(graph.gate, work.plugins[layer], candidates, len(layer.inputs))
    if not accepted:
        raise Refused(
            f"{layer.name}: could not find any supported formats consistent with input/output data types",
            Reason.NO_IMPLEMENTATION,
        )
    return accepted


def _timed(work: _Build, layer: Layer, bench: tactics.Bench, accepted: Sequence[Combination]) -> list[Combination]:
    """Return the combinations that the plugin gets through."""
    problems = [_problem(bench, work.plugins[layer], combination) for combination in accepted]
    for problem in problems:
        if problem is not None:
            warn(work.graph.logger, layer.name, f"Skipping a combination: {problem}")
    passed = [combination for combination, problem in zip(accepted, problems, strict=True) if problem is None]
    if not passed:
        why = f"Could not find any implementation for node {layer.name}: {problems[0]}"
        raise Refused(why, Reason.NO_IMPLEMENTATION)
    return passed


def _problem(bench: tactics.Bench, plugin: Any, combination: Combination) -> Refused | None:
    try:
        tactics.timed(bench, plugin, combination)
    except Refused as refused:
        return refused
    return None


def _chosen(work: _Build, tensors: Sequence[Tensor], passed: Sequence[Combination]) -> Combination:
    def reformats(combination: Combination) -> int:
        return sum(work.stored.get(tensor, desc) != desc for tensor, desc in zip(tensors, combination, strict=True))

    best = min(passed, key=reformats)
    return work.scheduler.choose("combination", [best, *passed])


def _identity(gate: Gate, layer: Layer, plugin: Any) -> tuple[str, str, str]:
    """Return what the engine will look for in the registry."""
    kind = trampolines.plugin_type(gate, plugin)
    version = trampolines.plugin_version(gate, plugin)
    namespace = trampolines.plugin_namespace(gate, plugin)
    if kind is None or version is None or namespace is None:
        why = f"{layer.name}: a copy of the plugin has type {kind}, version {version} and namespace {namespace}"
        raise Refused(why, Reason.SERIALIZATION)
    return kind, version, namespace


def _payload(work: _Build, layer: Layer, plugin: Any) -> bytes:
    gate = work.graph.gate
    size = trampolines.get_serialization_size(gate, plugin)
    if size > MAX_PAYLOAD:
        raise Refused(f"{layer.name}: the plugin announces {size} bytes of serialized data", Reason.SERIALIZATION)
    return trampolines.serialize(gate, plugin, size)


def _tensor_plans(work: _Build) -> tuple[TensorPlan, ...]:
    return tuple(
        TensorPlan(tensor.name, _mode(tensor), work.stored.get(tensor) or _default(work, tensor))
        for tensor in work.tensors
    )


def _mode(tensor: Tensor) -> TensorIOMode:
    if tensor.is_input:
        return TensorIOMode.INPUT
    return TensorIOMode.OUTPUT if tensor.is_output else TensorIOMode.NONE
