"""What NVIDIA's own builder, that of TensorRT-RTX, says of plugins; skipped where the package is not installed."""

import json
import os
import pathlib

import pytest

from harness.process.nvidia_packages import RTX
from tests.support import witnesses

pytest_plugins = ["pytester"]
pytestmark = pytest.mark.skipif(not RTX.is_installed(), reason=f"NVIDIA's builder is not installed: {RTX.install}")

ROOT = pathlib.Path(__file__).resolve().parents[2]
FAULTY = witnesses.files_in(witnesses.FAULTY / "nvidias_builder")
NEAR_MISSES = witnesses.files_in(witnesses.NEAR_MISSES / "nvidias_builder")
RULES = ["GEN-001", "GEN-002", "GEN-003", "GEN-004", "GEN-005", "GEN-006"]
WARNINGS = {"GEN-004", "GEN-005", "GEN-006"}


@pytest.fixture
def built(pytester, monkeypatch):
    """Have a module's plugins built, and return the report."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT), prepend=os.pathsep)

    def build(module, *options, runtime="rtx"):
        report = pytester.path / "report.json"
        how = (f"--plugin-runtime={runtime}", f"--plugin-report=json:{report}", *(options or ("--plugin-select=GEN",)))
        pytester.runpytest_subprocess(f"--plugin-module={module}", *how)
        return json.loads(report.read_text())

    return build


def verdicts(report):
    """Return what was found of each rule, but for PASS and what rests on another rule."""
    found = [rule for case in report["plugins"] for rule in case["rules"]]
    assert {rule["id"] for rule in found} == set(RULES)
    return {rule["id"]: rule["verdict"] for rule in found if rule["verdict"] not in {"PASS", "BLOCKED", "NOT-RUN"}}


def observed(report, rule):
    entries = [entry for case in report["plugins"] for entry in case["rules"] if entry["id"] == rule]
    return next(violation for entry in entries for violation in entry["violations"])


@pytest.mark.parametrize("file", FAULTY, ids=lambda file: file.stem)
def test_a_witness_breaks_its_rule_alone(built, file):
    rule = witnesses.constants(file)["BREAKS"]
    report = built(witnesses.dotted(file))
    assert verdicts(report) == {rule: "WARN" if rule in WARNINGS else "FAIL"}
    assert observed(report, rule)["what"].count("NVIDIA's builder (TensorRT-RTX ") == 1


def test_each_rule_has_a_witness_and_a_near_miss():
    assert sorted(witnesses.constants(file)["BREAKS"] for file in FAULTY) == RULES
    assert sorted(witnesses.constants(file)["LOOKS_LIKE"] for file in NEAR_MISSES) == RULES


@pytest.mark.nightly
@pytest.mark.parametrize("file", FAULTY, ids=lambda file: file.stem)
def test_a_witness_is_sound_on_the_reference_runtime(built, file):
    report = built(witnesses.dotted(file), "--plugin-level=5", runtime="reference")
    assert {case["verdict"] for case in report["plugins"]} == {"CONFORMS"}


@pytest.mark.nightly
@pytest.mark.parametrize("file", NEAR_MISSES, ids=lambda file: file.stem)
def test_a_near_miss_breaks_none(built, file):
    assert verdicts(built(witnesses.dotted(file))) == {}


@pytest.mark.parametrize(
    "name",
    [
        "leaky_relu_v3",
        "split_capabilities",
        "near_misses.capabilities.build_object_shared_by_clones",
        "near_misses.capabilities.capabilities_made_when_they_are_wanted",
    ],
)
def test_sound_plugins_are_built_and_the_process_lives(built, name):
    report = built(f"plugin_examples.{name}")
    assert verdicts(report) == {}
    number = sum(rule["evidence"] for case in report["plugins"] for rule in case["rules"] if rule["id"] == "GEN-006")
    assert report["built_too"].endswith(f"too: {number} of {number} builds agree")


def test_a_plugin_that_nobody_holds_kills_the_process(built):
    report = built("plugin_examples.faulty.capabilities.parts_that_forget_the_plugin")
    assert verdicts(report) == {"GEN-003": "FAIL"}
    seen = observed(report, "GEN-003")
    assert "after the build, when Python freed what was left of it" in seen["observed"]
    assert "refer to the plugin" in seen["fix"]
    assert report["built_too"].endswith("too: 0 of 3 builds agree")


def test_a_class_with_both_build_interfaces_is_not_parsed(built):
    report = built("plugin_examples.faulty.capabilities.two_build_objects_in_one")
    assert verdicts(report) == {"GEN-001": "FAIL"}


BOTH_BUILDS = """
import tensorrt as trt
from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

