"""Build a layer with an `IPluginV2DynamicExt`: negotiate, time, choose, configure again and serialize.

Theory. The builder times one combination in four steps:

1. In the build phase, configure the plugin for each profile, with the network's wildcards and the profile's bounds.
   Query the workspace each time.
2. Initialize the plugin.
3. In the execution phase, configure and run the plugin for each profile, with the optimum dimensions.
4. Terminate the plugin.

No time is measured, because this machine's speed does not show a GPU's. The runs happen because TensorRT makes them.
They use device memory: inputs are zero, outputs and workspace have stray content.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from reference_runtime.builder import candidates
from reference_runtime.builder.layer_timing import lent
from reference_runtime.builder.planned import planned
from reference_runtime.calling.adapters.version_2 import execution_bounds
from reference_runtime.calling.gate.gate import Phase
from reference_runtime.calling.trampolines import v2
from reference_runtime.values.descriptions import Bounds
from reference_runtime.values.refusals import Reason, Refused

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from reference_runtime.builder.formats import Combination
    from reference_runtime.builder.layer_timing import LayerTiming
    from reference_runtime.builder.work import Copy, Work
    from reference_runtime.network.graph.graph_parts import Layer
    from reference_runtime.plan import LayerPlan
    from reference_runtime.values.descriptions import Description, Range

    Enqueue = Callable[..., int]
    T = TypeVar("T")


def layer_plan(work: Work, layer: Layer) -> LayerPlan:
    """Return a layer as a plan records it, or raise `Refused`."""
    copy = work.copies[layer]
    accepted = candidates.negotiated(work, layer)
    timing = candidates.timing_of(work, layer)
    passed = candidates.implementations(work, layer, accepted, lambda one: _timed(timing, copy, one))
    taken = candidates.chosen(work, layer, passed, lambda one: one)
    work.settle([*layer.inputs, *layer.outputs], taken)
    return planned(work, layer, taken, _configure_for_building(timing, copy.plugin, taken))


def _timed(timing: LayerTiming, copy: Copy, combination: Combination) -> None:
    """Run a plugin, or a clone of it, with one combination; refuse a combination if a call fails."""
    on_a_clone(timing, copy, lambda one: _cycle(timing, one, combination))


def on_a_clone(timing: LayerTiming, copy: Copy, cycle: Callable[[Any], T]) -> T:
    """Return the result of ``cycle`` on the builder's copy of a plugin, or on a clone, as the scheduler chooses."""
    if not timing.scheduler.choose("timed on a clone", [False, True]):
        return cycle(copy.plugin)
    with timing.gate.during(Phase.TIMING):
        clone = copy.interface.clone(timing.gate, copy.plugin)
        if clone is None:
            raise Refused("the plugin could not be cloned for timing", Reason.NO_IMPLEMENTATION)
    try:
        return cycle(clone)
    finally:
        with timing.gate.during(Phase.DESTRUCTION):
            copy.interface.destroy(timing.gate, clone)


def _cycle(timing: LayerTiming, plugin: Any, combination: Combination) -> None:
    """Make all calls of timing, in every profile."""
    gate = timing.gate
    workspace = _configure_for_building(timing, plugin, combination)
    with gate.during(Phase.TIMING):
        if v2.initialize(gate, plugin) != v2.SUCCESS:
            raise Refused("the plugin could not be initialized", Reason.NO_IMPLEMENTATION)
        try:
            for profile in timing.profiles:
                _run(timing, plugin, combination, profile, workspace)
        finally:
            v2.terminate(gate, plugin)


def _configure_for_building(timing: LayerTiming, plugin: Any, combination: Combination) -> int:
    """Configure a plugin for each profile in the build phase; return the workspace that it needs in all of them."""
    gate, count = timing.gate, timing.num_inputs
    sizes = []
    for profile in timing.profiles:
        described = [Bounds(desc, *ranges) for desc, ranges in zip(combination, profile, strict=True)]
        with gate.during(Phase.CONFIGURATION):
            v2.configure_plugin(gate, plugin, described[:count], described[count:])
        greatest = [desc.sized(ranges[2]) for desc, ranges in zip(combination, profile, strict=True)]
        with gate.during(Phase.WORKSPACE):
            sizes.append(v2.get_workspace_size(gate, plugin, greatest[:count], greatest[count:]))
    return timing.allowed_workspace(max(sizes))


def _run(timing: LayerTiming, plugin: Any, combination: Combination, profile: Sequence[Range], workspace: int) -> None:
    gate, count = timing.gate, timing.num_inputs
    best = [desc.sized(ranges[1]) for desc, ranges in zip(combination, profile, strict=True)]
    shown = execution_bounds(timing.scheduler, best, profile)
    v2.configure_plugin(gate, plugin, shown[:count], shown[count:])
    for _ in range(timing.iterations):
        if enqueued(timing, plugin, best, workspace) != v2.SUCCESS:
            raise Refused("the plugin's enqueue failed", Reason.NO_IMPLEMENTATION)


def enqueued(
    timing: LayerTiming, plugin: Any, described: Sequence[Description], workspace: int, enqueue: Enqueue = v2.enqueue
) -> int:
    """Call ``enqueue`` on memory that is lent for it, wait, and return its status."""
    count = timing.num_inputs
    with lent(timing, described, workspace) as at:
        status = enqueue(
            timing.gate,
            plugin,
            described[:count],
            described[count:],
            at.inputs,
            at.outputs,
            at.workspace,
            at.stream.handle,
        )
        at.stream.synchronize()
        return status
