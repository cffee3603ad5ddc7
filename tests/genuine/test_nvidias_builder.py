"""What NVIDIA's own builder, that of TensorRT-RTX, says of plugins; skipped where the package is not installed."""

import json
import os
import pathlib
import re

import pytest

from harness.contract.verdict import Verdict
from harness.process.nvidia_packages import RTX
from tests.integration.verdicts.test_sound_bases import published
from tests.support import matrix, witnesses
from tests.support.verdicts import results_in_a_fork
from tools import nvidias_matrix

pytest_plugins = ["pytester"]
pytestmark = pytest.mark.skipif(not RTX.is_installed(), reason=f"NVIDIA's builder is not installed: {RTX.install}")

ROOT = pathlib.Path(__file__).resolve().parents[2]
FAULTY = witnesses.files_in(witnesses.FAULTY / "nvidias_builder")
NEAR_MISSES = witnesses.files_in(witnesses.NEAR_MISSES / "nvidias_builder")
RULES = nvidias_matrix.RULES
NOTICED = json.loads(nvidias_matrix.FILE.read_text())["witnesses"]
WARNINGS = {"GEN-004", "GEN-005", "GEN-006"}
CANNOT = re.compile(
    r"the builder takes plugins of IPluginV3 alone|inputs\[\d\] is a shape input of rank [02],|field '\w+' is of type"
)
WITNESS_BY_DAY = "versions_compared_as_text"
SILENT = {Verdict.PASS, Verdict.BLOCKED, Verdict.NOT_RUN}


def judged(module):
    """Return what the rules of this family find of a module's plugins."""
    found = results_in_a_fork(module, RULES, builder="tensorrt_rtx")
    return [result for case in found.values() for result in case]


def found_in(results):
    """Return what was found of each rule, except PASS and what rests on another rule."""
    assert {result.rule for result in results} == set(RULES)
    return {result.rule: result.verdict.value for result in results if result.verdict not in SILENT}


def seen_by(results, rule):
    return next(violation for result in results if result.rule == rule for violation in result.violations)


def assert_sound(results):
    """Make sure that nothing is found, and that nothing is left out except what the builder cannot judge."""
    left_out = {result.reason for result in results if result.verdict is Verdict.NOT_RUN}
    assert {reason for reason in left_out if not CANNOT.match(reason)} == set()
    assert found_in(results) == {}


def has_plugins(module):
    """Whether a module is no application, whose plugins the builder's process does not run."""
    return "PLUGIN_APPS" not in pathlib.Path(ROOT, *module.split(".")).with_suffix(".py").read_text()


def by_night(files, by_day=()):
    """Return files as parameters: most are built by night."""
    marks = {file: () if file.stem in by_day else pytest.mark.nightly for file in files}
    return [pytest.param(file, marks=mark, id=file.stem) for file, mark in marks.items()]


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


@pytest.mark.parametrize("file", by_night(FAULTY, [WITNESS_BY_DAY]))
def test_a_witness_breaks_its_rule_alone(file):
    rule = witnesses.constants(file)["BREAKS"]
    results = judged(witnesses.dotted(file))
    assert found_in(results) == {rule: "WARN" if rule in WARNINGS else "FAIL"}
    assert seen_by(results, rule).what.count("NVIDIA's builder (TensorRT-RTX ") == 1


def test_each_rule_has_a_witness_and_a_near_miss():
    assert sorted(witnesses.constants(file)["BREAKS"] for file in FAULTY) == RULES
    assert sorted(witnesses.constants(file)["LOOKS_LIKE"] for file in NEAR_MISSES) == RULES


@pytest.mark.nightly
@pytest.mark.parametrize("file", FAULTY, ids=lambda file: file.stem)
def test_a_witness_is_sound_on_the_reference_runtime(built, file):
    report = built(witnesses.dotted(file), "--plugin-level=5", runtime="reference")
    assert {case["verdict"] for case in report["plugins"]} == {"CONFORMS"}


def test_a_run_says_how_many_builds_agree(built):
    case = "conformance::/LeakyRelu/2::default-slope"
    report = built("plugin_examples.leaky_relu_v3", "--plugin-select=GEN", case)
    rules = [rule for case in report["plugins"] for rule in case["rules"]]
    assert {rule["id"]: rule["verdict"] for rule in rules} == dict.fromkeys(RULES, "PASS")
    number = sum(rule["evidence"] for rule in rules if rule["id"] == "GEN-006")
    assert report["built_too"].endswith(f"too: {number} of {number} builds agree")


