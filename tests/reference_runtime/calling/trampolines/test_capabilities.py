from __future__ import annotations

import gc
import weakref

import pytest

import reference_runtime as trt
from reference_runtime.bound.errors import NativeCrash
from reference_runtime.calling.gate.gate import Gate
from reference_runtime.calling.lifecycle.table import Stage
from reference_runtime.calling.trampolines import v3
from reference_runtime.values.descriptions import Bounds, Description
from tests.support.runtime.fault_plugins import LOG, v3_class

DESC = Description((2, 3), trt.DataType.FLOAT, trt.TensorFormat.LINEAR)
BOUNDS = Bounds(DESC.sized((-1, 3)), (1, 3), (2, 3), (4, 3))


@pytest.fixture
def gate():
    LOG.clear()
    return Gate(quiet=True)


@pytest.fixture
def plugin():
    return v3_class()()


def in_parts(**handed_out):
    """A plugin of several objects, made for each or shared by all."""

    class Parts(trt.IPluginV3):
        def __init__(self):
            super().__init__()
            self.parts = handed_out or {
                "CORE": trt.IPluginV3OneCore(),
                "BUILD": v3_class()(),
                "RUNTIME": v3_class()(),
            }

        def get_capability_interface(self, kind):
            return self.parts[kind.name]

        def clone(self):
            return type(self)()

        def destroy(self):
            LOG.append(("destroy", [], ()))

    return Parts()


def test_the_capabilities_of_a_phase_are_asked_for_once_each(gate, plugin):
    built = v3.capabilities(gate, plugin, build=True)
    assert (built.core, built.build, built.runtime) == (plugin, plugin, plugin)
    assert [str(arguments[0]) for _, _, arguments in LOG] == [
        "PluginCapabilityType.CORE",
        "PluginCapabilityType.BUILD",
        "PluginCapabilityType.RUNTIME",
    ]
    loaded = v3.capabilities(gate, plugin, build=False)
    assert loaded.build is None
    assert len(LOG) == 5


@pytest.mark.parametrize("absent", ["CORE", "BUILD"])
def test_a_plugin_without_one_of_them_has_none(gate, absent):
    whole = v3_class()()
    plugin = in_parts(**{name: None if name == absent else whole for name in ("CORE", "BUILD", "RUNTIME")})
    assert v3.capabilities(gate, plugin, build=True) is None
    assert [failure.what for failure in gate.failures] == ["returned None"]


def test_a_build_asks_for_the_runtime_when_it_is_used_and_dies_without(gate):
    whole = v3_class()()
    found = v3.capabilities(gate, in_parts(CORE=whole, BUILD=whole, RUNTIME=None), build=True)
    assert gate.failures == []
    with pytest.raises(NativeCrash, match="gave a null pointer: TensorRT dies here"):
        _ = found.runtime
    assert [failure.what for failure in gate.failures] == ["returned None"]


def test_capabilities_may_be_asked_for_before_each_use(gate):
    asked = []
    plugin = v3_class()()
    type(plugin).get_capability_interface = lambda self, kind: asked.append(kind.name) or self
    found = v3.capabilities(gate, plugin, build=True)
    assert found.build is found.build
    assert asked == ["CORE", "BUILD"]
    found.anew = True
    assert found.runtime is found.core
    assert asked == ["CORE", "BUILD", "RUNTIME", "CORE"]


def test_the_stage_is_that_of_the_whole_whichever_part_is_called(gate):
    plugin = in_parts()
    found = v3.capabilities(gate, plugin, build=True)
    v3.configure_plugin(gate, found.build, [BOUNDS], [BOUNDS])
    assert gate.stage_of(plugin) is gate.stage_of(found.build) is gate.stage_of(found.runtime) is Stage.CONFIGURED
    assert v3.set_tactic(gate, found.runtime, 0) == 0
    assert gate.stage_of(plugin) is Stage.TACTIC_SET


def test_a_runtime_that_several_plugins_share_serves_each_of_them(gate):
    shared = v3_class()()
    plugins = [in_parts(CORE=shared, BUILD=shared, RUNTIME=shared) for _ in range(2)]
    first, second = (v3.capabilities(gate, plugin, build=True) for plugin in plugins)
    for found in (first, second):
        v3.configure_plugin(gate, found.build, [BOUNDS], [BOUNDS])
    v3.set_tactic(gate, first.runtime, 1)
    v3.on_shape_change(gate, first.runtime, [DESC], [DESC])
    v3.configure_plugin(gate, second.build, [BOUNDS], [BOUNDS])
    assert {gate.stage_of(plugin) for plugin in plugins} == {Stage.CONFIGURED}


def test_no_answer_to_a_question_for_a_capability_is_ever_released(gate):
    plugin = in_parts()
    plugin.get_capability_interface = lambda _kind: trt.IPluginV3OneCore()
    part = weakref.ref(v3.capability(gate, plugin, trt.PluginCapabilityType.CORE))
    gc.collect()
    assert part() is not None


def test_what_the_build_reads_without_a_call(gate, plugin):
    assert v3.num_outputs(gate, plugin) == 1
    assert v3.format_combination_limit(gate, plugin) == 100
    assert v3.timing_cache_id(gate, plugin) is None
    plugin.format_combination_limit, plugin.timing_cache_id, plugin.metadata_string = 7, "id", "about"
    assert v3.format_combination_limit(gate, plugin) == 7
    assert (v3.timing_cache_id(gate, plugin), v3.metadata_string(gate, plugin)) == (
        "id",
        "about",
    )
    names = v3.plugin_name, v3.plugin_version, v3.plugin_namespace
    assert [name(gate, plugin) for name in names] == ["P3", "1", ""]
