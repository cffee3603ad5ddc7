"""A run of an application, watched: what is written down, and how it ended."""

import re
import sys

import numpy as np
import pytest

import reference_runtime as trt
from harness.applications import facts, watch
from harness.applications.network_facts import Aliased
from harness.applications.running import WatchError, run
from harness.applications.trace import Memory, Touch, TracedCall
from reference_runtime.bound.errors import NeedsGpu
from reference_runtime.devices import host
from tests.support.runtime.recording import Tape
from tests.support.runtime.recording_v3 import RecorderV3


def engine(*profiles, dims=(-1, 4)):
    """Build an engine from x to y, with an operation of TensorRT's own."""
    logger = trt.Logger(trt.Logger.INTERNAL_ERROR)
    builder = trt.Builder(logger)
    network = builder.create_network()
    layer = network.add_activation(network.add_input("x", trt.float32, dims), trt.ActivationType.RELU)
    layer.get_output(0).name = "y"
    network.mark_output(layer.get_output(0))
    config = builder.create_builder_config()
    for bounds in profiles or [((1, 4), (2, 4), (8, 4))]:
        profile = builder.create_optimization_profile()
        profile.set_shape("x", *bounds)
        config.add_optimization_profile(profile)
    return trt.Runtime(logger).deserialize_cuda_engine(builder.build_serialized_network(network, config))


def ready(context, rows=3):
    """Set shape and addresses; return the buffers."""
    context.set_input_shape("x", (rows, 4))
    buffers = [host.current_device().allocate(rows * 16, owner="plugin") for _ in range(2)]
    for name, buffer in zip(("x", "y"), buffers, strict=True):
        context.set_tensor_address(name, buffer.address)
    return buffers


def members(application):
    return [call.member for call in application.trace.calls()]


def test_calls_are_written_down_with_what_was_known_before():
    def main():
        context = engine().create_execution_context()
        ready(context)
        context.execute_async_v3(0)

    application = run("app:main", main)
    assert application.ending.error == ""
    assert members(application)[-4:] == [
        "set_input_shape",
        "set_tensor_address",
        "set_tensor_address",
        "execute_async_v3",
    ]
    first, *_, execution = application.trace.on(application.trace.contexts()[0])
    assert first.context.missing == ("x",)
    x, y = execution.context.tensors
    assert (x.name, x.is_input, x.dims, x.nbytes, x.room.nbytes) == ("x", True, (3, 4), 48, 48)
    assert (y.name, y.is_input, y.dims) == ("y", False, (3, 4))
    assert execution.done
    assert {touch.access.kind for touch in execution.touches} >= {"read", "write"}
    assert execution.site.file == __file__


def test_what_the_application_does_to_memory_is_its_own_step():
    def main():
        device = host.current_device()
        stream = device.new_stream().handle
        buffer = device.allocate(16, owner="plugin")
        host.access(buffer.address, 16, "write", stream=stream)
        buffer.free()

    steps = [step for step in run("app:main", main).trace.steps if isinstance(step, (Memory, Touch))]
    assert [type(step).__name__ for step in steps] == ["Memory", "Touch", "Memory"]
    assert [step.allocation.freed for step in steps if isinstance(step, Memory)] == [False, True]


def test_an_execution_is_pending_until_the_host_waits():
    def main():
        context = engine().create_execution_context()
        x, y = ready(context)
        stream = host.current_device().new_stream()
        context.execute_async_v3(stream.handle)
        x.free()
        stream.synchronize()
        y.free()

    application = run("app:main", main)
    execution = next(application.trace.executions)
    own = [step for step in application.trace.steps if isinstance(step, Memory) and step.allocation.owner == "plugin"]
    assert [step.pending for step in own if step.allocation.freed] == [{execution.number}, frozenset()]


