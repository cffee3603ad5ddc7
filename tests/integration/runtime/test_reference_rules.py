"""REF-001 to REF-016: the runtime keeps each, and each check catches the runtimes that do not."""

from __future__ import annotations

import pytest

from reference_runtime.calling.lifecycle.table import LifecycleError
from tests.support.runtime.reference_rules import CHECKS
from tests.support.runtime.wrong_runtimes import WRONG

pairs = [
    pytest.param(rule, wrong, id=f"{rule}-{wrong.__name__}") for rule, variants in WRONG.items() for wrong in variants
]


@pytest.mark.parametrize("rule", CHECKS)
def test_the_runtime_keeps(rule):
    CHECKS[rule]()


@pytest.mark.parametrize(("rule", "wrong"), pairs)
def test_a_runtime_that_does_not_is_caught(rule, wrong, monkeypatch):
    wrong(monkeypatch)
    with pytest.raises((AssertionError, LifecycleError)):
        CHECKS[rule]()


def test_every_rule_has_a_wrong_runtime():
    assert list(CHECKS) == list(WRONG) == [f"REF-{number:03}" for number in range(1, 17)]
