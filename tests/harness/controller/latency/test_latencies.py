"""``--plugin-benchmark``: an item a case and quantity, which pytest-benchmark takes for one of its own."""

import json

import pytest

from harness.config.options import Options
from harness.contract.interface import Interface
from harness.controller.latency.latencies import Latencies
from harness.results.run_plan import CasePlan, ModulePlan, PluginPlan, RunPlan
from harness.results.selection import Selection

pytest_plugins = ["pytester"]

PLUGIN = """
import json

SAMPLES = {"steady": {"host_enqueue": [1e-6, 2e-6, 3e-6], "host_enqueue_net": [5e-7]}, "counts": {}}


def latency(what):
    series = SAMPLES.get(what, {what: [1e-3]})
    found = dict(series=series, methods={}, missing={}, facts={"machine": "a test"}, counts={"allocations": 0})
    return Answer(Kind.JUDGED, evidence=1, payload=found)
"""
LOADED = ("-p", "pytest_benchmark.plugin")


def test_without_the_option_there_are_no_such_items(certify):
    result = certify(*LOADED, "--collect-only", "-q", plugin=PLUGIN)
    assert "host_enqueue" not in result.stdout.str()


def test_items_stand_behind_the_rules_of_their_case(certify):
    lines = certify(*LOADED, "--plugin-benchmark", "--collect-only", "-q", plugin=PLUGIN).outlines
    ours = [line for line in lines if line.startswith("conformance::")]
    assert ours[-1] == "conformance::/Bar/1::two-inputs::shape_switch"
    assert ours.index("conformance::/Bar/1::two-inputs::host_enqueue") == len(ours) - 9


def test_samples_of_the_child_are_in_the_table_the_file_and_the_section(certify, pytester):
    result = certify(*LOADED, "--plugin-benchmark", "--benchmark-json=found.json", plugin=PLUGIN)
    section = ["*TensorRT plugin latency*", "/Bar/1 · two-inputs · a test", "  host_enqueue *2.00 us*"]
    result.stdout.fnmatch_lines(section)
    result.stdout.fnmatch_lines(["*benchmark 'host_enqueue': 1 tests*", "*Bar/1 two-inputs host_enqueue*"])
    assert result.ret == 0
    found = json.loads((pytester.path / "found.json").read_text())
    (steady,) = (each for each in found["benchmarks"] if each["group"] == "host_enqueue")
    assert steady["stats"]["data"] == [1e-6, 2e-6, 3e-6]
    assert steady["fullname"] == "conformance::/Bar/1::two-inputs::host_enqueue"
    assert steady["extra_info"]["counts"] == {"allocations": 0}
    assert "gpus" in found["machine_info"]


def test_what_was_measured_is_drawn_in_the_html_report_and_in_no_document_else(certify, pytester):
    reports = ("--plugin-report=html:report.html", "--plugin-report=json:report.json")
    certify(*LOADED, "--plugin-benchmark", *reports, plugin=PLUGIN)
    page = (pytester.path / "report.html").read_text()
    assert "host_enqueue: median 2.00 µs, p10 1.20, p90 2.80, 3 samples" in page
    assert "a test" in page
    assert "latencies" not in json.loads((pytester.path / "report.json").read_text())


def test_what_a_host_cannot_know_is_not_run(certify):
    result = certify(*LOADED, "--plugin-benchmark", "-rs", plugin=PLUGIN)
    result.stdout.fnmatch_lines(["SKIPPED [[]4] *NOT-RUN: there is no GPU*"])


@pytest.mark.nightly
def test_two_runs_can_be_compared(certify):
    for _ in range(2):
        result = certify(*LOADED, "--plugin-benchmark", "--benchmark-autosave", plugin=PLUGIN)
    result = certify(*LOADED, "--plugin-benchmark", "--benchmark-compare", plugin=PLUGIN)
    result.stdout.fnmatch_lines(["*Bar/1 two-inputs host_enqueue (NOW)*"])


def test_one_quantity_can_be_chosen_by_its_id(certify):
    chosen = "conformance::/Bar/1::two-inputs::host_enqueue"
    result = certify(*LOADED, "--plugin-benchmark", chosen, plugin=PLUGIN)
    result.assert_outcomes(passed=1)
    assert result.ret == 0


def test_a_plugin_that_fails_fails_the_item(certify):
    result = certify(*LOADED, "--plugin-benchmark", plugin="def latency(what): return met('enqueue')\n")
    result.stdout.fnmatch_lines(["*no latency: enqueue raised ValueError: no*"])
    assert result.ret == 1


@pytest.mark.nightly
def test_with_workers_nothing_is_measured(certify):
    pytest.importorskip("xdist")
    result = certify(*LOADED, "-p", "xdist.plugin", "-n1", "--plugin-benchmark", "-rs", plugin=PLUGIN)
    result.stdout.fnmatch_lines(["*NOT-RUN: pytest-benchmark is disabled*"])
    assert result.ret == 0


def test_without_pytest_benchmark_the_option_is_refused(certify):
    result = certify("--plugin-benchmark", plugin=PLUGIN)
    result.stderr.fnmatch_lines(["*--plugin-benchmark needs pytest-benchmark*"])
    assert result.ret == pytest.ExitCode.USAGE_ERROR


def test_an_application_has_no_latencies():
    options = Options(modules=(), benchmark=True, benchmark_against="other")
    latencies = Latencies(options, Selection(frozenset()), "host", None, None)
    case = CasePlan("run")
    plugin = PluginPlan("app:main", "app:main", "app", Interface.APPLICATION, "main", "app.py", 1, (case,))
    assert latencies.quantities_on(plugin, case) == latencies.comparisons_on(plugin, case) == ()
    assert list(latencies.places(RunPlan((ModulePlan("app:main", "app", (plugin,)),)))) == []
