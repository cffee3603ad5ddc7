"""Check whether a creator's plugin works, as far as can be seen without running it.

Theory. Random values have no expected results. But a plugin that the creator handed out must answer, store its data, be
restored from them, and be copied. Some exceptions do not count. An exception raised when the plugin sees the inputs may
be about the inputs. An exception raised on purpose refuses.
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
    """A second object found no memory beside the first: that is no fault of its data."""


#: What is raised where an attribute is not there, whatever the inputs are.
_LACKING = (AttributeError, NameError)
#: Outputs that are asked about; there are more of them only where a number was misread.
_OUTPUTS = 8


def fault_of(subject: Subject, plugin: Any) -> str:
    """Return why a plugin cannot be used in a network or restored from its stored data; else empty."""
    with contextlib.suppress(_ShortOfMemoryError):
        stored, fault = _stored(subject, plugin)
        fault = fault or _stored_again(subject, stored)[1] or _uncopied(subject, plugin, stored)
        return _unanswered(subject, plugin) or fault
    return ""


def fault_of_restored(subject: Subject, plugin: Any) -> str:
    """Return what shows that a plugin that was made of stored data cannot be used in an engine; or nothing."""
    with contextlib.suppress(_ShortOfMemoryError):
        stored, fault = _stored(subject, plugin)
        again, refusal = (None, fault) if fault else _stored_again(subject, stored)
        if not refusal and stored != again:
            refusal = f"{subject.caller.words.save} gives other data each time that the plugin is stored and restored"
        fault = refusal or _uncopied(subject, plugin, stored)
        return _unanswered(subject, plugin) or fault or _unready(subject, plugin)
    return ""


def _unanswered(subject: Subject, plugin: Any) -> str:
    """Return which query shows that something is not there."""
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
    return _told([failure for failure in failures if _is_lacking(subject, failure)])


def _is_lacking(subject: Subject, failure: Failure) -> bool:
    """Return whether a failure means that the object lacks something, and not that the inputs do not suit it."""
    if failure.kind is FailureKind.RAISED:
        return isinstance(failure.error, _LACKING)
    return failure.method != subject.caller.words.output_shapes


def _stored(subject: Subject, plugin: Any) -> tuple[Any, str]:
    """Return what a plugin stores, or why it does not."""
    with leniently(subject.gate) as failures:
        stored = subject.try_serialize(plugin)
    return stored, _told(failures)


def _stored_again(subject: Subject, stored: Any) -> tuple[Any, str]:
    """Return what a plugin stores that was made of stored data, or why there is none."""
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
    """Return why a copy of the plugin is none."""
    with leniently(subject.gate) as failures:
        copy = subject.caller.clone(subject.gate, plugin)
    if failures or copy is None:
        return _told(failures) or "clone returned None"
    other, fault = _stored(subject, copy)
    _end(subject, copy)
    return fault or ("" if stored == other else f"{subject.caller.words.save} of a clone gives other data")


def _unready(subject: Subject, plugin: Any) -> str:
    """Return why the plugin does not get ready to run, unless it refuses to."""
    gate, caller = subject.gate, subject.caller
    with leniently(gate) as failures:
        ready = caller.make_ready(gate, plugin)
    if ready is not None and ready is not plugin:
        _end(subject, ready)
    _end(subject, plugin)
    return _told([each for each in failures if not isinstance(each.error, DELIBERATE)])


def _end(subject: Subject, plugin: Any) -> None:
    """Give an object back with what it holds; how it fails there is for other rules."""
    with leniently(subject.gate):
        subject.caller.end_work(subject.gate, plugin)
        subject.caller.destroy(subject.gate, plugin)


def _told(failures: Sequence[Failure]) -> str:
    for failure in failures:
        stop_for_want_of_a_gpu(failure)
        if isinstance(failure.error, MemoryError):
            raise _ShortOfMemoryError
    return f"{failures[0].method} {describe(failures[0])}" if failures else ""
