"""From an answer to a verdict."""

import dataclasses

import pytest

from harness.contract.expected_failures import ExpectedFailure
from harness.contract.finding import CallbackFailure, Violation
from harness.contract.rule import Severity, Source, rule
from harness.contract.verdict import (
    DRIVERS_COMPILER,
    Answer,
    InternalError,
    Kind,
    Result,
    Verdict,
    blocked,
    decide,
    expect,
    stops_dependents,
)

VIOLATION = Violation("what", "where", "expected", "observed", "fix")
MISHAP = CallbackFailure("enqueue", "died by SIGSEGV", "Bar#1.enqueue, phase execution", calls=("a", "b"))


def a_rule(severity=Severity.ERROR, rule_id="FMT-001"):
    @rule(rule_id, source=Source("doc", "section"), severity=severity)
    def holds(subject):
        """It holds."""

    return holds


@pytest.mark.parametrize(
    ("answer", "severity", "verdict"),
    [
        (Answer(Kind.JUDGED, evidence=3), Severity.ERROR, Verdict.PASS),
        (Answer(Kind.JUDGED, evidence=0), Severity.ERROR, Verdict.NOT_RUN),
        (Answer(Kind.JUDGED, 3, (VIOLATION,), 1), Severity.ERROR, Verdict.FAIL),
        (Answer(Kind.JUDGED, 3, (VIOLATION,), 1), Severity.WARNING, Verdict.WARN),
        (Answer(Kind.JUDGED, 3, (VIOLATION,), 1), Severity.INFO, Verdict.NOTE),
        (Answer(Kind.NOT_APPLICABLE, reason="no"), Severity.ERROR, Verdict.NOT_APPLICABLE),
        (Answer(Kind.NOT_RUN, reason="no GPU"), Severity.ERROR, Verdict.NOT_RUN),
        (Answer(Kind.MET, mishap=MISHAP), Severity.ERROR, Verdict.FAIL),
        (Answer(Kind.MET, mishap=MISHAP), Severity.WARNING, Verdict.FAIL),
    ],
)
def test_each_answer_has_its_verdict(answer, severity, verdict):
    assert decide(a_rule(severity), answer).verdict is verdict


@pytest.mark.parametrize(
    ("answer", "is_clean"),
    [
        (Answer(Kind.JUDGED, evidence=3), True),
        (Answer(Kind.NOT_APPLICABLE), True),
        (Answer(Kind.NOT_RUN, needs_host=True), True),
        (Answer(Kind.NOT_RUN), False),
        (Answer(Kind.JUDGED, broken=1), False),
        (Answer(Kind.MET, mishap=MISHAP, lack="memory"), False),
        (Answer(Kind.BROKEN), False),
    ],
)
def test_an_answer_is_clean_if_nothing_is_wrong_and_nothing_is_missing(answer, is_clean):
    assert answer.is_clean is is_clean


def test_nothing_judged_says_so():
    assert decide(a_rule(), Answer(Kind.JUDGED)).reason == "nothing to judge"


def test_a_mishap_that_its_owner_reports_blocks():
    owner = Result("ENQ-010", Severity.ERROR, Verdict.FAIL)
    result = decide(a_rule(), Answer(Kind.MET, mishap=MISHAP), owner=owner)
    assert (result.verdict, result.blocked_by) == (Verdict.BLOCKED, "ENQ-010")


def test_what_takes_long_under_an_interpreter_is_not_run():
    answer = Answer(Kind.MET, mishap=MISHAP, overdue=True, interpreter="Triton's interpreter")
    told = decide(a_rule(), answer)
    assert told.verdict is Verdict.NOT_RUN
    assert "under Triton's interpreter" in told.reason
    assert "--plugin-timeout" in told.reason
    skipped = Answer(Kind.MET, mishap=dataclasses.replace(MISHAP, skipped=True))
    assert decide(a_rule(), skipped, owner=told).verdict is Verdict.NOT_RUN
    assert decide(a_rule(), skipped, owner=told).reason == told.reason
    assert decide(a_rule(), Answer(Kind.MET, mishap=MISHAP), owner=told).verdict is Verdict.FAIL


