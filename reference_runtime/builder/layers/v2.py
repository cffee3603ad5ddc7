"""Building a layer with an `IPluginV2DynamicExt`: negotiated, timed, chosen, configured once more and serialized."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference_runtime.builder import candidates, tactics
from reference_runtime.builder.planned import planned

if TYPE_CHECKING:
    from reference_runtime.builder.work import Work
    from reference_runtime.network.graph.graph_parts import Layer
    from reference_runtime.plan import LayerPlan


def layer_plan(work: Work, layer: Layer) -> LayerPlan:
    """Return a layer as a plan records it, or raise `Refused`."""
    copy = work.copies[layer]
    accepted = candidates.negotiated(work, layer)
    bench = candidates.bench_of(work, layer)
    passed = candidates.implementations(work, layer, accepted, lambda one: tactics.timed(bench, copy, one))
    taken = candidates.chosen(work, layer, passed, lambda one: one)
    work.settle([*layer.inputs, *layer.outputs], taken)
    return planned(work, layer, taken, tactics.configure_for_building(bench, copy.plugin, taken))
