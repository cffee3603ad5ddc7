"""Another thread between two lines of a plugin."""

import sys
import threading
import time
from functools import partial
from unittest.mock import Mock

from harness.checks.threads.line_interleaving import Switches
from harness.contract.finding import CallbackFailedError, CallbackFailure
from tests.support.workbench import Plugin


class Counter(Plugin):
    def __init__(self):
        super().__init__()
        self.value = 0
        self.lock = threading.Lock()

    def careless(self, number):
        self.value = number
        return self.value * 2

    def careful(self, number):
        value = number
        return value * 2

    def added_up(self, number):
        self.value = number
        number += 0
        return self.value

    def many(self, number):
        for each in range(number):
            self.careful(each)

    def locked(self, number):
        with self.lock:
            self.value = number
            return self.value * 2

    def guarded(self, number):
        while self.value:
            time.sleep(0)
        self.value = number
        number += 0
        self.value = 0
        return number


def test_both_works_are_done_at_each_line():
    plugin = Counter()
    seen = list(Switches(plugin).between(partial(plugin.careful, 1), partial(plugin.careful, 2)))
    assert [(each.first.value, each.second.value) for each in seen] == [(2, 4)] * 2
    assert [each.where.split(",")[0] for each in seen] == ["careful"] * 2


def test_what_needs_a_switch_at_one_line_is_found():
    plugin = Counter()
    firsts = [
        each.first.value for each in Switches(plugin).between(partial(plugin.careless, 1), partial(plugin.careless, 2))
    ]
    assert firsts == [2, 4]


def test_it_takes_the_same_course_each_time():
    plugin = Counter()
    runs = [list(Switches(plugin).between(partial(plugin.careless, 1), partial(plugin.careless, 2))) for _ in range(2)]
    assert runs[0] == runs[1]


def test_a_lock_keeps_the_other_thread_waiting_and_everything_right():
    plugin = Counter()
    seen = list(Switches(plugin).between(partial(plugin.locked, 1), partial(plugin.locked, 2)))
    assert {(each.first.value, each.second.value) for each in seen} == {(2, 4)}


def test_a_line_that_is_come_to_again_is_taken_once():
    plugin = Counter()
    seen = [each.where for each in Switches(plugin).between(partial(plugin.many, 50), int)]
    assert len(seen) == len({*seen}) == 4


def test_many_lines_are_spread_evenly():
    plugin = Counter()
    seen = list(Switches(plugin).between(partial(plugin.many, 50), int, most=2))
    assert len(seen) == 2


def test_code_that_is_not_the_plugins_is_not_interrupted():
    plugin = Counter()
    assert list(Switches(plugin).between(partial(sorted, [2, 1]), int)) == []


def test_a_callback_that_fails_is_put_into_words():
    def fail():
        raise CallbackFailedError(CallbackFailure("enqueue", "raised ValueError: no"))

    plugin = Counter()
    seen = list(Switches(plugin).between(partial(plugin.careful, 1), fail))
    assert {each.second.failure for each in seen} == {"enqueue raised ValueError: no"}


def told(wanted):
    return lambda done: done.failure or ("" if done.value == wanted else f"{done.value}, and not {wanted}")


def test_a_sound_work_is_done_once_and_the_other_at_each_of_its_lines():
    plugin, seconds = Counter(), []
    first = Mock(side_effect=partial(plugin.careful, 1))
    seen = list(Switches(plugin).disturbances(first, lambda: seconds.append(first.call_count), (told(2), told(None))))
    assert [problem for _, problem in seen] == ["", ""]
    assert len({where for where, _ in seen}) == 2
    assert seconds == [3, 3], "done, its lines counted, and interrupted twice"


def test_where_something_is_wrong_each_line_is_tried_alone():
    plugin = Counter()
    seen = list(
        Switches(plugin).disturbances(partial(plugin.careless, 1), partial(plugin.careless, 2), (told(2), told(4)))
    )
    assert [problem for _, problem in seen] == ["", "4, and not 2"]


def test_what_takes_several_interruptions_is_told_as_well():
    plugin = Counter()

    def add():
        plugin.value += 1

    def often(done):
        return f"{done.value} times" if done.value > 1 else ""

    seen = list(Switches(plugin).disturbances(partial(plugin.added_up, 0), add, (often, told(None))))
    assert [problem for _, problem in seen] == ["2 times"] * 3


def test_each_line_behind_a_lock_is_tried_and_one_thread_waits_at_a_time():
    plugin = Counter()
    seen = list(Switches(plugin).disturbances(partial(plugin.locked, 1), partial(plugin.locked, 2), (told(2), told(4))))
    assert len({where for where, _ in seen}) == len(seen) == 3
    assert {problem for _, problem in seen} == {""}


def test_an_earlier_trace_function_is_put_back():
    plugin, before = Counter(), sys.gettrace()
    list(Switches(plugin).between(partial(plugin.careful, 1), int))
    assert sys.gettrace() is before


def test_a_thread_that_asks_a_flag_again_and_again_waits():
    plugin = Counter()
    seen = list(Switches(plugin).between(partial(plugin.guarded, 1), partial(plugin.guarded, 2)))
    assert {(each.first.value, each.second.value) for each in seen} == {(1, 2)}