def test_what_the_driver_compiles_first_is_not_run():
    told = decide(a_rule(), Answer(Kind.MET, mishap=MISHAP, overdue=True, interpreter=DRIVERS_COMPILER))
    assert told.verdict is Verdict.NOT_RUN
    assert told.reason.endswith("or compile the library for this GPU, with nvcc -arch=native")


def test_an_end_for_which_this_machine_lacks_something_is_not_run():
    told = decide(a_rule(), Answer(Kind.MET, mishap=MISHAP, lack="cudnnCreate needs a GPU"))
    assert (told.verdict, told.reason, told.needs_device) == (Verdict.NOT_RUN, "cudnnCreate needs a GPU", True)
    broken = Answer(Kind.MET, mishap=MISHAP, lack="cudnnCreate needs a GPU", evidence=1, broken=1)
    assert decide(a_rule(), broken).verdict is Verdict.FAIL


def test_a_mishap_that_its_owner_did_not_see_fails_where_it_was_met():
    owner = Result("ENQ-010", Severity.ERROR, Verdict.PASS, evidence=1)
    result = decide(a_rule(), Answer(Kind.MET, mishap=MISHAP), owner=owner)
    assert result.verdict is Verdict.FAIL
    assert "SIGSEGV" in result.violations[0].what


def test_a_rule_that_fails_by_itself_is_no_verdict():
    with pytest.raises(InternalError, match="FMT-001 failed by itself"):
        decide(a_rule(), Answer(Kind.BROKEN, reason="Traceback"))


def test_blocked_names_the_root():
    root = Result("SHP-003", Severity.ERROR, Verdict.FAIL)
    middle = blocked(a_rule(rule_id="SHP-008"), root)
    assert blocked(a_rule(rule_id="ENQ-010"), middle).blocked_by == "SHP-003"


@pytest.mark.parametrize(
    ("verdict", "stops"),
    [
        (Verdict.FAIL, True),
        (Verdict.BLOCKED, True),
        (Verdict.XFAIL, True),
        (Verdict.WARN, False),
        (Verdict.NOTE, False),
        (Verdict.PASS, False),
    ],
)
def test_only_failures_stop_dependents(verdict, stops):
    assert stops_dependents(Result("FMT-001", Severity.ERROR, verdict)) is stops


def failed():
    return decide(a_rule(), Answer(Kind.JUDGED, 1, (VIOLATION,), 1))


def test_an_expected_failure_is_strict():
    known = ExpectedFailure("see #1", failed().fingerprint)
    assert expect(failed(), known).verdict is Verdict.XFAIL
    assert expect(failed(), ExpectedFailure("see #1", "0" * 12)).verdict is Verdict.FAIL
    assert expect(decide(a_rule(), Answer(Kind.JUDGED, 1)), known).verdict is Verdict.XPASS
    assert expect(failed(), None).verdict is Verdict.FAIL


def test_an_expectation_of_a_rule_that_does_not_apply_is_stale():
    known = ExpectedFailure("see #1", failed().fingerprint)
    result = expect(decide(a_rule(), Answer(Kind.NOT_APPLICABLE, reason="no fields")), known)
    assert result.verdict is Verdict.XPASS
    assert result.reason == "was expected to fail (see #1) and is not applicable (no fields): remove the expectation"


@pytest.mark.parametrize(
    ("answer", "elsewhere", "verdict"),
    [
        (Answer(Kind.NOT_RUN, reason="no GPU"), False, Verdict.NOT_RUN),
        (Answer(Kind.NOT_APPLICABLE, reason="TensorRT 8.6 does not"), True, Verdict.NOT_APPLICABLE),
    ],
)
def test_an_expectation_that_could_not_be_looked_at_is_told_with_the_reason(answer, elsewhere, verdict):
    known = ExpectedFailure("see #1", failed().fingerprint)
    result = expect(decide(a_rule(), answer), known, elsewhere=elsewhere)
    assert result.verdict is verdict
    assert result.reason == f"{answer.reason}; it was expected to fail (see #1), which this run cannot show"


def test_a_message_that_is_no_text_has_a_fingerprint_too():
    strange = dataclasses.replace(VIOLATION, what="half a pair: \ud800")
    assert len(dataclasses.replace(failed(), violations=(strange,)).fingerprint) == 12