@pytest.mark.parametrize(
    ("options", "builds"),
    [
        (["--plugin-level=1"], True),
        (["--plugin-select=FMT"], False),
        (["--plugin-level=1", "--plugin-ignore=GEN"], False),
    ],
    ids=["level 1", "other rules", "without them"],
)
def test_the_header_says_that_it_builds_where_it_does(pytester, monkeypatch, options, builds):
    monkeypatch.setenv("PYTHONPATH", str(ROOT), prepend=os.pathsep)
    shown = "--plugin-module=plugin_examples.leaky_relu_v3", "--plugin-runtime=rtx", "--collect-only"
    output = pytester.runpytest_subprocess(*shown, *options).stdout.str()
    assert ("built by NVIDIA's TensorRT-RTX" in output, "GEN-001" in output) == (builds, builds)


@pytest.mark.parametrize("module", ["plugin_examples.split_capabilities", "plugin_examples.frameworks.raw_kernel"])
def test_sound_plugins_are_built_and_agree(module):
    """One consists of several objects; the other computes with a kernel that runs on a GPU alone."""
    assert_sound(judged(module))


@pytest.mark.nightly
def test_a_plugin_that_nobody_holds_kills_the_process(built):
    report = built("plugin_examples.faulty.capabilities.parts_that_forget_the_plugin")
    (seen,) = {
        (rule["violations"][0]["observed"].partition(";")[0], rule["violations"][0]["fix"])
        for case in report["plugins"]
        for rule in case["rules"]
        if rule["verdict"] == "FAIL" and rule["id"] == "GEN-003"
    }
    assert "after the build, when Python freed what was left of it" in seen[0]
    assert "refer to the plugin" in seen[1]
    assert report["built_too"].endswith("too: 0 of 3 builds agree")


@pytest.mark.nightly
def test_a_class_with_both_build_interfaces_is_not_parsed():
    results = judged("plugin_examples.faulty.capabilities.two_build_objects_in_one")
    assert found_in(results) == {"GEN-001": "FAIL"}


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


WORDS = """
import numpy as np
import tensorrt as trt
from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, ScaleCreator, publish

PLUGIN_CASES = [
    {**SCALE_CASES[1], "name": name, "fields": {"mode": mode}, "reference": lambda x: 2 * x}
    for name, mode in {"word": b"twice", "ended": b"twice\\0"}.items()
]

class InWords(Scale):
    pass

class Creator(ScaleCreator):
    def __init__(self):
        super().__init__()
        self.field_names = trt.PluginFieldCollection([trt.PluginField("mode", np.array([]), trt.PluginFieldType.CHAR)])

    def create_plugin(self, name, fields, phase):
        (mode,) = [field.data.tobytes() for field in fields if field.name == "mode"]
        if trt.__name__ == "tensorrt_rtx" and mode != b"twice\\0":
            raise ValueError(mode)
        return InWords(2.0, phase)

publish(InWords, Creator)
"""


@pytest.mark.nightly
def test_a_text_has_one_nul_at_its_end_there(tmp_path):
    file = tmp_path / "words.py"
    file.write_text(WORDS)
    results = judged(str(file))
    assert found_in(results) == {}
    assert len([result for result in results if result.rule == "GEN-001" and result.verdict is Verdict.PASS]) == 2


STUBBED = """
import rare_kernels
from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

PLUGIN_CASES = SCALE_CASES[1:]

@rare_kernels.jit
def size():
    return 16

class Stubbed(Scale):
    def get_workspace_size(self, inputs, outputs):
        return {}()

publish(Stubbed)
"""


@pytest.mark.nightly
@pytest.mark.parametrize(("called", "verdict"), [("size", "PASS"), ("rare_kernels.size", "NOT-RUN")])
def test_packages_that_are_not_installed_are_replaced_there_too(built, pytester, called, verdict):
    file = pytester.path / "stubbed.py"
    file.write_text(STUBBED.replace("{}", called))
    report = built(file, "--plugin-select=GEN", "--plugin-stub=rare_kernels")
    (case,) = report["plugins"]
    assert {rule["verdict"] for rule in case["rules"]} == {verdict}
    lacking = "rare_kernels.size is called, but its package is only a stand-in"
    assert all(lacking in rule["reason"] for rule in case["rules"] if verdict == "NOT-RUN")


HANGING = """
import threading
import tensorrt as trt
from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

PLUGIN_CASES = SCALE_CASES

class Hanging(Scale):
    def get_output_shapes(self, inputs, shape_inputs, builder):
        if trt.__name__ == "tensorrt_rtx":
            threading.Event().wait()
        return super().get_output_shapes(inputs, shape_inputs, builder)

publish(Hanging)
"""


