"""Choose the combination to run a plugin with, from a new object's answers for the types of its case."""

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
    """Return what the plugin accepts for the types of the case: some combinations for each choice of input types."""
    found: list[Combination] = []
    asker = RecordedAnswers(subject)
    for names in subject.case.type_choices:
        types = [subject.data_type(name) for name in names]
        found += accepted_combinations(asker, input_types=types, most=each)
    return found[:most]


def accepted_choices(subject: Subject) -> Iterator[tuple[str, ...]]:
    """Yield the combinations of the inputs' types in the case for which the plugin accepts some combination.

    The types of several inputs multiply in a case; a plugin need not take every mixture.
    """
    asker = RecordedAnswers(subject)
    for names in subject.case.type_choices:
        if accepted_combinations(asker, input_types=[subject.data_type(name) for name in names], most=1):
            yield names


def chosen_combinations(subject: Subject, most: int = 4) -> Iterator[Combination]:
    """Yield an accepted combination for each of the first few accepted choices of the inputs' types."""
    asker = RecordedAnswers(subject)
    for names in itertools.islice(accepted_choices(subject), most):
        types = [subject.data_type(name) for name in names]
        yield accepted_combinations(asker, input_types=types, most=1)[0]


def first_choice(subject: Subject) -> tuple[str, ...]:
    """Return the first combination of the inputs' types in the case that the plugin accepts.

    Where it accepts none, the first of all: what comes next says so.
    """
    accepted = next(accepted_choices(subject), None)
    return next(iter(subject.case.type_choices)) if accepted is None else accepted


def default_combination(subject: Subject) -> Combination:
    """Return the combination that a network would most likely run.

    Raises:
        NotRun: The plugin accepts none.
    """
    return subject.known("default combination", lambda: plain_combination(subject, first_choice(subject)))


class NetworkTypes(msgspec.Struct, frozen=True):
    """The types of the tensors of a network around the plugin.

    Attributes:
        inputs: The names of its inputs' types.
        outputs: The types of its outputs in the combination that the plugin would run; none where it accepts none.
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
    """Return the combination that a network with inputs of these types would most likely run.

    Reported output types and linear formats are preferred.

    Raises:
        NotRun: The plugin accepts none.
    """
    types = [subject.data_type(name) for name in type_names]
    wanted = reported_types(subject, types)
    asker = RecordedAnswers(subject)

    def strangeness(combination: Combination) -> tuple[int, int]:
        return _strangeness(subject, combination, wanted)

    accepted = accepted_combinations(asker, input_types=types, enough=lambda each: strangeness(each) == (0, 0))
    if not accepted:
        raise NotRun(f"the plugin accepts no combination for inputs of types {', '.join(type_names)}")
    return min(accepted, key=strangeness)


def output_types(subject: Subject, plugin: Any, input_types: Sequence[Any]) -> list[Any]:
    """Return the reported output types for inputs of these types.

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


def _strangeness(subject: Subject, combination: Combination, wanted: Sequence[Any]) -> tuple[int, int]:
    linear = subject.trt.TensorFormat.LINEAR
    layouts = sum(layout != linear for _, layout in combination.forms)
    others = sum(form[0] != dtype for form, dtype in zip(combination.outputs, wanted, strict=False))
    return others, layouts
