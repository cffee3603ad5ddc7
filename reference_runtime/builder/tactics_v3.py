"""Timing plugins of version 3: configure for one combination, query the tactics, and run each of them.

Theory. The code follows the documented pseudocode for one combination. In each profile the builder configures the build
capability, with the network's wildcards and the profile's bounds. It queries the tactics at once, then the workspace.
NVIDIA's builder may query the workspace before the tactics, or once the tactic is set (observed on TensorRT-RTX). The
greatest answer counts. Then the builder runs each tactic, or 0 if there is none, on a separate object. It is a clone of
the builder's copy, or an object from ``attach_to_context``. That object gets ``set_tactic``. Then, in each profile, it
gets ``on_shape_change`` with the optimum dimensions, and runs. An engine has one tactic for all profiles, so only
tactics of all profiles are candidates. As with version 2, no time is measured.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from reference_runtime.builder.layer_timing import lent
from reference_runtime.calling.gate.gate import Phase
from reference_runtime.calling.trampolines import v3
from reference_runtime.engine.context.kernels import compiled, launch
from reference_runtime.interfaces.resources import end_resource_context, new_resource_context
from reference_runtime.values.descriptions import Bounds
from reference_runtime.values.refusals import Reason, Refused

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from reference_runtime.builder.formats import Combination
    from reference_runtime.builder.layer_timing import LayerTiming
    from reference_runtime.builder.work import Copy, Point, Work
    from reference_runtime.network.graph.graph_parts import Layer, Tensor
    from reference_runtime.plan import KernelPlan
    from reference_runtime.shapes.shape_rules import ExtentRule
    from reference_runtime.values.descriptions import Description

DEFAULT_TACTIC: Final = 0
"""The tactic of a plugin that advertises none."""


class Candidate(Struct, frozen=True):
    """A combination of formats and a tactic, with which a layer can run."""

    combination: Combination
    tactic: int


class Configured(Struct, frozen=True):
    """A plugin's answers when it is configured for a combination in every profile."""

    tactics: tuple[int, ...]
    workspace: int


def configure(timing: LayerTiming, copy: Copy, combination: Combination) -> Configured:
    """Configure the build capability in each profile, and query tactics and workspace; raise `Refused` if one fails."""
    tactics: list[list[int]] = []
    sizes: list[int] = []
    for described in in_profiles(timing, combination):
        advertised, size = _configure(timing, copy, described)
        tactics.append(advertised)
        sizes.append(size)
    shared = [tactic for tactic in tactics[0] if all(tactic in others for others in tactics)]
    if tactics[0] and not shared:
        raise Refused(f"no tactic is advertised in all profiles: {tactics}", Reason.NO_IMPLEMENTATION)
    return Configured(tuple(shared) or (DEFAULT_TACTIC,), timing.allowed_workspace(max(sizes)))


def _configure(timing: LayerTiming, copy: Copy, described: Sequence[Bounds]) -> tuple[list[int], int]:
    prepare(timing, copy, described)
    first = 0
    if timing.scheduler.choose("workspace asked for before tactics", [False, True]):
        first = workspace_of(timing, copy, described)
    tactics = tactics_of(timing, copy)
    return tactics, max(first, workspace_of(timing, copy, described))


def prepare(timing: LayerTiming, copy: Copy, described: Sequence[Bounds]) -> None:
    """Configure the build capability in one profile; raise `Refused` if that fails."""
    gate, count = timing.gate, timing.num_inputs
    with gate.during(Phase.CONFIGURATION):
        status = v3.configure_plugin(gate, copy.capabilities.build, described[:count], described[count:])
    _check(status, "configure_plugin")


def tactics_of(timing: LayerTiming, copy: Copy) -> list[int]:
    """Query the tactics of a plugin that was just configured; raise `Refused` if they cannot be used."""
    with timing.gate.during(Phase.CONFIGURATION):
        tactics = v3.get_valid_tactics(timing.gate, copy.capabilities.build)
    if tactics is None:
        raise Refused("the plugin's get_valid_tactics failed", Reason.NO_IMPLEMENTATION)
    if any(tactic <= DEFAULT_TACTIC for tactic in tactics):
        raise Refused(f"custom tactic values must be positive, not {tactics}", Reason.NO_IMPLEMENTATION)
    return tactics


def take(work: Work, layer: Layer, copy: Copy, tactic: int) -> None:
    """Set the chosen tactic; raise `Refused` if that fails."""
    if v3.set_tactic(work.graph.gate, copy.capabilities.runtime, tactic) != v3.SUCCESS:
        why = f"{layer.name}: the plugin's set_tactic failed for the chosen tactic {tactic}"
        raise Refused(why, Reason.NO_IMPLEMENTATION)


def workspace_of(timing: LayerTiming, copy: Copy, described: Sequence[Bounds]) -> int:
    """Query the workspace in one profile."""
    gate, count = timing.gate, timing.num_inputs
    with gate.during(Phase.WORKSPACE):
        return v3.get_workspace_size(gate, copy.capabilities.build, described[:count], described[count:])


