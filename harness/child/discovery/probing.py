"""Inferring a case for a plugin that has none: fields, inputs, ranks and types that it accepts.

A refusal narrows the case and is no failure: the attempt that comes farthest wins, and of equals the first.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from harness.cases.case import Case, Input
from harness.checks.formats.formats import Asker, accepted_combinations
from harness.checks.running.driver import Driver
from harness.checks.sampling.sampling import best_shapes, corner_shapes
from harness.contract.api_level import missing_types
from harness.contract.finding import CallbackFailedError, NotRun, SkippedCallbackError
from harness.contract.interface import IMPLICIT_BATCH
from harness.subject.creators import definition_of
from harness.subject.fields import FieldValue, advertised_fields
from harness.subject.serialized_cases import plain_input
from reference_runtime.interfaces.field_collections import declared_dtype

if TYPE_CHECKING:
    from harness.subject.subject import Subject

NUMBERS_OF_INPUTS = (1, 2, 3, 4, 5, 6)
RANKS = (4, 3, 2, 5, 1)
TYPES = ("float32", "float16", "int32", "int8", "int64", "bfloat16")
#: The scale of an INT8 tensor that has none.
SCALE = 0.05
#: Profiles (min, opt, max) to try, of which a plugin of rank n gets the last n extents: odd ones, where rounding
#: shows, then powers of two, for plugins that need a multiple of something.
_LADDERS = (
    ((1, 1, 1, 1, 1), (2, 2, 3, 8, 8), (4, 3, 4, 9, 16)),
    ((2, 4, 16, 8, 8), (2, 4, 16, 8, 8), (4, 8, 32, 16, 16)),
)
#: How many mixtures of field values are tried, and how many of those that work are tried further.
MOST_FIELD_GUESSES, MOST_FIELD_CHOICES = 300, 3
#: Values to try for all fields alike, the most telling first: 1 and 0 hide what a parameter does.
_FIELD_VALUES = ((2,), (3,), (1,), (0,), (2, 1), (1, 1), (0, 0), (2, 1, 1, 2), (1, 1, 1, 1))
#: How a plugin says that it does not want what was tried, or shows that it has more inputs or extents (IndexError);
#: any other exception is taken for a defect.
_REFUSALS = (
    "raised ValueError",
    "raised RuntimeError",
    "raised AssertionError",
    "raised NotImplementedError",
    "raised IndexError",
)
_STAGES = ("nothing", "created", "shapes", "formats", "configured", "best", "all")


@dataclasses.dataclass(frozen=True)
class Attempt:
    """One case tried: how far the plugin went with it (an index into ``_STAGES``)."""

    case: Case
    reached: int
    refusal: str = ""


class NoCaseError(Exception):
    """The plugin refused everything that was tried; the argument says how."""


def probe(subject: Subject) -> Case:
    """Return the case with which the plugin goes farthest; its name is ``inferred``.

    Raises:
        NoCaseError: No plugin could be created, or it refused every shape.
    """
    best = Attempt(subject.case, -1)
    for case in _candidates(subject, _field_choices(subject)):
        attempt = _attempt(subject.with_case(case))
        if attempt.reached > best.reached:
            best = attempt
        if attempt.reached == len(_STAGES) - 1:
            break
    if best.reached < _STAGES.index("best") and best.refusal:
        raise NoCaseError(f"it refused every number, rank, shape and type of inputs that was tried: {best.refusal}")
    return _with_types(subject, best)


def paste(case: Case) -> str:
    """Return the text of a ``<module>_cases.py`` that holds the case."""
    lines = [f'"plugin": {case.plugin!r},']
    lines += [f'"version": {case.version!r},'] if case.version != "1" else []
    lines += [f'"namespace": {case.namespace!r},'] if case.namespace else []
    lines += [f'"name": {case.name!r},']
    if case.fields:
        fields = ", ".join(
            f"{name!r}: np.array({value.tolist()}, np.{value.dtype})" for name, value in case.fields.items()
        )
        lines += [f'"fields": {{{fields}}},']
    lines += ['"inputs": [', *(f"    {plain_input(entry)}," for entry in case.inputs), "],"]
    names = ", ".join(f"x{index}" for index in range(len(case.inputs)))
    lines += [f'# "reference": lambda {names}, *, fields: ...  # NumPy; without it results are not judged']
    body = "\n".join(f"        {line}" for line in lines)
    return f"import numpy as np\n\nPLUGIN_CASES = [\n    {{\n{body}\n    }},\n]"


def _candidates(subject: Subject, field_choices: list[dict[str, Any]]) -> Iterator[Case]:
    """Yield cases to try: fields that the creator takes, then few inputs before many."""
    definition = definition_of(subject.creator)
    counts = NUMBERS_OF_INPUTS if definition is None else (len(definition.known.tensors),)
    for fields, ladder in itertools.product(field_choices, _LADDERS):
        for count, rank in itertools.product(counts, RANKS):
            dims = tuple(f"d{axis}" for axis in range(rank))
            low, best, high = (corner[-rank:] for corner in ladder)
            for types in ((name,) for name in types_at(subject.spec)):
                entry = Input(dims=dims, min=low, opt=best, max=high, types=types, scale=_scale(types))
                if subject.interface in IMPLICIT_BATCH:
                    entry = _batch_of(entry)
                yield dataclasses.replace(subject.case, fields=fields, inputs=(entry,) * count)


def _batch_of(entry: Input) -> Input:
    """Return an input whose first extent alone varies."""
    low, best, high = entry.profile
    item = best[1:]
    return dataclasses.replace(entry, dims=("N", *item), min=(low[0], *item), max=(high[0], *item))


def _field_choices(subject: Subject) -> list[dict[str, Any]]:
    """Return field values that ``create_plugin`` takes, those for all fields first; none is an error."""
    taken: list[dict[str, Any]] = []
    refusal = ""
    advertised = advertised_fields(subject.creator)
    types = {each.name: each.type for each in advertised}
    definition = definition_of(subject.creator)
    guesses = _field_guesses(advertised)
    if definition is not None:  # it is given all its attributes
        guesses = (fields for fields in guesses if fields.keys() == definition.known.attributes.keys())
    for fields in itertools.islice(guesses, MOST_FIELD_GUESSES):
        offered = [FieldValue(name, value, types[name]) for name, value in fields.items()]
        plugin, failure = subject.try_create(offered)
        if plugin is not None:
            taken.append(fields)
        elif failure is not None:
            refusal = refusal or f"create_plugin {failure.what}, given {fields or 'no fields'}"
        if len(taken) == MOST_FIELD_CHOICES:
            break
    if not taken:
        raise NoCaseError(refusal or "create_plugin made no plugin")
    return taken


def _field_guesses(advertised: Sequence[Any]) -> Iterator[dict[str, Any]]:
    """Yield field values to try: different ones, the same for all, none, then every mixture, some left out.

    Different ones come first, both ways round: parameters that are equal cannot be seen to be mixed up.
    """
    for numbers in (range(len(advertised)), range(len(advertised) - 1, -1, -1)):
        if len(advertised) > 1:
            yield {each.name: _field_data(each, (2 + k,)) for each, k in zip(advertised, numbers, strict=True)}
    for values in _FIELD_VALUES if advertised else ():
        yield {each.name: _field_data(each, values) for each in advertised}
    yield {}
    for mixture in itertools.product((*_FIELD_VALUES, None), repeat=len(advertised)):
        pairs = zip(advertised, mixture, strict=True)
        yield {each.name: _field_data(each, values) for each, values in pairs if values is not None}


def _field_data(field: Any, values: tuple[int, ...]) -> Any:
    dtype = declared_dtype(field.type)
    return np.array(values, np.int8 if dtype is None else dtype)


def _attempt(subject: Subject) -> Attempt:
    reached = 0
    try:
        for reached, _ in enumerate(_steps(subject), start=1):  # noqa: B007 - how far it came
            pass
    except CallbackFailedError as error:
        how = error.mishap.how
        refusal = f"{error.mishap.callback} {how}" if how.startswith(_REFUSALS) else ""
        return Attempt(subject.case, reached, refusal)
    except (NotRun, SkippedCallbackError):
        return Attempt(subject.case, reached)
    return Attempt(subject.case, reached)


def _steps(subject: Subject) -> Iterator[None]:
    """Walk the plugin through its life; each step that succeeds yields."""
    plugin = subject.create()
    yield
    asker = Asker(subject, plugin)
    yield
    types = [subject.data_type(entry.types[0]) for entry in subject.case.data_inputs]
    combinations = accepted_combinations(asker, input_types=types, most=1)
    if not combinations:
        raise NotRun("no combination")
    yield
    bench = Driver(subject, plugin, combinations[0], stranger=True).prepare()
    yield
    bench.run(best_shapes(subject.case))
    yield
    for shapes in corner_shapes(subject.case):
        bench.run(shapes)
    yield


def _with_types(subject: Subject, best: Attempt) -> Case:
    """Add the other types with which the plugin goes as far; narrow the profile if only its middle runs."""
    case = best.case
    if best.reached == _STAGES.index("best"):
        narrowed = tuple(dataclasses.replace(each, min=each.opt, max=each.opt) for each in case.inputs)
        return dataclasses.replace(case, inputs=narrowed)
    if best.reached < len(_STAGES) - 1:
        return case
    first = case.inputs[0].types[0] if case.inputs else ""

    def typed(*types: str) -> Case:
        inputs = tuple(dataclasses.replace(each, types=types, scale=_scale(types)) for each in case.inputs)
        return dataclasses.replace(case, inputs=inputs)

    others = (name for name in types_at(subject.spec) if name != first)
    tried = ((name, _attempt(subject.with_case(typed(name)))) for name in others)
    return typed(first, *(name for name, attempt in tried if attempt.reached == len(_STAGES) - 1))


def types_at(spec: str) -> tuple[str, ...]:
    """Return the types to try at an API level."""
    return tuple(name for name in TYPES if not missing_types(spec, [name]))


def _scale(types: tuple[str, ...]) -> float | None:
    return SCALE if "int8" in types else None
