"""What NVIDIA's builder makes of plugins in C++; skipped where the package, or a compiler, is not installed."""

import json
import os
from pathlib import Path

import pytest

from harness.process.nvidia_packages import RTX
from tests.support import native_build, witnesses
from tests.support.verdicts import broken_rules, results_of

pytest_plugins = ["pytester"]
pytestmark = pytest.mark.skipif(not RTX.is_installed(), reason=f"NVIDIA's builder is not installed: {RTX.install}")

ROOT = Path(__file__).resolve().parents[2]
FAULTY = witnesses.FAULTY / "native" / "scale_v3.cpp"
RULES = ["GEN-001", "GEN-002", "GEN-003", "GEN-004", "GEN-005", "GEN-006"]


@pytest.fixture
def built(pytester, monkeypatch):
    """Have a library's plugins built, and return the report."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT), prepend=os.pathsep)

    def build(library, spec="10"):
        report = pytester.path / "report.json"
        how = ("--plugin-runtime=rtx", "--plugin-select=GEN", f"--plugin-spec={spec}")
        pytester.runpytest_subprocess(f"--plugin-library={library}", f"--plugin-report=json:{report}", *how)
        return json.loads(report.read_text())

    return build


def rules_of(report):
    return {rule["id"]: rule for case in report["plugins"] for rule in case["rules"]}


@pytest.mark.nightly
@pytest.mark.parametrize("epoch", ["10", "11"])
def test_a_library_of_either_version_is_built_and_agrees(built, epoch):
    library = native_build.library(native_build.EXAMPLES / "leaky_relu.cpp", epoch=epoch)
    report = built(library, epoch)
    assert {name: rule["verdict"] for name, rule in rules_of(report).items()} == dict.fromkeys(RULES, "PASS")
    assert report["built_too"].endswith("too: 3 of 3 builds agree")


def test_a_null_pointer_kills_the_builder_and_the_call_that_returned_it_is_named(built):
    report = built(native_build.library(FAULTY, "-DFAULT_no_runtime_capability"))
    (seen,) = rules_of(report)["GEN-003"]["violations"]
    assert "died by SIGSEGV while the plan was built" in seen["observed"]
    assert "the last callback was IPluginV3.getCapabilityInterface" in seen["observed"]


BY_DAY = "types_behind_the_end"
#: Faults that are there in NVIDIA's builder alone: by day one of them is judged.
ELSEWHERE = [
    fault
    for fault in witnesses.native_faults()
    if Path(fault.file) == FAULTY and any("isFaulty()" in line for _, lines in fault.excerpts() for line in lines)
]


@pytest.mark.parametrize(
    "fault",
    [
        pytest.param(each, id=each.name, marks=[] if each.name == BY_DAY else [pytest.mark.nightly])
        for each in ELSEWHERE
    ],
)
def test_the_rule_that_owns_a_callback_reports_what_only_nvidias_builder_saw(fault):
    library = native_build.library(FAULTY, f"-DFAULT_{fault.name}", "-DONLY_WITH_NVIDIAS_BUILDER", "-ldl")
    broken = {}
    for builder in ("", RTX.module):
        results = results_of(str(library), rules=[fault.breaks], addresses="host", builder=builder)
        broken[builder] = broken_rules(results)
    assert broken == {"": set(), RTX.module: {fault.breaks}}


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("fault", "words"),
    [("configure_fails", "configurePlugin"), ("tactic_of_minus_one", "negative -1 as a custom tactic")],
)
def test_the_builders_own_words_are_quoted(built, fault, words):
    report = built(native_build.library(FAULTY, f"-DFAULT_{fault}"))
    rules = rules_of(report)
    assert {name for name, rule in rules.items() if rule["verdict"] == "FAIL"} == {"GEN-002"}
    assert words in rules["GEN-002"]["violations"][0]["what"]


@pytest.mark.nightly
def test_plugins_of_version_2_are_not_for_this_builder(built):
    report = built(native_build.library(native_build.EXAMPLES / "bar.cpp"))
    reasons = {rule["reason"] for rule in rules_of(report).values()}
    assert reasons == {"the builder takes plugins of IPluginV3 alone, and this is IPluginV2DynamicExt"}
