"""How the verdicts of a run add up to its exit status and to the last line of a plugin."""

import pytest

pytest_plugins = ["pytester"]

GOOD = ""
WRONG_SUM = "def enq_002(): return 'the sum is wrong'\n"
WARNS = "def cfg_001(): return 'printed a line'\n"
BROKEN_FORMATS = "def fmt_001(): return 'looked past pos'\n\n\ndef fmt_002(): return 'took two answers'\n"
NOT_RUN = "def enq_002(): return not_run('needs a GPU: RawKernel')\n"


@pytest.mark.parametrize(
    ("plugin", "arguments", "status", "line"),
    [
        (WARNS, [], 0, "CONFORMS level 5 · /Bar/1 · 4 rules passed, 14 evaluations, 1 WARN (CFG-001) · kernels *"),
        (WARNS, ["--plugin-fail-on=warning"], 1, "FAILS · /Bar/1 · *"),
        (WARNS, ["--plugin-fail-on=not-run"], 1, "FAILS · /Bar/1 · *"),
        (NOT_RUN, [], 0, "CONFORMS level 5 · /Bar/1 · 4 rules passed, 12 evaluations, 1 NOT-RUN (ENQ-002) · kernels *"),
        (NOT_RUN, ["--plugin-fail-on=not-run"], 1, "FAILS · /Bar/1 · *"),
        (NOT_RUN.replace("not_run(", "needs_device("), [], 0, "CONFORMS level 5, kernels not executed · /Bar/1 · *"),
        (GOOD, ["-k", "FMT"], 0, "PARTIAL · /Bar/1 · selected 2 of 5 rules · 2 rules passed, 6 evaluations"),
        (GOOD, ["--plugin-select=FMT"], 0, "PARTIAL · /Bar/1 · selected 2 of 5 rules · *"),
        (GOOD, ["--plugin-ignore=FMT-002"], 0, "PARTIAL · /Bar/1 · selected 4 of 5 rules · *"),
        (GOOD, ["--deselect=conformance::/Bar/1::two-inputs::FMT"], 0, "PARTIAL · /Bar/1 · selected 3 of 5 rules · *"),
        (GOOD, ["-m", "conformance"], 0, "CONFORMS level 5 · *"),
    ],
)
def test_verdict_and_exit_status(certify, plugin, arguments, status, line):
    result = certify(*arguments, plugin=plugin)
    assert result.ret == status
    result.stdout.fnmatch_lines([line])


def test_nothing_selected_is_no_success(certify):
    assert certify("-k", "no_such_word").ret == 5
    assert certify("-m", "not conformance").ret == 5


def test_a_plugin_of_which_nothing_is_proved_fails_the_run(certify):
    nothing = "".join(
        f"def {name}(): return not_applicable('no')\n"
        for name in ("cfg_001", "enq_001", "enq_002", "fmt_001", "fmt_002")
    )
    result = certify(plugin=nothing)
    assert result.ret == 1
    result.stdout.fnmatch_lines(
        ["FAILS · /Bar/1 · 0 rules passed, 0 evaluations, 5 N/A · fails because no rule passed"]
    )


def test_a_blocked_rule_fails_where_its_root_was_not_selected(certify):
    result = certify("--plugin-select=FMT-002", plugin=BROKEN_FORMATS)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        ["  because   rests on FMT-001, which failed; *; FMT-001 was not selected, and says: looked past pos"]
    )


def test_what_an_expected_failure_blocks_fails_nothing_though_that_one_is_not_selected(certify):
    expected = "{'FMT-001': {'reason': 'see #7', 'fingerprint': '3dc882c849fb'}}"
    plugin = f"PLUGINS = {{'/Bar/1': [case('a', expected_failures={expected})]}}\n{BROKEN_FORMATS}"
    result = certify("--plugin-select=FMT-002,CFG-001", plugin=plugin)
    result.assert_outcomes(passed=1, skipped=1)
    result.stdout.fnmatch_lines(["PARTIAL*1 BLOCKED (FMT-002)*"])


def test_expected_failures_are_strict(certify):
    plugin = (
        "PLUGINS = {{'/Bar/1': [case('a', expected_failures="
        "{{'ENQ-002': {{'reason': 'known, see #7', 'fingerprint': '{}'}}}})]}}\n"
    )
    result = certify("-v", plugin=plugin.format("0" * 12) + WRONG_SUM)
    result.assert_outcomes(passed=4, failed=1)
    mark = next(line.split()[1] for line in result.outlines if line.startswith("  fingerprint "))
    result = certify(plugin=plugin.format(mark) + WRONG_SUM)
    result.assert_outcomes(passed=4, xfailed=1)
    assert result.ret == 0
    result.stdout.fnmatch_lines(
        ["  XFAIL     ENQ-002: known, see #7", "CONFORMS level 5 · *1 expected to fail (ENQ-002)*"]
    )
    result = certify(plugin=plugin.format(mark) + GOOD)
    result.assert_outcomes(passed=4, failed=1)
    result.stdout.fnmatch_lines(["XPASS [[]3 evaluations] · ENQ-002: *"])


