"""The output type rules where no witness looks: unusual plugins that are sound, and defects in a corner."""

# Callbacks have the signature that TensorRT calls.
# ruff: noqa: ARG001

import numpy as np
import pytest

import reference_runtime as trt
from conformance.rules import outputs
from harness.contract.verdict import Kind


@pytest.fixture
def judged(sound, subject_of, judge):
    """Return ``judged(rule, base, case, methods)``: the answer for a sound base with some methods replaced."""

    def ask(rule, base="scale", case=None, **methods):
        module, name = getattr(sound, base), base.capitalize()
        plugin_class = type("Plugin", (getattr(module, name),), methods)
        cases = [case] if case else getattr(module, f"{base.upper()}_CASES")
        return judge(rule, subject_of(getattr(module, f"{name}Creator"), plugin_class, *cases))

    return ask


def test_a_mixture_of_types_that_no_format_query_accepts_may_be_refused(judged):
    def demands_equal_types(self, index, input_types):
        if input_types[0] != input_types[1]:
            raise TypeError("two types")
        return input_types[0]

    answer = judged(outputs.every_output_has_a_type, "pair", get_output_datatype=demands_equal_types)
    assert (answer.kind, answer.broken, answer.evidence) == (Kind.JUDGED, 0, 4)


def test_an_exception_will_do_for_an_output_that_does_not_exist(judged):
    def strict(self, index, input_types):
        if index != 0:
            raise IndexError(index)
        return input_types[0]

    answer = judged(outputs.type_of_no_output_is_float, get_output_datatype=strict)
    assert (answer.broken, answer.evidence) == (0, 6)


def test_a_plugin_without_inputs_is_asked_with_no_types(judged):
    answer = judged(outputs.type_without_inputs_is_float, "ramp")
    assert (answer.kind, answer.broken, answer.evidence) == (Kind.JUDGED, 0, 1)
    assert judged(outputs.type_without_inputs_is_float).kind is Kind.NOT_APPLICABLE


def test_a_reported_type_need_not_be_accepted_with_every_other_output(judged):
    def one_half_each(self, pos, in_out, num_inputs):
        here = in_out[pos]
        if here.format != trt.TensorFormat.LINEAR:
            return False
        if pos < num_inputs:
            return here.type == trt.DataType.FLOAT
        return here.type in (trt.DataType.FLOAT, trt.DataType.HALF) and (pos == 2 or here.type != in_out[2].type)

    answer = judged(outputs.reported_type_has_a_format, "pair", supports_format_combination=one_half_each)
    assert (answer.broken, answer.evidence) == (0, 2)


def test_what_is_returned_is_told_from_what_is_raised(judged):
    def raises(self, index, input_types):
        raise ValueError("no")

    assert judged(outputs.reported_types_are_data_types, get_output_datatype=raises).evidence == 0
    assert judged(outputs.every_output_has_a_type, get_output_datatype=raises).broken
    assert judged(outputs.reported_types_are_data_types, get_output_datatype=lambda *_: None).broken
    assert judged(outputs.every_output_has_a_type, get_output_datatype=None).broken


def test_weak_typing_is_no_question_for_tensorrt_11(judged, sound):
    case = {**sound.scale.SCALE_CASES[0], "spec": "11"}
    assert judged(outputs.weakly_typed_networks_are_answered, case=case).kind is Kind.NOT_APPLICABLE


def test_chance_is_not_taken_for_something_that_was_kept(judged):
    def noise(self, input_desc, output_desc, inputs, output_addresses, workspace, stream):
        import cupy as cp  # noqa: PLC0415 - the name is ours only now

        desc = output_desc[0]
        dtype, shape = np.dtype(trt.nptype(desc.type)), tuple(desc.dims)
        memory = cp.cuda.UnownedMemory(output_addresses[0], trt.volume(shape) * dtype.itemsize, None)
        cp.ndarray(shape, dtype, memptr=cp.cuda.MemoryPointer(memory, 0))[...] = cp.random.rand(*shape)

    assert not judged(outputs.types_are_a_function_of_input_types, enqueue=noise).broken


def test_a_type_that_enqueue_needs_from_the_query_is_missed_by_an_engine(judged, sound):
    def keeps(self, index, input_types):
        self.kept = input_types[0]
        return input_types[0]

    def uses(self, input_desc, output_desc, inputs, output_addresses, workspace, stream):
        if self.kept is not None:
            sound.scale.Scale.enqueue(self, input_desc, output_desc, inputs, output_addresses, workspace, stream)

    answer = judged(outputs.types_are_a_function_of_input_types, kept=None, get_output_datatype=keeps, enqueue=uses)
    assert answer.broken
    assert "never asked" in answer.violations[0].what
