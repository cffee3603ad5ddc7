"""Guess field values from a creator's advertised fields, its source, and its refusals."""

from __future__ import annotations

import dataclasses
import itertools
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from harness.child.discovery.learning import learned
from harness.contract.wording import in_brackets
from harness.subject.creators import definition_of
from harness.subject.fields import advertised_fields, case_fields
from reference_runtime.interfaces.field_collections import declared_dtype
from reference_runtime.values.enums import PluginFieldType

if TYPE_CHECKING:
    from harness.child.discovery.attempts import Attempts
    from harness.child.discovery.source_hints import SourceHints
    from harness.subject.subject import Subject

#: How many mixtures of field values are tried, and how many behind the first that works; how many of those that work
#: are kept, with equal numbers of elements and in all.
MOST_FIELD_GUESSES, MOST_BEHIND, MOST_ALIKE, MOST_FIELD_CHOICES = 300, 20, 3, 6
#: How many guesses are tried of which each has one field changed, as the last refusal suggests.
MOST_LEARNED = 600
#: How often refusals are read for texts and numbers of elements to try.
LESSONS = 2
#: Values to try for all fields alike, the most telling first: 1 and 0 hide what a parameter does.
_FIELD_VALUES = ((2,), (3,), (1,), (0,), (2, 1), (1, 1), (0, 0), (2, 1, 1, 2), (1, 1, 1, 1))
#: The same for creators that read further.
_LONG_VALUES = tuple(tuple(range(1, length + 1)) for length in (6, 8, 16))
#: Values to try for one field.
_VALUES = ((1,), (0,), (0.5,), (2,), (3,), (2, 1), (2, 1, 1), (2, 1, 1, 2), *_LONG_VALUES)
#: More elements than this are many.
MOST_SHORT = 4
#: More declared elements than this are not guessed.
MOST_ELEMENTS = 4096
#: Texts that plugins often know.
_TEXTS = ("add", "sum", "mean", "mul", "max", "min", "none", "avg", "nearest", "linear", "bilinear", "constant",
          "relu", "gelu", "tanh", "sigmoid", "zeros", "NCHW")  # fmt: skip
#: Names of fields that are fractions, if their type is not declared.
_FRACTIONS = re.compile("alpha|beta|gamma|bias|weight|scale|embedding|mean|var|eps|slope|factor|thresh|kernel")
_WORD, _NUMBER = re.compile(r"[a-z][a-z0-9]*"), re.compile(r"(?<![\w.:])\d{1,2}(?![\w.])")


def field_choices(subject: Subject, attempts: Attempts, hints: SourceHints) -> tuple[list[dict[str, Any]], str]:
    """Return field values that ``create_plugin`` takes, those for all fields first, and its first refusal in words."""
    first = ""
    for _ in range(LESSONS):
        taken, refusals = _taken(subject, attempts, hints)
        first = first or next((f"create_plugin {how}{detail}" for how, detail in refusals.items()), "")
        better = hints.learning(refusals)
        if taken or better == hints:
            break
        hints = better
    if not taken:
        is_free = definition_of(subject.creator) is None
        taken = (is_free and _learned(subject, attempts, hints)) or _taken(subject, attempts, hints, mixed=True)[0]
    return taken, first or "create_plugin made no plugin"


def _taken(
    subject: Subject, attempts: Attempts, hints: SourceHints, *, mixed: bool = False
) -> tuple[list[dict[str, Any]], dict[str, str]]:
    """Return field values that ``create_plugin`` takes, and each refusal with its place and the fields it met first.

    Unless ``mixed``, fields are only left out, and values only mixed, behind a guess that is taken.
    """
    taken: list[dict[str, Any]] = []
    refusals: dict[str, str] = {}
    advertised = _advertised(subject)

    def all_guesses() -> Iterator[dict[str, Any]]:
        yield from _field_guesses(advertised, hints)
        if mixed or taken:
            yield from _mixed_guesses(advertised)

    guesses = all_guesses()
    definition = definition_of(subject.creator)
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
        is_made, how, place = _creation(subject, attempts, fields)
        if is_made:
            taken.append(fields if taken else _shortened(subject, attempts, fields))
        elif how:
            refusals.setdefault(how, f"{in_brackets(place)}, given {fields or 'no fields'}")
    return taken, refusals


def _creation(subject: Subject, attempts: Attempts, fields: dict[str, Any]) -> tuple[bool, str, str]:
    case = dataclasses.replace(subject.case, fields=fields)
    return attempts.creation(case_fields(subject.trt, subject.creator, case))


def _shortened(subject: Subject, attempts: Attempts, fields: dict[str, Any]) -> dict[str, Any]:
    """Return fields of many elements with as few as the creator takes."""
    lengths = (1, *map(len, _FIELD_VALUES), *map(len, _LONG_VALUES))
    for name, value in fields.items():
        for length in sorted({each for each in lengths if np.size(value) > MOST_SHORT and each < value.size}):
            shorter = {**fields, name: value[:length]}
            if _creation(subject, attempts, shorter)[0]:
                fields = shorter
                break
    return fields


