"""What follows from verdicts: the lists and the result."""

import pytest

from harness.certificate.deriving import counts_of, lists_of, result_of
from harness.certificate.statement import CertificateResult, FailedModule, JudgedCase, JudgedRule
from harness.config.options import FailOn
from harness.contract.interface import Interface
from harness.contract.rule import Severity
from harness.contract.verdict import Verdict
from harness.results.tally import Standing

V = Verdict
ID = "conformance::/Bar/1::a"


def case(*verdicts, standing=Standing.CONFORMS, executed=True):
    rules = tuple(
        JudgedRule(f"R-{index}", Severity.ERROR, verdict, 3, 0, "host", "", "", "")
        for index, verdict in enumerate(verdicts)
    )
    return JudgedCase(
        id=ID, key="/Bar/1", case="a", inferred=False, spec="10", module="m", interface=Interface.V3, creator="C",
        file="m.py", verdict=standing, evidence=3 * len(rules), kernels_executed=executed, stand_ins=(), device="host",
        rules=rules,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("fail_on", "passed", "warned", "failed"),
    [
        (FailOn.ERROR, [0, 8], [2, 6], [1, 7]),
        (FailOn.WARNING, [0, 8], [6], [1, 2, 7]),
        (FailOn.NOT_RUN, [0, 8], [6], [1, 2, 5, 7]),
    ],
)
def test_each_verdict_is_in_its_list(fail_on, passed, warned, failed):
    plugins = [case(V.PASS, V.FAIL, V.WARN, V.NOT_APPLICABLE, V.BLOCKED, V.NOT_RUN, V.XFAIL, V.XPASS, V.NOTE)]
    lists = lists_of(plugins, [FailedModule("conformance::dies::IMPORT", "dies", ())], fail_on)
    wanted = {"passed": passed, "warned": warned, "failed": failed}
    named = {name: [f"{ID}::R-{index}" for index in indices] for name, indices in wanted.items()}
    assert lists["failed"].pop(0) == "conformance::dies::IMPORT"
    assert lists == named
    assert set(counts_of(plugins).values()) == {1}


@pytest.mark.parametrize(
    ("plugins", "result"),
    [
        ([case(V.PASS, V.NOT_APPLICABLE)], CertificateResult.PASSED),
        ([case(V.PASS, V.NOTE)], CertificateResult.PASSED),
        ([case(V.PASS, V.WARN)], CertificateResult.WARNED),
        ([case(V.PASS, V.XFAIL)], CertificateResult.WARNED),
        ([case(V.PASS, V.NOT_RUN)], CertificateResult.WARNED),
        ([case(V.PASS, V.XFAIL, V.BLOCKED)], CertificateResult.WARNED),
        ([case(V.PASS, standing=Standing.CONFORMS_UNEXECUTED)], CertificateResult.WARNED),
        ([case(V.PASS, standing=Standing.CONFORMS_BY_STAND_INS)], CertificateResult.WARNED),
        ([case(V.PASS, V.FAIL)], CertificateResult.FAILED),
        ([case(V.PASS), case(V.PASS, standing=Standing.INCOMPLETE)], CertificateResult.FAILED),
        ([case(V.NOT_APPLICABLE, standing=Standing.FAILS)], CertificateResult.FAILED),
        ([], CertificateResult.FAILED),
    ],
)
def test_the_result(plugins, result):
    assert result_of(plugins, lists_of(plugins, (), FailOn.ERROR)) is result


def test_a_module_that_failed_makes_it_failed():
    plugins = [case(V.PASS)]
    lists = lists_of(plugins, [FailedModule("conformance::dies::IMPORT", "dies", ())], FailOn.ERROR)
    assert result_of(plugins, lists) is CertificateResult.FAILED
