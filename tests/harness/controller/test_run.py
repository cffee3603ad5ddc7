"""How the verdicts of a run add up to its exit status and to the last line of a plugin."""

import pytest

from harness.config.errors import UsageError
from harness.contract.interface import Interface
from harness.controller.run import Remaining
from harness.results.run_plan import CasePlan, ItemId, ModulePlan, PluginPlan

pytest_plugins = ["pytester"]

GOOD = ""
WRONG_SUM = "def enq_002(): return 'the sum is wrong'\n"
WARNS = "def cfg_001(): return 'printed a line'\n"
BROKEN_FORMATS = "def fmt_001(): return 'looked past pos'\n\n\ndef fmt_002(): return 'took two answers'\n"
NOT_RUN = "def enq_002(): return not_run('needs a GPU: RawKernel')\n"


@pytest.mark.parametrize(
    ("plugin", "options", "is_good", "line"),
    [
        (WARNS, {}, True, "CONFORMS level 5 · /Bar/1 · 4 rules passed, 14 evaluations, 1 WARN (CFG-001) · kernels *"),
        (WARNS, {"fail_on": "warning"}, False, "FAILS · /Bar/1 · *"),
        (WARNS, {"fail_on": "not-run"}, False, "FAILS · /Bar/1 · *"),
        (NOT_RUN, {}, True, "CONFORMS level 5 · /Bar/1 · 4 rules passed, 12 evaluations, 1 NOT-RUN (ENQ-002) · *"),
        (NOT_RUN, {"fail_on": "not-run"}, False, "FAILS · /Bar/1 · *"),
        (NOT_RUN.replace("not_run(", "needs_device("), {}, True, "CONFORMS level 5, kernels not executed · /Bar/1 · *"),
        (GOOD, {"select": "FMT"}, True, "PARTIAL · /Bar/1 · selected 2 of 5 rules · 2 rules passed, 6 evaluations"),
        (GOOD, {"ignore": "FMT-002"}, True, "PARTIAL · /Bar/1 · selected 4 of 5 rules · *"),
    ],
)
def test_verdicts_add_up(section, plugin, options, is_good, line):
    printed = section(plugin=plugin, **options)
    assert printed.is_good == is_good
    printed.fnmatch_lines([line])


@pytest.mark.parametrize(
    ("plugin", "arguments", "status", "line"),
    [
        (WARNS, ["--plugin-fail-on=warning"], 1, "FAILS · /Bar/1 · *"),
        (GOOD, ["-k", "FMT"], 0, "PARTIAL · /Bar/1 · selected 2 of 5 rules · 2 rules passed, 6 evaluations"),
        (GOOD, ["--deselect=conformance::/Bar/1::two-inputs::FMT"], 0, "PARTIAL · /Bar/1 · selected 3 of 5 rules · *"),
        (GOOD, ["-m", "conformance"], 0, "CONFORMS level 5 · *"),
    ],
)
def test_the_last_line_and_the_exit_status_of_a_run(certify, plugin, arguments, status, line):
    result = certify(*arguments, plugin=plugin)
    assert result.ret == status
    result.stdout.fnmatch_lines([line])


def test_nothing_selected_is_no_success(certify):
    assert certify("-k", "no_such_word").ret == 5
    assert certify("-m", "not conformance").ret == 5


def test_a_plugin_of_which_nothing_is_proved_fails_the_run(section):
    nothing = "".join(
        f"def {name}(): return not_applicable('no')\n"
        for name in ("cfg_001", "enq_001", "enq_002", "fmt_001", "fmt_002")
    )
    printed = section(plugin=nothing)
    assert not printed.is_good
    printed.fnmatch_lines(["FAILS · /Bar/1 · 0 rules passed, 0 evaluations, 5 N/A · fails because no rule passed"])


def test_a_blocked_rule_fails_where_its_root_was_not_selected(section):
    printed = section(select="FMT-002", plugin=BROKEN_FORMATS)
    assert not printed.is_good
    why = (
        "FMT-001 was not selected (--plugin-select=FMT-001), and says: looked past pos; requires FMT-001, which failed"
    )
    printed.fnmatch_lines([f"  because   {why}*"])


