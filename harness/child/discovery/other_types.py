"""Add the other types that a plugin takes to the inputs of an inferred case."""

from __future__ import annotations

import dataclasses
import itertools
from typing import TYPE_CHECKING

from harness.child.discovery.layouts import guessed_scale

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Sequence

    from harness.cases.case import Case
    from harness.child.discovery.attempts import Attempts


def with_other_types(attempts: Attempts, case: Case, kinds: Sequence[str]) -> Case:
    """Return the case with the types with which the plugin runs as well.

    Inputs of one type change together: all of them, or those for which the plugin takes the new type.
    """
    first_types = dict.fromkeys(each.types[0] for each in case.data_inputs)
    for first, kind in itertools.product(first_types, kinds):
        if kind in first_types:
            continue
        group = [index for index, each in enumerate(case.data_inputs) if each.types[0] == first]
        if not _takes(attempts, case, group, kind):
            taken = attempts.types_taken(case, (kind, *first_types))
            group = [index for index in group if taken and taken[index] == kind]
            if not group or not _takes(attempts, case, group, kind):
                continue
        case = _added(case, group, kind)
    return case


def _takes(attempts: Attempts, case: Case, indices: Container[int], kind: str) -> bool:
    """Return whether the plugin runs where some inputs have another type, and the rest their first."""
    types = ((kind,) if index in indices else each.types[:1] for index, each in enumerate(case.inputs))
    return attempts.with_case(_typed(case, types)).is_complete


def _added(case: Case, indices: Container[int], kind: str) -> Case:
    types = ((*each.types, kind) if index in indices else each.types for index, each in enumerate(case.inputs))
    return _typed(case, types)


def _typed(case: Case, types: Iterable[tuple[str, ...]]) -> Case:
    inputs = (
        entry if own == entry.types else dataclasses.replace(entry, types=own, scale=guessed_scale(own))
        for entry, own in zip(case.inputs, types, strict=True)
    )
    return dataclasses.replace(case, inputs=tuple(inputs))
