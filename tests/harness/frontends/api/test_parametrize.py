"""``parametrize_with_rules``: a user's own test, once for each rule on each case."""

import pytest

from harness import parametrize_with_rules
from harness.contract.finding import Violation
from harness.contract.rule import Severity
from harness.contract.verdict import Result, Verdict

pytest_plugins = ["pytester"]

RULES = """
from harness import parametrize_with_rules

@parametrize_with_rules("my_plugin"{})
def test_rules(rule_result):
    print("body of", rule_result.rule)
"""
ID = "test_own.py::test_rules[conformance::/Bar/1::two-inputs::{}]"


@pytest.fixture
def own(certify, pytester):
    """Run a test file of the user's that is decorated; ``certify`` sets the surroundings up, and the stub judge."""

    def run(plugin, *arguments, test=RULES, more=""):
        pytester.makepyfile(my_plugin=f"from stub_contract import *\n{plugin}", test_own=test.format(more))
        options = ["-p", "pytest_trt_conformance", "-p", "stub_certification", "-p", "no:cacheprovider"]
        return pytester.runpytest_subprocess(*options, "-rA", *arguments)

    assert certify  # for what it sets up
    return run


@pytest.mark.parametrize("workers", [[], pytest.param(["-p", "xdist", "-n", "2"], marks=pytest.mark.nightly)])
def test_there_is_a_test_a_rule_with_the_verdict_as_pytest_has_it(own, workers):
    verdicts = (
        "def fmt_001(): return 'looked past pos'\n\n\ndef fmt_002(): return 'took two answers'\n"
        "def enq_001(): return not_applicable('has no input')\n"
        "def enq_002(): return not_run('needs a GPU')\n"
        "def cfg_001(): return 'printed a line'\n"
    )
    result = own(verdicts, *workers)
    result.assert_outcomes(passed=1, failed=1, skipped=3)
    result.stdout.fnmatch_lines_random(
        [
            "body of CFG-001",
            "FAIL [[]1 of 2 evaluations] · FMT-001: The answer for pos depends only on positions 0..pos.",
            "  what      looked past pos",
            "  fix       Look at pos only.",
            f"PASSED {ID.format('CFG-001').replace('[', '[[]')}",
            "SKIPPED [[]1] *: has no input",
            "SKIPPED [[]1] *: needs a GPU",
            "SKIPPED [[]1] *: requires FMT-001, which failed*",
        ]
    )
    assert "body of FMT-001" not in result.stdout.str()
    assert "body of ENQ" not in result.stdout.str()


def test_what_is_blocked_fails_where_its_root_does_not_run(own):
    result = own(
        "def fmt_001(): return 'looked past pos'\n\n\ndef fmt_002(): return 'took two answers'", "-k", "FMT-002"
    )
    result.assert_outcomes(failed=1, deselected=4)
    result.stdout.fnmatch_lines(["*FMT-001 was not selected (--plugin-select=FMT-001), and says: looked past pos*"])


def test_what_is_skipped_fails_where_nothing_else_holds(own):
    nothing = "def enq_001(): return not_applicable('has no input')\ndef enq_002(): return not_run('needs a GPU')\n"
    result = own(nothing, more=", select='ENQ-'")
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(["has no input; no selected rule of /Bar/1 was shown to hold"])
    own(nothing, "-k", "ENQ").assert_outcomes(skipped=2, deselected=3)  # what the decorator selects holds


def test_an_id_can_be_typed(own):
    own("", ID.format("FMT-002")).assert_outcomes(passed=1)


def test_expected_failures_are_expected(own):
    failing = "def enq_002(): return 'the sum is wrong'\n"
    seen = Violation("the sum is wrong", "in_out[1:]", "one answer", "two answers", "Look at pos only.")
    mark = Result("ENQ-002", Severity.ERROR, Verdict.FAIL, 2, (seen,), 1).fingerprint
    known = f"{{'ENQ-002': {{'reason': 'see #7', 'fingerprint': '{mark}'}}}}"
    plugin = f"PLUGINS = {{'/Bar/1': [case('a', expected_failures={known})]}}\n"
    own(plugin + failing, more=", select='ENQ-002'").assert_outcomes(xfailed=1)
    own(plugin, more=", select='ENQ-002'").assert_outcomes(failed=1)


def test_a_module_that_cannot_be_imported_is_one_failed_test(own):
    result = own("raise ImportError('no such luck')")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*no such luck*", "FAILED test_own.py::test_rules[[]conformance::my_plugin::IMPORT]*"])


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (", select='TAC'", "parametrize_with_rules: *leaves no rule about IPluginV2DynamicExt*"),
        (", levle=1", "parametrize_with_rules: there is no option 'levle' (did you mean 'level'?)"),
    ],
)
def test_what_makes_no_sense_is_an_error_of_the_file(own, more, told):
    result = own("", more=more)
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines([told])
    assert "Traceback" not in result.stdout.str()
    assert "INTERNALERROR" not in result.stdout.str()


CLASS = """
import pytest
from harness import parametrize_with_rules

@pytest.fixture
def lent():
    return 7

both = parametrize_with_rules("my_plugin", select="FMT")

class TestBoth:
    @both
    def test_method(self, lent, rule_result):
        assert (lent, rule_result.verdict.value) == (7, "PASS")

@pytest.mark.parametrize("other", [1, 2])
@both
def test_again(other, rule_result):
    assert rule_result.rule != "FMT-002"
"""


def test_methods_fixtures_and_other_parameters_work_and_the_body_may_judge_further(own, pytester):
    starts = pytester.path / "starts"
    result = own(f"open({str(starts)!r}, 'a').write('x')", test=CLASS)
    result.assert_outcomes(passed=4, failed=2)
    assert starts.read_text() == "x"  # one child for all of them


def test_only_a_function_with_the_argument_is_decorated():
    decorate = parametrize_with_rules("my_plugin")
    with pytest.raises(TypeError, match=r"test_own needs an argument named rule_result: def test_own\(rule_result\): "):
        decorate(_named("test_own", "lambda: None"))
    with pytest.raises(TypeError, match="decorates a test function, not <class"):
        decorate(pytest.Item)


def _named(name, source):
    function = eval(source)  # noqa: S307 - our own text
    function.__name__ = function.__qualname__ = name
    return function
