"""Run plugins whose fields have values that the case does not have, and that they may not support.

Theory. No document asks ``create_plugin`` to refuse each value that the plugin cannot run with. In Python the plugin
then raises. In C++, or in a kernel, it can end its process. So the flight recorder knows the value while a plugin
with it is configured and runs for the first time. If that ends the process, the fork server asks the rule again, and
names the value as unsupported.
"""

from __future__ import annotations

import contextlib
import hashlib
from typing import TYPE_CHECKING

from harness.contract.finding import NotRun
from harness.process import flight_recorder
from reference_runtime.devices.records import KernelFailedError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from harness.subject.fields import FieldValue
    from harness.subject.subject import Subject


@contextlib.contextmanager
def trial(subject: Subject, fields: Sequence[FieldValue]) -> Iterator[None]:
    """Record during the block which fields a plugin is tried with; nothing if they are the case's.

    Raises:
        NotRun: An earlier trial of these fields ended its process.
    """
    digest = _digest(subject, fields)
    if subject.task is not None and digest in subject.task.request.unsupported:
        raise NotRun("a plugin with these fields ended its process")
    with _recorded(digest):
        yield


def no_trial() -> contextlib.AbstractContextManager[None]:
    """Return a context within a trial in which the end of the process is a defect."""
    return _recorded("")


@contextlib.contextmanager
def _recorded(digest: str) -> Iterator[None]:
    """Record a digest of fields. It stays recorded if the block ends the process, or a kernel failed."""
    before = flight_recorder.trying(digest)
    try:
        yield
    except KernelFailedError:
        raise
    except BaseException:
        flight_recorder.trying(before)
        raise
    flight_recorder.trying(before)


def _digest(subject: Subject, fields: Sequence[FieldValue]) -> str:
    """Return a digest of the fields that differ from the case's; empty if none does."""
    usual = list(map(_content, subject.fields))
    other = [content for content in map(_content, fields) if content not in usual]
    return hashlib.sha256(repr(other).encode()).hexdigest() if other else ""


def _content(field: FieldValue) -> tuple[str, str, bytes]:
    return field.name, field.type.name, field.data.tobytes()
