"""Check whether a created plugin is complete. If it lacks a parameter, a later callback fails."""

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

#: Exceptions that count as raised on purpose, to refuse something.
DELIBERATE = (ValueError, RuntimeError, AssertionError)
#: Callbacks in which a plugin may refuse the network's dimensions, because its fields do not support them.
_SEE_DIMENSIONS = {"configure_plugin", "configure_with_format", "on_shape_change"}


def half_made(subject: Subject, plugin: Any, fields: Sequence[FieldValue]) -> str:
    """Return the failure that shows that a plugin lacks a parameter.

    Empty if the plugin works, or if it refuses the network's inputs.

    Args:
        subject: The plugin under test.
        plugin: A plugin that has not been used yet.
        fields: The fields from which it was made.
    """
    seen = behaviour_or_failure(subject, plugin, subject.serialize, subject.clone)
    failure, words = seen.stopped_by, subject.caller.words
    queries = {words.output_types, words.output_shapes, words.formats}
    if failure is None or failure.method in queries:  # a query shows the inputs, and the plugin may not support them
        return seen.trespasses[0] if seen.trespasses else ""
    if failure.method in _SEE_DIMENSIONS and _refuses(failure.error):
        return ""
    if failure.method == words.run and _works_with_equal_inputs(subject, fields):
        return ""
    return f"{failure.method} {describe(failure)}"


def _works_with_equal_inputs(subject: Subject, fields: Sequence[FieldValue]) -> bool:
    """Return whether a plugin with these fields runs if all inputs have the first input's shapes.

    The default of a missing field may not support the case's inputs. For example, a plugin may join its inputs along
    axis 0 by default, but they only fit along axis 1.
    """
    case = subject.case
    inputs = case.data_inputs
    first = inputs[0]
    if len({entry.profile for entry in inputs}) == 1 or len({len(entry.network_dims) for entry in inputs}) > 1:
        return False
    alike = (each if each.shape_input else _shaped_like(first, each) for each in case.inputs)
    other = subject.with_case(dataclasses.replace(case, inputs=tuple(alike)))
    seen = behaviour_or_failure(other, create_from(other, fields).plugin)
    return seen.stopped_by is None and not seen.trespasses


def _shaped_like(first: Input, entry: Input) -> Input:
    return dataclasses.replace(entry, dims=first.dims, min=first.min, opt=first.opt, max=first.max)


def _refuses(error: BaseException | None) -> bool:
    """Return whether the plugin's code raised the exception on purpose."""
    return isinstance(error, DELIBERATE) or (error is not None and is_deliberate(error))
