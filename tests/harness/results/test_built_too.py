"""The line on how many builds agree: those that died or differ do not."""

import types

import pytest

from harness.contract.verdict import Verdict
from harness.results.built_too import built_too

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
