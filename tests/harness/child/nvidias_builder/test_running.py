"""Processes of a builder are started one after the other, until all builds are done or none can be."""

import os

from harness.checks.observation.in_a_fork import apart
from harness.child.nvidias_builder import running
from harness.child.nvidias_builder.asked import Asked, Creator, WantedBuild
from harness.child.nvidias_builder.outcomes import Death
from harness.protocol.messages import ChildSettings

BUILDS = tuple(WantedBuild(number, ("float32",), "", {}, {}) for number in range(3))
ASKED = Asked(ChildSettings(module="m", path=()), "tensorrt_rtx", Creator("Scale", "1", "", "m", "C"), BUILDS)


class Side(running._Side):
    """One runtime, whose processes do what a test says instead of building."""

    def __init__(self, *processes):
        super().__init__(None)
        self._processes = list(processes)
        self.asked = []

    def _run(self, asked, _folder):
        self.asked.append([each.number for each in asked.builds])
        self._processes.pop(0)(self)


def cannot_import(side):
    side.unusable = "ImportError: no module named my_kernels"


def dies_in(number, **how):
    def process(side):
        side.seen |= {each: [] for each in range(number)}
        side.deaths[number] = Death("died by SIGSEGV", "while the plan was built", **how)

    return process


def builds_all(side):
    side.seen |= {each.number: [] for each in BUILDS}


def test_a_module_that_cannot_be_imported_there_is_tried_once():
    side = Side(cannot_import).of(ASKED)
    assert (side.unusable, side.asked) == ("ImportError: no module named my_kernels", [[0, 1, 2]])


def test_after_a_death_a_new_process_does_what_is_left():
    side = Side(dies_in(0), builds_all).of(ASKED)
    assert side.asked == [[0, 1, 2], [1, 2]]


def test_after_a_hang_nothing_more_is_built():
    assert Side(dies_in(1, hangs=True)).of(ASKED).asked == [[0, 1, 2]]


def test_a_death_in_the_last_build_is_the_end():
    assert Side(dies_in(2)).of(ASKED).asked == [[0, 1, 2]]


def test_what_a_fork_has_found_another_one_has(monkeypatch):
    monkeypatch.setattr(running._Kept, "memory", os.memfd_create("builds"))
    apart(lambda: running.kept_or("one", lambda: {"builds": [1]}))
    apart(lambda: running.kept_or("other", lambda: {"builds": [2]}))
    found = [running.kept_or(key, dict) for key in ("one", "other", "third")]
    os.close(running._Kept.memory)
    assert found == [{"builds": [1]}, {"builds": [2]}, {}]


def test_what_is_half_written_is_found_again(monkeypatch):
    memory = os.memfd_create("builds")
    monkeypatch.setattr(running._Kept, "memory", memory)
    os.pwrite(memory, b'{"one": ', 0)
    assert running.kept_or("one", lambda: {"builds": []}) == {"builds": []}
    os.close(memory)
