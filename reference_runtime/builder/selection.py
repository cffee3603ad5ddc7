"""Let the application's IAlgorithmSelector choose among the candidates that passed, and report the final choice."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from reference_runtime.application import algorithms
from reference_runtime.application.algorithms import Choice, Question
from reference_runtime.values.enums_building import BuilderFlag
from reference_runtime.values.refusals import Reason, Refused

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from reference_runtime.builder.formats import Combination
    from reference_runtime.builder.work import Work
    from reference_runtime.network.graph.graph_parts import Layer

C = TypeVar("C")
_MILLISECONDS = 1.0
"""The reported time of each candidate: no time is measured."""


def allowed(work: Work, layer: Layer, passed: Sequence[C], combination_of: Callable[[C], Combination]) -> Sequence[C]:
    """Return the candidates that the application's selector allows: all if it makes no choice."""
    selector = work.settings.algorithm_selector
    if selector is None:
        return passed
    shown = [_choice(candidate, combination_of) for candidate in passed]
    indices = algorithms.select(work.graph.gate, selector, _question(work, layer), shown)
    if indices is None:
        return passed
    wrong = [index for index in indices if not 0 <= index < len(passed)]
    if wrong:
        why = f"{layer.name}: the algorithm selector chose {wrong}, and there are {len(passed)} algorithms"
        raise Refused(why, Reason.USAGE)
    if not indices and BuilderFlag.REJECT_EMPTY_ALGORITHMS in work.settings.chosen:
        why = f"{layer.name}: the algorithm selector chose nothing, and REJECT_EMPTY_ALGORITHMS is set"
        raise Refused(why, Reason.NO_IMPLEMENTATION)
    return [passed[index] for index in indices] or passed


def note(work: Work, layer: Layer, taken: C, combination_of: Callable[[C], Combination]) -> None:
    """Remember the choice for a layer."""
    if work.settings.algorithm_selector is not None:
        work.selected.append((_question(work, layer), _choice(taken, combination_of)))


def report(work: Work) -> None:
    """Report to the selector the choice for every layer."""
    if work.settings.algorithm_selector is not None:
        algorithms.report(work.graph.gate, work.settings.algorithm_selector, work.selected)


def _question(work: Work, layer: Layer) -> Question:
    tensors = (*layer.inputs, *layer.outputs)
    return Question(layer.name, len(layer.inputs), tuple(work.points[0].ranges[tensor] for tensor in tensors))


def _choice(candidate: C, combination_of: Callable[[C], Combination]) -> Choice:
    tactic: int = getattr(candidate, "tactic", 0)
    return Choice(tuple(combination_of(candidate)), tactic, _MILLISECONDS, workspace=0)
