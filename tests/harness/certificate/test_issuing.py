"""A report and its files become a certificate: what is not in the report is in neither."""

import datetime as dt
import importlib.metadata
from pathlib import Path

import pytest

from harness.certificate.files import Files
from harness.certificate.issuing import certificate_of, configuration_of, counts_of, lists_of, needing_tools, result_of
from harness.certificate.statement import CertificateResult, FailedModule, JudgedCase, JudgedRule, Module
from harness.config.options import FailOn, Options
from harness.contract import catalogue
from harness.contract.extra_tools import ALL
from harness.contract.interface import Interface
from harness.contract.rule import Severity
from harness.contract.sanitizer_tool import Tool
from harness.contract.verdict import Verdict
from harness.results.tally import Standing

HOME = Path("/home/project")
RULE = {
    "severity": "error", "verdict": "PASS", "evidence": 4, "device": "host", "broken": 0, "reason": "",
    "blocked_by": "", "fingerprint": "", "order_sensitive": False, "mishap": None, "violations": [],
}  # fmt: skip


@pytest.fixture(scope="module")
def installed():
    return catalogue.load(ALL)


def document(*rules, verdict="CONFORMS", modules=(), **options):
    asked = {**Options(modules=("pkg",)).to_plain(), **options}
    case = {
        "key": "/Bar/1", "id": "conformance::/Bar/1::a", "case": "a", "inferred": False, "spec": "10", "module": "pkg",
        "interface": "IPluginV3", "creator": "C", "file": "/home/project/pkg/c.py", "line": 3, "verdict": verdict,
        "evidence": sum(rule["evidence"] for rule in rules), "kernels_executed": True, "stand_ins": [],
        "device": "host", "rules": list(rules),
    }  # fmt: skip
    return {
        "versions": {"python": "3.11"}, "level": 5, "seeds": [0, 1, 2], "spec": "10", "options": asked,
        "modules": list(modules), "plugins": [case], "not_run": [{"id": "x", "reason": "y"}],
    }  # fmt: skip


def certificate(installed, report, **more):
    files = Files({HOME / "pkg/c.py": "ab" * 32}, (HOME / "pkg",), (Module("pkg", "pkg", "pkg"),), HOME)
    issued = dt.datetime(2026, 1, 2, 3, 4, 5, tzinfo=dt.timezone.utc)
    return certificate_of(report, files, installed, issued=issued, **more)


def test_what_is_told_comes_from_the_report_and_the_files(installed):
    made = certificate(installed, document({**RULE, "id": "FMT-001"}))
    assert [(each.name, each.digest.sha256) for each in made.subject] == [("pkg/c.py", "ab" * 32)]
    assert made.predicate.result is CertificateResult.PASSED
    assert made.predicate.passed_tests == ("conformance::/Bar/1::a::FMT-001",)
    assert made.predicate.url is None
    assert made.facts.issued == "2026-01-02T03:04:05Z"
    assert made.facts.plugins[0].file == "pkg/c.py"
    assert made.facts.packages == ("pkg",)
    assert made.facts.tool.version == importlib.metadata.version("pytest-trt-conformance")
    assert made.predicate.configuration == configuration_of(made.facts)


def test_the_must_run_list_is_of_the_interfaces_that_there_are_without_tools_that_were_not_asked_for(installed):
    without = certificate(installed, document({**RULE, "id": "FMT-001"})).facts
    assert list(without.must_run) == ["IPluginV3"]
    assert not [name for name in without.must_run["IPluginV3"] if name.startswith("SAN")]
    assert len(without.must_run["IPluginV3"]) > 150
    asked = certificate(installed, document({**RULE, "id": "FMT-001"}, sanitizer=["memcheck"])).facts
    added = set(asked.must_run["IPluginV3"]) - set(without.must_run["IPluginV3"])
    assert added == {rule.id for rule in installed.rules.values() if rule.tool is Tool.MEMCHECK}


def test_what_needs_a_tool_that_was_not_asked_for_was_not_run(installed):
    told = certificate(installed, document({**RULE, "id": "FMT-001"}, sanitizer=["memcheck"])).facts
    assert told.not_run[0].id == "x"
    rest = {each.id.rpartition("::")[2]: each.reason for each in told.not_run[1:]}
    tools = [rule for rule in installed.rules.values() if rule.tool in {*Tool} - {Tool.MEMCHECK}]
    assert rest == {rule.id: f"it needs --sanitizer={rule.tool.value}, which was not asked for" for rule in tools}
    assert list(needing_tools(installed, told.plugins, [tool.value for tool in Tool])) == []


