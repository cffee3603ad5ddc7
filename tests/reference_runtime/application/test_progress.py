import pytest

import reference_runtime as trt
from reference_runtime.application import progress
from reference_runtime.calling.gate.gate import Gate
from reference_runtime.values.refusals import Refused


class Recording(trt.IProgressMonitor):
    def __init__(self, *, until=99):
        super().__init__()
        self.calls = []
        self.until = until

    def phase_start(self, phase_name, parent_phase, num_steps):
        self.calls.append(("start", phase_name, parent_phase, num_steps))

    def step_complete(self, phase_name, step):
        self.calls.append(("step", phase_name, step))
        return step < self.until

    def phase_finish(self, phase_name):
        self.calls.append(("finish", phase_name))


def followed(gate, monitor, *, steps):
    with progress.phase(gate, monitor, "phase", steps) as done:
        for step in range(steps):
            done(step)


def test_the_bound_methods_reach_the_overrides():
    mine = Recording()
    trt.IProgressMonitor.phase_start(mine, "phase", None, 3)
    assert trt.IProgressMonitor.step_complete(mine, "phase", 1) is True
    trt.IProgressMonitor.phase_finish(mine, "phase")
    assert mine.calls == [("start", "phase", None, 3), ("step", "phase", 1), ("finish", "phase")]


def test_a_phase_is_followed_step_by_step():
    gate, mine = Gate(), Recording()
    with progress.phase(gate, mine, "inner", 2, "outer") as done:
        done(0)
        done(1)
    assert mine.calls == [
        ("start", "inner", "outer", 2),
        ("step", "inner", 0),
        ("step", "inner", 1),
        ("finish", "inner"),
    ]


def test_a_monitor_stops_the_phase_and_is_told_its_end():
    mine = Recording(until=1)
    with pytest.raises(Refused, match="the progress monitor cancelled the build in step 1 of 'phase'"):
        followed(Gate(), mine, steps=9)
    assert mine.calls[-2:] == [("step", "phase", 1), ("finish", "phase")]


def test_without_a_monitor_nothing_happens():
    followed(Gate(), None, steps=1)


@pytest.mark.parametrize(("answer", "goes_on"), [(None, False), (1.5, True), (3, True), ("s", False), ([], False)])
def test_answers_are_converted_as_measured(answer, goes_on):
    mine = type("Mine", (trt.IProgressMonitor,), {"step_complete": lambda *_: answer})()
    assert progress.step_complete(Gate(quiet=True), mine, "phase", 0) is goes_on


def test_a_monitor_without_overrides_cancels_the_build(capfd):
    gate = Gate()
    with pytest.raises(Refused):
        followed(gate, trt.IProgressMonitor(), steps=1)
    methods = ["phase_start", "step_complete", "phase_finish"]
    assert capfd.readouterr().err == "".join(
        f'[ERROR] Exception caught in {name}(): Tried to call pure virtual function "IProgressMonitor::{name}"\n'
        for name in methods
    )
    assert [failure.becomes for failure in gate.failures] == [
        "the build goes on",
        "the build is cancelled",
        "the build goes on",
    ]
