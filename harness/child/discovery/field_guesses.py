"""Guess field values from a creator's advertised fields, its source, and its refusals."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from harness.contract.wording import in_brackets
from harness.subject.creators import definition_of
from harness.subject.fields import FieldValue, advertised_fields
from reference_runtime.interfaces.field_collections import declared_dtype
from reference_runtime.values.enums import PluginFieldType

if TYPE_CHECKING:
    from harness.child.discovery.attempts import Attempts
    from harness.child.discovery.source_hints import SourceHints
    from harness.subject.subject import Subject

#: How many mixtures of field values are tried, and how many behind the first that works; how many of those that work
#: are kept, with equal numbers of elements and in all.
MOST_FIELD_GUESSES, MOST_BEHIND, MOST_ALIKE, MOST_FIELD_CHOICES = 300, 20, 3, 6
#: How often refusals are read for texts and numbers of elements to try.
LESSONS = 2
#: Values to try for all fields alike, the most telling first: 1 and 0 hide what a parameter does.
_FIELD_VALUES = ((2,), (3,), (1,), (0,), (2, 1), (1, 1), (0, 0), (2, 1, 1, 2), (1, 1, 1, 1))


def field_choices(subject: Subject, attempts: Attempts, hints: SourceHints) -> tuple[list[dict[str, Any]], str]:
    """Return field values that ``create_plugin`` takes, those for all fields first, and its first refusal in words."""
    first = ""
    for _ in range(LESSONS):
        taken, refusals = _taken(subject, attempts, hints)
        first = first or next((f"create_plugin {how}{told}" for how, told in refusals.items()), "")
        learned = hints.learning(refusals)
        if taken or learned == hints:
            break
        hints = learned
    return taken, first or "create_plugin made no plugin"


def _taken(subject: Subject, attempts: Attempts, hints: SourceHints) -> tuple[list[dict[str, Any]], dict[str, str]]:
    """Return field values that ``create_plugin`` takes, and each refusal with its place and the fields it met first."""
    taken: list[dict[str, Any]] = []
    refusals: dict[str, str] = {}
    advertised = advertised_fields(subject.creator)
    types = {each.name: _declared(each) for each in advertised}
    definition = definition_of(subject.creator)
    guesses = _field_guesses(advertised, hints)
    if definition is not None:  # it is given all its attributes
        guesses = (fields for fields in guesses if fields.keys() == definition.known.attributes.keys())
    behind = 0
    for fields in itertools.islice(guesses, MOST_FIELD_GUESSES):
        alike = [other for other in taken if _sizes(other) == _sizes(fields)]
        if len(taken) == MOST_FIELD_CHOICES or behind == MOST_BEHIND:
            break
        behind += bool(taken)
        if len(alike) == MOST_ALIKE:
            continue
        is_made, how, place = attempts.creation([FieldValue(*each, types[each[0]]) for each in fields.items()])
        if is_made:
            taken.append(fields)
        elif how:
            refusals.setdefault(how, f"{in_brackets(place)}, given {fields or 'no fields'}")
    return taken, refusals


def _sizes(fields: dict[str, Any]) -> dict[str, int]:
    return {name: int(value.size) for name, value in fields.items()}


def _worded_guesses(advertised: Sequence[Any], hints: SourceHints) -> Iterator[dict[str, Any]]:
    """Yield field values to try in which each text is one that the source compares texts with, best this field's."""
    places = [index for index, each in enumerate(advertised) if each.type.name == "CHAR"]
    words = [hints.named.get(advertised[place].name, hints.words) for place in places]
    for chosen in itertools.product(*words) if places else ():
        texts = {
            advertised[place].name: np.frombuffer(word.encode(), np.int8)
            for place, word in zip(places, chosen, strict=True)
        }
        yield {each.name: texts.get(each.name, _field_data(each, (2 + k,))) for k, each in enumerate(advertised)}


def _field_guesses(advertised: Sequence[Any], hints: SourceHints) -> Iterator[dict[str, Any]]:
    """Yield field values to try: words of the source, different values, equal ones, all but one, none, every mixture.

    Different ones come first, both ways round: parameters that are equal cannot be seen to be mixed up.
    """
    yield from _worded_guesses(advertised, hints)
    for numbers in (range(len(advertised)), range(len(advertised) - 1, -1, -1)):
        if len(advertised) > 1:
            yield {each.name: _field_data(each, (2 + k,)) for each, k in zip(advertised, numbers, strict=True)}
    for values in (*_FIELD_VALUES, *((1,) * number for number in hints.lengths)) if advertised else ():
        yield {each.name: _field_data(each, values) for each in advertised}
    for values, left_out in itertools.product(_FIELD_VALUES, advertised if len(advertised) > 1 else ()):
        yield {each.name: _field_data(each, values) for each in advertised if each is not left_out}
    yield {}
    for mixture in itertools.product((*_FIELD_VALUES, None), repeat=len(advertised)):
        pairs = zip(advertised, mixture, strict=True)
        yield {each.name: _field_data(each, values) for each, values in pairs if values is not None}


def _declared(field: Any) -> PluginFieldType:
    """Return the type of an advertised field; one without a type is taken for an integer."""
    kind: PluginFieldType = field.type
    return PluginFieldType.INT32 if kind == PluginFieldType.UNKNOWN else kind


def _field_data(field: Any, values: tuple[int, ...]) -> Any:
    dtype = declared_dtype(_declared(field))
    return np.array(values, np.int8 if dtype is None else dtype)
