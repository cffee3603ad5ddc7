"""Derive from the verdicts of a run: in-toto's lists and result, and the verdict on each case. All are pure functions.

They make a certificate, and check later whether one fits together.
"""

from __future__ import annotations

import collections
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from harness.certificate.statement import CertificateResult
from harness.contract.verdict import Result as RuleResult
from harness.contract.verdict import Verdict
from harness.results.tally import CaseRecord, Standing, Tally, fails

if TYPE_CHECKING:
    from harness.certificate.statement import FailedModule, JudgedCase, JudgedRule
    from harness.config.options import FailOn

#: The verdicts of plugins that a run may be green with, beside the plain one.
_WITH_REMARKS = {Standing.CONFORMS_UNEXECUTED, Standing.CONFORMS_BY_STAND_INS, Standing.PARTIAL}
_GOOD = {Standing.CONFORMS, *_WITH_REMARKS}
_PROVING_NOTHING = {Verdict.NOT_RUN, Verdict.BLOCKED}


#: The names of tests, as ``passed``, ``warned`` and ``failed``.
Lists = dict[str, list[str]]


def lists_of(plugins: Iterable[JudgedCase], modules: Iterable[FailedModule], fail_on: FailOn) -> Lists:
    """Return the tests that passed, that passed with a warning, and that failed; the others were not judged."""
    found: Lists = {"passed": [], "warned": [], "failed": [module.id for module in modules]}
    for name, rule in _tests(plugins):
        if fails(_result(rule), fail_on):
            found["failed"].append(name)
        elif rule.verdict in {Verdict.PASS, Verdict.NOTE}:  # a note is no fault
            found["passed"].append(name)
        elif rule.verdict in {Verdict.WARN, Verdict.XFAIL}:
            found["warned"].append(name)
    return found


def result_of(plugins: Iterable[JudgedCase], lists: Lists) -> CertificateResult:
    """Return in-toto's result: FAILED where a plugin does not conform, WARNED where something is to be said of it."""
    cases = tuple(plugins)
    if lists["failed"] or not cases or any(case.verdict not in _GOOD for case in cases):
        return CertificateResult.FAILED
    verdicts = {rule.verdict for _, rule in _tests(cases)}
    if lists["warned"] or verdicts & _PROVING_NOTHING or any(case.verdict in _WITH_REMARKS for case in cases):
        return CertificateResult.WARNED
    return CertificateResult.PASSED


def counts_of(plugins: Iterable[JudgedCase]) -> dict[str, int]:
    """Return how often each verdict was given."""
    counts = collections.Counter(rule.verdict for _, rule in _tests(plugins))
    return {verdict.value: counts[verdict] for verdict in Verdict}


def unjudged(plugins: Iterable[JudgedCase]) -> list[str]:
    """Return the tests that could not be judged, or not because of another."""
    return [name for name, rule in _tests(plugins) if rule.verdict in _PROVING_NOTHING]


def is_standing_of(case: JudgedCase, fail_on: FailOn, *, left_out: bool = False) -> bool:
    """Return whether the verdict on a case follows from its rules; ``left_out``: the level lacks some rules."""
    records = [
        CaseRecord(rule.id, case.case, _result(rule), failed=fails(_result(rule), fail_on)) for rule in case.rules
    ]
    if left_out:
        records.append(CaseRecord("beyond the level", case.case, unselected=True))
    standing = Tally(tuple(records), case.kernels_executed).standing
    unexecuted = {Standing.CONFORMS_UNEXECUTED, Standing.CONFORMS_BY_STAND_INS}
    return case.verdict is standing or {case.verdict, standing} <= unexecuted


def _tests(plugins: Iterable[JudgedCase]) -> Iterator[tuple[str, JudgedRule]]:
    return ((f"{case.id}::{rule.id}", rule) for case in plugins for rule in case.rules)


def _result(rule: JudgedRule) -> RuleResult:
    return RuleResult(rule.id, rule.severity, rule.verdict, rule.evidence)
