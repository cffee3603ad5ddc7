"""Counts are those of a call in the long run."""

import numpy as np

from harness.cases.case import Case
from harness.child.latency.counts import counted
from reference_runtime.bridges import cupy as cp
from tests.support.latency_subjects import subject_of
from tests.support.workbench import Creator, Doubler

CASE = Case("P", inputs=({"dims": ("N", 3), "min": (1, 3), "opt": (2, 3), "max": (4, 3)},))


class Waiting(Doubler):
    """Prepares at its first call; takes memory and waits at each."""

    table = None

    def enqueue(self, *arguments):
        if self.table is None:
            self.table = cp.zeros(100, np.float32)
        cp.zeros(8, np.float32)
        cp.cuda.Stream(non_blocking=True).synchronize()
        return super().enqueue(*arguments)


def test_what_a_plugin_does_at_each_call_is_counted_and_what_it_prepares_is_not():
    with subject_of(Creator(lambda _: Waiting()), CASE) as subject:
        assert counted(subject) == {
            "allocations": 1,
            "allocated_bytes": 32,
            "synchronizations": 1,
            "moved_bytes": 48,
        }
