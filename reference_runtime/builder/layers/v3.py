"""Build a layer with an `IPluginV3`: negotiate, time each tactic, choose, configure once more, serialize.

TensorRT may configure all accepted combinations before it times the first. Or it may time each combination before it
configures the next, as here. The documents only say that the query of tactics directly follows the configuration. A
single candidate need not be timed. If the plugin has a ``timing_cache_id`` and the configuration a timing cache,
combinations in the cache are not timed again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference_runtime.builder import candidates, tactics_v3
from reference_runtime.builder.layers import v3_untimed
from reference_runtime.builder.planned import planned
from reference_runtime.builder.tactics_v3 import Candidate
from reference_runtime.builder.timing import cache_of
from reference_runtime.calling.gate.gate import Phase
from reference_runtime.values.refusals import Reason, Refused

if TYPE_CHECKING:
    from reference_runtime.builder.formats import Combination
    from reference_runtime.builder.layer_timing import LayerTiming
    from reference_runtime.builder.work import Work
    from reference_runtime.network.graph.graph_parts import Layer
    from reference_runtime.plan import KernelPlan, LayerPlan


def layer_plan(work: Work, layer: Layer) -> LayerPlan:
    """Return a layer as a plan records it, or raise `Refused`.

    The scheduler chooses between the documented build with timing, and the two builds of `v3_untimed`.
    """
    if not work.copies[layer].interface.attaches:
        return _timed_plan(work, layer)
    way = work.scheduler.choose("way of a build", [_timed_plan, v3_untimed.on_attached_objects, v3_untimed.on_clones])
    return way(work, layer)


def _timed_plan(work: Work, layer: Layer) -> LayerPlan:
    gate, copy, timing = work.graph.gate, work.copies[layer], candidates.timing_of(work, layer)
    passed = _candidates(work, layer, timing, candidates.negotiated(work, layer))
    taken = candidates.chosen(work, layer, passed, lambda one: one.combination)
    work.settle([*layer.inputs, *layer.outputs], taken.combination)
    workspace = tactics_v3.configure(timing, copy, taken.combination).workspace
    with gate.during(Phase.CONFIGURATION):
        tactics_v3.take(work, layer, copy, taken.tactic)
    if work.scheduler.choose("workspace asked for once the tactic is set", [False, True]):
        workspace = max(workspace, tactics_v3.workspace_again(timing, copy, taken.combination))
    kernel = _kernel(work, layer, timing, taken) if copy.capabilities.is_compiled else None
    return planned(work, layer, taken.combination, workspace, tactic=taken.tactic, kernel=kernel)


def _kernel(work: Work, layer: Layer, timing: LayerTiming, taken: Candidate) -> KernelPlan:
    """Return the kernel of the chosen candidate, or raise `Refused`."""
    with work.graph.gate.during(Phase.CONFIGURATION):
        kernel = tactics_v3.kernel_of(timing, work.copies[layer].capabilities.build, taken.combination)
    if kernel is None:
        raise Refused(f"{layer.name}: the plugin gave no kernel for tactic {taken.tactic}", Reason.NO_IMPLEMENTATION)
    return kernel


def _candidates(work: Work, layer: Layer, timing: LayerTiming, accepted: list[Combination]) -> list[Candidate]:
    """Return the candidates that pass: configured, and timed or found in the timing cache."""
    cache = cache_of(work, layer)
    passed: list[Candidate] = []

    def attempt(combination: Combination) -> None:
        configured = tactics_v3.configure(timing, work.copies[layer], combination)
        offered = [Candidate(combination, tactic) for tactic in _tried(work, configured.tactics)]
        known = cache.tactic(combination) if cache is not None else None
        if known is not None and known in configured.tactics:
            passed.append(Candidate(combination, known))
            return
        lone = len(accepted) == len(offered) == 1
        if lone and not work.scheduler.choose("a lone candidate is timed", [True, False]):
            passed.extend(offered)
            return
        timed = _timed(work, layer, timing, offered, configured.workspace)
        if cache is not None:
            cache.store(combination, timed[0].tactic)
        passed.extend(timed)

    candidates.implementations(work, layer, accepted, attempt)
    return passed


def _tried(work: Work, tactics: tuple[int, ...]) -> tuple[int, ...]:
    """Return the tactics that may be timed: the application can limit their number."""
    most = work.settings.max_num_tactics
    return tactics[:most] if most > 0 else tactics


def _timed(work: Work, layer: Layer, timing: LayerTiming, offered: list[Candidate], workspace: int) -> list[Candidate]:
    def attempt(candidate: Candidate) -> None:
        tactics_v3.timed(timing, work.copies[layer], layer, work.analysis.rules[layer], candidate, workspace)

    return candidates.that_pass(work, layer, "tactic", work.scheduler.order("tactics are timed", offered), attempt)
