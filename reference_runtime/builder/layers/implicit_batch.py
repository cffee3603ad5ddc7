"""Build a layer with a plugin of an implicit-batch interface: negotiate, time, choose and serialize.

Theory. An input that is broadcast across the batch is one item that the whole batch shares. If a plugin cannot read a
shared item, the engine repeats the item for the whole batch. Timing follows the documents: configure with the maximum
batch, initialize, and query the workspace. Then attach if the interface has it, run, detach and terminate. After
timing, the plugin is configured once more with the chosen combination.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from reference_runtime.builder import candidates
from reference_runtime.builder.layers.v2 import enqueued, on_a_clone
from reference_runtime.builder.planned import planned
from reference_runtime.calling.gate.gate import Phase
from reference_runtime.calling.trampolines import implicit_batch
from reference_runtime.values.descriptions import Bounds
from reference_runtime.values.refusals import Reason, Refused

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reference_runtime.builder.formats import Combination
    from reference_runtime.builder.layer_timing import LayerTiming
    from reference_runtime.builder.work import Work
    from reference_runtime.network.graph.graph_parts import Layer
    from reference_runtime.plan import LayerPlan
    from reference_runtime.values.descriptions import Description, Extents, Range


class _Tensors(Struct, frozen=True):
    """The tensors of a layer for its plugin: their shapes, and the bounds of their dimensions."""

    dims: list[Extents]
    ranges: list[Range]


def layer_plan(work: Work, layer: Layer) -> LayerPlan:
    """Return a layer as a plan records it, or raise `Refused`."""
    copy = work.copies[layer]
    tensors = _tensors(work, layer, copy.plugin)
    accepted = candidates.negotiated(work, layer, dims=tensors.dims)
    timing = candidates.timing_of(work, layer)
    workspaces: dict[Combination, int] = {}

    def attempt(combination: Combination) -> None:
        workspaces[combination] = on_a_clone(timing, copy, lambda one: _cycle(timing, one, combination, tensors.ranges))

    passed = candidates.implementations(work, layer, accepted, attempt)
    taken = candidates.chosen(work, layer, passed, lambda one: one)
    network = [work.analysis.facts[tensor].dims for tensor in (*layer.inputs, *layer.outputs)]
    stored = [desc.sized(dims) for desc, dims in zip(taken, network, strict=True)]
    work.settle([*layer.inputs, *layer.outputs], stored)
    _configure(timing, copy.plugin, taken, tensors.ranges)
    return planned(work, layer, taken, workspaces[taken])


def _tensors(work: Work, layer: Layer, plugin: Any) -> _Tensors:
    """Return the tensors that the plugin sees; broadcast inputs that it cannot read get the whole batch."""
    tensors = [*layer.inputs, *layer.outputs]
    dims = [work.analysis.facts[tensor].dims for tensor in tensors]
    ranges = [work.points[0].ranges[tensor] for tensor in tensors]
    shared = implicit_batch.broadcasts(dims[: len(layer.inputs)])
    batches = [tuple(corner[0] for corner in ranges[place]) for place, one in enumerate(dims) if one[0] == -1]
    with work.graph.gate.during(Phase.ANALYSIS):
        for place, is_shared in enumerate(shared):
            if is_shared and not implicit_batch.can_broadcast(work.graph.gate, plugin, place):
                dims[place] = (-1, *dims[place][1:])
                least, best, most = ((batch, *dims[place][1:]) for batch in batches[0])
                ranges[place] = (least, best, most)
    return _Tensors(dims, ranges)


def _cycle(timing: LayerTiming, plugin: Any, combination: Combination, ranges: Sequence[Range]) -> int:
    gate = timing.gate
    _configure(timing, plugin, combination, ranges)
    with gate.during(Phase.TIMING):
        if implicit_batch.initialize(gate, plugin) != implicit_batch.SUCCESS:
            raise Refused("the plugin could not be initialized", Reason.NO_IMPLEMENTATION)
        try:
            greatest = [desc.sized(corners[2]) for desc, corners in zip(combination, ranges, strict=True)]
            count = timing.num_inputs
            size = implicit_batch.get_workspace_size(gate, plugin, greatest[:count], greatest[count:])
            workspace = timing.allowed_workspace(size)
            implicit_batch.attach_to_context(gate, plugin)
            for _ in range(timing.iterations):
                _run(timing, plugin, greatest, workspace)
            implicit_batch.detach_from_context(gate, plugin)
        finally:
            implicit_batch.terminate(gate, plugin)
    return workspace


def _configure(timing: LayerTiming, plugin: Any, combination: Combination, ranges: Sequence[Range]) -> None:
    described = [Bounds(desc, *corners) for desc, corners in zip(combination, ranges, strict=True)]
    count = timing.num_inputs
    with timing.gate.during(Phase.CONFIGURATION):
        implicit_batch.configure_plugin(timing.gate, plugin, described[:count], described[count:])


def _run(timing: LayerTiming, plugin: Any, described: Sequence[Description], workspace: int) -> None:
    status = enqueued(replace(timing, aliases=()), plugin, described, workspace, implicit_batch.enqueue)
    if status != implicit_batch.SUCCESS:
        raise Refused("the plugin's execute_async failed", Reason.NO_IMPLEMENTATION)
