"""What a list of edits leaves of some fields, and that none of them makes a field that cannot be lent."""

import itertools

import numpy as np
import pytest

import reference_runtime as trt
from harness.checks.fields.field_edits import described, edited
from harness.contract.finding import NotRun
from harness.strategies.fields import _contents, _further
from harness.subject.fields import FieldValue, lend, text_field

TYPES = trt.PluginFieldType
SCALE = FieldValue("scale", np.array([1.5], np.float32), TYPES.FLOAT32)
PADS = FieldValue("pads", np.array([1, 2, 3], np.int32), TYPES.INT32)
MODE = text_field(trt, "mode", "fast")
FIELDS = (SCALE, PADS, MODE)


def names(*edits):
    return [field.name for field in edited(trt, FIELDS, edits)]


def one(field, *edits):
    (changed,) = edited(trt, [field], [{**edit, "field": field.name} for edit in edits])
    return changed


@pytest.mark.parametrize(
    ("edit", "left"),
    [
        ({"edit": "left out", "field": "pads"}, ["scale", "mode"]),
        ({"edit": "again", "field": "scale"}, ["scale", "pads", "mode", "scale"]),
        ({"edit": "moved", "field": "mode", "to": 0}, ["mode", "scale", "pads"]),
        ({"edit": "moved", "field": "scale", "to": 5}, ["pads", "mode", "scale"]),
        ({"edit": "unknown", "name": "x", "type": "INT32", "data": [7], "to": 1}, ["scale", "x", "pads", "mode"]),
        ({"edit": "unknown", "name": "pads", "type": "INT32", "data": [7], "to": 1}, ["scale", "pads", "mode"]),
    ],
)
def test_an_edit_decides_which_fields_there_are(edit, left):
    assert names(edit) == left


def test_an_edit_of_a_field_that_is_not_there_says_so():
    with pytest.raises(NotRun, match="the case has no field 'other'"):
        names({"edit": "left out", "field": "other"})


def test_edits_are_made_one_after_the_other():
    out = {"edit": "left out", "field": "pads"}
    assert names({"edit": "again", "field": "pads"}, out, {"edit": "again", "field": "pads"}) == ["scale", "mode"]


def test_a_field_without_elements_and_one_with_many():
    assert one(PADS, {"edit": "emptied"}).data.tolist() == []
    assert one(PADS, {"edit": "repeated"}).data[:5].tolist() == [1, 2, 3, 1, 2]


@pytest.mark.parametrize(
    ("field", "value", "at", "data"),
    [
        (PADS, "most", 0, [2**31 - 1] * 3),
        (PADS, "least", 2, [1, -(2**31), 3]),
        (PADS, 2**40, 4, [2**31 - 1, 2, 3]),
        (PADS, "inf", 3, [1, 2, 2**31 - 1]),
        (SCALE, "-inf", 1, [-np.inf]),
        (SCALE, -1, 0, [-1.0]),
        (SCALE, "most", 0, [np.finfo(np.float32).max]),
    ],
)
def test_a_value_takes_the_place_of_one_element_or_of_all(field, value, at, data):
    assert one(field, {"edit": "value", "value": value, "at": at}).data.tolist() == data


def test_a_type_keeps_the_numbers_where_it_holds_numbers():
    pads = one(PADS, {"edit": "type", "type": "FLOAT64"})
    assert (pads.type, pads.data.tolist()) == (TYPES.FLOAT64, [1.0, 2.0, 3.0])
    assert one(PADS, {"edit": "type", "type": "CHAR"}).data.tobytes() == PADS.data.tobytes()
    assert one(PADS, {"edit": "type", "type": "BF16"}).type == TYPES.INT32


@pytest.mark.filterwarnings("error")
def test_whatever_is_drawn_can_be_lent_and_told():
    further, contents = _further(["scale", "pads", "mode"]), _contents(["scale", "pads", "mode"])
    for edits in itertools.chain(further, contents):
        with lend(trt, edited(trt, FIELDS, edits)) as collection:
            sizes = [field.size for field in collection]
        assert min(sizes) >= 0
        assert described(edits)
