"""Build a layer with an `IPluginV3` without timing it, in the two ways of NVIDIA's builder without a GPU.

Observed on TensorRT-RTX 1.7.1. Each profile has a clone of the builder's copy, which negotiates with the bounds of that
profile.

* On *clones*: for each accepted combination the clone is configured. It is asked for the workspace, then the tactics.
  At the end it is asked three times for its fields. NVIDIA's builder usually goes this way.
* On *attached objects*: the clone is never configured. For each accepted combination it is asked for all combinations
  again. Then it attaches an object, which is configured, asked for its tactics and destroyed. It attaches another for
  the chosen combination. That object gets the tactic before it is asked for the workspace, and is asked twice for its
  fields. NVIDIA's builder goes this way for plugins with aliases or size tensors. It also configures combinations in
  which an output cannot share the memory of the input that it aliases.

Here the fields come from an object whose last configuration was for the chosen combination. With several combinations,
NVIDIA's builder asks the clone for its fields after the configuration for the last of them.
"""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from reference_runtime.builder import candidates, tactics_v3
from reference_runtime.builder.copies import copy_for_a_profile
from reference_runtime.builder.planned import planned, saved_by
from reference_runtime.builder.tactics_v3 import Candidate, Configured
from reference_runtime.builder.work import Copy
from reference_runtime.calling.gate.gate import Phase
from reference_runtime.calling.trampolines import v3
from reference_runtime.calling.trampolines.capabilities import null_pointer
from reference_runtime.interfaces.resources import end_resource_context, new_resource_context
from reference_runtime.values.refusals import Reason, Refused

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from reference_runtime.builder.formats import Combination
    from reference_runtime.builder.layer_timing import LayerTiming
    from reference_runtime.builder.work import Work
    from reference_runtime.network.graph.graph_parts import Layer
    from reference_runtime.plan import LayerPlan

_Answers = dict["Combination", Configured]
"""A plugin's answers in one profile, for each combination with which it could be configured."""


class _Profile(NamedTuple):
    """The timing settings of one profile, and the clone that was made for it."""

    timing: LayerTiming
    clone: Copy


def on_clones(work: Work, layer: Layer) -> LayerPlan:
    """Return the plan of a layer whose plugin is configured on a clone for each profile."""
    with _profiles(work, layer) as profiles:
        answers = [_answers(work, layer, profile, _configure) for profile in profiles]
        taken = _agreed(work, layer, answers)[-1]
        for profile, own in zip(profiles, answers, strict=True):
            if taken.combination != list(own)[-1]:
                _configure(profile, taken.combination)
            with work.graph.gate.during(Phase.SERIALIZATION):
                saved = saved_by(work, layer, profile.clone, 3)
        candidates.chosen(work, layer, [taken], lambda one: one.combination)
        work.settle([*layer.inputs, *layer.outputs], taken.combination)
        workspace = max(own[taken.combination].workspace for own in answers)
        return planned(work, layer, taken.combination, workspace, tactic=taken.tactic, saved=saved)


def on_attached_objects(work: Work, layer: Layer) -> LayerPlan:
    """Return the plan of a layer whose plugin is configured on objects that are attached to contexts."""
    with _profiles(work, layer) as profiles:
        answers = [_answers(work, layer, profile, _configure_attached, again=True) for profile in profiles]
        taken = candidates.chosen(work, layer, _agreed(work, layer, answers), lambda one: one.combination)
        work.settle([*layer.inputs, *layer.outputs], taken.combination)
        sizes = []
        for profile in profiles:
            with _attached(profile) as attached:
                _prepare(profile, attached, taken.combination)
                with work.graph.gate.during(Phase.CONFIGURATION):
                    tactics_v3.take(work, layer, attached, taken.tactic)
                sizes.append(tactics_v3.workspace_again(profile.timing, attached, taken.combination))
                with work.graph.gate.during(Phase.SERIALIZATION):
                    saved = saved_by(work, layer, attached, 2)
        return planned(work, layer, taken.combination, max(sizes), tactic=taken.tactic, saved=saved)


