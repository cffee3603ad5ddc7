"""Destroy plugin objects, and observe failures in ``terminate``, ``destroy`` and Python's finalisers."""

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


#: The number of files that are opened after each plugin is destroyed.
_FILES = 2


class LifeEnd(msgspec.Struct, frozen=True):
    """The failures and faults at the destruction of plugins.

    Attributes:
        failures: The callbacks that failed.
        faults: Misuses of device memory.
        raised: Texts about exceptions that finalisers raised, and about files of others that were closed.
    """

    failures: list[Failure]
    faults: list[Fault]
    raised: list[str]

    @property
    def sentences(self) -> list[str]:
        """Sentences about misuses of the plugin's own memory, and about exceptions of finalisers, each once."""
        faults = [fault.sentence for fault in self.faults]
        raised = [text for text in self.raised if not any(fault in text for fault in faults)]
        return [fault.sentence for fault in self.faults if not fault.label.startswith(GIVEN)] + raised

    @property
    def wrong_frees(self) -> list[str]:
        """Sentences about frees of memory that TensorRT had passed to ``enqueue``."""
        kinds = (FaultKind.DOUBLE_FREE, FaultKind.BAD_FREE)
        return [fault.sentence for fault in self.faults if fault.kind in kinds and fault.label.startswith(GIVEN)]

    def insist(self) -> LifeEnd:
        """Return this object, for rules that do not judge failures of ``terminate`` and ``destroy``.

        Raises:
            CallbackFailedError: A callback failed.
        """
        if self.failures:
            raise_for(self.failures[0])
        return self


def ending(subject: Subject, make: Callable[[], Iterable[Any]]) -> LifeEnd:
    """Make plugins, destroy them in their order, delete them, and return the failures of that.

    Raises:
        CallbackFailedError, NotRun: ``make`` raised it.
    """
    plugins = list(make())
    faults = len(subject.device.faults)
    with unraisable() as raised, _other_files(raised) as open_files:
        with leniently(subject.gate) as failures:
            while plugins:
                plugin = plugins.pop(0)
                end(subject, plugin)
                open_files()
                del plugin
        gc.collect()
    return LifeEnd(failures, subject.device.faults[faults:], raised)


@contextlib.contextmanager
def _other_files(closers: list[str]) -> Iterator[Callable[[], None]]:
    """Give a function that opens files. Afterwards, append a text to ``closers`` for each that was closed meanwhile.

    Linux reuses descriptors. So a plugin that closes its file twice closes one of these files.
    """
    opened: list[int] = []
    try:
        yield lambda: opened.extend(os.open(os.devnull, os.O_RDONLY) for _ in range(_FILES))
    finally:
        closers.extend(
            f"file {each} was closed, which another owner had opened since" for each in opened if _is_closed(each)
        )


def _is_closed(file: int) -> bool:
    """Close a file, and return whether it was closed already."""
    try:
        os.close(file)
    except OSError:
        return True
    return False


def has_ended(subject: Subject, plugin: Any) -> bool:
    """Return whether an object is already destroyed; ``clone`` may have returned an old object."""
    return subject.gate.stage_of(plugin) is Stage.DESTROYED


def failures_at_the_end(subject: Subject, plugin: Any) -> list[Failure]:
    """Terminate and destroy a plugin, and return the failures of both callbacks."""
    with leniently(subject.gate) as failures:
        end(subject, plugin)
    return failures


def end(subject: Subject, plugin: Any) -> None:
    """Terminate a plugin if TensorRT would, then destroy it, even if ``terminate`` failed."""
    subject.caller.end_work(subject.gate, plugin)
    subject.caller.destroy(subject.gate, plugin)
