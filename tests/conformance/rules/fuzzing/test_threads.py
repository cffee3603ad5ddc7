"""What FUZ-010 says of wrong outputs: who runs alone and is wrong too, is disturbed by nobody."""

import pytest

from conformance.rules.fuzzing import threads
from harness.child.rule_answers import answer_of
from harness.contract.verdict import Kind
from reference_runtime.calling.gate.gate import watching
from reference_runtime.devices.host import use
from tests.conformance.conftest import names

SHAPES = [[2, 3, 5]]
EXAMPLE = {"threads": [SHAPES, SHAPES], "turns": 0, "steps": [1]}
ALONE = "enqueue computes wrong outputs for these data, also in a plugin that runs alone"
DISTURBED = "contexts that run at once, each in its own thread, disturb each other"


def counting_runs():
    """Return a method that is right in the first execution of each process, and adds one later."""
    runs = []

    def compute(_plugin, x, y):
        runs.append(0)
        y[...] = x * 1.5 + (len(runs) == 2)

    return compute


@pytest.mark.parametrize(
    ("compute", "said"),
    [
        (lambda _plugin, x, y: y.__setitem__(..., x * 1.5), set()),
        (lambda _plugin, x, y: y.__setitem__(..., x * 2), {ALONE}),
        (counting_runs(), {DISTURBED}),
    ],
)
def test_the_cause_of_wrong_outputs_is_told(sound, subject_of, compute, said):
    plugin_class = type("Plugin", (sound.table.TableScale,), {"compute": compute})
    subject = subject_of(sound.scale.ScaleCreator, plugin_class, sound.scale.SCALE_CASES[0])
    with names(), watching(subject.gate), use(subject.device):
        answer = answer_of(threads.contexts_at_once_compute_what_each_computes_alone, subject, EXAMPLE)
    assert answer.kind is Kind.JUDGED
    assert {each.what for each in answer.violations} == said
