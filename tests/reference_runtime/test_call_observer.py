"""An application's calls are shown: its own, by name, with what became of them, and nothing that happens inside."""

import threading

import numpy as np
import pytest

import reference_runtime as trt
from reference_runtime.bound.overloads import is_bound_function
from reference_runtime.call_observer import is_inside, showing, unseen


class Notes:
    """Writes down what is shown."""

    def __init__(self):
        self.calls = []

    def before(self, call):
        assert is_inside()
        call.notes["begun"] = len(self.calls)

    def after(self, call):
        self.calls.append(call)

    @property
    def members(self):
        return [f"{call.owner}.{call.member}".lstrip(".") for call in self.calls]


@pytest.fixture
def notes():
    seen = Notes()
    with showing(seen):
        yield seen


def test_a_call_is_shown_with_its_arguments_by_name_and_its_result(notes):
    builder = trt.Builder(trt.Logger())
    network = builder.create_network()
    x = network.add_input("x", trt.float32, shape=(2, 3))
    created, added = notes.calls
    assert (created.owner, created.member, created.target, created.result) == (
        "Builder",
        "create_network",
        builder,
        network,
    )
    assert added.arguments == {"name": "x", "dtype": trt.float32, "shape": (2, 3)}
    assert added.result is x
    assert added.error is None


def test_an_exception_is_shown_and_raised(notes):
    profile = trt.Builder(trt.Logger()).create_optimization_profile()
    with pytest.raises(RuntimeError, match="inconsistent"):
        profile.set_shape("x", (1, 2), (1,), (1, 2))
    assert isinstance(notes.calls[-1].error, RuntimeError)


def test_properties_functions_and_fields_are_shown_where_they_matter(notes):
    _ = trt.get_plugin_registry().all_creators
    trt.volume((2, 3))
    trt.PluginField("a", np.zeros(1, np.float32), trt.PluginFieldType.FLOAT32)
    with pytest.raises(TypeError):
        trt.PluginField("a", [0.5])
    assert notes.members == [
        "get_plugin_registry", "IPluginRegistry.all_creators", "volume", "PluginField.__init__", "PluginField.__init__",
    ]  # fmt: skip
    assert isinstance(notes.calls[-1].error, TypeError)


class Listening(trt.IErrorRecorder):
    """A callback of the application's, which uses TensorRT itself."""

    def __init__(self):
        trt.IErrorRecorder.__init__(self)
        self.heard = []

    def report_error(self, _code, _description):
        self.heard.append(trt.volume((2, 3)))
        return True


def test_what_happens_inside_a_call_is_not_shown(notes):
    registry = trt.get_plugin_registry()
    recorder = registry.error_recorder = Listening()
    try:
        registry.get_creator("Nobody", "1", "")
    finally:
        registry.error_recorder = None
    assert recorder.heard == [6]
    assert notes.members == ["get_plugin_registry", "IPluginRegistry.get_creator"]


def test_calls_can_be_unseen_and_nobody_else_pays(notes):
    with unseen():
        trt.volume((2,))
    assert notes.calls == []


def test_everything_is_put_back():
    before = vars(trt.IExecutionContext)["set_input_shape"]
    with showing(Notes()):
        inside = vars(trt.IExecutionContext)["set_input_shape"]
        assert inside is not before
        assert is_bound_function(inside)
    assert vars(trt.IExecutionContext)["set_input_shape"] is before
    assert not hasattr(trt.volume, "shown")


def test_calls_of_all_threads_are_shown(notes):
    thread = threading.Thread(target=lambda: trt.get_plugin_registry().get_creator("Nobody", "1", ""))
    thread.start()
    thread.join()
    assert notes.members == ["get_plugin_registry", "IPluginRegistry.get_creator"]
    assert notes.calls[-1].result is None
