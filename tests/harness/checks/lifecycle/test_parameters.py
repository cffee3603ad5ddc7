"""The plugin under test with other parameters than its case has."""

import numpy as np

import reference_runtime as trt
from harness.cases.case import Case
from harness.checks.lifecycle.parameters import with_other_numbers, with_other_parameters
from reference_runtime.devices.host import use
from tests.support.workbench import Creator, Doubler, subject_of


def values_of(vary, takes=lambda _: True, **fields):
    """Return the fields of each variant: ``{name: numbers}``."""
    entries = [trt.PluginField(name, np.array([], np.int32), trt.PluginFieldType.INT32) for name in ("size", "shift")]

    def create(given):
        return Doubler() if all(takes(field.data.tolist()) for field in given) else None

    case = Case(plugin="P", fields={name: np.array(data, np.int32) for name, data in fields.items()}, inputs=())
    subject = subject_of(Creator(create, entries), case)
    with use(subject.device):
        return [{value.name: value.data.tolist() for value in other.fields} for other in vary(subject)]


def test_one_field_after_the_other_is_increased():
    found = values_of(with_other_parameters, size=[3], shift=[5])
    assert found == [{"size": [4], "shift": [5]}, {"size": [3], "shift": [6]}]


def test_a_field_becomes_negative_large_longer_and_shorter():
    found = [each["size"] for each in values_of(with_other_numbers, size=[3, 2])]
    assert found == [[-3, -2], [48, 32], [3, 2, 3, 2], [3]]


def test_what_the_creator_refuses_is_left_out():
    assert values_of(with_other_numbers, lambda data: min(data) >= 0 and len(data) == 1, size=[3]) == [{"size": [48]}]
