"""Find the combinations of formats that a plugin layer accepts, time them, and choose a combination.

A real builder chooses the fastest candidate. This builder chooses the candidate that needs the fewest reformats at the
layer's edges, the first found among equals. Seeds other than 0 choose any candidate that passed timing, because a
plugin has to work with every accepted combination.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from reference_runtime.builder import formats, selection
from reference_runtime.builder.layer_timing import LayerTiming
from reference_runtime.calling.gate.gate import Phase
from reference_runtime.values.descriptions import Bounds
from reference_runtime.values.enums_building import BuilderFlag
from reference_runtime.values.formats import REAL_TYPES
from reference_runtime.values.refusals import Reason, Refused, warn

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from reference_runtime.builder.formats import Combination
    from reference_runtime.builder.work import Copy, Point, Work
    from reference_runtime.network.graph.graph_parts import Layer
    from reference_runtime.values.descriptions import Extents

C = TypeVar("C")


def timing_of(work: Work, layer: Layer) -> LayerTiming:
    """Return the settings for the timing of a layer."""
    return LayerTiming(
        gate=work.graph.gate,
        scheduler=work.scheduler,
        device=work.device,
        workspace_limit=work.settings.workspace_limit,
        iterations=work.settings.avg_timing_iterations + work.scheduler.count("more timed runs", 0, 3),
        num_inputs=len(layer.inputs),
        tensors=[*layer.inputs, *layer.outputs],
        points=work.points,
        aliases=work.analysis.aliases[layer],
    )


def negotiated(
    work: Work,
    layer: Layer,
    *,
    dims: Sequence[Extents] | None = None,
    copy: Copy | None = None,
    shown: Point | None = None,
    sharing: bool = True,
) -> list[Combination]:
    """Return the combinations that a plugin accepts; refuse a layer that has none.

    ``copy`` is the plugin to query, by default the builder's copy. It sees the shapes ``dims``, by default those of the
    network, and the bounds of the profile ``shown``. With ``sharing``, combinations are left out in which an output
    cannot share the memory of the input that it aliases.
    """
    tensors, copy = [*layer.inputs, *layer.outputs], copy or work.copies[layer]
    if shown is None:
        shown = work.points[0]
        if copy.interface.shows_profile:
            shown = work.scheduler.choose("profile shown in format queries", work.points)
    bounds = [Bounds(work.default(tensor), *shown.ranges[tensor]) for tensor in tensors]
    limit = copy.interface.format_limit(work.graph.gate, copy.capabilities)
    ask = formats.question(work.graph.gate, copy, bounds, len(layer.inputs))
    extents_of = dims or [work.analysis.facts[tensor].dims for tensor in tensors]
    candidates = [
        work.scheduler.order(
            "candidates",
            formats.offers(
                tensor,
                extents,
                work.settings.chosen,
                strongly_typed=work.graph.strongly_typed,
            ),
        )
        for tensor, extents in zip(tensors, extents_of, strict=True)
    ]
    with work.graph.gate.during(Phase.NEGOTIATION):
        accepted = formats.accepted_combinations(ask, candidates, limit=limit)
    if sharing:
        accepted = [combination for combination in accepted if shares_well(work, layer, combination)]
    if not accepted:
        raise Refused(
            f"{layer.name}: could not find any supported formats consistent with input/output data types",
            Reason.NO_IMPLEMENTATION,
        )
    return _constrained(work, layer, accepted)


def _constrained(work: Work, layer: Layer, accepted: list[Combination]) -> list[Combination]:
    """Keep the combinations with the precision and types that the application set on a layer, if flags demand it."""
    flags = work.settings.chosen
    obey = BuilderFlag.OBEY_PRECISION_CONSTRAINTS in flags
    if not obey and BuilderFlag.PREFER_PRECISION_CONSTRAINTS not in flags:
        return accepted
    fitting = [combination for combination in accepted if _keeps_constraints(layer, combination)]
    if obey and not fitting:
        why = f"{layer.name}: no combination keeps the precision and types that are set, and they are to be obeyed"
        raise Refused(why, Reason.NO_IMPLEMENTATION)
    return fitting or accepted


def _keeps_constraints(layer: Layer, combination: Combination) -> bool:
    inputs, outputs = combination[: len(layer.inputs)], combination[len(layer.inputs) :]
    precise = layer.precision is None or all(desc.type == layer.precision for desc in inputs if desc.type in REAL_TYPES)
    typed = all(
        not tensor.type_is_set or desc.type == tensor.dtype for tensor, desc in zip(layer.outputs, outputs, strict=True)
    )
    return precise and typed


def shares_well(work: Work, layer: Layer, combination: Combination) -> bool:
    """Say whether outputs have the type and layout of the inputs whose memory they share."""
    outputs = combination[len(layer.inputs) :]
    return all(
        source < 0 or (combination[source].type, combination[source].format) == (desc.type, desc.format)
        for desc, source in zip(outputs, work.analysis.aliases[layer], strict=True)
    )


def implementations(work: Work, layer: Layer, accepted: Sequence[C], attempt: Callable[[C], object]) -> list[C]:
    """Return the combinations with which the plugin passes timing; refuse a layer that has none."""
    try:
        return that_pass(work, layer, "combination", accepted, attempt)
    except Refused as refused:
        why = f"Could not find any implementation for node {layer.name}: {refused}"
        raise Refused(why, Reason.NO_IMPLEMENTATION) from refused


def that_pass(work: Work, layer: Layer, kind: str, candidates: Sequence[C], attempt: Callable[[C], object]) -> list[C]:
    """Return the candidates that pass; warn of the others, and raise the first problem if none passes."""
    problems = [_problem(attempt, candidate) for candidate in candidates]
    refusals = [problem for problem in problems if problem is not None]
    for problem in refusals:
        warn(layer.name, f"Skipping a {kind}: {problem}", to=work.graph.logger)
    if len(refusals) == len(problems):
        raise refusals[0]
    return [candidate for candidate, problem in zip(candidates, problems, strict=True) if problem is None]


def _problem(attempt: Callable[[C], object], candidate: C) -> Refused | None:
    try:
        attempt(candidate)
    except Refused as refused:
        return refused
    return None


def chosen(work: Work, layer: Layer, passed: Sequence[C], combination_of: Callable[[C], Combination]) -> C:
    """Choose among the candidates that the application's algorithm selector allows, and record the choice for it."""
    tensors = (*layer.inputs, *layer.outputs)

    def reformats(candidate: C) -> int:
        return sum(
            work.stored.get(tensor, desc) != desc
            for tensor, desc in zip(tensors, combination_of(candidate), strict=True)
        )

    candidates = selection.allowed(work, layer, passed, combination_of)
    best = min(candidates, key=reformats)
    taken = work.scheduler.choose("combination", [best, *candidates])
    selection.note(work, layer, taken, combination_of)
    return taken