def test_blocked_rules_were_not_run(installed):
    failed = {**RULE, "id": "FMT-001", "verdict": "FAIL", "broken": 2, "fingerprint": "ab"}
    blocked = {**RULE, "id": "FMT-002", "verdict": "BLOCKED", "evidence": 0, "reason": "rests", "blocked_by": "FMT-001"}
    made = certificate(installed, document(failed, blocked, verdict="FAILS"))
    assert made.predicate.result is CertificateResult.FAILED
    assert made.predicate.failed_tests == ("conformance::/Bar/1::a::FMT-001",)
    assert ("conformance::/Bar/1::a::FMT-002", "rests") in [(each.id, each.reason) for each in made.facts.not_run]


def test_a_module_that_failed_is_a_failed_test(installed):
    dies = {"module": "dies.now", "violations": [{"what": "import died"}]}
    made = certificate(installed, document({**RULE, "id": "FMT-001"}, modules=[dies]))
    assert made.predicate.result is CertificateResult.FAILED
    assert made.predicate.failed_tests == ("conformance::dies.now::IMPORT",)
    assert made.facts.failed_modules[0].what == ("import died",)


def test_files_in_options_are_named_as_the_subject_names_them(installed):
    options = {"onnx": ["/home/project/m/net.onnx"], "expected_failures": "/home/known.json"}
    told = certificate(installed, document({**RULE, "id": "FMT-001"}, **options)).facts.options
    assert (told["onnx"], told["expected_failures"]) == (["m/net.onnx"], "../known.json")


def test_a_link_to_the_run_is_told(installed):
    made = certificate(installed, document({**RULE, "id": "FMT-001"}), url="https://ci.example/1")
    assert made.predicate.url == "https://ci.example/1"


V = Verdict
CASE_ID = "conformance::/Bar/1::a"


def judged_case(*verdicts, standing=Standing.CONFORMS, executed=True):
    rules = tuple(
        JudgedRule(f"R-{index}", Severity.ERROR, verdict, 3, 0, "host", "", "", "")
        for index, verdict in enumerate(verdicts)
    )
    return JudgedCase(
        id=CASE_ID, key="/Bar/1", case="a", inferred=False, spec="10", module="m", interface=Interface.V3, creator="C",
        file="m.py", verdict=standing, evidence=3 * len(rules), kernels_executed=executed, stand_ins=(), device="host",
        rules=rules,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("fail_on", "passed", "warned", "failed"),
    [
        (FailOn.ERROR, [0, 8], [2, 6], [1, 7]),
        (FailOn.WARNING, [0, 8], [6], [1, 2, 7]),
        (FailOn.NOT_RUN, [0, 8], [6], [1, 2, 5, 7]),
    ],
)
def test_each_verdict_is_in_its_list(fail_on, passed, warned, failed):
    plugins = [judged_case(V.PASS, V.FAIL, V.WARN, V.NOT_APPLICABLE, V.BLOCKED, V.NOT_RUN, V.XFAIL, V.XPASS, V.NOTE)]
    lists = lists_of(plugins, [FailedModule("conformance::dies::IMPORT", "dies", ())], fail_on)
    wanted = {"passed": passed, "warned": warned, "failed": failed}
    named = {name: [f"{CASE_ID}::R-{index}" for index in indices] for name, indices in wanted.items()}
    assert lists["failed"].pop(0) == "conformance::dies::IMPORT"
    assert lists == named
    assert set(counts_of(plugins).values()) == {1}


@pytest.mark.parametrize(
    ("plugins", "result"),
    [
        ([judged_case(V.PASS, V.NOT_APPLICABLE)], CertificateResult.PASSED),
        ([judged_case(V.PASS, V.NOTE)], CertificateResult.PASSED),
        ([judged_case(V.PASS, V.WARN)], CertificateResult.WARNED),
        ([judged_case(V.PASS, V.XFAIL)], CertificateResult.WARNED),
        ([judged_case(V.PASS, V.NOT_RUN)], CertificateResult.WARNED),
        ([judged_case(V.PASS, V.XFAIL, V.BLOCKED)], CertificateResult.WARNED),
        ([judged_case(V.PASS, standing=Standing.CONFORMS_UNEXECUTED)], CertificateResult.WARNED),
        ([judged_case(V.PASS, standing=Standing.CONFORMS_BY_STAND_INS)], CertificateResult.WARNED),
        ([judged_case(V.PASS, V.FAIL)], CertificateResult.FAILED),
        ([judged_case(V.PASS), judged_case(V.PASS, standing=Standing.INCOMPLETE)], CertificateResult.FAILED),
        ([judged_case(V.NOT_APPLICABLE, standing=Standing.FAILS)], CertificateResult.FAILED),
        ([], CertificateResult.FAILED),
    ],
)
def test_the_result(plugins, result):
    assert result_of(plugins, lists_of(plugins, (), FailOn.ERROR)) is result


def test_a_module_that_failed_makes_it_failed():
    plugins = [judged_case(V.PASS)]
    lists = lists_of(plugins, [FailedModule("conformance::dies::IMPORT", "dies", ())], FailOn.ERROR)
    assert result_of(plugins, lists) is CertificateResult.FAILED
