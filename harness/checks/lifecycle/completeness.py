"""Whether a plugin that was handed out lacks something: it fails where it can no longer refuse."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from harness.checks.fields.creating import describe
from harness.checks.lifecycle.equivalence import behaviour_or_failure

if TYPE_CHECKING:
    from harness.subject.subject import Subject

#: What is raised on purpose to refuse.
DELIBERATE = (ValueError, RuntimeError, AssertionError)
#: Where a plugin sees the extents of a network for the first time, which may not suit its fields.
_SEE_EXTENTS = {"configure_plugin", "configure_with_format", "on_shape_change"}


def half_made(subject: Subject, plugin: Any) -> str:
    """Return what shows that it lacks something; empty where it works, or refuses a network that does not suit it."""
    seen = behaviour_or_failure(subject, plugin, subject.serialize, subject.clone)
    failure, words = seen.stopped_by, subject.caller.words
    first_looks = {words.output_types, words.output_shapes, words.formats}
    if failure is None or failure.method in first_looks:  # it sees the inputs there, which may not suit it
        return seen.trespasses[0] if seen.trespasses else ""
    if failure.method in _SEE_EXTENTS and isinstance(failure.error, DELIBERATE):
        return ""
    return f"{failure.method} {describe(failure)}"
