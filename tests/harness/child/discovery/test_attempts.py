"""Guesses are tried one by one, each with its own deadline."""

import pytest

from harness.cases.case import Case
from harness.child.discovery import attempts
from harness.child.discovery.listening import Heard
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


@pytest.mark.parametrize(
    ("attempt", "told"),
    [
        ({"reached": 6}, ""),
        ({"reached": 5, "is_stuck": True}, ""),
        ({"reached": 5, "is_cut": True}, ""),
        ({"reached": 6, "heard": Heard(errors="nbInputs == 3")}, "it came 6 steps, saying 'nbInputs == 3'"),
        ({"reached": 5, "refusal": "it returned 1", "heard": Heard(printed="why")}, "it returned 1, saying 'why'"),
        ({"reached": 6, "heard": Heard(printed="it runs")}, ""),
        ({"reached": 5, "death": "died by SIGSEGV"}, "died by SIGSEGV"),
    ],
)
def test_a_logged_error_is_a_refusal_also_if_the_plugin_goes_on(attempt, told):
    assert attempts.Attempt(Case(plugin="P"), **attempt).refusal_text == told
