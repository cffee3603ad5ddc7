"""Which rules took longest."""

from types import SimpleNamespace

import pytest

from harness.contract.rule import Severity
from harness.contract.verdict import Result, Verdict
from harness.frontends.pytest_plugin import slowest
from harness.results.tally import CaseRecord, Tally


def judged(rule, seconds):
    return CaseRecord(rule, "a", Result(rule, Severity.ERROR, Verdict.PASS, 1, seconds=seconds))


PLUGIN = SimpleNamespace(
    plugin=SimpleNamespace(label="/Bar/1"),
    tally=Tally(
        (judged("A-001", 0.2), judged("B-001", 3.0), judged("C-001", 0.2), judged("D-001", 0.0), CaseRecord("E-1", "a"))
    ),
)


@pytest.mark.parametrize(
    ("wanted", "least", "rules"),
    [
        (None, None, []),
        (1, 0.005, ["B-001"]),
        (2, 0.005, ["B-001", "A-001"]),
        (0, 0.005, ["B-001", "A-001", "C-001"]),
        (0, 1.0, ["B-001"]),
    ],
)
def test_as_many_as_are_asked_for_are_told_the_slowest_first(wanted, least, rules):
    given = {"durations": wanted, "durations_min": least}
    config = SimpleNamespace(getoption=given.get)
    assert [line.rpartition("::")[2] for line in slowest.lines([PLUGIN], config)] == rules


def test_a_line_has_the_seconds_and_the_id():
    config = SimpleNamespace(getoption={"durations": 1}.get)
    assert slowest.lines([PLUGIN], config) == ["   3.00 s  conformance::/Bar/1::a::B-001"]
