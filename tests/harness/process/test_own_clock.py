"""The clock of a process stands while it waits for a processor, and goes while it works or sleeps."""

import itertools
import os
import subprocess
import sys
import threading

import pytest

from harness.process import linux, own_clock
from harness.process.linux import ThreadTimes
from harness.process.own_clock import OwnClock, Reading, Sleeper, has_threads

MAIN, HELPER, WATCHER = 1, 2, 3


def reading(wall, waited, worked=0.0):
    return Reading(wall, {}, waited, worked)


@pytest.mark.parametrize(
    ("what", "waited", "worked", "seconds"),
    [
        ("asleep", (0.0, 0.0), 0.0, 0.5),
        ("at work, alone on its processor", (0.0, 0.0), 0.5, 0.5),
        ("at work beside others", (0.4, 0.0), 0.1, 0.1),
        ("starved", (0.5, 0.0), 0.0, 0.0),
        ("a helper is starved, for which the main thread waits", (0.0, 0.5), 0.0, 0.0),
        ("deadlocked, beside busy threads on all processors", (0.0, 0.5), 1.0, 0.5),
        ("no kernel that counts, at work", (), 0.2, 0.2),
        ("no kernel that counts, asleep or starved", (), 0.0, 0.05),
    ],
)
def test_the_clock_leaves_out_what_a_process_waited_for_a_processor(monkeypatch, what, waited, worked, seconds):
    monkeypatch.setattr(linux, "processors", lambda: 2)
    first, later = (
        reading(wall, dict(zip((MAIN, HELPER), waits, strict=False)), cpu)
        for wall, waits, cpu in ((5.0, (0.0,) * len(waited), 3.0), (5.5, waited, 3.0 + worked))
    )
    assert first.own_seconds_until(later) == pytest.approx(seconds), what


@pytest.mark.parametrize("later", [{MAIN: 2.0}, {MAIN: 2.0, HELPER: 2.0}])
def test_where_threads_come_and_go_only_work_counts_in_full(later):
    first = reading(0.0, {MAIN: 2.0, WATCHER: 0.0})
    assert first.own_seconds_until(reading(0.5, later, 0.1)) == pytest.approx(0.1)


def test_who_looks_may_be_stopped_meanwhile():
    assert reading(0.0, {MAIN: 0.0}).own_seconds_until(reading(3600.0, {MAIN: 0.0})) == 1.0


@pytest.mark.parametrize(
    ("now", "waited"),
    [
        (ThreadTimes(worked=4.0, waited=1.0, is_ready=True), 3.5),  # it has got no processor yet
        (ThreadTimes(worked=4.0, waited=1.0, is_ready=False), 1.0),
        (ThreadTimes(worked=4.1, waited=3.2, is_ready=True), 3.2),  # it got one: the kernel has it all
    ],
)
def test_a_wait_counts_before_it_is_over(monkeypatch, now, waited):
    last = Reading(10.0, {MAIN: ThreadTimes(4.0, 1.0, is_ready=True)}, {MAIN: 3.0}, 4.0)
    monkeypatch.setattr(linux, "times_of_threads", lambda _: {MAIN: now})
    monkeypatch.setattr(own_clock.time, "monotonic", lambda: 10.5)
    assert Reading.of(MAIN, last).waited == {MAIN: waited}


def test_a_clock_adds_up_what_it_sees_and_begins_anew_when_restarted(monkeypatch):
    walls = itertools.count()
    monkeypatch.setattr(Reading, "of", lambda *_: reading(next(walls) / 10, {MAIN: 0.0}))
    monkeypatch.setattr(own_clock, "TICK", 0.0)
    clock = OwnClock(MAIN)
    assert [clock.has_reached(0.25) for _ in range(4)] == [False, False, False, True], "the first look only begins"
    clock.restart()
    assert not clock.has_reached(0.25)


def test_a_process_that_is_ready_and_gets_no_processor_is_starved():
    """It may run on one processor, which another process has for itself but for a few hundredths."""
    processor = min(os.sched_getaffinity(0))
    busy = f"import os; os.sched_setaffinity(0, {{{processor}}}); print(1, flush=True)\nwhile True: pass"
    idle = "import os; os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))\n" + busy
    with started(busy), started(idle) as starved:
        seen = [Reading.of(starved.pid)]
        while seen[-1].waited[starved.pid] - seen[0].waited[starved.pid] < 1.0:
            seen.append(Reading.of(starved.pid, seen[-1]))
    own = sum(one.own_seconds_until(other) for one, other in itertools.pairwise(seen))
    assert own < 0.5


def test_a_process_that_sleeps_is_not_starved():
    with started("import signal; print(1, flush=True); signal.pause()") as asleep:
        while linux.times_of_threads(asleep.pid)[asleep.pid].is_ready:
            pass
        before, now = Reading.of(asleep.pid), Reading.of(asleep.pid)
    assert now.waited[asleep.pid] == before.waited[asleep.pid]
    assert now.worked == before.worked


@pytest.mark.parametrize(
    ("seen", "looks", "worked"),
    [
        ([(1.0, False), (1.0, False), (1.0, False)], 2, 0.0),
        ([(1.0, False), (1.0, True), (1.0, False)], 1, 0.0),  # it waited for a processor meanwhile
        ([(1.0, False), (1.0, False), (1.5, False)], 0, 0.5),
        ([None, None, None], 2, 0.0),
    ],
)
def test_a_thread_sleeps_that_neither_works_nor_waits_for_a_processor(monkeypatch, seen, looks, worked):
    times = iter([each and ThreadTimes(each[0], 0.0, each[1]) for each in seen])
    monkeypatch.setattr(linux, "times_of", lambda _: next(times))
    sleeper = Sleeper(MAIN)
    sleeper.look()
    sleeper.look()
    assert (sleeper.looks, sleeper.worked) == (looks, worked)


class started(subprocess.Popen):  # noqa: N801 - used as a function
    def __init__(self, script):
        super().__init__([sys.executable, "-c", script], stdout=subprocess.PIPE)
        self.stdout.readline()

    def __exit__(self, *error):
        self.kill()
        super().__exit__(*error)


def test_a_command_has_its_limit_in_its_own_time():
    done = own_clock.run(["cat"], seconds=600, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
    assert (done.returncode, done.stdout) == (0, "")
    with pytest.raises(subprocess.TimeoutExpired):
        own_clock.run(["sleep", "3600"], seconds=0.0)


def test_each_step_of_a_command_has_its_limit():
    steps = itertools.count()

    def limit():
        step = next(steps)
        return min(step, 3), 0.0  # no seconds at all, from the last step on

    with pytest.raises(subprocess.TimeoutExpired):
        own_clock.run_in_steps(["sleep", "3600"], limit)
    assert next(steps) > 4


def test_a_joined_thread_does_not_count():
    script = (
        "import threading\nfrom harness.process import own_clock\n"
        "thread = threading.Thread(target=print); thread.start(); thread.join()\n"
        "print(own_clock.has_threads())\n"
    )
    done = subprocess.run(  # noqa: S603 - a script of ours
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["False"]


def test_a_running_thread_counts():
    go = threading.Event()
    thread = threading.Thread(target=go.wait)
    thread.start()
    assert has_threads()
    go.set()
    thread.join()
