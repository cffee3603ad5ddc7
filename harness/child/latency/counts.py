"""Count the operations of one ``enqueue`` call: numbers without noise."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.checks.running.driver import fresh_driver
from harness.checks.sampling.sampling import best_shapes
from harness.child.latency.ready_plugin import standing

if TYPE_CHECKING:
    from harness.subject.subject import Subject
    from reference_runtime.devices.records import Recording

#: Calls before the call that is counted, so that work which a plugin does only once is not counted.
_WARM_UP = 3


def counted(subject: Subject) -> dict[str, int]:
    """Return the counts of one call after some calls to warm up: allocations, synchronizations, launches and bytes.

    Raises:
        reference_runtime.instruments.NeedsHost: The device cannot count them; the host device can.
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
        return {**_counts(log, on_gpu=subject.device.is_asynchronous), "moved_bytes": stand.moved_bytes}


def _counts(log: Recording, *, on_gpu: bool) -> dict[str, int]:
    """Return the counts of a record; only on a GPU, each recorded access is a launch or a copy."""
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
