"""Threads that take turns: the same course each time, and nobody waits for ever who need not."""

import gc
import sys
import threading
from functools import partial

import pytest

from harness.checks.threads.deterministic_threads import OwnCode, Schedule, in_turns
from harness.contract.finding import CallbackFailedError, CallbackFailure, NotRun
from reference_runtime.bridges import cupy
from reference_runtime.calling.gate.gate import Gate
from tests.support.workbench import Plugin

TO_THE_END = Schedule((1,), 0)
EACH_LINE = Schedule((1,), 1000)


class Counter(Plugin):
    def __init__(self):
        super().__init__()
        self.value, self.busy = 0, False
        self.lock, self.seen = threading.Lock(), []

    def careless(self, number):
        self.value = number
        self.seen.append(number)
        return self.value

    def careful(self, number):
        with self.lock:
            self.value = number
            self.seen.append(number)
            return self.value

    def impatient(self, number):
        while self.busy:
            self.seen.append("waits")
        self.busy = True
        self.value = number
        value = self.value
        self.busy = False
        return value

    def on_one_line(self, number):
        self.seen += [cupy.empty(1), self.seen.append(number), cupy.empty(1)][1:1]

    def traced(self):
        return sys.gettrace()

    def fail(self):
        raise CallbackFailedError(CallbackFailure("enqueue", "raised ValueError: no"))


def course_of(plugin, method, schedule, *, threads=2, waited_at=None):
    """Let a method be called with 1, 2, ... at once."""
    gate = Gate(quiet=True)
    works = [partial(called, gate, plugin, method, number + 1) for number in range(threads)]
    return in_turns(works, gate, OwnCode(plugin), schedule, set() if waited_at is None else waited_at)


def called(gate, plugin, method, *arguments):
    outcome = gate.call(plugin, method, *arguments)
    return repr(outcome.error) if outcome.error else outcome.value


def values(course):
    return [done.value for done in course.done]


def test_without_turns_one_works_after_the_other():
    course = course_of(Counter(), "careless", TO_THE_END)
    assert values(course) == [1, 2]
    assert course.switches == ["thread 1 stopped at its end"]


def test_line_by_line_what_is_shared_is_overwritten():
    plugin = Counter()
    course = course_of(plugin, "careless", EACH_LINE)
    assert values(course) == [2, 2]
    assert plugin.seen == [1, 2]
    assert "in careless, line" in str(course)


def test_a_turn_has_as_many_points_as_its_step():
    plugin = Counter()
    first = course_of(plugin, "careless", Schedule((3,), 1)).switches[0]
    assert first.startswith("thread 1 stopped in careless")
    assert course_of(plugin, "careless", Schedule((4,), 1)).switches[0] != first


def test_each_course_repeats_itself():
    for steps in ((1,), (2, 1), (3, 5)):
        courses = [course_of(Counter(), "careless", Schedule(steps, 50), threads=3) for _ in range(3)]
        assert courses[0] == courses[1] == courses[2]


def test_a_call_of_the_device_is_a_point_within_a_line():
    line = course_of(Counter(), "on_one_line", EACH_LINE).switches
    assert len([switch for switch in line if "in on_one_line" in switch and switch.startswith("thread 1")]) == 3


def test_a_thread_that_waits_for_a_lock_loses_its_turn():
    places = set()
    for steps in range(1, 8):
        course = course_of(Counter(), "careful", Schedule((steps,), 1000), waited_at=places)
        assert values(course) == [1, 2]
    assert {code.co_name for code, _ in places} == {"careful"}


def test_a_thread_that_asks_again_and_again_loses_its_turn():
    plugin = Counter()
    assert values(course_of(plugin, "impatient", Schedule((4,), 1))) == [1, 2]
    assert 0 < plugin.seen.count("waits") < 50


def test_a_flag_that_is_no_lock_lets_two_in():
    assert values(course_of(Counter(), "impatient", EACH_LINE)) == [2, 2]


def test_a_failing_callback_is_put_into_words_and_all_else_is_raised():
    plugin, gate = Counter(), Gate(quiet=True)

    def refuse():
        raise NotRun("nothing to do")

    course = in_turns([plugin.fail, int], gate, OwnCode(plugin), EACH_LINE, set())
    assert [done.failure for done in course.done] == ["enqueue raised ValueError: no", ""]
    with pytest.raises(NotRun, match="nothing to do"):
        in_turns([int, refuse], gate, OwnCode(plugin), EACH_LINE, set())
    assert gate.observers == []


def test_everything_is_put_back():
    plugin, gate = Counter(), Gate(quiet=True)
    ours = []

    def tracer(*_):
        return None

    def work():
        called(gate, plugin, "careless", 1)
        ours.append(sys.gettrace())

    threading.settrace(tracer)
    try:
        before = sys.gettrace(), gc.isenabled(), sys.getswitchinterval()
        in_turns([work, work], gate, OwnCode(plugin), EACH_LINE, set())
        assert (sys.gettrace(), gc.isenabled(), sys.getswitchinterval()) == before
        assert threading.gettrace() is tracer
    finally:
        threading.settrace(None)
    assert ours == [tracer, tracer]


def test_somebody_elses_tracer_changes_nothing():
    alone = course_of(Counter(), "careless", Schedule((2, 3), 20))
    threading.settrace(lambda *_: None)
    try:
        assert course_of(Counter(), "careless", Schedule((2, 3), 20)) == alone
    finally:
        threading.settrace(None)
