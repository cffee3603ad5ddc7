"""The words of findings about enqueue."""

import numpy as np

import reference_runtime as trt
from conformance.rules.execution import every_output_element_is_written, nothing_outside_is_touched
from harness.cases.case import Case
from reference_runtime.devices import host
from reference_runtime.devices.host import use
from tests.support.workbench import Creator, Doubler, subject_of


class Wide(Doubler):
    """Writes 8 bytes an element, where 4 are."""

    def enqueue(self, input_desc, _output_desc, _inputs, outputs, *_):
        host.view(outputs[0], trt.volume(input_desc[0].dims) * 8)


class Idle(Doubler):
    """Writes nothing, and returns a status."""

    def enqueue(self, *_):
        return -1


def violation_of(rule, plugin_class):
    subject = subject_of(Creator(lambda _: plugin_class()), Case(plugin="P", inputs=({"dims": (2, 3)},)))
    with use(subject.device):
        return next(each.violation for each in rule.judge(subject) if each.violation)


def test_memory_outside_of_a_tensor_comes_with_the_type_of_the_tensor():
    assert violation_of(nothing_outside_is_touched, Wide).expected.endswith("; outputs[0] holds FLOAT")


def test_what_was_not_written_has_no_expected_value():
    found = violation_of(every_output_element_is_written, Idle)
    garbage = [np.frombuffer(bytes([byte] * 4), np.float32)[0] for byte in (0xCD, 0x3B)]
    told = "outputs[0][0, 0] is {} after 0xCD bytes, and {} after 0x3B bytes (6 elements differ)"
    assert found.observed == told.format(*map(str, garbage))
