"""Run plugins whose fields have values that the case does not have, and that they may not support.

Theory. No document asks ``create_plugin`` to refuse each value that the plugin cannot run with. In Python the plugin
then raises. In C++, or in a kernel, it can end its process. So the flight recorder knows the value while a plugin
with it is configured and runs for the first time. If that ends the process, the fork server asks the rule again, and
names the value as unsupported.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from harness.process import flight_recorder
from reference_runtime.devices.records import KernelFailedError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from harness.subject.fields import FieldValue
    from harness.subject.subject import Subject


def other_than_usual(subject: Subject, fields: Sequence[FieldValue]) -> str:
    """Return the fields that differ from the case's, as text."""
    usual = set(map(str, subject.fields))
    return ", ".join(text for text in map(str, fields) if text not in usual)


def is_unsupported(subject: Subject, value: str) -> bool:
    """Return whether an earlier try with these values ended its process."""
    return subject.task is not None and value in subject.task.request.unsupported


@contextlib.contextmanager
def trying(value: str) -> Iterator[None]:
    """Record the value during the block. It stays recorded if the block ends the process, or a kernel failed."""
    before = flight_recorder.trying(value)
    try:
        yield
    except KernelFailedError:
        raise
    except BaseException:
        flight_recorder.trying(before)
        raise
    flight_recorder.trying(before)
