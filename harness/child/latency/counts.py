"""Count the operations of one ``enqueue`` call: numbers without noise."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.checks.running.driver import fresh_driver
from harness.checks.sampling.sampling import best_shapes
from harness.child.latency.ready_plugin import standing

if TYPE_CHECKING:
    from harness.subject.subject import Subject
    from reference_runtime.devices.records import Recording

#: Calls before the one that counts: what a plugin prepares once is not what each call costs.
_WARM_UP = 3


def counted(subject: Subject) -> dict[str, int]:
    """Return the counts of one call in the long run.

    Raises:
        reference_runtime.instruments.NeedsHost: This device does not count them.
    """
    shapes = best_shapes(subject.case)
    driver = fresh_driver(subject).configure(shapes)
    with standing(driver, shapes) as stand:
        for _ in range(_WARM_UP):
            stand.call_and_wait()
        call = stand.call()
        with subject.device.recording() as log:
            call()
        stand.stream.synchronize()
        return {**_asked(log, on_gpu=subject.device.is_asynchronous), "moved_bytes": stand.moved_bytes}


def _asked(log: Recording, *, on_gpu: bool) -> dict[str, int]:
    """Return the counts of a record. On a GPU an access is a launch or a copy; on the host it is neither."""
    taken = [each for each in log.allocations if not each.freed]
    counts = {
        "allocations": len(taken),
        "allocated_bytes": sum(each.nbytes for each in taken),
        "synchronizations": len(log.synchronizations),
    }
    if on_gpu:
        work = len(log.accesses)
        counts["launches_and_copies"] = work
        counts["cuda_calls"] = work + len(log.allocations) + len(log.synchronizations)
    return counts