def test_executions_on_two_streams_overlap_until_one_waits():
    def main():
        context = engine().create_execution_context()
        ready(context)
        first, second = (host.current_device().new_stream() for _ in range(2))
        context.execute_async_v3(first.handle)
        context.execute_async_v3(second.handle)
        first.synchronize()
        second.synchronize()
        context.execute_async_v3(first.handle)

    first, second, third = run("app:main", main).trace.executions
    assert (first.facts["overlapping"], second.facts["overlapping"], third.facts["overlapping"]) == (
        (),
        (first.number,),
        (),
    )


def test_an_execution_that_waits_is_over_when_it_returns():
    def main():
        context = engine().create_execution_context()
        x, y = ready(context)
        context.execute_v2([x.address, y.address])
        x.free()
        context.execute_v2([y.address, y.address])

    application = run("app:main", main)
    freed = [step for step in application.trace.steps if isinstance(step, Memory) and step.allocation.freed]
    assert freed[-1].pending == frozenset()
    assert [call.facts["overlapping"] for call in application.trace.executions] == [(), ()]


def test_bindings_are_addresses_too():
    def main():
        context = engine().create_execution_context()
        context.set_input_shape("x", (3, 4))
        buffers = [host.current_device().allocate(48, owner="plugin") for _ in range(2)]
        context.execute_v2([buffer.address for buffer in buffers])

    execution = next(run("app:main", main).trace.executions)
    assert [tensor.room.nbytes for tensor in execution.context.tensors] == [48, 48]


def test_a_profile_that_was_switched_on_another_stream_is_known():
    def main():
        context = engine(((1, 4), (2, 4), (8, 4)), ((1, 4), (2, 4), (9, 4))).create_execution_context()
        first, second = (host.current_device().new_stream() for _ in range(2))
        context.set_optimization_profile_async(1, first.handle)
        ready(context)
        context.execute_async_v3(second.handle)
        second.wait_event(host.current_device().mark(first.handle))
        context.execute_async_v3(second.handle)

    assert [call.context.has_switched_before for call in run("app:main", main).trace.executions] == [False, True]


def test_shapes_that_clash_are_known():
    def main():
        logger = trt.Logger(trt.Logger.INTERNAL_ERROR)
        builder = trt.Builder(logger)
        network = builder.create_network()
        x, z = (network.add_input(name, trt.float32, (-1, 4)) for name in "xz")
        network.mark_output(network.add_elementwise(x, z, trt.ElementWiseOperation.SUM).get_output(0))
        config, profile = builder.create_builder_config(), builder.create_optimization_profile()
        for name in "xz":
            profile.set_shape(name, (1, 4), (2, 4), (8, 4))
        config.add_optimization_profile(profile)
        data = builder.build_serialized_network(network, config)
        context = trt.Runtime(logger).deserialize_cuda_engine(data).create_execution_context()
        context.set_input_shape("x", (2, 4))
        context.set_input_shape("z", (3, 4))
        context.execute_async_v3(0)

    assert next(run("app:main", main).trace.executions).context.clash


def test_lists_of_creators_tell_when_they_are_used():
    def main():
        registry = trt.get_plugin_registry()
        creators = registry.all_creators
        assert isinstance(creators, list)
        list(creators)
        registry.deregister_creator(Creator())
        len(creators)

    class Creator(trt.IPluginCreator):
        def __init__(self):
            trt.IPluginCreator.__init__(self)
            self.name, self.plugin_version, self.plugin_namespace = "Nobody", "1", ""

    application = run("app:main", main)
    (call,) = application.trace.calls("all_creators")
    assert {changes for _, changes in call.facts["looks"]} == {0, 1}
    assert application.ending.error == ""


