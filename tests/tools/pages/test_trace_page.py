"""What happens when: the traces, and that each call says what it rests on."""

import pytest
from pages import call_trace, trace_page


def traced(kind):
    return {
        (step.name, made.method)
        for profiles in (1, 2)
        for steps in trace_page.traces(kind, profiles)
        for step in steps
        for made in step.calls
    }


@pytest.mark.parametrize("kind", trace_page.BASIS)
def test_each_call_says_what_it_rests_on_and_nothing_else_does(kind):
    assert set(trace_page.BASIS[kind]) == traced(kind)


def calls(kind, name):
    (step,) = [step for step in call_trace.run(kind) if step.name == name]
    return [(made.role, made.method) for made in step.calls]


def test_a_context_of_version_2_is_configured_after_a_change_of_shape_alone():
    assert calls("v2", "shape") == [("context 1", "configure_plugin"), ("context 1", "enqueue")]
    assert calls("v2", "address") == calls("v2", "again") == [("context 1", "enqueue")]


def test_a_context_of_version_3_hears_of_addresses_too():
    assert calls("v3", "address") == [("context 1", "on_shape_change"), ("context 1", "enqueue")]


@pytest.mark.parametrize("kind", trace_page.BASIS)
def test_setting_shapes_calls_nothing(kind):
    assert calls(kind, "set") == []


@pytest.mark.parametrize(("kind", "method"), [("v2", "clone"), ("v3", "attach_to_context")])
def test_a_context_gets_an_object_of_its_own(kind, method):
    (step,) = [step for step in call_trace.run(kind) if step.name == "second context"]
    assert (step.calls[0].role, step.calls[0].method, step.calls[0].newborn) == ("the engine's", method, "context 2")