PLUGIN_CASES = SCALE_CASES

class Both(Scale, trt.IPluginV3OneBuildV2):
    def __init__(self, factor, phase=trt.TensorRTPhase.BUILD):
        for base in (trt.IPluginV3, trt.IPluginV3OneCore, trt.IPluginV3OneBuildV2, trt.IPluginV3OneRuntime):
            base.__init__(self)
        self.plugin_name, self.plugin_version, self.plugin_namespace, self.num_outputs = "Scale", "1", "", 1
        self.factor, self.phase = factor, phase

publish(Both)
"""
ATTACHED_IN_PLACE = """
from plugin_examples.faulty.bases.sound_in_place_v3 import IN_PLACE_CASES, InPlace, publish
import tensorrt as trt

PLUGIN_CASES = IN_PLACE_CASES

class Attached(trt.IPluginV3, trt.IPluginV3OneCore, trt.IPluginV3OneRuntime):
    def __init__(self, plugin):
        for base in Attached.__bases__:
            base.__init__(self)
        self.plugin_name, self.plugin_version, self.plugin_namespace = "InPlace", "1", ""
        self.factor, self.phase, self.stored_factor = plugin.factor, plugin.phase, plugin.stored_factor

    def get_capability_interface(self, type):
        return None if type == trt.PluginCapabilityType.BUILD else self

    def attach_to_context(self, context):
        return Attached(self)

    def clone(self):
        return Attached(self)

    set_tactic, on_shape_change = InPlace.set_tactic, InPlace.on_shape_change
    enqueue, add = InPlace.enqueue, InPlace.add
    get_fields_to_serialize = InPlace.get_fields_to_serialize

class WithoutABuild(InPlace):
    def attach_to_context(self, context):
        return Attached(self)

publish(WithoutABuild)
"""


@pytest.mark.parametrize("source", [BOTH_BUILDS, ATTACHED_IN_PLACE], ids=["both builds", "attached in place"])
def test_an_object_that_the_builder_cannot_ask_kills_the_process(built, pytester, source):
    file = pytester.path / "killing.py"
    file.write_text(source)
    report = built(file)
    assert verdicts(report) == {"GEN-003": "FAIL"}
    seen = observed(report, "GEN-003")
    assert "died by SIG" in seen["observed"]
    assert "get_capability_interface" in seen["fix"]


def test_a_kernel_that_does_not_exist_is_planned(built):
    """So it is ours to find: FMT-012."""
    report = built("plugin_examples.faulty.formats.halves_in_vectors_of_four")
    assert verdicts(report) == {}


def test_what_it_cannot_build_is_not_run_with_the_reason(built):
    rules = [rule for case in built("plugin_examples.bar")["plugins"] for rule in case["rules"]]
    told = "the builder takes plugins of IPluginV3 alone, and this is IPluginV2DynamicExt"
    assert {(rule["verdict"], rule["reason"]) for rule in rules} == {("NOT-RUN", told)}


@pytest.mark.nightly
def test_a_plugin_conforms_with_it(built):
    report = built("plugin_examples.bar_v3", "--plugin-level=5")
    assert {case["verdict"] for case in report["plugins"]} == {"CONFORMS"}
    assert report["options"]["runtime"] == "rtx"
    assert "tensorrt-rtx-cu12" in report["versions"]


def test_the_same_runner_takes_the_module_tensorrt(built, pytester, monkeypatch):
    """TensorRT itself was never run so: here TensorRT-RTX has its name."""
    (pytester.path / "tensorrt.py").write_text(
        "import sys\nimport tensorrt_rtx\nsys.modules[__name__] = tensorrt_rtx\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(pytester.path), prepend=os.pathsep)
    for name, value in RTX.environment(pytester.path).items():
        monkeypatch.setenv(name, value)
    report = built("plugin_examples.bar_v3", runtime="tensorrt")
    assert verdicts(report) == {}
    assert report["built_too"] == "built by NVIDIA's TensorRT too: 4 of 4 builds agree"


@pytest.mark.nightly
@pytest.mark.parametrize("module", [*witnesses.examples(), *witnesses.near_misses()])
def test_what_is_sound_is_built_and_lives_and_agrees(built, module):
    report = built(module)
    if any(rule["verdict"] == "NOT-RUN" for case in report["plugins"] for rule in case["rules"]):
        return  # of another interface, or with what a model cannot say; the report has the reason
    assert verdicts(report) == {}
