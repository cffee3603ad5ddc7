"""``--plugin-spec`` and the ``spec`` of a case: a plugin is judged at the level that was asked for."""

import json
import sys
from pathlib import Path

import pytest

from harness.cases.case import Case, CaseError, Input
from harness.contract.api_level import SPECS, missing_types
from harness.contract.catalogue import load_rules
from harness.contract.rule import Rule, Severity, Source
from harness.contract.verdict import Answer, Kind, Verdict, decide
from reference_runtime import levels

pytest_plugins = ["pytester"]

HOME = Path(__file__).parents[3]
PLUGIN = """
    import tensorrt as trt
    from plugin_examples.faulty.bases.sound_scale import Scale, ScaleCreator

    class Mine(Scale):
        def get_output_dimensions(self, output_index, inputs, expr_builder):
            print("level", trt.__version__, hasattr(inputs[0][0], "isConstant"))
            return super().get_output_dimensions(output_index, inputs, expr_builder)

    class MineCreator(ScaleCreator):
        plugin_class = Mine

    trt.get_plugin_registry().register_creator(MineCreator(), "")
"""
CASE = """{{"plugin": "Scale", "name": {name!r}, "fields": {{"factor": np.array([3], np.float32)}},
    "inputs": [{{"dims": ("N", 4), "min": (1, 4), "opt": (2, 4), "max": (4, 4), "types": {types!r}}}], {more}}},"""


def cases(*texts):
    return "import numpy as np\nPLUGIN_CASES = [" + "\n".join(texts) + "]\n"


def case(name, more="", types=("float32",)):
    return CASE.format(name=name, more=more, types=types)


@pytest.fixture
def certify(pytester, monkeypatch):
    """Run pytest on the plugin with the cases given, and return (result, JSON report)."""
    monkeypatch.setenv("PYTHONPATH", str(HOME))
    pytester.makeini("[pytest]\n")

    def run(*arguments, cases, plugin=PLUGIN):
        pytester.makepyfile(mine=plugin)
        pytester.path.joinpath("mine_cases.py").write_text(cases)
        report = pytester.path / "report.json"
        command = [sys.executable, "-m", "pytest", "-p", "no:randomly", "-rA", f"--plugin-report=json:{report}"]
        result = pytester.run(*command, "--plugin-module=mine", "--plugin-select=SHP-002", *arguments)
        return result, json.loads(report.read_text()) if report.exists() else None

    return run


def test_the_harness_names_the_levels_of_the_runtime():
    assert (SPECS, "10") == (levels.LEVELS, levels.DEFAULT)


@pytest.mark.parametrize("environment", [True, pytest.param(False, marks=pytest.mark.nightly)])
def test_a_plugin_is_judged_at_the_level_that_was_asked_for(certify, monkeypatch, environment):
    monkeypatch.setenv("TRT_CONFORMANCE_SPEC", "11" if environment else "10")
    result, report = certify(*([] if environment else ["--plugin-spec=11"]), cases=cases(case("plain")))
    assert result.ret == 0
    assert "level 11.4.0.106" in result.stdout.str()
    assert "rules of TensorRT 11," in result.stdout.str()
    assert (report["spec"], report["plugins"][0]["spec"]) == ("11", "11")


def test_a_case_of_another_level_is_judged_in_a_child_of_that_level(certify):
    result, report = certify("-v", cases=cases(case("now"), case("old", '"spec": "8.6"')))
    assert result.ret == 0
    assert {"level 8.6.1 True", "level 10.16.1.11 False"} <= set(result.stdout.str().splitlines())
    assert [(entry["id"], entry["spec"]) for entry in report["plugins"]] == [
        ("conformance::/Scale/1::now", "10"),
        ("conformance::/Scale/1::old", "8.6"),
    ]
    result.stdout.fnmatch_lines(["*cases: now, old (TensorRT 8.6)"])