def test_what_an_expected_failure_blocks_fails_nothing_though_that_one_is_not_selected(section):
    expected = "{'FMT-001': {'reason': 'see #7', 'fingerprint': '3dc882c849fb'}}"
    plugin = f"PLUGINS = {{'/Bar/1': [case('a', expected_failures={expected})]}}\n{BROKEN_FORMATS}"
    printed = section(select="FMT-002,CFG-001", plugin=plugin)
    assert printed.is_good
    printed.fnmatch_lines(["PARTIAL*1 BLOCKED (FMT-002)*"])


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
    ("answer", "is_good", "line"),
    [
        ("not_applicable('no input')", False, "  because   was expected to fail (see #7) and is not applicable (no*"),
        ("not_run('no GPU')", True, "  NOT-RUN   ENQ-002: no GPU; it was expected to fail (see #7), which *"),
    ],
)
def test_an_expected_failure_that_is_not_judged_is_told(section, answer, is_good, line):
    known = "{'ENQ-002': {'reason': 'see #7', 'fingerprint': '0'}}"
    plugin = f"PLUGINS = {{'/Bar/1': [case('a', expected_failures={known})]}}\ndef enq_002(): return {answer}\n"
    printed = section(plugin=plugin)
    assert printed.is_good == is_good
    printed.fnmatch_lines([line])


@pytest.mark.parametrize("form", ["in a case: ", "in a file: "])
def test_what_the_report_prints_makes_the_failure_expected(section, tmp_path, form):
    lines = section(verbose=1, plugin=WRONG_SUM).lines
    entry = next(line.partition(form)[2] for line in lines if form in line).replace("why, with a link", "#7")
    if form == "in a case: ":
        printed = section(plugin=f"PLUGINS = {{'/Bar/1': [case('two-inputs') | {{{entry}}}]}}\n{WRONG_SUM}")
    else:
        (tmp_path / "known.json").write_text(entry)
        printed = section(expected_failures="known.json", plugin=WRONG_SUM)
    assert printed.is_good
    printed.fnmatch_lines(["  XFAIL     ENQ-002: #7"])


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
def test_a_file_of_expected_failures_that_fits_nothing_is_a_usage_error(section, tmp_path, listed, line):
    (tmp_path / "known.json").write_text(listed)
    with pytest.raises(UsageError) as told:
        section(expected_failures="known.json")
    pytest.LineMatcher([str(told.value)]).fnmatch_lines([line])


def test_a_severity_selects_rules(section):
    section(select="warning").fnmatch_lines(["PARTIAL · /Bar/1 · selected 1 of 5 rules · 1 rule passed*"])
    section(ignore="warning").fnmatch_lines(["PARTIAL · /Bar/1 · selected 4 of 5 rules · 4 rules passed*"])


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (
            ["--plugin-ignore=error,warning,info"],
            "--plugin-ignore=error,warning,info leaves out every rule there is: ignore *",
        ),
        (["--plugin-select=TAC"], "--plugin-select=TAC leaves no rule about IPluginV2DynamicExt, *. Select others; *"),
        (["--plugin-level=1"], "--plugin-level=1 judges none of the installed rules. --plugin-level=5 *"),
    ],
)
def test_options_that_leave_no_rule_are_a_usage_error_of_one_line(certify, arguments, line):
    result = certify(*arguments)
    assert result.ret == 4
    assert [bool(told) for told in result.errlines] == [True, False]
    result.stderr.fnmatch_lines([f"ERROR: {line}"])


def test_a_rule_that_is_named_is_judged_at_any_level(section):
    assert section(level=1, select="FMT-001").is_good


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
    result = certify("--plugin-fuzz-database=/dev/null")
    assert result.ret == 4
    result.stderr.fnmatch_lines(["ERROR: --plugin-fuzz-database=/dev/null: it is no folder, and none can be made: *"])


RULES = ("FMT-001", "FMT-002")


def module(*labels):
    cases = (CasePlan("a"), CasePlan("b"))
    plugins = [PluginPlan(each, each, "m", Interface.V3, "Creator", "", 0, cases) for each in labels]
    return ModulePlan("m", "m", tuple(plugins))


def places(label, case):
    return [ItemId(label, case, rule) for rule in RULES]


def test_a_case_ends_with_its_last_item_in_any_order():
    left = Remaining(places("/Bar/1", "a") + places("/Bar/1", "b"))
    first, second = places("/Bar/1", "a")
    assert [left.ends_with(second), left.ends_with(first)] == [False, True]


def test_an_item_that_runs_again_counts_once():
    left = Remaining(places("/Bar/1", "a"))
    first, second = places("/Bar/1", "a")
    assert [left.ends_with(each) for each in (first, first, second, second)] == [False, False, True, False]


def test_an_item_that_two_tests_ask_for_is_left_until_both_did():
    first, second = places("/Bar/1", "a")
    left = Remaining([first, second, first])
    assert [left.ends_with(each) for each in (first, second, first)] == [False, False, True]


def test_a_module_has_items_until_the_last_case_of_its_last_plugin():
    left = Remaining(places("/Bar/1", "a") + places("/Foo/1", "b"))
    both = module("/Bar/1", "/Foo/1")
    for place in places("/Bar/1", "a"):
        left.ends_with(place)
    assert left.has_any_of(both)
    assert not left.has_any_of(module("/Bar/1"))
    for place in places("/Foo/1", "b"):
        left.ends_with(place)
    assert not left.has_any_of(both)
