"""What a run leaves out of its verdicts follows from the records of its report."""

import dataclasses
import types

import pytest

from harness.contract.verdict import Verdict
from harness.results.remarks import built_too, left_out_of
from harness.results.report import Report


@pytest.fixture
def report(make):
    return Report.from_plain(make.usual())


def test_a_doubt_is_a_remark_on_its_case(report):
    case = dataclasses.replace(
        report.plugins[0], doubts=("its reference is constant",), rules=(), kernels_executed=True
    )
    whole = dataclasses.replace(report.options, level=5, select=(), ignore=(), baseline="")
    assert left_out_of(whole, [case]) == (f"{case.id}: its reference is constant",)
    unexecuted = dataclasses.replace(case, doubts=None, kernels_executed=False, stand_ins=())
    assert left_out_of(whole, [unexecuted]) == (f"{case.id}: its kernels were not executed",)


def test_what_was_not_judged_is_remarked_on_with_the_reason(report):
    whole = dataclasses.replace(report.options, level=5, select=(), ignore=(), baseline="")
    skipped = [{"name": "plugins of run.py:main", "why": "the run that records them died by SIGSEGV"}]
    assert left_out_of(whole, [], skipped) == (
        "plugins of run.py:main not judged: the run that records them died by SIGSEGV",
    )


def test_what_options_take_away_is_remarked_on(report):
    options = dataclasses.replace(
        report.options,
        level=1,
        select=("ENQ",),
        ignore=("SER",),
        stubs=("PIL",),
        baseline="b.json",
        isolation="none",
    )
    assert left_out_of(options, []) == (
        "--plugin-level=1 leaves out rules that level 5 judges",
        "--plugin-select=ENQ deselects rules",
        "--plugin-ignore=SER deselects rules",
        "--plugin-stub=PIL: the import of the package succeeds although it is not installed",
        "--plugin-baseline=b.json excuses the failures that it knows",
        "--plugin-isolation=none does not look whether the plugin interfered with its judge",
    )


def test_fewer_seeds_examples_and_seconds_than_those_of_the_level_are_remarked_on(report):
    whole = dataclasses.replace(report.options, level=5, seed=0, seeds=(0, 1, 2), select=(), ignore=(), baseline="")
    more = dataclasses.replace(whole, fuzz_examples=50)
    fewer = dataclasses.replace(whole, seed=7, seeds=(7,), fuzz_examples=3, fuzz_time=0.5)
    assert left_out_of(whole, []) == left_out_of(more, []) == ()
    assert left_out_of(fewer, []) == (
        "--plugin-seed=7 judges one order of calls; level 5 judges 3",
        "--plugin-fuzz-examples=3 draws no more than that for each fuzz rule; level 5 draws up to 50",
        "--plugin-fuzz-time=0.5 ends fuzz rules by the clock: a slow machine draws less",
    )


VERSIONS = {"tensorrt-rtx-cu12": "1.7.1.116"}


def case(*rules):
    made = (dict(zip(("id", "verdict", "evidence", "broken"), rule, strict=True)) for rule in rules)
    return types.SimpleNamespace(rules=[types.SimpleNamespace(**rule) for rule in made])


GOOD = case(("GEN-003", Verdict.PASS, 3, 0), ("GEN-006", Verdict.PASS, 3, 0))


@pytest.mark.parametrize(
    ("cases", "words"),
    [
        ([GOOD, GOOD], "6 of 6 builds agree"),
        ([GOOD, case(("GEN-003", Verdict.FAIL, 2, 2), ("GEN-006", Verdict.NOT_RUN, 0, 0))], "3 of 5 builds agree"),
        ([case(("GEN-003", Verdict.FAIL, 2, 1), ("GEN-006", Verdict.PASS, 1, 0))], "1 of 2 builds agree"),
        ([case(("GEN-003", Verdict.PASS, 2, 0), ("GEN-006", Verdict.WARN, 2, 1))], "1 of 2 builds agree"),
        ([case(("GEN-003", Verdict.PASS, 1, 0), ("GEN-006", Verdict.BLOCKED, 0, 0))], "0 of 1 builds agree"),
    ],
)
def test_builds_that_agree_are_counted(cases, words):
    line = built_too(types.SimpleNamespace(runtime="rtx"), VERSIONS, cases)
    assert line == f"built by NVIDIA's TensorRT-RTX 1.7.1 too: {words}"


def test_there_is_no_line_without_builds():
    assert built_too(types.SimpleNamespace(runtime="reference"), {}, [GOOD]) is None
    assert built_too(types.SimpleNamespace(runtime="rtx"), VERSIONS, [case(("GEN-003", Verdict.NOT_RUN, 0, 0))]) is None
