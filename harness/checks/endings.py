"""The end of plugin objects: terminate, destroy, and Python's finalisation afterwards; and what goes wrong there."""

from __future__ import annotations

import dataclasses
import gc
from typing import TYPE_CHECKING

from harness.checks.calling import leniently, raise_for
from harness.checks.tracking import unraisable
from reference_runtime import trampolines
from reference_runtime.backends.host import FaultKind
from reference_runtime.lifecycle import Stage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from harness.checks.bench import Bench
    from harness.subject import Subject
    from reference_runtime.backends.host import Fault
    from reference_runtime.gate import Failure


@dataclasses.dataclass(frozen=True)
class Ending:
    """How lives ended.

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
        """What went wrong with memory and finalisers, each once."""
        faults = [fault.sentence for fault in self.faults]
        return faults + [text for text in self.raised if not any(fault in text for fault in faults)]

    @property
    def wrong_frees(self) -> list[str]:
        """Sentences about freeing what was freed already, or was no allocation."""
        kinds = (FaultKind.DOUBLE_FREE, FaultKind.BAD_FREE)
        return [fault.sentence for fault in self.faults if fault.kind in kinds]

    def failed(self, method: str) -> Failure | None:
        """Return the first failure of a method; that of any other stops the rule.

        Raises:
            CallbackFailedError: Another callback failed.
        """
        for failure in self.failures:
            if failure.method != method:
                raise_for(failure)
        return self.failures[0] if self.failures else None


def ending(subject: Subject, make: Callable[[], Iterable[Bench]]) -> Ending:
    """Make objects, end them in the order given, drop them, and return what went wrong then.

    Raises:
        CallbackFailedError, NotRun: The objects could not be made.
    """
    benches = list(make())
    faults = len(subject.device.faults)
    with unraisable() as raised:
        with leniently(subject.gate) as failures:
            while benches:
                end(benches.pop(0))
        gc.collect()
    return Ending(failures, subject.device.faults[faults:], raised)


def end(bench: Bench) -> None:
    """Terminate the plugin where that is due, and destroy it whatever came of that, as TensorRT does."""
    if bench.gate.stage_of(bench.plugin) in {Stage.INITIALIZED, Stage.READY}:
        trampolines.terminate(bench.gate, bench.plugin)
    trampolines.destroy(bench.gate, bench.plugin)
