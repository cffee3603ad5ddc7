"""What an engine computes in another process is compared with engines of the same tactic."""

import itertools
from types import SimpleNamespace

import numpy as np
import pytest

from harness.checks.engines import another_process
from harness.contract.finding import NotRun

SUBJECT = SimpleNamespace(
    caller=SimpleNamespace(has_tactics=True), case=SimpleNamespace(tolerance=None), gate=SimpleNamespace(failures=[])
)


def outputs_of(number):
    return [np.full((2,), number, np.float32)]


def test_a_last_tactic_that_wanders_is_not_judged(monkeypatch):
    numbers = itertools.count(100, 100)

    def built(_, choice):
        number = next(numbers) if choice else 1
        return {"plan": repr(choice), "types": [], "executions": [{"shapes": [(2,)], "outputs": outputs_of(number)}]}

    def run(_subject, plan, _types):
        number = 1 if plan == "{}" else next(numbers)
        return SimpleNamespace(executions=[SimpleNamespace(outputs=outputs_of(number))], stopped="")

    monkeypatch.setattr(another_process, "_built_in_a_fork", built)
    monkeypatch.setattr(another_process, "run_plan", run)
    executions = another_process.executions_after_loading(SUBJECT)
    assert next(executions) == (((2,),), "")
    with pytest.raises(NotRun, match="two engines compute different results"):
        next(executions)