def workspace_again(timing: LayerTiming, copy: Copy, combination: Combination) -> int:
    """Query the workspace of a plugin after ``set_tactic``, in each profile, and return the greatest answer."""
    sizes = [workspace_of(timing, copy, described) for described in in_profiles(timing, combination)]
    return timing.allowed_workspace(max(sizes))


def in_profiles(timing: LayerTiming, combination: Combination) -> list[list[Bounds]]:
    """Return a combination with the bounds of each profile."""
    return [
        [Bounds(desc, *ranges) for desc, ranges in zip(combination, profile, strict=True)]
        for profile in timing.profiles
    ]


def timed(
    timing: LayerTiming, copy: Copy, layer: Layer, rule: ExtentRule[Tensor], candidate: Candidate, workspace: int
) -> None:
    """Run one tactic in each profile; raise `Refused` if a call fails."""
    if copy.capabilities.is_compiled:
        _launched(timing, copy, layer, rule, candidate)
        return
    with timing.gate.during(Phase.TIMING), _runtime(timing, copy) as runtime:
        _check(v3.set_tactic(timing.gate, runtime, candidate.tactic), "set_tactic")
        for point in timing.points:
            _run(timing, runtime, _best(candidate.combination, layer, rule, point), workspace)


def kernel_of(timing: LayerTiming, build: Any, combination: Combination) -> KernelPlan | None:
    """Return the kernel of a plugin compiled ahead of time, after it received its tactic; None if it fails."""
    in_out = [Bounds(desc, *ranges) for desc, ranges in zip(combination, timing.profiles[0], strict=True)]
    return compiled(timing.gate, build, in_out, timing.num_inputs)


def _launched(timing: LayerTiming, copy: Copy, layer: Layer, rule: ExtentRule[Tensor], candidate: Candidate) -> None:
    """Run the kernel of one tactic in each profile; the plugin itself never runs."""
    build = copy.capabilities.build
    with timing.gate.during(Phase.TIMING):
        _check(v3.set_tactic(timing.gate, build, candidate.tactic), "set_tactic")
        kernel = kernel_of(timing, build, candidate.combination)
        if kernel is None:
            raise Refused("the plugin gave no kernel", Reason.NO_IMPLEMENTATION)
        for point in timing.points:
            best = _best(candidate.combination, layer, rule, point)
            with lent(timing, best.room, 0) as at:
                used = [*at.inputs, *at.outputs]
                launch(timing.device, kernel, best.shown, used, timing.num_inputs, stream=at.stream.handle)
                at.stream.synchronize()


@contextmanager
def _runtime(timing: LayerTiming, copy: Copy) -> Iterator[Any]:
    """Yield the runtime capability of an object that exists for timing alone, then destroy the object."""
    gate, resources = timing.gate, new_resource_context()
    if copy.interface.attaches:
        plugin = v3.attach_to_context(gate, copy.capabilities.runtime, resources)
        made_by = "attach_to_context"
    else:
        plugin = v3.clone(gate, copy.plugin)
        made_by = "clone"
    if plugin is None:
        why = f"the plugin's {made_by} gave no plugin for timing"
        raise copy.interface.no_copy(copy.plugin, made_by, why, Reason.NO_IMPLEMENTATION)
    try:
        capabilities = v3.capabilities(gate, plugin, build=False)
        if capabilities is None:
            raise Refused(f"what {made_by} gave lacks a capability", Reason.NO_IMPLEMENTATION)
        yield capabilities.runtime
    finally:
        with gate.during(Phase.DESTRUCTION):
            v3.destroy(gate, plugin)
        end_resource_context(resources)


class _Best(Struct, frozen=True):
    """A layer's tensors at the optimum dimensions of a profile, as the plugin sees them and as memory is allocated."""

    shown: Sequence[Description]
    room: Sequence[Description]


def _best(combination: Combination, layer: Layer, rule: ExtentRule[Tensor], point: Point) -> _Best:
    """Return the optimum dimensions; data-dependent dimensions are -1 for the plugin, with memory for their bounds."""
    inputs = [point.best[tensor] for tensor in layer.inputs]
    facts = [*inputs, *rule.infer([point.best[tensor] for tensor in layer.operands])]
    shown = [desc.sized(known.dims) for desc, known in zip(combination, facts, strict=True)]
    room = [desc.sized(known.bound) for desc, known in zip(combination, facts, strict=True)]
    return _Best(shown, room)


def _run(timing: LayerTiming, runtime: Any, best: _Best, workspace: int) -> None:
    gate, count = timing.gate, timing.num_inputs
    inputs, outputs = best.shown[:count], best.shown[count:]
    _check(v3.on_shape_change(gate, runtime, inputs, outputs), "on_shape_change")
    for _ in range(timing.iterations):
        with lent(timing, best.room, workspace) as at:
            status = v3.enqueue(gate, runtime, inputs, outputs, at.inputs, at.outputs, at.workspace, at.stream.handle)
            at.stream.synchronize()
        _check(status, "enqueue")


def _check(status: int, method: str) -> None:
    if status != v3.SUCCESS:
        raise Refused(f"the plugin's {method} failed", Reason.NO_IMPLEMENTATION)
