"""Find the names under which a creator reads its fields, whether it advertises them or not."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np

from harness.checks.fields.field_variants import NUMBER_TYPES, increased, is_number, without
from harness.subject.calling import leniently
from harness.subject.fields import FieldValue

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from harness.checks.fields.creating import Advertised
    from harness.subject.subject import Subject


def matters_unlisted(subject: Subject, value: FieldValue, listed: Sequence[str]) -> bool:
    """Return whether the creator reads a field of the case that it does not advertise.

    It does if a plugin made without the field stores other data. The field may also have an advertised name, under
    which it has the same effect: then the result is False.
    """
    values, rest = subject.fields, without(subject.fields, value.name)
    usual, others = _stored(subject, values), _stored(subject, rest)
    if usual is None or others is None or usual == others:
        return False
    free = [name for name in listed if all(name != each.name for each in rest)]
    return all(_stored(subject, [*rest, value.replaced(name=name)]) != usual for name in free)


def read_instead(subject: Subject, entry: Advertised) -> str:
    """Return the spelling under which the creator reads a field, if it ignores the spelling that it advertises.

    Empty if it reads the advertised spelling, or no other spelling is found.
    """
    rest, probes = without(subject.fields, entry.name), list(_probes(subject, entry))
    usual = _stored(subject, subject.fields)
    if usual is None or not probes:
        return ""
    if any(_stored(subject, [*rest, probe]) != usual for probe in probes):
        return ""  # the advertised spelling changes the plugin, or the creator refuses the value
    set_names = {value.name for value in subject.fields}
    for name in _spellings(entry.name):
        others = [[*subject.fields, probe.replaced(name=name)] for probe in probes] if name not in set_names else []
        if any(_stored(subject, fields) not in (None, usual) for fields in others):
            return name
    return ""


def _probes(subject: Subject, entry: Advertised) -> Iterator[FieldValue]:
    """Yield values of a number field. At least one differs from the case's value, or from the creator's default."""
    set_field = next((value for value in subject.fields if value.name == entry.name), None)
    if set_field is not None:
        yield from [increased(set_field)] if is_number(set_field) else []
    elif entry.type.name in NUMBER_TYPES:
        yield from (FieldValue(entry.name, np.array([number], entry.dtype), entry.type) for number in (1, 2))


def _spellings(name: str) -> list[str]:
    """Return other spellings of a name: in snake, camel and Pascal case, in lower case, in capitals, capitalized."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower().split("_")
    pascal = "".join(map(str.capitalize, words))
    others = ["_".join(words), pascal[:1].lower() + pascal[1:], pascal, name.lower(), name.upper(), name.capitalize()]
    return [other for other in dict.fromkeys(others) if other != name]


def _stored(subject: Subject, fields: Sequence[FieldValue]) -> Any:
    """Return the data that a plugin made from these fields stores; None if the creator refuses the fields."""
    plugin, _ = subject.try_create(fields)
    if plugin is None:
        return None
    with leniently(subject.gate):
        return subject.try_serialize(plugin)
