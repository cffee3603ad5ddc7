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

#: The number of shapes between the profile's corners at which values are changed.
_INNER = 2


class Change(msgspec.Struct, frozen=True):
    """A change of one value of a shape input; all else stays the same.

    Attributes:
        value: The value's place: ``shape_inputs[0][1]``.
        before: Shapes of all inputs; those of shape inputs are their values.
        after: The same shapes with the changed value.
    """

    value: str
    before: Shapes
    after: Shapes


class Consequence(msgspec.Struct, frozen=True):
    """The dimensions of one output that a change of a value changes.

    Attributes:
        output: The output's index.
        change: The change.
        stated: The axes that change in the shape that the plugin states.
        expected: The axes that change in the shape of the reference's output.
    """

    output: int
    change: Change
    stated: list[int]
    expected: list[int]


def insist_on_shape_inputs(subject: Subject) -> None:
    """Check that the case has shape inputs.

    Raises:
        NotApplicable: The case has none.
    """
    if not subject.case.shape_inputs:
        raise NotApplicable("the plugin has no shape inputs in this case")


def consequences(subject: Subject, plugin: Any) -> Iterator[Consequence]:
    """Yield the consequences for each output of a change of each value of a shape input that can change alone."""
    known: dict[Shapes, list[tuple[Shape, Shape]]] = {}
    for change in _changes(subject.case):
        for shapes in (change.before, change.after):
            if shapes not in known:
                known[shapes] = [(each.stated, each.expected) for each in extents_at(subject, plugin, shapes)]
        pairs = zip(known[change.before], known[change.after], strict=True)
        for output, (before, after) in enumerate(pairs):
            stated, expected = (_differences(old, new) for old, new in zip(before, after, strict=True))
            yield Consequence(output, change, stated, expected)


def asked_with_other_numbers(subject: Subject, plugin: Any) -> Iterator[tuple[int, ShapeAnswer]]:
    """Ask for the first output's shape without shape inputs, and with one too many, and yield number and answer.

    A number of shape inputs that a case of the plugin has is left out.
    """
    legal = {len(subject.case.shape_inputs), *(len(case.shape_inputs) for case in subject.origin.siblings)}
    shapes = network_shapes(subject)
    data, values = shapes[: len(subject.case.data_inputs)], shapes[len(subject.case.data_inputs) :]
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
    """Return the axes in which two shapes differ; all axes if the ranks differ."""
    if len(old) != len(new):
        return list(range(max(len(old), len(new))))
    return [axis for axis, (was, now) in enumerate(zip(old, new, strict=True)) if was != now]