class Plugin(trt.IPluginV3, trt.IPluginV3OneCore, trt.IPluginV3OneBuildV2, trt.IPluginV3OneRuntime):
    """A plugin that works in place."""

    def __init__(self):
        for base in Plugin.__bases__:
            base.__init__(self)
        self.plugin_name, self.plugin_version, self.plugin_namespace, self.num_outputs = "P", "1", "", 1

    def get_capability_interface(self, _type):
        return self

    def clone(self):
        copy = Plugin()
        vars(copy).update(vars(self))
        return copy

    def get_aliased_input(self, _index):
        return 0

    def get_output_data_types(self, types):
        return types[:1]

    def get_output_shapes(self, inputs, _shapes, _exprs):
        return [trt.DimsExprs(inputs[0])]


def test_a_network_is_known_when_plugins_are_added_and_when_it_is_built():
    def main():
        builder = trt.Builder(trt.Logger(trt.Logger.INTERNAL_ERROR))
        network = builder.create_network(1)
        x, plugin = network.add_input("x", trt.float32, (-1, 4)), Plugin()
        plugin.network = network
        for _ in range(2):
            network.mark_output(network.add_plugin_v3([x], [], plugin).get_output(0))
        config, profile = builder.create_builder_config(), builder.create_optimization_profile()
        profile.set_shape("x", (1, 4), (2, 4), (8, 4))
        config.add_optimization_profile(profile)
        builder.build_serialized_network(network, config)

    application = run("app:main", main)
    added = next(application.trace.calls("add_plugin_v3")).facts["addition"]
    assert (added.plugin, added.is_dynamic, added.wildcards) == ("Plugin", True, ("x",))
    assert [(tensor.name, tensor.dtype, tensor.dims) for tensor in added.inputs] == [("x", "FLOAT", (-1, 4))]
    (build,) = application.trace.calls("build_serialized_network")
    (aliased,) = build.facts["aliases"]
    assert isinstance(aliased, Aliased)
    assert (aliased.tensor, len(aliased.layers)) == ("x", 2)
    assert [bounds.shapes[2] for bounds in build.facts["bounds"]] == [(8, 4)]
    assert set(build.facts["kept"].values()) == {"network, an INetworkDefinition"}


class Buffers(trt.IOutputAllocator):
    """An allocator for which anything can be the answer."""

    def __init__(self, answer):
        trt.IOutputAllocator.__init__(self)
        self.answer = answer

    def reallocate_output_async(self, *_asked):
        return self.answer

    def notify_shape(self, _name, _shape):
        """Know the shape."""


@pytest.mark.parametrize(
    ("answer", "kind", "is_index"), [(None, "NoneType", False), ([], "list", False), (7, "int", True)]
)
def test_callbacks_are_written_down_with_their_answers(answer, kind, is_index):
    def main():
        context = engine().create_execution_context()
        ready(context)
        context.set_output_allocator("y", Buffers(answer))
        context.execute_async_v3(0)

    application = run("app:main", main)
    execution = next(application.trace.executions)
    (asked,) = [each for each in execution.callbacks if each.method == "reallocate_output_async"]
    assert (asked.facts["type"], asked.facts["is_index"]) == (kind, is_index)
    assert asked.arguments[0] == "y"
    given = next(application.trace.calls("set_output_allocator"))
    assert given.facts["overrides"] == ("reallocate_output_async", "notify_shape")


def fail():
    return None.create_plugin


def leave(code):
    def main():
        sys.exit(code)

    return main


@pytest.mark.parametrize("code", [None, 0])
def test_leaving_in_peace_is_an_end(code):
    assert run("app:main", leave(code)).ending.error == ""


def test_what_leaves_the_function_is_its_end():
    ending = run("app:fail", fail).ending
    assert (ending.kind, ending.attribute, ending.owner) == ("AttributeError", "create_plugin", "NoneType")
    assert ending.site.file == __file__
    assert "create_plugin" in ending.stack
    assert run("app:main", leave(3)).ending.error == "SystemExit: 3"