@pytest.mark.parametrize(
    ("arguments", "text", "told"),
    [
        (["--plugin-spec=9"], case("plain"), "--plugin-spec=9: unknown value; choose from 8.6, 10, 11"),
        (["--plugin-spec=10.16"], case("plain"), "(did you mean '10'?)"),
        (
            ["--plugin-spec=8.6"],
            case("plain", types=("bfloat16",)),
            "mine: case 'plain': types holds 'bfloat16', which TensorRT 8.6 does not have",
        ),
        ([], case("old", '"spec": "8"'), "spec '8' is no API level; choose from 8.6, 10, 11 (did you mean '8.6'?)"),
        (
            ["--plugin-isolation=none"],
            case("old", '"spec": "8.6"'),
            "case 'old' of /Scale/1 is for TensorRT 8.6. The process of --plugin-isolation=none is at 10",
        ),
    ],
)
def test_what_no_level_has_is_a_usage_error(certify, arguments, text, told):
    result, _ = certify(*arguments, cases=cases(text))
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert told in result.stderr.str()


def test_a_module_that_another_level_cannot_import_fails_its_cases_of_that_level(certify):
    newer = PLUGIN + "\n    trt.IPluginV3\n"
    result, report = certify(plugin=newer, cases=cases(case("now"), case("old", '"spec": "8.6"')))
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    now, old = (entry["rules"][0] for entry in report["plugins"])
    assert (now["verdict"], old["verdict"]) == ("PASS", "BLOCKED")
    assert "import raised AttributeError: module" in old["reason"]


def test_a_case_of_a_plugin_that_the_other_level_does_not_have_is_not_in_the_way(certify):
    newer = (
        PLUGIN
        + """
    class NewCreator(ScaleCreator):
        plugin_class = Mine

        def __init__(self):
            super().__init__()
            self.name = "New"

    if hasattr(trt, "IPluginV3"):
        trt.get_plugin_registry().register_creator(NewCreator(), "")
    else:
        del NewCreator
    """
    )
    new = case("new", '"spec": "10"').replace("Scale", "New")
    result, report = certify("--plugin-fail-on=error", plugin=newer, cases=cases(case("old", '"spec": "8.6"'), new))
    assert result.ret == 0
    found = {entry["id"]: entry["rules"][0]["verdict"] for entry in report["plugins"]}
    assert found == {"conformance::/New/1::new": "PASS", "conformance::/Scale/1::old": "PASS"}


def judge_of(source):
    def judge(subject):
        """Something holds."""
        yield from subject

    return Rule("FMT-001", judge, source)


BROKEN = Answer(Kind.JUDGED, evidence=1, broken=1)
SOFT = judge_of(Source("NvInferRuntimePlugin.h", "clone", softer=("8.6",)))


@pytest.mark.parametrize(("spec", "verdict"), [("8.6", Verdict.WARN), ("10", Verdict.FAIL), ("11", Verdict.FAIL)])
def test_what_only_later_versions_demand_is_a_warning_before(spec, verdict):
    result = decide(SOFT, BROKEN, spec=spec)
    assert (result.verdict, result.severity) == (verdict, SOFT.severity_at(spec))
    assert SOFT.severity is Severity.ERROR


@pytest.mark.parametrize(
    ("source", "holds"),
    [
        (Source("NvInferRuntime.h", "since 10", ("10", "11")), [False, True, True]),
        (Source("NvInferRuntime.h", "until 10", ("8.6", "10")), [True, True, False]),
        (Source("IPluginV2DynamicExt (Python API)", "since 10", ("10", "11"), "observed"), [False, True, True]),
        (Source("pyPlugin.cpp", "of plugins in Python", ("9", "10", "11")), [True, True, True]),
    ],
)
def test_a_source_holds_at_its_versions_and_what_came_with_9_at_8_6(source, holds):
    assert [source.holds_at(spec) for spec in SPECS] == holds


def test_what_8_6_alone_has_is_no_mistake_there():
    source = load_rules()["CTX-020"].source
    assert [source.holds_at(spec) for spec in SPECS] == [False, True, True]


def test_types_that_came_later_are_missing_before():
    assert missing_types("8.6", ("float32", "bfloat16", "int64")) == ["bfloat16", "int64"]
    assert missing_types("10", ("bfloat16", "int64")) == []


def test_a_case_takes_the_level_of_the_run_unless_it_has_its_own():
    plain = Case(plugin="Bar", inputs=(Input(dims=(2,), types=("int64",)),))
    assert (plain.spec, plain.at("11").spec) == (None, "11")
    assert Case(plugin="Bar", spec="8.6").at("11").spec == "8.6"
    with pytest.raises(CaseError, match="'int64', which TensorRT 8\\.6 does not have"):
        plain.at("8.6")
