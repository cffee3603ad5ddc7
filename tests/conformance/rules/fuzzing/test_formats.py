"""The fuzz rules about formats where no witness looks: without a reference, and where there is nothing to judge."""

# Callbacks have the signature that TensorRT calls.
# ruff: noqa: ARG001, ARG005

import pytest

import reference_runtime as trt
from conformance.rules.fuzzing import formats
from harness.child.rule_answers import answer_of
from harness.contract.verdict import Kind
from reference_runtime.calling.gate.gate import watching
from reference_runtime.devices.host import use
from tests.conformance.conftest import names

SQUARE, OBLONG = ([[2, 16, 8, 8]], [[1, 8, 4, 5]])
#: Numbers that lead to FLOAT:HWC -> FLOAT:LINEAR, and to linear tensors alone.
PACKED, PLAIN = ([1, 0], [0, 0])


@pytest.fixture
def judged(sound, subject_of):
    """Return ``judged(rule, example, **methods)``: the answer for a plugin of several layouts, without a reference."""

    def ask(rule, example, **methods):
        plugin_class = type("Plugin", (sound.layouts.Layouts,), methods)
        case = {**sound.layouts.LAYOUTS_CASES[0], "reference": None}
        subject = subject_of(sound.scale.ScaleCreator, plugin_class, case)
        with names(), watching(subject.gate), use(subject.device):
            return answer_of(rule, subject, example)

    return ask


def compute(judged, forms, shapes, **methods):
    rule = formats.accepted_combinations_compute_at_every_shape
    return judged(rule, {"forms": forms, "shapes": shapes}, **methods)


@pytest.mark.parametrize("forms", [PACKED, PLAIN, [3, 1], [2, 1]])
@pytest.mark.parametrize("shapes", [SQUARE, OBLONG])
def test_a_sound_plugin_is_right_without_a_reference(judged, forms, shapes):
    answer = compute(judged, forms, shapes)
    assert (answer.kind, answer.broken, answer.evidence) == (Kind.JUDGED, 0, 1)


def test_layouts_are_compared_with_linear_tensors(judged, sound):
    def steps(self, layout, channels, height, width):
        turned = (width, height) if layout == trt.TensorFormat.HWC else (height, width)
        return sound.layouts.Layouts.steps(self, layout, channels, *turned)

    assert not compute(judged, PACKED, SQUARE, steps=steps).broken
    answer = compute(judged, PACKED, OBLONG, steps=steps)
    assert answer.broken
    assert "FLOAT:HWC -> FLOAT:LINEAR" in answer.violations[0].where


def test_linear_tensors_are_compared_with_themselves_on_other_memory(judged):
    assert compute(judged, PLAIN, SQUARE, compute=lambda self, x, y: None).broken


def test_a_failing_enqueue_is_told(judged):
    def fails(self, x, y):
        raise ValueError("no kernel")

    answer = compute(judged, PLAIN, SQUARE, compute=fails)
    assert "raised ValueError: no kernel" in answer.violations[0].observed


def test_shapes_beyond_the_profile_are_not_run(judged):
    assert compute(judged, PLAIN, [[1, 64, 4, 4]]).kind is Kind.NOT_RUN


def talk(judged, *questions, **methods):
    rule = formats.answers_do_not_depend_on_the_conversation
    asked = [{"forms": list(forms), "tail": [0, 0], "clone": clone} for forms, clone in questions]
    return judged(rule, {"questions": asked}, **methods)


def test_no_question_is_no_evidence(judged):
    assert (talk(judged).kind, talk(judged).evidence) == (Kind.JUDGED, 0)


def test_an_exception_is_no_answer(judged):
    def fails(self, pos, in_out, num_inputs):
        raise KeyError("BF16")

    answer = talk(judged, ([0], 0), supports_format_combination=fails)
    assert answer.broken
    assert "KeyError" in answer.violations[0].what


def test_what_a_clone_takes_along_is_seen(judged, sound):
    base = sound.layouts.Layouts

    def refuses(self, pos, in_out, num_inputs):
        self.asked = getattr(self, "asked", 0) + 1
        is_tired = getattr(self, "is_copy", False)
        return not is_tired and base.supports_format_combination(self, pos, in_out, num_inputs)

    def clone(self):
        other = base.clone(self)
        other.is_copy = hasattr(self, "asked")
        return other

    methods = {"supports_format_combination": refuses, "clone": clone}
    assert not talk(judged, ([0], 1), **methods).broken
    assert not talk(judged, ([0], 0), ([0], 0), **methods).broken
    assert talk(judged, ([0], 0), ([0], 1), **methods).broken