@pytest.mark.parametrize(
    ("answer", "status", "line"),
    [
        ("not_applicable('no input')", 1, "  because   was expected to fail (see #7) and is not applicable (no*"),
        ("not_run('no GPU')", 0, "  NOT-RUN   ENQ-002: no GPU; it was expected to fail (see #7), which *"),
    ],
)
def test_an_expected_failure_that_is_not_judged_is_told(certify, answer, status, line):
    known = "{'ENQ-002': {'reason': 'see #7', 'fingerprint': '0'}}"
    plugin = f"PLUGINS = {{'/Bar/1': [case('a', expected_failures={known})]}}\ndef enq_002(): return {answer}\n"
    result = certify(plugin=plugin)
    assert result.ret == status
    result.stdout.fnmatch_lines([line])


@pytest.mark.parametrize("form", ["in a case: ", "in a file: "])
def test_what_the_report_prints_makes_the_failure_expected(certify, pytester, form):
    result = certify("-v", plugin=WRONG_SUM)
    entry = next(line.partition(form)[2] for line in result.outlines if form in line).replace("why, with a link", "#7")
    if form == "in a case: ":
        result = certify(plugin=f"PLUGINS = {{'/Bar/1': [case('two-inputs') | {{{entry}}}]}}\n{WRONG_SUM}")
    else:
        pytester.path.joinpath("known.json").write_text(entry)
        result = certify("--plugin-expected-failures=known.json", plugin=WRONG_SUM)
    assert result.ret == 0
    result.stdout.fnmatch_lines(["  XFAIL     ENQ-002: #7"])


@pytest.mark.parametrize(
    ("listed", "line"),
    [
        ('{"/Baz/1": {}}', "*: there is no plugin '/Baz/1' (did you mean '/Bar/1'?)"),
        ('{"/Bar/1": {"two-inputs": {"ENQ-002": {"reason": "#7"}}}}', "*needs a reason and a fingerprint: {*}; run *"),
        (
            '{"/Bar/1": {"two-inputs": {"ENQ-02": {"reason": "#7", "fingerprint": "0"}}}}',
            "*known.json: /Bar/1 two-inputs names 'ENQ-02', and the rule does not exist (did you mean 'ENQ-002'?)",
        ),
        (
            '{"/Bar/1": {"two-inputs": {"TAC-001": {"reason": "#7", "fingerprint": "0"}}}}',
            "*known.json: /Bar/1 two-inputs names 'TAC-001', and that rule is about IPluginV3, not *: remove *",
        ),
    ],
)
def test_a_file_of_expected_failures_that_fits_nothing_is_a_usage_error(certify, pytester, listed, line):
    pytester.path.joinpath("known.json").write_text(listed)
    result = certify("--plugin-expected-failures=known.json")
    assert result.ret == 4
    result.stderr.fnmatch_lines([f"ERROR: {line}"])


def test_a_severity_selects_rules(certify):
    certify("--plugin-select=warning").assert_outcomes(passed=1)
    certify("--plugin-ignore=warning").assert_outcomes(passed=4)


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (
            ["--plugin-ignore=error,warning,info"],
            "--plugin-ignore=error,warning,info leaves out every rule there is: ignore *",
        ),
        (["--plugin-select=TAC"], "--plugin-select=TAC leaves no rule about IPluginV2DynamicExt, *: select others*"),
        (["--plugin-level=1"], "--plugin-level=1 judges none of the installed rules: --plugin-level=5 *"),
    ],
)
def test_options_that_leave_no_rule_are_a_usage_error_of_one_line(certify, arguments, line):
    result = certify(*arguments)
    assert result.ret == 4
    assert [bool(told) for told in result.errlines] == [True, False]
    result.stderr.fnmatch_lines([f"ERROR: {line}"])


def test_a_rule_that_is_named_is_judged_at_any_level(certify):
    assert certify("--plugin-level=1", "--plugin-select=FMT-001").ret == 0


def test_an_error_of_the_harness_is_no_verdict(certify):
    result = certify(plugin="def fmt_002(): return Answer(Kind.BROKEN, reason='ZeroDivisionError')\n")
    assert result.ret == 3
    result.stdout.fnmatch_lines(
        [
            "rule FMT-002 failed by itself; please report this",
            "ZeroDivisionError",
            "INCOMPLETE · /Bar/1 · 4 rules passed, 12 evaluations, 1 rule not judged",
        ]
    )


def test_a_database_of_examples_that_cannot_be_used_is_a_usage_error(certify):
    result = certify("--plugin-fuzz-database=ftp://me:secret@host/a")
    assert result.ret == 4
    result.stderr.fnmatch_lines(["ERROR: --plugin-fuzz-database=ftp://[*][*][*]@host/a: give a folder, or a URL *"])
