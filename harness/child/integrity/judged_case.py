"""Check that a plugin's callbacks leave the case unchanged."""

from __future__ import annotations

import contextlib
import operator
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from harness.cases.unknown import Unknown
from harness.child.integrity.functions import functions_in, used_by
from harness.process.handover import InterferenceError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.cases.case import Case
    from harness.subject.subject import Subject


@contextlib.contextmanager
def insisting_on(subject: Subject) -> Iterator[None]:
    """Make sure that a block leaves a subject and its case unchanged: fields, tolerances, the reference and its code.

    The contents of fields are compared as bytes, all else by identity. That includes the variables that the reference
    uses by name.

    Raises:
        InterferenceError: The block has changed something.
    """
    case = subject.case
    used = [*used_by([case.reference])]
    before, fields = [*vars(subject).values(), *_facts(case, used)], _bytes_of_fields(case)
    yield
    now = [*vars(subject).values(), *_facts(case, used)]
    if len(now) != len(before) or not all(map(operator.is_, now, before)) or _bytes_of_fields(case) != fields:
        raise InterferenceError("it changed the case that it is judged by")


def _facts(case: Case, used: list[tuple[dict[str, Any], str]]) -> list[Any]:
    """Return the objects that are compared by identity; ``used`` are the variables of the reference (`used_by`)."""
    near = case.tolerance.values() if isinstance(case.tolerance, Mapping) else [case.tolerance]
    held = [part for each in near if each is not None for part in (each, type(each), *vars(each).values())]
    functions = [part for each in functions_in([case.reference]) for part in (each.__code__, each.__defaults__)]
    named = [names.get(word) for names, word in used]
    return [type(case), *vars(case).values(), *_fields_of(case), *held, *functions, *named]


def _bytes_of_fields(case: Case) -> list[bytes]:
    """Return the contents of the fields, since an array can be changed in place."""
    return [np.asarray(value[0] if isinstance(value, tuple) else value).tobytes() for value in _fields_of(case)]


def _fields_of(case: Case) -> list[Any]:
    return [] if isinstance(case.fields, Unknown) else [*case.fields.values()]
