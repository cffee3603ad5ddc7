"""``--plugin-benchmark-against``, from the command line to the exit status."""

import pytest

pytest_plugins = ["pytester"]
pytestmark = pytest.mark.nightly

COUNTS = """
import json


def latency(what, *_):
    assert what == "counts"
    return Answer(Kind.JUDGED, evidence=1, payload={"counts": {"allocations": ALLOCATIONS}})
"""
CHOSEN = "conformance::/Bar/1::two-inputs::counts_against"


@pytest.fixture
def compare(certify, pytester):
    def compared(now, before, *arguments):
        pytester.makepyfile(older=f"from stub_contract import *\nALLOCATIONS = {before}\n{COUNTS}")
        plugin = f"ALLOCATIONS = {now}\n{COUNTS}"
        return certify("--plugin-benchmark-against=older", *arguments, plugin=plugin)

    return compared


def test_as_many_pass(compare):
    result = compare(1, 1, CHOSEN)
    result.stdout.fnmatch_lines(["*compared with older*", "*counts_against: each call asks for no more*"])
    result.assert_outcomes(passed=1)
    assert result.ret == 0


def test_more_fail_the_run(compare):
    result = compare(2, 1, CHOSEN)
    result.stdout.fnmatch_lines(["*each call asks for more: allocations: 2, where it was 1*"])
    assert result.ret == 1


def test_a_baseline_that_cannot_be_imported_fails_the_run(certify):
    result = certify("--plugin-benchmark-against=nowhere", CHOSEN, plugin=f"ALLOCATIONS = 1\n{COUNTS}")
    result.stdout.fnmatch_lines(["*the baseline cannot be imported*"])
    assert result.ret == 1


def test_two_modules_have_no_one_baseline(certify, pytester):
    pytester.makepyfile(other="from stub_contract import *")
    result = certify("--plugin-benchmark-against=older", modules=("my_plugin", "other"))
    result.stderr.fnmatch_lines(["*compares one module with one*"])
    assert result.ret == pytest.ExitCode.USAGE_ERROR


def test_a_comparison_is_chosen_as_latencies_are(compare):
    result = compare(1, 1, "-m", "benchmark", "-k", "counts_against", "--strict-markers")
    result.assert_outcomes(passed=1, deselected=result.parseoutcomes()["deselected"])
    assert result.ret == 0


def test_without_pytest_benchmark_the_mark_is_known(compare):
    assert compare(1, 1, CHOSEN, "-p", "no:benchmark", "--strict-markers").ret == 0


def test_what_has_no_latency_is_told_once(certify):
    failing = "def latency(*_):\n    return Answer(Kind.MET, mishap=CallbackFailure('enqueue', 'died by SIGSEGV'))\n"
    chosen = "conformance::/Bar/1::two-inputs::host_enqueue"
    result = certify("-p", "pytest_benchmark.plugin", "--plugin-benchmark", "-W", "error", chosen, plugin=failing)
    result.stdout.fnmatch_lines(["*no latency: enqueue died by SIGSEGV*"])
    result.assert_outcomes(failed=1)


def test_a_module_that_cannot_be_imported_is_no_green_latency(certify):
    result = certify("-p", "pytest_benchmark.plugin", "--plugin-benchmark", "-m", "benchmark", plugin="import nowhere")
    result.assert_outcomes(failed=1)
    assert result.ret == 1
