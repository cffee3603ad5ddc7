"""Check whether a created plugin is complete: if it lacks a parameter, it fails later."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from harness.checks.fields.creating import create_from, describe
from harness.checks.lifecycle.equivalence import behaviour_or_failure
from harness.checks.observation.intent import is_deliberate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness.cases.input import Input
    from harness.subject.fields import FieldValue
    from harness.subject.subject import Subject

#: What is raised on purpose to refuse.
DELIBERATE = (ValueError, RuntimeError, AssertionError)
#: Where a plugin sees the dimensions of a network for the first time, which may not suit its fields.
_SEE_EXTENTS = {"configure_plugin", "configure_with_format", "on_shape_change"}


def half_made(subject: Subject, plugin: Any, fields: Sequence[FieldValue]) -> str:
    """Return what shows that it lacks something; empty where it works, or refuses a network that it does not suit.

    Args:
        subject: Whose plugin it is.
        plugin: The plugin, which was not used yet.
        fields: The fields from which it was made.
    """
    seen = behaviour_or_failure(subject, plugin, subject.serialize, subject.clone)
    failure, words = seen.stopped_by, subject.caller.words
    first_looks = {words.output_types, words.output_shapes, words.formats}
    if failure is None or failure.method in first_looks:  # it sees the inputs there, which may not suit it
        return seen.trespasses[0] if seen.trespasses else ""
    if failure.method in _SEE_EXTENTS and _refuses(failure.error):
        return ""
    if failure.method == words.run and _works_with_equal_inputs(subject, fields):
        return ""
    return f"{failure.method} {describe(failure)}"


def _works_with_equal_inputs(subject: Subject, fields: Sequence[FieldValue]) -> bool:
    """Return whether a plugin with these fields runs if all inputs have the first input's shapes.

    A default may need inputs unlike the case's. A plugin that joins its inputs along axis 0 by default cannot run
    inputs that fit along axis 1.
    """
    case = subject.case
    inputs = case.data_inputs
    first = inputs[0]
    if len({entry.profile for entry in inputs}) == 1 or len({len(entry.network_dims) for entry in inputs}) > 1:
        return False
    alike = (each if each.shape_input else _shaped_like(first, each) for each in case.inputs)
    elsewhere = subject.with_case(dataclasses.replace(case, inputs=tuple(alike)))
    seen = behaviour_or_failure(elsewhere, create_from(elsewhere, fields).plugin)
    return seen.stopped_by is None and not seen.trespasses


def _shaped_like(first: Input, entry: Input) -> Input:
    return dataclasses.replace(entry, dims=first.dims, min=first.min, opt=first.opt, max=first.max)


def _refuses(error: BaseException | None) -> bool:
    """Return whether the plugin's code raised the exception on purpose."""
    return isinstance(error, DELIBERATE) or (error is not None and is_deliberate(error))