@pytest.mark.nightly
def test_a_plugin_that_hangs_there_is_ended(built, pytester):
    """Each step of the builder's process may take what a rule may take."""
    file = pytester.path / "hanging.py"
    file.write_text(HANGING)
    report = built(file, "--plugin-select=GEN-003", "--plugin-timeout=5")
    found = [rule for case in report["plugins"] for rule in case["rules"]]
    assert {rule["verdict"] for rule in found} == {"FAIL"}
    seen = found[0]["violations"][0]
    assert "hangs" in seen["what"]
    assert (
        "went no further for 5 s while the model was parsed; the last callback was Hanging.get_output_shapes"
        in (seen["observed"])
    )
    assert "--plugin-timeout" in seen["fix"]


OF_NVIDIAS_NAME = """
import tensorrt as trt
from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, ScaleCreator

PLUGIN_CASES = [{**case, "plugin": "ROIAlign_TRT", "version": "2"} for case in SCALE_CASES]

class Renamed(Scale):
    def __init__(self, factor, phase=trt.TensorRTPhase.BUILD):
        super().__init__(factor, phase)
        self.plugin_name, self.plugin_version = "ROIAlign_TRT", "2"

class RenamedCreator(ScaleCreator):
    plugin_class = Renamed
    def __init__(self):
        super().__init__()
        self.name, self.plugin_version = "ROIAlign_TRT", "2"

trt.get_plugin_registry().register_creator(RenamedCreator(), "")
"""


@pytest.mark.nightly
def test_a_name_that_the_builder_has_itself_is_not_built(tmp_path):
    """It would build its own plugin."""
    file = tmp_path / "renamed.py"
    file.write_text(OF_NVIDIAS_NAME)
    reasons = {result.reason for result in judged(str(file))}
    assert len(reasons) == 1
    assert "the builder has its own ROIAlign_TRT of version 2: rename yours" in reasons.pop()


@pytest.mark.nightly
@pytest.mark.parametrize("source", [BOTH_BUILDS, ATTACHED_IN_PLACE], ids=["both builds", "attached in place"])
def test_an_object_that_the_builder_cannot_ask_kills_the_process(tmp_path, source):
    file = tmp_path / "killing.py"
    file.write_text(source)
    results = judged(str(file))
    assert found_in(results) == {"GEN-003": "FAIL"}
    seen = seen_by(results, "GEN-003")
    assert "died by SIG" in seen.observed
    assert "get_capability_interface" in seen.fix


@pytest.mark.nightly
def test_a_kernel_that_does_not_exist_is_planned():
    """So it is ours to find: FMT-012."""
    assert found_in(judged("plugin_examples.faulty.formats.halves_in_vectors_of_four")) == {}


def test_what_it_cannot_build_is_not_run_with_the_reason():
    told = "the builder takes plugins of IPluginV3 alone, and this is IPluginV2DynamicExt"
    assert {(result.verdict, result.reason) for result in judged("plugin_examples.bar")} == {(Verdict.NOT_RUN, told)}


@pytest.mark.nightly
def test_a_plugin_conforms_with_it(built):
    report = built("plugin_examples.bar_v3", "--plugin-level=5")
    assert {case["verdict"] for case in report["plugins"]} == {"CONFORMS"}
    assert report["options"]["runtime"] == "rtx"
    assert "tensorrt-rtx-cu12" in report["versions"]


@pytest.mark.nightly
def test_the_same_runner_takes_the_module_tensorrt(built, pytester, monkeypatch):
    """TensorRT itself was never run so: here TensorRT-RTX has its name."""
    (pytester.path / "tensorrt.py").write_text(
        "import sys\nimport tensorrt_rtx\nsys.modules[__name__] = tensorrt_rtx\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(pytester.path), prepend=os.pathsep)
    for name, value in RTX.environment(pytester.path).items():
        monkeypatch.setenv(name, value)
    report = built("plugin_examples.bar_v3", runtime="tensorrt")
    assert report["built_too"] == "built by NVIDIA's TensorRT too: 4 of 4 builds agree"


@pytest.mark.nightly
@pytest.mark.parametrize("module", list(filter(has_plugins, [*witnesses.examples(), *witnesses.near_misses()])))
def test_what_is_sound_is_built_and_lives_and_agrees(module):
    assert_sound(judged(module))


def test_the_kill_matrix_has_witnesses_that_exist():
    assert set(NOTICED) <= {matrix.short(module) for module in witnesses.witnesses()}


@pytest.mark.nightly
@pytest.mark.parametrize("name", NOTICED)
def test_the_kill_matrix_has_what_it_notices(name):
    assert nvidias_matrix.noticed(witnesses.named(name)) == NOTICED[name]


@pytest.mark.nightly
@pytest.mark.parametrize(("module", "plugin"), witnesses.sound_bases())
def test_a_sound_base_is_built_and_lives_and_agrees(tmp_path, module, plugin):
    file = tmp_path / f"published_{module}.py"
    file.write_text(published(module, plugin))
    assert_sound(judged(str(file)))
