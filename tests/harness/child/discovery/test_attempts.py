"""Guesses are tried one by one, each with its own deadline."""

import pytest

from harness.cases.case import Case
from harness.child.discovery import attempts
from tests.support import workbench


@pytest.mark.parametrize("careful", [False, True])
def test_each_guess_has_its_own_deadline(monkeypatch, careful):
    steps = []
    monkeypatch.setattr(attempts.flight_recorder, "step", lambda: steps.append(None))
    inputs = ({"dims": (2, 3)},)
    tried = attempts.Attempts(
        workbench.subject_of(workbench.Creator(), Case(plugin="P", inputs=inputs)), careful=careful
    )
    for _ in range(3):
        tried.creation([])
    assert len(steps) == 3
    tried.with_case(Case(plugin="P", inputs=inputs))
    assert len(steps) == 4
