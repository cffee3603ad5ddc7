"""Watch the end of plugin objects: terminate, destroy, Python's finalisation afterwards, and failures in them."""

from __future__ import annotations

import contextlib
import gc
import os
from typing import TYPE_CHECKING, Any

import msgspec

from harness.checks.observation.tracking import unraisable
from harness.checks.running.single_run import GIVEN
from harness.subject.calling import leniently, raise_for
from reference_runtime.calling.lifecycle.table import Stage
from reference_runtime.devices.host import FaultKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from harness.subject.subject import Subject
    from reference_runtime.calling.gate.gate import Failure
    from reference_runtime.devices.host import Fault


#: Files that are opened after each end.
_FILES = 2


class LifeEnd(msgspec.Struct, frozen=True):
    """The failures and faults at the destruction of plugins.

    Attributes:
        failures: The callbacks that failed.
        faults: Misuses of device memory.
        raised: What finalisers raised, in words.
    """

    failures: list[Failure]
    faults: list[Fault]
    raised: list[str]

    @property
    def sentences(self) -> list[str]:
        """Describe faults in the plugin's own memory and exceptions of finalisers, each once."""
        faults = [fault.sentence for fault in self.faults]
        raised = [text for text in self.raised if not any(fault in text for fault in faults)]
        return [fault.sentence for fault in self.faults if not fault.label.startswith(GIVEN)] + raised

    @property
    def wrong_frees(self) -> list[str]:
        """Sentences about freeing what ``enqueue`` was given."""
        kinds = (FaultKind.DOUBLE_FREE, FaultKind.BAD_FREE)
        return [fault.sentence for fault in self.faults if fault.kind in kinds and fault.label.startswith(GIVEN)]

    def insist(self) -> LifeEnd:
        """Return the ending; rules use it where a callback's failure is not what they look for.

        Raises:
            CallbackFailedError: A callback failed.
        """
        if self.failures:
            raise_for(self.failures[0])
        return self


def ending(subject: Subject, make: Callable[[], Iterable[Any]]) -> LifeEnd:
    """Make plugins, end them in the order given, drop them, and return what went wrong then.

    Raises:
        CallbackFailedError, NotRun: They could not be made.
    """
    plugins = list(make())
    faults = len(subject.device.faults)
    with unraisable() as raised, _other_files(raised) as occupy:
        with leniently(subject.gate) as failures:
            while plugins:
                plugin = plugins.pop(0)
                end(subject, plugin)
                occupy()
                del plugin
        gc.collect()
    return LifeEnd(failures, subject.device.faults[faults:], raised)


@contextlib.contextmanager
def _other_files(closers: list[str]) -> Iterator[Callable[[], None]]:
    """Give a function that opens files, which get the numbers closed last; add to the list who closes them."""
    opened: list[int] = []
    try:
        yield lambda: opened.extend(os.open(os.devnull, os.O_RDONLY) for _ in range(_FILES))
    finally:
        closers.extend(
            f"file {each} was closed, which another owner had opened since" for each in opened if _is_closed(each)
        )


def _is_closed(file: int) -> bool:
    """Close a file, and say whether it was closed already."""
    try:
        os.close(file)
    except OSError:
        return True
    return False


def has_ended(subject: Subject, plugin: Any) -> bool:
    """Return whether an object is already destroyed; ``clone`` may have returned an old object."""
    return subject.gate.stage_of(plugin) is Stage.DESTROYED


def failures_at_the_end(subject: Subject, plugin: Any) -> list[Failure]:
    """End a plugin, and return which of ``terminate`` and ``destroy`` failed, and how."""
    with leniently(subject.gate) as failures:
        end(subject, plugin)
    return failures


def end(subject: Subject, plugin: Any) -> None:
    """Terminate a plugin where TensorRT would, then destroy it, even if that failed."""
    subject.caller.end_work(subject.gate, plugin)
    subject.caller.destroy(subject.gate, plugin)
