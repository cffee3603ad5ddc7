"""Return the shapes of outputs that a plugin states, beside those that the case's reference computes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from harness.checks.formats.choices import first_choice
from harness.checks.sampling.data import draw_inputs
from harness.checks.sampling.oracle import reference_outputs
from harness.checks.shapes.shapes import ask_output_dimensions, evaluated, output_indices, sizing_outputs
from harness.contract.finding import NotRun

if TYPE_CHECKING:
    from harness.cases.case import Shape
    from harness.checks.sampling.sampling import Shapes
    from harness.checks.shapes.shapes import ShapeAnswer
    from harness.subject.subject import Subject


class Extents(msgspec.Struct, frozen=True):
    """The shape of one output, for certain input shapes.

    Attributes:
        answer: The plugin's answer: expressions of the input dimensions.
        stated: The values of these expressions.
        expected: The shape of the reference's output.
    """

    answer: ShapeAnswer
    stated: Shape
    expected: Shape


def extents_at(subject: Subject, plugin: Any, shapes: Shapes) -> list[Extents]:
    """Return the shapes of all outputs for input shapes of the case.

    The values of size tensors, which data-dependent dimensions need, are those of the reference.

    Raises:
        NotRun: The case has no reference, or the reference has another number of outputs.
    """
    arrays = draw_inputs(subject.case, shapes, first_choice(subject), seed=subject.seed)
    expected = reference_outputs(subject.case, shapes, arrays)
    answers = [ask_output_dimensions(subject, plugin, index) for index in output_indices(subject, plugin)]
    if len(expected) != len(answers):
        raise NotRun(f"the case's reference returns {len(expected)} arrays, and the plugin has {len(answers)} outputs")
    sized_by = set().union(*map(sizing_outputs, answers))
    sizes = {output: int(expected[output].reshape(-1)[0]) for output in sized_by}
    return [
        Extents(answer, evaluated(answer, shapes, sizes or "upper"), tuple(output.shape))
        for answer, output in zip(answers, expected, strict=True)
    ]
