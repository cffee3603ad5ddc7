"""One run of each kind, as a user starts it, with the real rules; by night there are many more."""

import textwrap

import pytest

from tests.support.report_documents import check_formats, report_validator, sarif_validator  # noqa: F401 - fixtures

pytest_plugins = ["pytester"]

HOSTILE = """
    import ctypes
    import time

    from plugin_examples.faulty.bases.sound_scale import SCALE_CASES as PLUGIN_CASES, Scale, publish

    class Hostile(Scale):
        def enqueue(self, *arguments):
            {deed}

    publish(Hostile)
"""


@pytest.fixture
def certify(certify_as_a_user):
    return certify_as_a_user


def verdicts(report):
    return {rule["id"]: rule["verdict"] for plugin in report["plugins"] for rule in plugin["rules"]}


@pytest.mark.real_processes
def test_a_sound_plugin_passes_in_new_interpreters(certify):
    result, report = certify("--plugin-module=plugin_examples.bar", "--plugin-level=1")
    assert result.ret == 0
    assert {*verdicts(report).values()} == {"PASS", "N/A"}
    result.stdout.fnmatch_lines(["PARTIAL · /Bar/1 · selected *"])


@pytest.mark.parametrize(
    ("deed", "how", "options"),
    [
        ("ctypes.string_at(1)", "died by SIGSEGV", []),
        ("time.sleep(3600)", "did not return within 5 s", ["--plugin-timeout=5"]),
    ],
    ids=["crash", "hang"],
)
def test_a_plugin_that_ends_or_stops_its_process_fails_and_the_run_goes_on(certify, pytester, deed, how, options):
    pytester.makepyfile(my_plugin=textwrap.dedent(HOSTILE).format(deed=deed))
    rules = "--plugin-select=ENQ-010,ID-001,CLN-001"
    result, report = certify("--plugin-module=my_plugin", rules, *options)
    assert result.ret == 1
    assert verdicts(report) == {"ENQ-010": "FAIL", "ID-001": "PASS", "CLN-001": "PASS"}
    result.stdout.fnmatch_lines([f"*{how}*"])


def test_two_workers_judge_two_modules(certify):
    modules = ["plugin_examples.bar", "plugin_examples.faulty.formats.format_peeks_ahead"]
    options = ["-n", "2", "--plugin-select=FMT"]
    result, report = certify(*options, *(f"--plugin-module={module}" for module in modules))
    assert result.ret == 1
    assert [rule for rule, verdict in verdicts(report).items() if verdict == "FAIL"] == ["FMT-001"]


def test_what_a_baseline_holds_does_not_fail_the_run(certify, pytester):
    module = "--plugin-module=plugin_examples.faulty.formats.format_peeks_ahead"
    assert certify(module, "--plugin-select=FMT-001")[0].ret == 1
    (pytester.path / "report.json").rename(pytester.path / "known.json")
    assert certify(module, "--plugin-select=FMT-001", "--plugin-baseline=known.json")[0].ret == 0


def test_options_of_the_ini_file_hold(certify, pytester):
    pytester.makeini("[pytest]\nplugin_module = plugin_examples.bar\nplugin_select = FMT-001\n")
    result, report = certify()
    assert result.ret == 0
    assert verdicts(report) == {"FMT-001": "PASS"}


def test_an_application_is_judged(certify):
    result, report = certify("--plugin-app=plugin_examples.apps.service:main", "--plugin-select=APP")
    assert result.ret == 0
    assert {"PASS"} <= {*verdicts(report).values()} <= {"PASS", "N/A"}


def test_a_fuzz_rule_fails_with_the_example_that_it_found_beside_an_application(certify, check_formats):  # noqa: F811
    result, report = certify(
        "--plugin-module=plugin_examples.faulty.fuzzing.last_of_an_odd_number_left_out",
        "--plugin-app=plugin_examples.faulty.contexts.failed_execution_read:main",
        "--plugin-select=FUZ-003,CTX-014",
    )
    assert result.ret == 1
    rules = [rule for plugin in report["plugins"] for rule in plugin["rules"] if rule["verdict"] == "FAIL"]
    assert {rule["id"] for rule in rules} == {"FUZ-003", "CTX-014"}
    assert all(rule["examples"] and rule["replay"] for rule in rules if rule["id"] == "FUZ-003")
    check_formats(report)
