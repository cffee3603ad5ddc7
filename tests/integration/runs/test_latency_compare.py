"""``--plugin-benchmark-compare``, from the command line to the exit status."""

import json

import pytest

pytest_plugins = ["pytester"]
pytestmark = pytest.mark.nightly

PLUGIN = """
import json
import os

SECONDS, ALLOCATIONS = (json.loads(os.environ[name]) for name in ("STUB_SECONDS", "STUB_ALLOCATIONS"))
STEADY = {name: [SECONDS] * 40 for name in ("host_enqueue", "host_enqueue_net")}


def latency(what):
    series = {"steady": STEADY, "counts": {}}.get(what, {what: [SECONDS]})
    facts = {"empty_plugin": 1e-5, "shapes": [[2, 3]]}
    found = dict(series=series, methods={}, missing={}, facts=facts, counts={"allocations": ALLOCATIONS})
    return Answer(Kind.JUDGED, evidence=1, payload=found)
"""
LOADED = ("-p", "pytest_benchmark.plugin")
SELECTED = ("-k", "_compare")
COMPARE = "--plugin-benchmark-compare=stored.json"


@pytest.fixture
def run(certify, monkeypatch):
    def run_it(*arguments, seconds=1e-4, allocations=1, plugin=PLUGIN):
        monkeypatch.setenv("STUB_SECONDS", str(seconds))
        monkeypatch.setenv("STUB_ALLOCATIONS", str(allocations))
        return certify(*arguments, plugin=plugin)

    return run_it


@pytest.fixture(scope="module")
def kept():
    """Hold what is stored, once it is."""
    return []


@pytest.fixture
def stored(run, pytester, kept):
    file = pytester.path / "stored.json"
    if not kept:
        assert run(*LOADED, "--plugin-benchmark", "-m", "benchmark", f"--benchmark-json={file.name}").ret == 0
        kept.append(file.read_text())
    file.write_text(kept[0])
    return file


def test_a_stored_run_is_compared_with(run, stored):
    result = run(COMPARE, *SELECTED)
    result.stdout.fnmatch_lines(
        [
            f"*compared with {stored.name}, stored 20*",
            "*/Bar/1 · two-inputs · host_enqueue_compare: SAME: +0.0%*",
            "*/Bar/1 · two-inputs · counts_compare: SAME: allocations 1*",
        ]
    )
    result.assert_outcomes(passed=3, skipped=7, deselected=5)
    assert result.ret == 0

    result = run(COMPARE, *SELECTED, seconds=3e-4, allocations=2)
    result.stdout.fnmatch_lines(["*host_enqueue_compare: SLOWER: +200.0%*", "*first_call_compare: SLOWER*"])
    result.stdout.fnmatch_lines(["*counts_compare: MORE: allocations: 2, where it was 1*"])
    assert result.ret == 0  # it only tells

    result = run(COMPARE, *SELECTED, "--plugin-benchmark-fail=20%", seconds=3e-4, allocations=2)
    result.assert_outcomes(failed=6, skipped=4, deselected=5)
    assert result.ret == 1


def test_one_case_alone_is_compared(run, stored):
    assert stored.is_file()
    result = run(COMPARE, "conformance::/Bar/1::two-inputs::first_call_compare", seconds=5e-5)
    result.stdout.fnmatch_lines(["*first_call_compare: *"])
    assert result.ret == 0


def test_another_machine_or_options_are_a_usage_error(run, stored):
    found = json.loads(stored.read_text())
    found["machine_info"]["trt_conformance"]["numpy"] = "0.1"
    stored.write_text(json.dumps(found))
    result = run(COMPARE, *SELECTED, "--plugin-seed=7")
    result.stderr.fnmatch_lines(["ERROR: --plugin-benchmark-compare=*stored.json: *numpy: '0.1' there, '*' here; *"])
    result.stderr.fnmatch_lines(["*; seed: '0' there, '7' here; store it anew with *"])
    assert result.ret == pytest.ExitCode.USAGE_ERROR


def test_a_file_that_is_not_there_is_a_usage_error(run):
    result = run(COMPARE, *SELECTED)
    result.stderr.fnmatch_lines(["ERROR: --plugin-benchmark-compare=stored.json: there is no file *stored.json"])
    assert result.ret == pytest.ExitCode.USAGE_ERROR


def test_a_case_that_was_not_stored_is_a_usage_error(run, stored):
    assert stored.is_file()
    more = PLUGIN + "\nPLUGINS = {'/Bar/1': [case('two-inputs'), case('images')]}\n"
    result = run(COMPARE, *SELECTED, plugin=more)
    result.stderr.fnmatch_lines(["*stored.json: it has nothing of conformance::/Bar/1::images; store it anew *"])
    assert result.ret == pytest.ExitCode.USAGE_ERROR


def test_a_module_that_cannot_be_imported_is_told_as_such(run, stored):
    assert stored.is_file()
    result = run(COMPARE, plugin="raise ImportError('no such thing')")
    result.stdout.fnmatch_lines(["*no such thing*"])
    assert result.ret == 1


def test_with_workers_nothing_is_compared(run, stored):
    assert stored.is_file()
    pytest.importorskip("xdist")
    result = run("-p", "xdist.plugin", "-n1", COMPARE, *SELECTED, "-rs")
    result.stdout.fnmatch_lines(["*NOT-RUN: nothing can be measured beside other workers*"])
    assert result.ret == 0
