"""The rules of clone where no witness looks: leaks, and sound ways of sharing."""

# Callbacks have the signature that TensorRT calls.
# ruff: noqa: ARG005

import pytest

from conformance.rules import cloning
from harness.contract.verdict import Kind


@pytest.fixture
def judged(sound, subject_of, judge):
    """Return ``judged(rule, base, class body)``: the answer for a sound plugin with some methods replaced."""

    def ask(rule, base=None, **methods):
        plugin_class = type("Plugin", (base or sound.table.TableScale,), methods)
        return judge(rule, subject_of(sound.scale.ScaleCreator, plugin_class, *sound.scale.SCALE_CASES))

    return ask


def test_users_that_are_never_counted_down_are_a_leak(judged):
    def destroy(self):
        pass

    answer = judged(cloning.what_is_shared_lives_as_long_as_it_is_used, destroy=destroy)
    assert [violation.what for violation in answer.violations] == [
        "the plugin holds 4 bytes of device memory after source and clones are destroyed"
    ]


def test_a_leak_that_needs_no_clone_is_not_the_clones(judged):
    answer = judged(
        cloning.what_is_shared_lives_as_long_as_it_is_used,
        terminate=lambda self: None,
        destroy=lambda self: None,
    )
    assert (answer.kind, answer.broken) == (Kind.JUDGED, 0)


def test_sharing_what_is_replaced_and_never_rewritten_is_sound(judged, sound):
    answer = judged(cloning.clones_do_not_affect_each_other, sound.tuned.TunedScale)
    assert (answer.kind, answer.broken) == (Kind.JUDGED, 0)


def test_a_clone_with_a_buffer_of_its_own_may_fail_for_want_of_memory(judged, sound):
    def clone(self):
        other = sound.scale.Scale.clone(self)
        if self.table is not None:
            other.table = sound.table.DeviceTable([self.factor])
        return other

    answer = judged(cloning.clone_gives_a_whole_plugin_or_none, clone=clone)
    assert (answer.kind, answer.broken) == (Kind.JUDGED, 0)
    assert answer.evidence == 10  # nine states, and one allocation that can fail


def test_a_clone_that_waits_for_a_weak_source_is_found(judged, sound):
    def clone(self):
        other = sound.scale.Scale.clone(self)
        other.table = self.table  # not counted
        return other

    answer = judged(cloning.what_is_shared_lives_as_long_as_it_is_used, clone=clone)
    assert answer.violations[0].what == "the source no longer works"
