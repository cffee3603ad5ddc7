"""The format rules where no witness looks: unusual plugins that are sound, and defects in a corner."""

# Callbacks have the signature that TensorRT calls.
# ruff: noqa: ARG001, ARG005

import numpy as np
import pytest

import reference_runtime as trt
from conformance.rules import formats
from harness.contract.verdict import Kind


@pytest.fixture
def judged(sound, subject_of, judge):
    """Return ``judged(rule, class body, case)``: the answer for ``Scale`` with some methods replaced."""

    def ask(rule, case=None, **methods):
        plugin_class = type("Plugin", (sound.scale.Scale,), methods)
        return judge(rule, subject_of(sound.scale.ScaleCreator, plugin_class, case or sound.scale.SCALE_CASES[0]))

    return ask


def scale_case(sound, **changes):
    [case] = sound.scale.SCALE_CASES
    return {**case, "inputs": [{**case["inputs"][0], **changes}]}


def is_linear_float_or_half(desc):
    return desc.format == trt.TensorFormat.LINEAR and desc.type in (trt.DataType.FLOAT, trt.DataType.HALF)


def test_reading_what_stands_behind_pos_is_allowed_if_it_decides_nothing(judged):
    def reads_all(self, pos, in_out, num_inputs):
        types = [desc.type for desc in in_out]
        return is_linear_float_or_half(in_out[pos]) and types[pos] == types[0]

    answer = judged(formats.answer_ignores_later_positions, supports_format_combination=reads_all)
    assert (answer.kind, answer.broken) == (Kind.JUDGED, 0)
    assert answer.evidence > 0


@pytest.mark.parametrize(
    "peeps",
    [
        lambda later: later.type == trt.DataType.INT64,
        lambda later: later.format == trt.TensorFormat.DHWC8,
        lambda later: tuple(later.dims) == (-1, 3, -1),
        lambda later: later.type == trt.DataType.HALF and later.format == trt.TensorFormat.LINEAR,
    ],
)
def test_whatever_decides_behind_pos_is_found(judged, peeps):
    def peeks(self, pos, in_out, num_inputs):
        if pos == 0 and peeps(in_out[1]):
            return False
        return is_linear_float_or_half(in_out[pos]) and in_out[pos].type == in_out[0].type

    assert judged(formats.answer_ignores_later_positions, supports_format_combination=peeks).broken


def test_a_plugin_with_one_tensor_has_nothing_behind_pos(sound, subject_of, judge):
    subject = subject_of(sound.ramp.RampCreator, sound.ramp.Ramp, *sound.ramp.RAMP_CASES)
    assert judge(formats.answer_ignores_later_positions, subject).kind is Kind.NOT_APPLICABLE
    assert judge(formats.some_combination_is_accepted, subject).evidence == 1


def test_a_missing_method_is_no_evidence_for_what_it_would_return(judged):
    rules = (formats.answer_is_a_bool, formats.descriptors_are_read_by_their_own_names)
    assert [judged(rule, supports_format_combination=None).evidence for rule in rules] == [0, 0]
    assert judged(formats.unsupported_forms_are_refused_quietly, supports_format_combination=None).broken


def test_the_last_output_may_fail_for_some_forms(judged):
    def picky(self, pos, in_out, num_inputs):
        if pos == 1 and in_out[1].type == trt.DataType.INT8:
            raise ValueError("no INT8")
        return is_linear_float_or_half(in_out[pos]) and in_out[pos].type == in_out[0].type

    assert not judged(formats.last_output_is_answered, supports_format_combination=picky).broken
    assert judged(formats.unsupported_forms_are_refused_quietly, supports_format_combination=picky).broken


def test_a_conversion_need_not_give_fp32(sound, judged):
    def to_half(self, pos, in_out, num_inputs):
        wanted = trt.DataType.FLOAT if pos == 0 else trt.DataType.HALF
        return in_out[pos].format == trt.TensorFormat.LINEAR and in_out[pos].type == wanted

    methods = {
        "supports_format_combination": to_half,
        "get_output_datatype": lambda self, index, input_types: trt.DataType.HALF,
    }
    case = scale_case(sound, types=("float32",))
    assert not judged(formats.plain_fp32_is_offered, case, **methods).broken
    methods["get_output_datatype"] = lambda self, index, input_types: trt.DataType.FLOAT
    assert judged(formats.plain_fp32_is_offered, case, **methods).broken


def test_mixtures_of_types_may_be_refused_as_long_as_each_type_is_taken_somewhere(sound, subject_of, judge):
    subject = subject_of(sound.pair.PairCreator, sound.pair.Pair, *sound.pair.PAIR_CASES)
    rules = (formats.some_combination_is_accepted, formats.reported_types_are_accepted)
    assert [judge(rule, subject).broken for rule in rules] == [0, 0]


def test_an_accepted_combination_that_cannot_run_is_found_without_a_reference(sound, judged):
    def fails_for_half(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        if input_desc[0].type == trt.DataType.HALF:
            raise TypeError("unsupported dtype")
        sound.scale.Scale.enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream)

    case = {**sound.scale.SCALE_CASES[0], "reference": None}
    answer = judged(formats.accepted_combinations_compute, case, enqueue=fails_for_half)
    assert answer.broken == 1
    assert "HALF:LINEAR" in answer.violations[0].what
    assert judged(formats.accepted_combinations_compute, case).kind is Kind.NOT_RUN


def test_a_search_without_end_is_given_up(sound, subject_of, judge):
    """Four inputs take everything, the output nothing: TensorRT itself gives up on such a plugin."""

    def inputs_only(self, pos, in_out, num_inputs):
        return pos < num_inputs

    case = scale_case(sound)
    case["inputs"] *= 4
    plugin_class = type("Plugin", (sound.scale.Scale,), {"supports_format_combination": inputs_only})
    subject = subject_of(sound.scale.ScaleCreator, plugin_class, case)
    answer = judge(formats.combinations_stay_below_the_limit, subject)
    assert answer.kind is Kind.NOT_RUN
    assert "5000 questions" in answer.reason
    assert judge(formats.last_output_is_answered, subject).broken, "every position gets its share of the questions"


def test_the_wrong_results_of_one_layout_are_found(judged):
    def hwc_as_well(self, pos, in_out, num_inputs):
        is_hwc = in_out[pos].format == trt.TensorFormat.HWC and in_out[pos].type == trt.DataType.FLOAT
        return is_hwc or is_linear_float_or_half(in_out[pos])

    assert judged(formats.accepted_combinations_compute, supports_format_combination=hwc_as_well).broken


def test_numpy_bools_are_answers(judged):
    def numpy_answer(self, pos, in_out, num_inputs):
        return np.bool_(is_linear_float_or_half(in_out[pos]) and in_out[pos].type == in_out[0].type)

    answer = judged(formats.answer_is_a_bool, supports_format_combination=numpy_answer)
    assert (answer.broken, answer.evidence > 0) == (0, True)
