"""Choose other values for a field: numbers near the case's or far away, words from the module's code."""

from __future__ import annotations

import itertools
import sys
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any

import numpy as np

from harness.checks.fields import field_variants as variants
from harness.subject.fields import FieldValue, advertised_fields, text_field
from reference_runtime.interfaces.field_collections import declared_dtype

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.subject.subject import Subject

    #: All fields for one plugin, and the changed fields as text.
    Candidate = tuple[list[FieldValue], str]

#: Elements for a number field that the case does not set.
_NUMBERS = ((2,), (1,), (3,), (0,), (2, 1), (2, 1, 1, 2))
#: Limits: the number of words from the plugin's code, and the length of a word.
_MOST_WORDS, _LONGEST = 64, 32


def other_values(subject: Subject) -> Iterator[Iterator[Candidate]]:
    """Yield an iterator for each field that the case sets or the creator advertises.

    Each iterator yields all fields with another value of that field, if the creator makes a plugin from them. The first
    iterators have values near the case's. Then each number field of the case has a second iterator, with large values.
    """
    for candidates in itertools.chain(near_values(subject), _far_values(subject)):
        yield ((fields, other) for fields, other in candidates if subject.try_create(fields)[0] is not None)


def one_other_value_each(subject: Subject) -> Iterator[Candidate]:
    """Yield the first candidate of each iterator that :func:`other_values` yields."""
    for candidates in other_values(subject):
        yield from itertools.islice(candidates, 1)


def near_values(subject: Subject) -> Iterator[Iterator[Candidate]]:
    """Yield an iterator of near values for each field. The creator may refuse some of them."""
    fields = subject.fields
    known = {field.name for field in fields}
    for field in fields:
        near = _words(subject, field.name) if field.type.name == "CHAR" else _near(field)
        yield _described(fields, ([each if each.name != field.name else other for each in fields] for other in near))
    for entry in advertised_fields(subject.creator):
        if entry.name not in known:
            unset = _of_unset(subject, entry.name, entry.type)
            yield _described(fields, ([*fields, other] for other in unset))


def _far_values(subject: Subject) -> Iterator[Iterator[Candidate]]:
    """Yield for each number field of the case one candidate: its elements are large, and floats need many digits."""
    for field in filter(variants.is_number, subject.fields):
        dtype = field.data.dtype
        steps = np.arange(1, field.data.size + 1) * (7 if dtype.kind in "iu" else 7 / 3)
        with np.errstate(all="ignore"):
            far = field.replaced(data=field.data * dtype.type(16) + steps.astype(dtype))
        yield _described(subject.fields, iter([[far if each.name == field.name else each for each in subject.fields]]))


def _described(usual: list[FieldValue], candidates: Iterator[list[FieldValue]]) -> Iterator[Candidate]:
    before = set(map(str, usual))
    for fields in candidates:
        yield fields, ", ".join(text for text in map(str, fields) if text not in before)


def _near(field: FieldValue) -> Iterator[FieldValue]:
    """Yield a number field with values near its own; nothing for a field of bytes."""
    if variants.is_number(field):
        one = field.data.dtype.type(1)
        if field.data.size > 1:  # if elements are equal in the case, a plugin that swaps them passes
            yield field.replaced(data=field.data + np.arange(1, field.data.size + 1).astype(field.data.dtype))
        two, sixteen = (field.data.dtype.type(number) for number in (2, 16))
        with np.errstate(all="ignore"):
            smaller = field.data // sixteen if field.data.dtype.kind == "i" else field.data / sixteen
            near = (field.data + one, field.data - one, field.data * two, -field.data, smaller)
        for data in near:
            yield field.replaced(data=data)


def _of_unset(subject: Subject, name: str, kind: Any) -> Iterator[FieldValue]:
    """Yield a field that the case does not set, with values that are plausible for its type."""
    dtype = declared_dtype(kind)
    if kind.name in variants.NUMBER_TYPES and dtype is not None:
        for numbers in _NUMBERS:
            yield FieldValue(name, np.array(numbers, dtype), kind)
    elif kind.name == "CHAR":
        yield from _words(subject, name)


def _words(subject: Subject, name: str) -> Iterator[FieldValue]:
    """Yield a text field with words from constants and keys in the modules of the creator's class and first base."""
    modules = [
        vars(sys.modules[cls.__module__]) for cls in type(subject.creator).__mro__ if cls.__module__ in sys.modules
    ]
    texts = itertools.chain.from_iterable(_texts(value) for module in modules[:2] for value in module.values())
    words = dict.fromkeys(
        text for text in texts if text.isprintable() and 0 < len(text) <= _LONGEST and " " not in text
    )
    for word in itertools.islice(words, _MOST_WORDS):
        yield text_field(subject.trt, name, word)


def _texts(value: Any) -> Iterator[str]:
    """Yield the texts in a value: a text, a list, the keys of a dict, a function or a class."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list | tuple | set | frozenset):
        for each in value:
            yield from _texts(each) if isinstance(each, str | tuple) else ()
    elif isinstance(value, FunctionType):
        yield from _texts(value.__code__.co_consts)
    elif isinstance(value, CodeType):
        yield from _texts(value.co_consts)
    elif isinstance(value, type) and "__module__" in vars(value):
        for member in vars(value).values():
            yield from _texts(member) if isinstance(member, FunctionType | str | tuple) else ()
