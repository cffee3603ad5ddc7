"""Executions in relation to each other and to their streams."""

import pytest

from harness.applications.references import Ref
from harness.applications.streams import after_a_switch, repetitions, wrong_with_aux_streams
from tests.support.application_traces import Script, tensors


def test_only_the_first_execution_after_a_switch_is_asked_about():
    script = Script()
    script.execute()
    script.call("set_optimization_profile_async", result=True, profile_index=1, stream_handle=8)
    first = script.execute(context=tensors(has_switched_before=False))
    script.execute()
    assert list(after_a_switch(script.trace)) == [first]


def test_an_execution_that_does_not_wait_for_the_one_before_is_beside_it():
    script = Script()
    first = script.execute(7)
    script.execute(8, overlapping=(first.number,))
    (again,) = repetitions(script.trace)
    assert again.earlier is first
    assert again.beside == "streams 0x7 and 0x8, and neither waits"


def test_executions_of_two_threads_at_once_are_beside_each_other():
    script = Script()
    first = script.execute(7)
    script.execute(7, beside=(first.number,))
    assert [again.beside for again in repetitions(script.trace)] == ["two threads execute it at once"]


def test_executions_in_order_of_failed_ones_and_of_others_are_not():
    script = Script()
    first = script.execute(7, done=False)
    script.execute(8, overlapping=(first.number,))
    script.execute(9, target=Ref("context", 2), overlapping=(first.number,))
    assert [again.beside for again in repetitions(script.trace)] == [""]


@pytest.mark.parametrize(
    ("handles", "wrong"),
    [((5, 6), ""), ((5, 5), "one stream is given twice"), ((5, 1), "1 is the default stream"), ((), "")],
)
def test_auxiliary_streams_differ(handles, wrong):
    assert wrong_with_aux_streams(Script().call("set_aux_streams", aux_streams=handles)) == wrong
