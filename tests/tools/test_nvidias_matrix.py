"""What NVIDIA's builder notices of witnesses: which are built, and what is kept of their results."""

import pytest

from harness.contract.rule import Severity
from harness.contract.verdict import Result, Verdict
from tests.support import witnesses
from tools import nvidias_matrix


def result(rule, verdict, evidence=1):
    return Result(rule, Severity.ERROR, verdict, evidence=evidence)


@pytest.mark.parametrize(("name", "is_built"), [("tactics_numbered_from_zero", True), ("sound_pad", False)])
def test_a_witness_of_an_older_interface_is_not_asked_for(name, is_built):
    assert nvidias_matrix.may_be_v3(witnesses.named(name)) is is_built


@pytest.mark.parametrize(
    ("results", "rules"),
    [
        ([result("GEN-003", Verdict.PASS), result("GEN-002", Verdict.FAIL), result("GEN-006", Verdict.WARN)], True),
        ([result("GEN-003", Verdict.PASS)], False),
        ([result("GEN-003", Verdict.NOT_RUN, evidence=0)], None),
        (None, None),
    ],
)
def test_broken_rules_are_kept_and_nothing_of_what_was_not_judged(monkeypatch, results, rules):
    found = None if results is None else {("/P/1", "a"): results}
    monkeypatch.setattr(nvidias_matrix, "results_in_a_fork", lambda *_, **__: found)
    assert nvidias_matrix.noticed("x") == {True: ["GEN-002", "GEN-006"], False: [], None: None}[rules]
