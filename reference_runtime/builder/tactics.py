"""Timing: configuring a plugin for one combination and running it, as a builder does to find the fastest.

Theory. For one combination: configured for each profile in the build phase, with the network's wildcards and the
profile's bounds, and asked for its workspace each time; initialized; configured for each profile in the execution
phase, with the best extents, and run; terminated. This machine's speed says nothing of a GPU's, so nothing is measured:
the runs are there because TensorRT makes them. They are made on device memory: inputs are zero, outputs and workspace
hold poison.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from reference_runtime import formats, trampolines
from reference_runtime.descriptions import Bounds
from reference_runtime.execution import execution_bounds
from reference_runtime.gate import Phase
from reference_runtime.refusals import Reason, Refused

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reference_runtime.backends.base import Buffer, Device
    from reference_runtime.builder.formats import Combination
    from reference_runtime.descriptions import Description, Range
    from reference_runtime.gate import Gate
    from reference_runtime.scheduler import Scheduler

__all__ = ["Bench", "configure_for_building", "timed"]


@dataclass(frozen=True)
class Bench:
    """Where and how a layer is timed; ``profiles`` holds for each profile the range of each tensor of the layer."""

    gate: Gate
    scheduler: Scheduler
    device: Device
    workspace_limit: int
    iterations: int
    num_inputs: int
    profiles: Sequence[Sequence[Range]]


def timed(bench: Bench, plugin: Any, combination: Combination) -> None:
    """Run a plugin, or a clone of it, with one combination; refuse a combination that does not get through."""
    if bench.scheduler.choose("timed on a clone", [False, True]):
        with bench.gate.during(Phase.TIMING):
            clone = trampolines.clone(bench.gate, plugin)
            if clone is None:
                raise Refused("the plugin could not be cloned for timing", Reason.NO_IMPLEMENTATION)
        try:
            _cycle(bench, clone, combination)
        finally:
            with bench.gate.during(Phase.DESTRUCTION):
                trampolines.destroy(bench.gate, clone)
    else:
        _cycle(bench, plugin, combination)


def _cycle(bench: Bench, plugin: Any, combination: Combination) -> None:
    """Go through all that timing does, in every profile."""
    gate = bench.gate
    workspace = configure_for_building(bench, plugin, combination)
    with gate.during(Phase.TIMING):
        if trampolines.initialize(gate, plugin) != trampolines.SUCCESS:
            raise Refused("the plugin could not be initialized", Reason.NO_IMPLEMENTATION)
        try:
            for profile in bench.profiles:
                _run(bench, plugin, combination, profile, workspace)
        finally:
            trampolines.terminate(gate, plugin)


def configure_for_building(bench: Bench, plugin: Any, combination: Combination) -> int:
    """Configure a plugin for each profile in the build phase; return the workspace that it needs in all of them."""
    gate, count = bench.gate, bench.num_inputs
    sizes = []
    for profile in bench.profiles:
        described = [Bounds(desc, *ranges) for desc, ranges in zip(combination, profile, strict=True)]
        with gate.during(Phase.CONFIGURATION):
            trampolines.configure_plugin(gate, plugin, described[:count], described[count:])
        greatest = [desc.sized(ranges[2]) for desc, ranges in zip(combination, profile, strict=True)]
        with gate.during(Phase.WORKSPACE):
            sizes.append(trampolines.get_workspace_size(gate, plugin, greatest[:count], greatest[count:]))
    if max(sizes) > bench.workspace_limit:
        why = f"the plugin needs {max(sizes)} bytes of workspace, and {bench.workspace_limit} are allowed"
        raise Refused(why, Reason.NO_IMPLEMENTATION)
    return max(sizes)


def _run(bench: Bench, plugin: Any, combination: Combination, profile: Sequence[Range], workspace: int) -> None:
    gate, count = bench.gate, bench.num_inputs
    best = [desc.sized(ranges[1]) for desc, ranges in zip(combination, profile, strict=True)]
    shown = execution_bounds(bench.scheduler, best, profile)
    trampolines.configure_plugin(gate, plugin, shown[:count], shown[count:])
    for _ in range(bench.iterations):
        if _enqueue(bench, plugin, best, workspace) != trampolines.SUCCESS:
            raise Refused("the plugin's enqueue failed", Reason.NO_IMPLEMENTATION)


def _enqueue(bench: Bench, plugin: Any, described: Sequence[Description], workspace: int) -> int:
    count, stream = bench.num_inputs, bench.device.new_stream()
    buffers = [
        bench.device.allocate(formats.nbytes(desc), label=_label(place, count)) for place, desc in enumerate(described)
    ]
    scratch = [bench.device.allocate(workspace, label="workspace")] if workspace else []
    try:
        for buffer in buffers[:count]:
            buffer.fill(0)
        status = trampolines.enqueue(
            bench.gate,
            plugin,
            described[:count],
            described[count:],
            [buffer.address for buffer in buffers[:count]],
            [buffer.address for buffer in buffers[count:]],
            scratch[0].address if scratch else 0,
            stream.handle,
        )
        stream.synchronize()
        return status
    finally:
        _free([*buffers, *scratch])


def _label(place: int, num_inputs: int) -> str:
    return f"input {place}" if place < num_inputs else f"output {place - num_inputs}"


def _free(buffers: Sequence[Buffer]) -> None:
    for buffer in buffers:
        buffer.free()