def _learned(subject: Subject, attempts: Attempts, hints: SourceHints) -> list[dict[str, Any]]:
    """Return field values that ``create_plugin`` takes, found by changing one field after each refusal."""
    advertised = _advertised(subject)
    words = tuple(dict.fromkeys((*hints.words, *_TEXTS)))

    def refused(fields: dict[str, Any]) -> str:
        is_made, how, _ = _creation(subject, attempts, fields)
        return "" if is_made else how or "it made no plugin"

    def nearby(fields: dict[str, Any], refusal: str) -> Iterator[dict[str, Any]]:
        numbers = [int(number) for number in _NUMBER.findall(refusal)]
        for field in sorted(advertised, key=lambda field: not _is_named(field.name, refusal)):
            for value in field.variants(numbers, words):
                yield {**fields, field.name: value}
            yield {name: value for name, value in fields.items() if name != field.name}

    learned_fields = learned({each.name: each.data((2,)) for each in advertised}, refused, nearby, MOST_LEARNED)
    if learned_fields is None:
        return []
    equal = [{name: _filled(value, number) for name, value in learned_fields.items()} for number in (1, 0)]
    return [learned_fields, *(fields for fields in equal if not refused(fields))]


def _filled(value: Any, number: int) -> Any:
    """Return whole numbers that are all the same; other values as they are."""
    return np.full_like(value, number) if not isinstance(value, str) and value.dtype.kind == "i" else value


def _is_named(field: str, refusal: str) -> bool:
    """Return whether a refusal has the name of a field, be it written ``axis_count`` or ``axisCount``."""
    return field.replace("_", "").lower() in _WORD.findall(refusal.replace("_", "").lower())


def _sizes(fields: dict[str, Any]) -> dict[str, int]:
    return {name: np.size(value) for name, value in fields.items()}


class _Field(msgspec.Struct, frozen=True):
    """A field that a creator advertises.

    Attributes:
        name: Its name.
        kind: Its type; UNKNOWN if none is declared.
        length: The number of elements that a creator in C++ declares, at least 1.
    """

    name: str
    kind: PluginFieldType
    length: int

    def data(self, values: tuple[float, ...]) -> Any:
        """Return values to try; a single one fills the declared number of elements."""
        undeclared = PluginFieldType.FLOAT32 if _FRACTIONS.search(self.name.lower()) else PluginFieldType.INT32
        dtype = declared_dtype(undeclared if self.kind == PluginFieldType.UNKNOWN else self.kind)
        return np.array(values * (self.length if len(values) == 1 else 1), np.int8 if dtype is None else dtype)

    def variants(self, numbers: Sequence[int], words: Sequence[str]) -> Iterator[Any]:
        """Yield values to try for this field alone, in view of the numbers of a refusal, and of texts."""
        counted = (tuple(range(1, number + 1)) for number in numbers if number)
        values = dict.fromkeys((*_VALUES, *((number,) for number in numbers), *counted))
        if self.kind != PluginFieldType.CHAR:
            yield from map(self.data, values)
        if self.kind in {PluginFieldType.CHAR, PluginFieldType.UNKNOWN}:
            yield from words
        if self.kind == PluginFieldType.UNKNOWN:
            other = np.int32 if self.data((1,)).dtype == np.float32 else np.float32
            yield from (np.array(each, other) for each in values)


def _advertised(subject: Subject) -> list[_Field]:
    """Return the creator's fields; declared lengths without sense are taken for 1."""
    lengths = getattr(subject.creator, "declared_lengths", {})
    return [
        _Field(each.name, each.type, max(1, min(lengths.get(each.name, 1), MOST_ELEMENTS)))
        for each in advertised_fields(subject.creator)
    ]


def _worded_guesses(advertised: Sequence[_Field], hints: SourceHints) -> Iterator[dict[str, Any]]:
    """Yield field values to try in which each text is one that the source compares texts with, best this field's."""
    places = [index for index, each in enumerate(advertised) if each.kind == PluginFieldType.CHAR]
    words = [hints.named.get(advertised[place].name, hints.words) for place in places]
    for chosen in itertools.product(*words) if places else ():
        texts = {advertised[place].name: word for place, word in zip(places, chosen, strict=True)}
        yield {each.name: texts.get(each.name, each.data((2 + k,))) for k, each in enumerate(advertised)}


def _field_guesses(advertised: Sequence[_Field], hints: SourceHints) -> Iterator[dict[str, Any]]:
    """Yield field values to try: words of the source, different values, equal ones.

    Different ones come first, both ways round: parameters that are equal cannot be seen to be mixed up.
    """
    yield from _worded_guesses(advertised, hints)
    for numbers in (range(len(advertised)), range(len(advertised) - 1, -1, -1)):
        if len(advertised) > 1:
            yield {each.name: each.data((2 + k,)) for each, k in zip(advertised, numbers, strict=True)}
    counted = ((1,) * number for number in hints.lengths)
    for values in (*_FIELD_VALUES, *counted, *_LONG_VALUES) if advertised else ():
        yield {each.name: each.data(values) for each in advertised}


def _mixed_guesses(advertised: Sequence[_Field]) -> Iterator[dict[str, Any]]:
    """Yield field values to try: all but one field, none, every mixture."""
    for values, left_out in itertools.product(_FIELD_VALUES, advertised if len(advertised) > 1 else ()):
        yield {each.name: each.data(values) for each in advertised if each is not left_out}
    yield {}
    for mixture in itertools.product((*_FIELD_VALUES, None), repeat=len(advertised)):
        pairs = zip(advertised, mixture, strict=True)
        yield {each.name: each.data(values) for each, values in pairs if values is not None}