def test_a_result_that_is_thrown_away_is_known():
    def main():
        context = engine().create_execution_context()
        context.set_input_shape("x", (9, 4))
        if not context.set_input_shape("x", (3, 4)):
            return
        done = context.set_input_shape("x", (3, 4))
        assert done, context.set_input_shape("x", (4, 4))
        [context.set_input_shape("x", (rows, 4)) for rows in (1, 2)]

    application = run("app:main", main)
    found = [call.facts["is_discarded"] for call in application.trace.calls("set_input_shape")]
    assert found == [True, False, False, False, False]


def needs_a_gpu():
    raise NeedsGpu("the kernel 'scale'")


def test_what_only_a_gpu_can_run_is_known():
    application = run("app:main", needs_a_gpu)
    assert application.beyond.startswith("the kernel 'scale' needs a GPU")
    assert "An application is judged on the host device, also with a GPU: " in application.beyond
    assert "on a machine with" not in application.beyond


def test_memory_of_a_library_without_a_device_is_known(monkeypatch):
    def main():
        context = engine().create_execution_context()
        ready(context)
        context.set_tensor_address("x", 0x5000)
        context.execute_async_v3(0)

    for library in watch._LIBRARIES:
        monkeypatch.delitem(sys.modules, library, raising=False)
    assert run("app:main", main).beyond == ""
    monkeypatch.setitem(sys.modules, "torch", sys)
    assert run("app:main", main).beyond == "x are in memory of torch, which only a GPU can reach"


def ended_build(configure):
    """Build a plugin with this configure_plugin, raise the result, and return how that ended."""

    def main():
        builder = trt.Builder(trt.Logger(trt.Logger.INTERNAL_ERROR))
        network = builder.create_network()
        plugin = type("Refusing", (RecorderV3,), {"configure_plugin": configure})(Tape())
        layer = network.add_plugin_v3([network.add_input("x", trt.float32, (2, 4))], [], plugin)
        network.mark_output(layer.get_output(0))
        raise RuntimeError(builder.build_serialized_network(network, builder.create_builder_config()))

    return run("app:main", main).ending


def test_what_tensorrt_only_logged_before_the_end_is_known():
    def configure(*_):
        raise ValueError("no such layout")

    ending = ended_build(configure)
    assert ending.error == "RuntimeError: None"
    assert re.fullmatch(r"configure_plugin raised ValueError: no such layout \(.*test_running\.py:\d+\)", ending.hidden)


def test_the_line_of_an_error_that_tensorrt_raised_in_a_callback_is_the_plugins():
    def configure(*_):
        trt.PluginField(no_such_argument=1)

    hidden = ended_build(configure).hidden
    assert re.fullmatch(r"(?s)configure_plugin raised TypeError: .* \(.*test_running\.py:\d+\)", hidden)


class Handle:
    """An integer, as far as the bindings are concerned."""

    def __int__(self):
        return 0


def test_a_handle_is_an_integer():
    def main():
        context = engine().create_execution_context()
        ready(context)
        context.execute_async_v3(Handle())

    assert [call.stream for call in run("app:main", main).trace.executions] == [0]


def test_what_fails_in_watching_is_not_the_applications(monkeypatch):
    def boom(*_given):
        raise ZeroDivisionError("a fault of ours")

    monkeypatch.setattr(facts, "of_context", boom)
    done = []

    def main():
        context = engine().create_execution_context()
        context.infer_shapes()
        done.append(1)

    with pytest.raises(WatchError, match="a fault of ours"):
        run("app:main", main)
    assert done


def test_a_watched_run_leaves_nothing_behind():
    before, seen = list(sys.argv), []
    run("app:main", lambda: seen.extend(sys.argv))
    assert (sys.argv, seen) == (before, [__file__])
    assert not hasattr(trt.volume, "shown")
    assert np.array_equal(trt.get_plugin_registry().all_creators, [])  # no list of ours


def test_calls_in_order():
    application = run("app:main", lambda: trt.volume((1, 2)))
    assert [step.member for step in application.trace.steps if isinstance(step, TracedCall)] == ["volume"]
