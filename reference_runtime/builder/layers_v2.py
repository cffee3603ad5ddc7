"""Building a layer with an `IPluginV2DynamicExt`: negotiated, timed, chosen, configured once more and serialized."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reference_runtime.builder import candidates, formats, tactics
from reference_runtime.calling.gate.gate import Phase
from reference_runtime.calling.trampolines import v2
from reference_runtime.engine import plugins
from reference_runtime.plan import PLUGIN_V2, LayerPlan, PluginPlan
from reference_runtime.shapes import expression_nodes
from reference_runtime.shapes.shape_rules import ShapeRule
from reference_runtime.values.refusals import Reason, Refused

if TYPE_CHECKING:
    from reference_runtime.builder.work import Work
    from reference_runtime.calling.gate.gate import Gate
    from reference_runtime.network.graph.graph_parts import Layer, Tensor
    from reference_runtime.shapes.shape_rules import ExtentRule

__all__ = ["identity", "layer_plan", "plain_shapes", "planned"]


def layer_plan(work: Work, layer: Layer) -> LayerPlan:
    """Return a layer as a plan records it, or raise `Refused`."""
    gate, plugin, count = work.graph.gate, work.copies[layer].plugin, len(layer.inputs)
    ask = formats.question_v2(gate, plugin, count + len(layer.outputs), count)
    accepted = candidates.negotiated(work, layer, ask)
    bench = candidates.bench_of(work, layer)
    passed = candidates.implementations(work, layer, accepted, lambda one: tactics.timed(bench, plugin, one))
    taken = candidates.chosen(work, layer, passed, lambda one: one)
    work.settle([*layer.inputs, *layer.outputs], taken)
    return planned(work, layer, taken, tactics.configure_for_building(bench, plugin, taken))


def planned(work: Work, layer: Layer, taken: formats.Combination, workspace: int) -> LayerPlan:
    """Return what a plan keeps of a layer whose plugin, of version 2, is configured as it was chosen."""
    gate, plugin = work.graph.gate, work.copies[layer].plugin
    with gate.during(Phase.SERIALIZATION):
        kind, version, namespace = identity(gate, layer, plugin)
        return LayerPlan(
            name=layer.name,
            kind=PLUGIN_V2,
            inputs=work.indices(layer.inputs),
            outputs=work.indices(layer.outputs),
            chosen=taken,
            workspace=workspace,
            plugin=PluginPlan(
                type=kind,
                version=version,
                namespace=namespace,
                shapes=plain_shapes(work.analysis.rules[layer]),
                aliases=work.analysis.aliases[layer],
            ),
            payload=plugins.saved_payload(layer.name, plugin, gate),
            metadata=layer.metadata,
        )


def plain_shapes(rule: ExtentRule[Tensor]) -> tuple[tuple[Any, ...], ...]:
    """Return a plugin's expressions as a plan keeps them."""
    shapes = rule.shapes if isinstance(rule, ShapeRule) else ()
    return tuple(tuple(expression_nodes.to_plain(node) for node in shape) for shape in shapes)


def identity(gate: Gate, layer: Layer, plugin: Any) -> tuple[str, str, str]:
    """Return what the engine will look for in the registry."""
    kind = v2.plugin_type(gate, plugin)
    version = v2.plugin_version(gate, plugin)
    namespace = v2.plugin_namespace(gate, plugin)
    if kind is None or version is None or namespace is None:
        why = f"{layer.name}: a copy of the plugin has type {kind}, version {version} and namespace {namespace}"
        raise Refused(why, Reason.SERIALIZATION)
    return kind, version, namespace
