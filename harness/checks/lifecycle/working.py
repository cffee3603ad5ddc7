"""Check whether a plugin works without running it: it answers queries, and can be stored, restored and cloned.

Theory. Random field values have no expected results. But if the creator accepts them, these operations must succeed.
Some failures do not count. A query may raise an exception because of the inputs. A plugin may refuse to get ready by an
exception that is raised on purpose. If memory is short, there is no result.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

from harness.checks.fields.creating import describe, deserialize_from
from harness.checks.formats.choices import default_combination
from harness.checks.lifecycle.completeness import DELIBERATE
from harness.checks.shapes.shapes import try_output_dimensions
from harness.subject.calling import leniently, stop_for_want_of_a_gpu
from reference_runtime.calling.gate.gate import FailureKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness.subject.subject import Subject
    from reference_runtime.calling.gate.gate import Failure


class _ShortOfMemoryError(Exception):
    """An object found no memory beside another object: that is no fault of the plugin."""


#: Exceptions that mean a missing attribute, for any inputs.
_LACKING = (AttributeError, NameError)
#: The most outputs that are asked about; a plugin with more has probably misread a number.
_OUTPUTS = 8


def fault_of(subject: Subject, plugin: Any) -> str:
    """Return why a plugin cannot be used in a network, or restored from its stored data; empty if it can."""
    with contextlib.suppress(_ShortOfMemoryError):
        stored, fault = _stored(subject, plugin)
        fault = fault or _stored_again(subject, stored)[1] or _uncopied(subject, plugin, stored)
        return _unanswered(subject, plugin) or fault
    return ""


def fault_of_restored(subject: Subject, plugin: Any) -> str:
    """Return why a plugin that was restored from stored data cannot be used in an engine; empty if it can."""
    with contextlib.suppress(_ShortOfMemoryError):
        stored, fault = _stored(subject, plugin)
        again, refusal = (None, fault) if fault else _stored_again(subject, stored)
        if not refusal and stored != again:
            refusal = f"{subject.caller.words.save} gives other data each time that the plugin is stored and restored"
        fault = refusal or _uncopied(subject, plugin, stored)
        return _unanswered(subject, plugin) or fault or _unready(subject, plugin)
    return ""


def _unanswered(subject: Subject, plugin: Any) -> str:
    """Return the first query whose failure means that the plugin lacks something; empty if there is none."""
    gate, caller = subject.gate, subject.caller
    if not caller.can_be_asked(gate, plugin):
        return ""
    combination = default_combination(subject)
    with leniently(gate) as failures:
        count = caller.num_outputs(gate, plugin)
        if 0 < count <= _OUTPUTS:
            caller.output_types(gate, plugin, [dtype for dtype, _ in combination.inputs])
            for index in range(count):
                try_output_dimensions(subject, plugin, index)
    return _first_failure([failure for failure in failures if _is_lacking(subject, failure)])


def _is_lacking(subject: Subject, failure: Failure) -> bool:
    """Return whether a failure means that the object lacks something, and not that it refuses the inputs."""
    if failure.kind is FailureKind.RAISED:
        return isinstance(failure.error, _LACKING)
    return failure.method != subject.caller.words.output_shapes


def _stored(subject: Subject, plugin: Any) -> tuple[Any, str]:
    """Return the data that a plugin stores, and the failure of that, or an empty text."""
    with leniently(subject.gate) as failures:
        stored = subject.try_serialize(plugin)
    return stored, _first_failure(failures)


def _stored_again(subject: Subject, stored: Any) -> tuple[Any, str]:
    """Restore a plugin from stored data; return the data that this plugin stores, and the failure, or an empty text."""
    words = subject.caller.words
    restored, how = deserialize_from(subject, stored)
    if restored is None:
        if how.startswith("raised MemoryError"):
            raise _ShortOfMemoryError
        return None, f"{words.restoring} refuses what {words.save} gave: it {how}"
    again, fault = _stored(subject, restored)
    _end(subject, restored)
    return again, fault


def _uncopied(subject: Subject, plugin: Any, stored: Any) -> str:
    """Clone a plugin, and return how ``clone`` failed or how the clone's stored data differ; empty if neither."""
    with leniently(subject.gate) as failures:
        copy = subject.caller.clone(subject.gate, plugin)
    if failures or copy is None:
        return _first_failure(failures) or "clone returned None"
    other, fault = _stored(subject, copy)
    _end(subject, copy)
    return fault or ("" if stored == other else f"{subject.caller.words.save} of a clone gives other data")


def _unready(subject: Subject, plugin: Any) -> str:
    """Make a plugin ready to run, and return how that failed; empty if it did not, or refused on purpose."""
    gate, caller = subject.gate, subject.caller
    with leniently(gate) as failures:
        ready = caller.make_ready(gate, plugin)
    if ready is not None and ready is not plugin:
        _end(subject, ready)
    _end(subject, plugin)
    return _first_failure([each for each in failures if not isinstance(each.error, DELIBERATE)])


def _end(subject: Subject, plugin: Any) -> None:
    """Terminate and destroy an object; other rules judge failures of these callbacks."""
    with leniently(subject.gate):
        subject.caller.end_work(subject.gate, plugin)
        subject.caller.destroy(subject.gate, plugin)


def _first_failure(failures: Sequence[Failure]) -> str:
    """Return the first failure in words; empty if there is none.

    Raises:
        _ShortOfMemoryError: A failure is a MemoryError.
        NotRun: A failure is due to a missing package or GPU.
    """
    for failure in failures:
        stop_for_want_of_a_gpu(failure)
        if isinstance(failure.error, MemoryError):
            raise _ShortOfMemoryError
    return f"{failures[0].method} {describe(failures[0])}" if failures else ""
