"""The plugin's own code, told from all other."""

import importlib.util
import sys

import numpy as np
import pytest

from harness.checks.observation.own_code import CodeOrigin, OwnCode
from reference_runtime import plugin as trtp
from reference_runtime.bridges import cupy
from reference_runtime.plugin.templates import RunningPlugin
from tests.support.decorated_plugins import forgotten
from tests.support.workbench import Doubler

PLUGIN = """
import reference_runtime as trt

class Lone(trt.IPluginV2DynamicExt):
    def __init__(self):
        super().__init__()
        self.num_outputs, self.plugin_type, self.plugin_version, self.plugin_namespace = 1, "P", "1", ""
"""


def frame_of(function, *arguments):
    """Return the frame in which a function of Python runs."""
    frames = []
    before = sys.getprofile()
    sys.setprofile(lambda frame, event, _: frames.append(frame) if event == "call" else None)
    try:
        function(*arguments)
    finally:
        sys.setprofile(before)
    return frames[0]


def imported(file):
    spec = importlib.util.spec_from_file_location(file.stem, file)
    module = importlib.util.module_from_spec(spec)
    sys.modules[file.stem] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def modules(tmp_path):
    """Return a plugin without a package, in a folder named so, and a module beside it."""

    def made(folder):
        (tmp_path / folder).mkdir()
        names = {"own_code_plugin": PLUGIN, "own_code_helper": "def helped():\n    pass\n"}
        for name, text in names.items():
            (tmp_path / folder / f"{name}.py").write_text(text)
        return [imported(tmp_path / folder / f"{name}.py") for name in names]

    yield made
    for name in ("own_code_plugin", "own_code_helper"):
        sys.modules.pop(name, None)


def test_the_plugins_package_is_its_own_and_the_runtime_is_not():
    own = OwnCode(Doubler())
    assert own.origin(frame_of(Doubler().serialize)) is CodeOrigin.OWN
    assert own.origin(frame_of(np.full, 1, 1)) is CodeOrigin.ELSEWHERE
    assert own.origin(frame_of(Doubler)) is CodeOrigin.ELSEWHERE


def test_the_bridge_is_the_device():
    assert OwnCode(Doubler()).origin(frame_of(cupy.empty, 1)) is CodeOrigin.DEVICE


def test_what_lies_beside_the_plugin_is_its_own(modules):
    plugin, helper = modules("project")
    own = OwnCode(plugin.Lone())
    assert own.origin(frame_of(plugin.Lone.__init__, plugin.Lone())) is CodeOrigin.OWN
    assert own.origin(frame_of(helper.helped)) is CodeOrigin.OWN


def test_where_all_packages_lie_only_the_plugins_file_is(modules):
    plugin, helper = modules("site-packages")
    own = OwnCode(plugin.Lone())
    assert own.origin(frame_of(plugin.Lone.__init__, plugin.Lone())) is CodeOrigin.OWN
    assert own.origin(frame_of(helper.helped)) is CodeOrigin.ELSEWHERE


def test_the_functions_of_a_decorated_plugin_are_its_own_and_what_calls_them_is_not():
    with forgotten():
        trtp.register("m::own")(describe)
        plugin = RunningPlugin(trtp.op.m.own, {})
        code = OwnCode(plugin)
        frame = frame_of(describe, trtp.TensorDesc(trtp.ShapeExprs(1)))
        assert code.origin(frame) is CodeOrigin.OWN
        assert code.origin(frame_of(plugin.get_num_outputs)) is CodeOrigin.ELSEWHERE


def describe(x: trtp.TensorDesc) -> trtp.TensorDesc:
    return x
