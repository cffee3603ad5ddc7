"""Make the part of a plan for a layer whose plugin is configured with the chosen combination."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference_runtime.builder.analysis import sizes_of
from reference_runtime.calling.adapters.plugin_interface import Saved
from reference_runtime.calling.gate.gate import Phase
from reference_runtime.plan import MAX_BLOB, LayerPlan, PluginPlan
from reference_runtime.shapes import expression_nodes
from reference_runtime.shapes.shape_rules import ShapeRule
from reference_runtime.values.refusals import Reason, Refused

if TYPE_CHECKING:
    from reference_runtime.builder.formats import Combination
    from reference_runtime.builder.work import Copy, Work
    from reference_runtime.calling.gate.gate import Gate
    from reference_runtime.network.graph.graph_parts import Layer
    from reference_runtime.plan import KernelPlan


def planned(
    work: Work,
    layer: Layer,
    taken: Combination,
    workspace: int,
    *,
    tactic: int = 0,
    kernel: KernelPlan | None = None,
    saved: Saved | None = None,
) -> LayerPlan:
    """Return the layer as a plan records it, with its plugin's serialized data unless a ``kernel`` runs.

    The builder's copy is asked for these data if no other copy has ``saved`` them.
    """
    gate, copy = work.graph.gate, work.copies[layer]
    with gate.during(Phase.SERIALIZATION):
        plugin = _plugin_plan(work, layer, copy, tactic)
        if saved is None:
            saved = Saved() if kernel is not None else _saved(work, layer, copy)
    return LayerPlan(
        name=layer.name,
        kind=layer.kind.name,
        inputs=work.indices(layer.inputs),
        outputs=work.indices(layer.outputs),
        chosen=taken,
        workspace=workspace,
        plugin=plugin,
        payload=saved.payload,
        fields=saved.fields,
        kernel=kernel,
        metadata=layer.metadata,
    )


def _saved(work: Work, layer: Layer, copy: Copy) -> Saved:
    more = work.scheduler.count("fields asked for again", 0, 2) if copy.interface.repeats_fields else 0
    return saved_by(work, layer, copy, 1 + more)


def saved_by(work: Work, layer: Layer, copy: Copy, times: int) -> Saved:
    """Query a copy's serialized data ``times`` times; the last answer counts."""
    for _ in range(times - 1):
        copy.interface.saved(work.graph.gate, copy.capabilities, layer.name, MAX_BLOB)
    return copy.interface.saved(work.graph.gate, copy.capabilities, layer.name, MAX_BLOB)


def _plugin_plan(work: Work, layer: Layer, copy: Copy, tactic: int) -> PluginPlan:
    gate, rule = work.graph.gate, work.analysis.rules[layer]
    kind, version, namespace = _identity(gate, layer, copy)
    shapes = rule.shapes if isinstance(rule, ShapeRule) else ()
    return PluginPlan(
        type=kind,
        version=version,
        namespace=namespace,
        shapes=tuple(tuple(expression_nodes.to_plain(node) for node in shape) for shape in shapes),
        shape_inputs=work.indices(layer.shape_inputs),
        tactic=tactic,
        aliases=work.analysis.aliases[layer],
        sizes=sizes_of(rule),
        metadata=copy.interface.metadata(gate, copy.capabilities),
    )


def _identity(gate: Gate, layer: Layer, copy: Copy) -> list[str]:
    """Return the creator's key, by which the engine will search the registry."""
    identity = dict(copy.interface.identity(gate, copy.capabilities))
    known = [value for value in identity.values() if value is not None]
    if len(known) < len(identity):
        first, version, namespace = (f"{name.removeprefix('plugin_')} {value}" for name, value in identity.items())
        why = f"{layer.name}: a copy of the plugin has {first}, {version} and {namespace}"
        raise Refused(why, Reason.SERIALIZATION)
    return known