def test_the_fingerprint_changes_with_the_defect_and_only_then():
    other = dataclasses.replace(failed(), violations=(dataclasses.replace(VIOLATION, where="elsewhere"),))
    more_evidence = dataclasses.replace(failed(), evidence=99)
    assert failed().fingerprint == more_evidence.fingerprint != other.fingerprint


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("held <Plugin at 0x7fa27ebd4790>", "held <Plugin at 0x55aa>"),
        ("3 of 12 elements at (1, 3, 4)", "17 of 20 elements at (2, 5)"),
        ("differs by 1.5e-07", "differs by -3"),
        ("at src/pipeline.py:18, then /opt/lib/a.py:3", "at /home/me/src/pipeline.py:7, then a.py:9"),
    ],
)
def test_numbers_addresses_and_folders_do_not_change_the_fingerprint(one, other):
    seen = [dataclasses.replace(failed(), violations=(dataclasses.replace(VIOLATION, what=w),)) for w in (one, other)]
    assert seen[0].fingerprint == seen[1].fingerprint


def test_files_and_keys_of_plugins_do_change_it():
    seen = {
        dataclasses.replace(failed(), violations=(dataclasses.replace(VIOLATION, where=where),)).fingerprint
        for where in ("src/a.py:18", "src/b.py:18", "/Bar/1", "/Foo/1", "acme/Bar/1")
    }
    assert len(seen) == 5


def test_digits_of_a_name_are_no_numbers():
    seen = {
        dataclasses.replace(failed(), violations=(dataclasses.replace(VIOLATION, what=what),)).fingerprint
        for what in ("float16 is refused", "float32 is refused", "IPluginV3 is refused")
    }
    assert len(seen) == 3


def test_answers_and_results_survive_json():
    answer = Answer(Kind.MET, 2, (VIOLATION,), 1, mishap=MISHAP)
    assert Answer.from_plain(answer.to_plain()) == answer
    result = decide(a_rule(), answer)
    assert Result.from_plain(result.to_plain()) == result


def test_what_was_found_before_a_mishap_is_not_lost_to_its_owner():
    owner = Result("ENQ-010", Severity.ERROR, Verdict.FAIL)
    result = decide(a_rule(), Answer(Kind.MET, 2, (VIOLATION,), 1, mishap=MISHAP), owner=owner)
    assert result.verdict is Verdict.FAIL
    assert VIOLATION in result.violations


def test_what_no_encoding_has_is_part_of_a_fingerprint():
    one, other = (
        dataclasses.replace(failed(), violations=(dataclasses.replace(VIOLATION, what=what),)).fingerprint
        for what in ("\udc80", "\ud800")
    )
    assert len(one) == len(other) == 12
    assert one != other


@pytest.mark.parametrize(
    ("result", "word"),
    [
        (Result("FMT-001", Severity.ERROR, Verdict.PASS, evidence=1), "PASS [1 evaluation]"),
        (Result("FMT-001", Severity.ERROR, Verdict.PASS, evidence=2310), "PASS [2,310 evaluations]"),
        (Result("FMT-001", Severity.ERROR, Verdict.FAIL, evidence=412, broken=3), "FAIL [3 of 412 evaluations]"),
        (Result("FMT-001", Severity.ERROR, Verdict.NOT_APPLICABLE), "N/A"),
    ],
)
def test_a_word_holds_the_evidence(result, word):
    assert result.word == word


def test_the_summary_is_the_first_line_of_what_was_seen_or_else_the_reason():
    seen = Violation("lost\nand more", "x", "expected", "observed", "fix")
    assert Result("FMT-001", Severity.ERROR, Verdict.FAIL, violations=(seen,), reason="odd").summary == "lost"
    assert Result("FMT-001", Severity.ERROR, Verdict.XPASS, reason="it passes\nnow").summary == "it passes"


def test_what_was_found_before_a_mishap_comes_first():
    result = decide(a_rule(), Answer(Kind.MET, 2, (VIOLATION,), 1, mishap=MISHAP))
    assert [each.what for each in result.violations] == [VIOLATION.what, f"{MISHAP.callback} {MISHAP.how}"]
