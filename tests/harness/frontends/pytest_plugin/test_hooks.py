"""Together with pytest's own features, and with tests that are not ours."""

import pytest

pytest_plugins = ["pytester"]

GOOD = ""
WRONG_SUM = "def enq_002(): return 'the sum is wrong'\n"


def test_last_failed_runs_only_what_failed(certify):
    certify(plugin=WRONG_SUM).assert_outcomes(passed=4, failed=1)
    result = certify("--lf", plugin=GOOD)
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["PARTIAL · /Bar/1 · selected 1 of 5 rules · *"])


def test_last_failed_keeps_our_failures_beside_those_of_test_files(certify, pytester):
    pytester.makepyfile(test_own="def test_own(): assert False")
    certify("test_own.py", plugin=WRONG_SUM).assert_outcomes(passed=4, failed=2)
    certify("--lf", "test_own.py", plugin=WRONG_SUM).assert_outcomes(failed=2)


def test_failed_first_changes_the_order_only(certify):
    certify(plugin=WRONG_SUM)
    result = certify("--ff", "-v", plugin=WRONG_SUM)
    assert result.ret == 1
    first = next(line for line in result.outlines if line.startswith("conformance::"))
    assert "ENQ-002" in first


def test_no_cache_no_problem(certify):
    certify("-p", "no:cacheprovider").assert_outcomes(passed=5)


def test_the_section_follows_what_plugins_print_that_pytest_configures_later(certify):
    certify("--junitxml=junit.xml").stdout.fnmatch_lines(["*generated xml file*", "*plugin conformance*"])


def test_junit_has_the_verdicts_as_properties(certify, pytester):
    certify("--junitxml=junit.xml", plugin=WRONG_SUM)
    text = (pytester.path / "junit.xml").read_text()
    assert 'classname="conformance./Bar/1.two-inputs" name="ENQ-002"' in text
    assert '<property name="rule" value="ENQ-002" />' in text
    assert '<property name="verdict" value="FAIL" />' in text
    assert '<property name="evidence" value="2" />' in text
    assert "expected  one answer" in text


@pytest.mark.parametrize("flag", ["--pdb", "--trace"])
def test_debuggers_need_the_plugin_in_this_process(certify, flag):
    result = certify(flag)
    assert result.ret == 4
    assert result.errlines[0] == (
        f"ERROR: {flag} cannot reach a plugin in its own process: add --plugin-isolation=none to run it in pytest's"
    )


def test_the_plugin_can_run_in_this_process(certify):
    certify("--plugin-isolation=none", plugin=WRONG_SUM).assert_outcomes(passed=4, failed=1)


def test_other_items_of_pytest_are_left_alone(certify, pytester):
    pytester.makepyfile(test_own="import pytest\ndef test_a(): assert 0\ndef test_b(): pytest.skip('no')\n")
    result = certify("test_own.py", "-rsf")
    result.assert_outcomes(passed=5, failed=1, skipped=1)
    result.stdout.fnmatch_lines(
        ["*= FAILURES =*", "*assert 0*", "SKIPPED [[]1] test_own.py:3: no", "*FAILED test_own.py*"]
    )


def test_fixture_listing_is_no_certification(certify):
    assert certify("--fixtures-per-test").ret == 0


def test_coverage_of_the_plugin_is_measured_in_its_child(certify):
    result = certify("-p", "pytest_cov.plugin", "--cov=my_plugin", plugin="def enq_002():\n    return 1\n")
    result.stdout.fnmatch_lines(["CONFORMS level 5 · *", "my_plugin.py * 100%"])


@pytest.mark.parametrize(
    ("plugin", "options", "status"),
    [
        ("", [], pytest.ExitCode.OK),
        ("", ["--plugin-report=json:report.json"], pytest.ExitCode.INTERNAL_ERROR),
        ("", ["--junitxml=report.xml"], pytest.ExitCode.INTERNAL_ERROR),
        ("def cfg_001(): return 'printed a line'\n", [], pytest.ExitCode.INTERNAL_ERROR),
    ],
)
def test_the_document_is_made_where_anything_is_made_of_it(certify, pytester, plugin, options, status):
    pytester.makeconftest("from harness.frontends.pytest_plugin import hooks\nhooks.document_of = None\n")
    assert certify(*options, plugin=plugin).ret == status
