"""The workspace rules where no witness looks: overruns at smaller shapes only, and sound uses."""

# Callbacks have the signature that TensorRT calls.
# ruff: noqa: ARG001, ARG005

import pytest

from conformance.rules import workspace
from harness.contract.verdict import Kind


@pytest.fixture
def judged(sound, subject_of, judge):
    """Return ``judged(rule, class body)``: the answer for ``ScratchScale`` with some methods replaced."""

    def ask(rule, **methods):
        plugin_class = type("Plugin", (sound.scratch.ScratchScale,), methods)
        return judge(rule, subject_of(sound.scale.ScaleCreator, plugin_class, *sound.scale.SCALE_CASES))

    return ask


def test_a_smaller_shape_that_overruns_the_largest_workspace_is_found(judged):
    answer = judged(workspace.size_is_enough_for_smaller_problems, get_workspace_size=lambda self, inputs, outputs: 64)
    assert "past its end" in answer.violations[0].observed


def test_more_than_is_needed_may_be_asked_for(judged):
    def get_workspace_size(self, input_desc, output_desc):
        return 4096

    for rule in (
        workspace.size_is_enough_for_smaller_problems,
        workspace.enqueue_stays_inside_the_workspace,
        workspace.workspace_holds_nothing,
    ):
        answer = judged(rule, get_workspace_size=get_workspace_size)
        assert (answer.kind, answer.broken) == (Kind.JUDGED, 0)


@pytest.mark.parametrize("size", [-1, 2.0, None, "12"])
def test_what_is_no_size_is_found_by_two_rules(judged, size):
    methods = {"get_workspace_size": lambda self, inputs, outputs: size}
    assert judged(workspace.size_is_a_whole_number_of_bytes, **methods).broken
    assert judged(workspace.size_is_answered_for_every_configuration, **methods).broken
