"""Under which names a creator reads its fields."""

import struct

import numpy as np
import pytest

import reference_runtime as trt
from harness.cases.case import Case
from harness.checks.fields.creating import advertised
from harness.checks.fields.field_names import matters_unlisted, read_instead
from reference_runtime.devices.host import use
from tests.support.workbench import Creator, Doubler, subject_of


class Stored(Doubler):
    def __init__(self, size):
        super().__init__()
        self.size = size

    def serialize(self):
        return struct.pack("<i", self.size)


@pytest.fixture(name="subject_reading")
def a_subject_whose_creator_reads_some_names():
    def subject(*names, given=("size",), listed="size"):
        def create(fields):
            sizes = [int(field.data[0]) for field in fields if field.name in names]
            return Stored(sizes[-1] if sizes else 0)

        entry = trt.PluginField(listed, np.array([], np.int32), trt.PluginFieldType.INT32)
        fields = {name: np.array([3], np.int32) for name in given}
        return subject_of(Creator(create, [entry]), Case(plugin="P", fields=fields, inputs=({"dims": (2, 3)},)))

    return subject


@pytest.mark.parametrize(
    ("names", "found"),
    [
        (("size",), ""),  # it is read
        (("size", "Size"), ""),  # so it is, in any spelling
        ((), ""),  # nothing is read
        (("Size",), "Size"),
        (("SIZE",), "SIZE"),
    ],
)
@pytest.mark.parametrize("given", [("size",), ()], ids=["in the case", "left at the default"])
def test_a_name_in_another_spelling_is_found_where_the_advertised_one_is_passed_over(
    subject_reading, names, given, found
):
    subject = subject_reading(*names, given=given)
    with use(subject.device):
        (entry,) = advertised(subject.creator)
        assert read_instead(subject, entry) == found


@pytest.mark.parametrize(
    ("names", "matters"),
    [(("length",), True), ((), False), (("length", "size"), False)],
    ids=["it is read", "nobody reads it", "another name for one that is advertised"],
)
def test_a_field_that_is_not_advertised_matters_where_nothing_advertised_stands_for_it(subject_reading, names, matters):
    subject = subject_reading(*names, given=("length",))
    with use(subject.device):
        (value,) = subject.fields
        assert matters_unlisted(subject, value, ["size"]) is matters
