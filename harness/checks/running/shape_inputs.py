"""Vary the shape inputs of an ``IPluginV3``: their values, and their number."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from harness.checks.running.extents import extents_at
from harness.checks.sampling.sampling import sample_shapes, with_extent
from harness.checks.shapes.shapes import network_shapes, try_output_dimensions
from harness.contract.finding import NotApplicable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.cases.case import Case, Shape
    from harness.checks.sampling.sampling import Shapes
    from harness.checks.shapes.shapes import ShapeAnswer
    from harness.subject.subject import Subject

#: At how many shapes besides the corners a value is changed.
_INNER = 2


class Change(msgspec.Struct, frozen=True):
    """Change one value of a shape input, and leave all else the same.

    Attributes:
        value: The value's place: ``shape_inputs[0][1]``.
        before: Shapes of the case.
        after: The same with the other value.
    """

    value: str
    before: Shapes
    after: Shapes


class Consequence(msgspec.Struct, frozen=True):
    """The dimensions of one output that a change changes: as the plugin states, and by the case's reference."""

    output: int
    change: Change
    stated: list[int]
    wanted: list[int]


def insist_on_shape_inputs(subject: Subject) -> None:
    """Return if there are shape inputs.

    Raises:
        NotApplicable: The case has none.
    """
    if not subject.case.shape_inputs:
        raise NotApplicable("the plugin has no shape inputs in this case")


def consequences(subject: Subject, plugin: Any) -> Iterator[Consequence]:
    """Yield what follows from each value of each shape input that can be changed alone."""
    known: dict[Shapes, list[tuple[Shape, Shape]]] = {}
    for change in _changes(subject.case):
        for shapes in (change.before, change.after):
            if shapes not in known:
                known[shapes] = [(each.stated, each.wanted) for each in extents_at(subject, plugin, shapes)]
        pairs = zip(known[change.before], known[change.after], strict=True)
        for output, (before, after) in enumerate(pairs):
            stated, wanted = (_differences(old, new) for old, new in zip(before, after, strict=True))
            yield Consequence(output, change, stated, wanted)


def asked_with_other_numbers(subject: Subject, plugin: Any) -> Iterator[tuple[int, ShapeAnswer]]:
    """Ask for shapes without shape inputs, and with one too many, unless a case of the plugin has as many."""
    legal = {len(subject.case.shape_inputs), *(len(case.shape_inputs) for case in subject.origin.siblings)}
    told = network_shapes(subject)
    data, values = told[: len(subject.case.data_inputs)], told[len(subject.case.data_inputs) :]
    for others in ([], [*values, values[-1]]):
        if len(others) not in legal:
            yield len(others), try_output_dimensions(subject, plugin, 0, [*data, *others])


def _changes(case: Case) -> Iterator[Change]:
    first = len(case.data_inputs)
    for shapes in sample_shapes(case, _INNER):
        for number, entry in enumerate(case.shape_inputs):
            for place, (low, _, high) in enumerate(zip(*entry.profile, strict=True)):
                now = shapes[first + number][place]
                for value in dict.fromkeys((high, low, now + 1, now - 1)):
                    after = with_extent(case, shapes, first + number, place, value) if value != now else None
                    if after is not None:
                        yield Change(f"shape_inputs[{number}][{place}]", shapes, after)
                        break


def _differences(old: Shape, new: Shape) -> list[int]:
    """Return the dimensions in which two shapes differ; all of them where they are of different ranks."""
    if len(old) != len(new):
        return list(range(max(len(old), len(new))))
    return [axis for axis, (was, now) in enumerate(zip(old, new, strict=True)) if was != now]
