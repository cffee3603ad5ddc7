"""A trace or profile function that a callback sets is seen, and what was there before, or is ours, is not."""

import sys

import pytest

from harness.checks.observation.in_a_fork import apart
from harness.child.integrity import trace_functions
from harness.child.integrity.trace_functions import TraceWatcher
from harness.process import flight_recorder
from harness.process.handover import InterferenceError
from reference_runtime.calling.gate.records import Event, Phase

EVENT = Event(1, Phase.EXECUTION, "Bar#1", "enqueue", ())


def nothing(*_):
    return None


def seen(*, before=None, within=None, how=sys.settrace, is_child=True):
    """What a watcher says, in a fork, of a callback that sets one function where another is set."""

    def watched():
        trace_functions.flight_recorder.is_installed = lambda: is_child
        watcher = TraceWatcher()
        how(before)
        watcher.before(EVENT)
        how(within)
        watcher.after(EVENT, None)
        how(None)
        try:
            watcher.insist_on_unchanged()
        except InterferenceError as error:
            return str(error)
        return ""

    return apart(watched)


@pytest.mark.parametrize("how", [sys.settrace, sys.setprofile])
def test_a_function_that_a_callback_sets_is_seen(how):
    assert seen(within=nothing, how=how) == "enqueue set a trace or profile function"
    assert seen(before=print, within=nothing, how=how) == "enqueue set a trace or profile function"


def test_what_was_there_before_and_what_is_ours_is_fine():
    assert seen() == seen(before=nothing) == seen(before=nothing, within=nothing) == ""
    assert seen(within=flight_recorder.record) == ""


def test_a_debugger_in_the_users_own_process_is_fine():
    assert seen(within=nothing, is_child=False) == ""
