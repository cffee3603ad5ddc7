"""Pytest's list of skipped tests: what does not apply is one line."""

from types import SimpleNamespace

import pytest

from harness.contract.rule import Severity
from harness.contract.verdict import Result, Verdict
from harness.frontends.pytest_plugin import skips
from harness.results.note import Note


@pytest.mark.parametrize(
    ("verdict", "told"), [(Verdict.NOT_APPLICABLE, skips.REASON), (Verdict.NOT_RUN, "needs a GPU")]
)
def test_what_does_not_apply_has_one_reason_and_all_else_its_own(verdict, told):
    report = SimpleNamespace(longrepr=("bar.py", 3, "needs a GPU"))
    skips.fold(report, Note(Result("FMT-001", Severity.ERROR, verdict, reason="needs a GPU")))
    assert report.longrepr == ("bar.py", 3, told)


def test_an_item_without_a_verdict_is_left_alone():
    report = SimpleNamespace(longrepr=("bar.py", 3, "skipped by a mark"))
    skips.fold(report, Note(interference="a mark"))
    assert report.longrepr[2] == "skipped by a mark"
