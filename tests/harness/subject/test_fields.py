"""Field values, and lending them to a creator for one call."""

import numpy as np
import pytest

import reference_runtime as trt
from harness.cases.case import Case
from harness.subject.fields import FieldValue, case_fields, lend, text_field
from tests.support.workbench import Creator

KINDS = trt.PluginFieldType


def fields_of(values, *advertised):
    entries = [trt.PluginField(name, np.array([]), kind) for name, kind in advertised]
    return {
        field.name: field for field in case_fields(trt, Creator(advertised=entries), Case(plugin="P", fields=values))
    }


def test_fields_come_in_the_order_of_the_case():
    assert list(fields_of({"b": np.array([1]), "a": np.array([2])})) == ["b", "a"]


def test_the_advertised_type_is_taken_where_the_data_fit():
    fields = fields_of({"scale": np.array([2.0]), "pads": [1, 2]}, ("scale", KINDS.FLOAT32), ("pads", KINDS.INT32))
    assert (fields["scale"].type, fields["scale"].data.dtype) == (KINDS.FLOAT32, np.float32)
    assert (fields["pads"].type, fields["pads"].data.dtype) == (KINDS.INT32, np.int32)


def test_a_field_that_is_advertised_without_a_type_keeps_that_of_the_data():
    field = fields_of({"axis": np.array([0], np.int32)}, ("axis", KINDS.UNKNOWN))["axis"]
    assert (field.type, field.data.dtype) == (KINDS.INT32, np.int32)


def test_data_that_the_advertised_type_cannot_hold_keep_their_own():
    field = fields_of({"scale": np.array([0.5])}, ("scale", KINDS.INT32))["scale"]
    assert (field.type, field.data.dtype) == (KINDS.FLOAT64, np.float64)


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (np.int64(1), "INT64"),
        (np.float16(1), "FLOAT16"),
        (np.int8(1), "INT8"),
        (True, "INT32"),
        (np.uint8(1), "UNKNOWN"),
    ],
)
def test_without_an_advertised_type_the_data_suggest_one(data, kind):
    field = fields_of({"value": data})["value"]
    assert field.type == getattr(KINDS, kind)
    assert field.data.shape == (1,)


def test_text_is_char_and_an_explicit_type_is_kept():
    fields = fields_of({"mode": "fast", "raw": (np.array([1], np.int32), KINDS.UNKNOWN)})
    assert (fields["mode"].type, fields["mode"].data.tobytes()) == (KINDS.CHAR, b"fast")
    assert fields["raw"].type == KINDS.UNKNOWN


def test_lent_fields_are_there_for_the_call_and_gone_afterwards():
    value = FieldValue("scale", np.array([1.5], np.float32), KINDS.FLOAT32)
    with lend(trt, [value, text_field(trt, "mode", "fast")]) as collection:
        kept = collection[0]
        assert [field.name for field in collection] == ["scale", "mode"]
        assert kept.data[0] == 1.5
        assert not collection.misuses
    assert kept.data[0] != 1.5
    assert collection.misuses
    assert value.data[0] == 1.5, "what was lent is a copy"
