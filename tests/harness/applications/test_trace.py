"""What an application did, as it is kept and shown."""

import pathlib

from harness.applications.references import Ref, Site
from tests.support.application_traces import CONTEXT, Script


def test_a_line_of_the_application_is_seen_from_here():
    assert str(Site(str(pathlib.Path.cwd() / "app.py"), 3)) == "app.py:3"
    assert str(Site("/elsewhere/app.py", 3)) == "/elsewhere/app.py:3"


def test_a_call_is_shown_as_it_was_written():
    script = Script()
    assert (
        script.call("set_input_shape", name="x", shape=(9, 4)).shown
        == "context 1.set_input_shape(name='x', shape=(9, 4))"
    )
    assert script.call("device_memory =", **{"0": 0x7DEC0000}).shown == "context 1.device_memory = 0x7dec0000"
    assert script.call("volume", target=None, owner="", iterable=(1, 2)).shown == "tensorrt.volume(iterable=(1, 2))"
    assert script.call("f", name="x" * 99).shown.endswith("...)")


def test_a_trace_finds_calls_by_member_and_by_object():
    script = Script()
    first, other = script.call("infer_shapes"), script.call("infer_shapes", target=Ref("context", 2))
    execution = script.execute()
    callback = script.answer(execution, "notify_shape", "y", (2,))
    assert list(script.trace.calls("infer_shapes")) == [first, other]
    assert list(script.trace.on(CONTEXT)) == [first, execution]
    assert list(script.trace.executions) == [execution]
    assert list(script.trace.callbacks("notify_shape")) == [callback]
    assert script.trace.contexts() == [CONTEXT, Ref("context", 2)]


def test_only_true_is_success():
    script = Script()
    assert [script.execute(done=done).done for done in (True, False, None)] == [True, False, False]
    assert (script.execute(9).stream, script.call("execute_v2").stream) == (9, 0)
