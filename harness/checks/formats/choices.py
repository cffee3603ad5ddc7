"""Choose combinations of types and formats to run a plugin with.

A choice is a tuple with one type name of the case for each data input. A combination is one that a new object of the
plugin accepts for a choice.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import msgspec

from harness.checks.formats.formats import Combination, accepted_combinations
from harness.checks.formats.recorded_answers import RecordedAnswers
from harness.contract.finding import NotRun
from harness.subject.calling import strictly

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from harness.subject.subject import Subject


def case_combinations(subject: Subject, *, each: int = 2, most: int = 8) -> list[Combination]:
    """Return at most ``each`` accepted combinations for every choice of input types, and at most ``most`` in all."""
    combinations: list[Combination] = []
    asker = RecordedAnswers(subject)
    for names in subject.case.type_choices:
        types = [subject.data_type(name) for name in names]
        combinations += accepted_combinations(asker, input_types=types, most=each)
    return combinations[:most]


def accepted_choices(subject: Subject) -> Iterator[tuple[str, ...]]:
    """Yield the choices of input types for which the plugin accepts a combination.

    A case lists the types of each input separately. The plugin need not accept all mixtures of them.
    """
    asker = RecordedAnswers(subject)
    for names in subject.case.type_choices:
        if accepted_combinations(asker, input_types=[subject.data_type(name) for name in names], most=1):
            yield names


def chosen_combinations(subject: Subject, most: int = 4) -> Iterator[Combination]:
    """Yield one accepted combination for each accepted choice of input types, for at most ``most`` choices."""
    asker = RecordedAnswers(subject)
    for names in itertools.islice(accepted_choices(subject), most):
        types = [subject.data_type(name) for name in names]
        yield accepted_combinations(asker, input_types=types, most=1)[0]


def first_choice(subject: Subject) -> tuple[str, ...]:
    """Return the first choice of input types that the plugin accepts.

    If it accepts none, the first choice of the case: a search for its combinations then reports the refusal.
    """
    accepted = next(accepted_choices(subject), None)
    return next(iter(subject.case.type_choices)) if accepted is None else accepted


def default_combination(subject: Subject) -> Combination:
    """Return the combination that a network most likely runs for the first accepted choice of input types.

    Raises:
        NotRun: The plugin accepts no combination.
    """
    return subject.known("default combination", lambda: plain_combination(subject, first_choice(subject)))


class NetworkTypes(msgspec.Struct, frozen=True):
    """The types of the tensors of a network around the plugin.

    Attributes:
        inputs: The type names of the network's inputs.
        outputs: The types of its outputs in the combination that most likely runs; empty if the plugin accepts none.
    """

    inputs: tuple[str, ...]
    outputs: tuple[Any, ...]


def network_types(subject: Subject, type_names: Sequence[str] | None = None) -> NetworkTypes:
    """Return the types of a network with inputs of these types, or of the first choice that the plugin accepts."""
    names = tuple(type_names or first_choice(subject))
    try:
        outputs = plain_combination(subject, names).outputs
    except NotRun:
        return NetworkTypes(names, ())
    return NetworkTypes(names, tuple(dtype for dtype, _ in outputs))


def plain_combination(subject: Subject, type_names: Sequence[str]) -> Combination:
    """Return the combination that a network with inputs of these types most likely runs.

    Combinations with the reported output types are preferred, then those with the most linear formats.

    Raises:
        NotRun: The plugin accepts no combination.
        CallbackFailedError: A query failed.
    """
    types = [subject.data_type(name) for name in type_names]
    reported = reported_types(subject, types)
    asker = RecordedAnswers(subject)

    def strangeness(combination: Combination) -> tuple[int, int]:
        return _strangeness(subject, combination, reported)

    accepted = accepted_combinations(asker, input_types=types, enough=lambda each: strangeness(each) == (0, 0))
    if not accepted:
        raise NotRun(f"the plugin accepts no combination for inputs of types {', '.join(type_names)}")
    return min(accepted, key=strangeness)


def output_types(subject: Subject, plugin: Any, input_types: Sequence[Any]) -> list[Any]:
    """Return the output types that the plugin reports for inputs of these types.

    Raises:
        CallbackFailedError: The query failed.
    """
    with strictly(subject.gate):
        return subject.caller.output_types(subject.gate, plugin, input_types)


def reported_types(subject: Subject, input_types: Sequence[Any]) -> list[Any]:
    """Return the output types that a new object reports for inputs of these types.

    Raises:
        CallbackFailedError: The query failed.
    """
    key = ("output types", tuple(input_types))
    return subject.known(key, lambda: output_types(subject, subject.create(), input_types))


def _strangeness(subject: Subject, combination: Combination, reported: Sequence[Any]) -> tuple[int, int]:
    """Return the number of outputs without their reported type, and the number of tensors that are not linear."""
    linear = subject.trt.TensorFormat.LINEAR
    layouts = sum(layout != linear for _, layout in combination.forms)
    others = sum(form[0] != dtype for form, dtype in zip(combination.outputs, reported, strict=False))
    return others, layouts