@contextmanager
def _profiles(work: Work, layer: Layer) -> Iterator[list[_Profile]]:
    timing = candidates.timing_of(work, layer)
    with ExitStack() as ends:
        clones = [copy_for_a_profile(work.graph, layer, work.copies[layer]) for _ in work.points]
        yield [
            _Profile(replace(timing, points=[point]), ends.enter_context(clone))
            for point, clone in zip(work.points, clones, strict=True)
        ]


def _answers(
    work: Work,
    layer: Layer,
    profile: _Profile,
    configure: Callable[[_Profile, Combination], Configured],
    *,
    again: bool = False,
) -> _Answers:
    """Negotiate with a clone, then configure for each accepted combination; ``again``: negotiate before each, too."""
    (point,) = profile.timing.points

    def negotiate() -> list[Combination]:
        return candidates.negotiated(work, layer, copy=profile.clone, shown=point, sharing=False)

    answers: _Answers = {}

    def attempt(combination: Combination) -> None:
        if again:
            negotiate()
        answers[combination] = configure(profile, combination)

    candidates.implementations(work, layer, negotiate(), attempt)
    return answers


def _agreed(work: Work, layer: Layer, answers: Sequence[_Answers]) -> list[Candidate]:
    """Return the combinations that are usable in all profiles, each with the first tactic that all profiles have.

    Combinations are left out in which an output cannot share the memory of the input that it aliases.
    """
    first, *others = answers
    agreed = []
    for combination, configured in first.items():
        shares = candidates.shares_well(work, layer, combination)
        if shares and all(combination in other for other in others):
            tactics = [
                tactic for tactic in configured.tactics if all(tactic in other[combination].tactics for other in others)
            ]
            agreed += [Candidate(combination, tactic) for tactic in tactics[:1]]
    if not agreed:
        why = f"{layer.name}: no combination and tactic is supported in all profiles"
        raise Refused(why, Reason.NO_IMPLEMENTATION)
    return agreed


def _configure(profile: _Profile, combination: Combination) -> Configured:
    _prepare(profile, profile.clone, combination)
    (described,) = tactics_v3.in_profiles(profile.timing, combination)
    size = tactics_v3.workspace_of(profile.timing, profile.clone, described)
    tactics = tactics_v3.tactics_of(profile.timing, profile.clone)
    return Configured(tuple(tactics) or (tactics_v3.DEFAULT_TACTIC,), profile.timing.allowed_workspace(size))


def _configure_attached(profile: _Profile, combination: Combination) -> Configured:
    with _attached(profile) as attached:
        _prepare(profile, attached, combination)
        tactics = tactics_v3.tactics_of(profile.timing, attached)
        return Configured(tuple(tactics) or (tactics_v3.DEFAULT_TACTIC,), workspace=0)


def _prepare(profile: _Profile, copy: Copy, combination: Combination) -> None:
    (described,) = tactics_v3.in_profiles(profile.timing, combination)
    tactics_v3.prepare(profile.timing, copy, described)


@contextmanager
def _attached(profile: _Profile) -> Iterator[Copy]:
    """Attach an object to a context; NVIDIA's builder uses its BUILD capability without a check."""
    gate, clone, resources = profile.timing.gate, profile.clone, new_resource_context()
    with gate.during(Phase.CONFIGURATION):
        plugin = v3.attach_to_context(gate, clone.capabilities.runtime, resources)
    if plugin is None:
        raise clone.interface.no_copy(clone.plugin, "attach_to_context", "no plugin was attached to a context")
    try:
        capabilities = clone.interface.capabilities(gate, plugin, build=True)
        if capabilities is None:
            raise null_pointer(plugin, "get_capability_interface")
        capabilities.anew = profile.timing.scheduler.choose("capabilities asked for before each use", [False, True])
        yield Copy(clone.interface, capabilities)
    finally:
        with gate.during(Phase.DESTRUCTION):
            v3.destroy(gate, plugin)
        end_resource_context(resources)
