"""Derive in-toto's lists and result from the verdicts of a run, by pure functions."""

from __future__ import annotations

import collections
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from harness.certificate.statement import CertificateResult
from harness.contract.verdict import Result as RuleResult
from harness.contract.verdict import Verdict
from harness.results.tally import Standing, fails

if TYPE_CHECKING:
    from harness.certificate.statement import FailedModule, JudgedCase, JudgedRule
    from harness.config.options import FailOn

#: Verdicts on plugins with which a run succeeds, and that make the certificate's result WARNED.
_WITH_REMARKS = {Standing.CONFORMS_UNEXECUTED, Standing.CONFORMS_BY_STAND_INS, Standing.PARTIAL}
_GOOD = {Standing.CONFORMS, *_WITH_REMARKS}
_PROVING_NOTHING = {Verdict.NOT_RUN, Verdict.BLOCKED}


#: The names of tests, as ``passed``, ``warned`` and ``failed``.
Lists = dict[str, list[str]]


def lists_of(plugins: Iterable[JudgedCase], modules: Iterable[FailedModule], fail_on: FailOn) -> Lists:
    """Return the tests that passed, passed with a warning, or failed; tests in no list were not judged."""
    lists: Lists = {"passed": [], "warned": [], "failed": [module.id for module in modules]}
    for name, rule in _tests(plugins):
        if fails(_result(rule), fail_on):
            lists["failed"].append(name)
        elif rule.verdict in {Verdict.PASS, Verdict.NOTE}:  # a note is no fault
            lists["passed"].append(name)
        elif rule.verdict in {Verdict.WARN, Verdict.XFAIL}:
            lists["warned"].append(name)
    return lists


def result_of(plugins: Iterable[JudgedCase], lists: Lists) -> CertificateResult:
    """Return in-toto's result: FAILED if a plugin does not conform, WARNED if there is a remark, else PASSED."""
    cases = tuple(plugins)
    if lists["failed"] or not cases or any(case.verdict not in _GOOD for case in cases):
        return CertificateResult.FAILED
    verdicts = {rule.verdict for _, rule in _tests(cases)}
    if lists["warned"] or verdicts & _PROVING_NOTHING or any(case.verdict in _WITH_REMARKS for case in cases):
        return CertificateResult.WARNED
    return CertificateResult.PASSED


def counts_of(plugins: Iterable[JudgedCase]) -> dict[str, int]:
    """Return the number of tests with each verdict."""
    counts = collections.Counter(rule.verdict for _, rule in _tests(plugins))
    return {verdict.value: counts[verdict] for verdict in Verdict}


def _tests(plugins: Iterable[JudgedCase]) -> Iterator[tuple[str, JudgedRule]]:
    return ((f"{case.id}::{rule.id}", rule) for case in plugins for rule in case.rules)


def _result(rule: JudgedRule) -> RuleResult:
    return RuleResult(rule.id, rule.severity, rule.verdict, rule.evidence)
