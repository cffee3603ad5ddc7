"""Format the fields that a plugin stores for messages: values as an author writes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from reference_runtime.interfaces.field_collections import declared_dtype
from reference_runtime.interfaces.saved_fields import SavedField

if TYPE_CHECKING:
    from collections.abc import Sequence

#: The number of characters of a value that are shown.
_MOST_SHOWN = 60


def value_in(field: SavedField) -> str:
    """Return the value of a field as its author wrote it: ``1.5``, ``[1, 2]`` or ``'text'``."""
    if field.type.name == "CHAR":
        return _short(repr(field.data.decode(errors="backslashreplace")))
    dtype = declared_dtype(field.type)
    if dtype is None or not dtype.itemsize or len(field.data) % dtype.itemsize:
        return _short(repr(field.data))
    numbers = np.frombuffer(field.data, dtype).tolist()
    return _short(repr(numbers[0] if len(numbers) == 1 else numbers))


def in_words(answer: object, other: object) -> tuple[str, str, str]:
    """Return the name of the first stored field that differs between two answers, and both of its values as text.

    If the answers are not fields with the same names, the name is empty. The texts are then the whole answers.
    """
    fields, other_fields = _fields(answer), _fields(other)
    if fields is None or other_fields is None or [each.name for each in fields] != [each.name for each in other_fields]:
        return "", _names_or_text(answer), _names_or_text(other)
    for first, second in zip(fields, other_fields, strict=True):
        if first != second:
            kinds = [f" of type {each.type.name}" if first.type != second.type else "" for each in (first, second)]
            return first.name, value_in(first) + kinds[0], value_in(second) + kinds[1]
    return "", str(answer), str(other)


def _fields(answer: object) -> Sequence[SavedField] | None:
    is_list = isinstance(answer, list) and all(isinstance(each, SavedField) for each in answer)
    return answer if isinstance(answer, list) and is_list else None


def _names_or_text(answer: object) -> str:
    fields = _fields(answer)
    return str(answer) if not fields else ", ".join(f"{each.name}={value_in(each)}" for each in fields)


def _short(text: str) -> str:
    return text if len(text) <= _MOST_SHOWN else f"{text[: _MOST_SHOWN - 3]}..."
