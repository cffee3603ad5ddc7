"""Fields as they need not or should not come."""

import numpy as np
import pytest

import reference_runtime as trt
from harness.checks.fields import field_variants as variants
from harness.subject.fields import FieldValue, text_field, unset_fields
from reference_runtime.interfaces import field_collections
from tests.support.workbench import Creator

TYPES = trt.PluginFieldType


def number(*values, kind="FLOAT32"):
    dtype = field_collections.declared_dtype(getattr(TYPES, kind))
    return FieldValue("n", np.array(values, dtype), getattr(TYPES, kind))


@pytest.mark.parametrize(
    ("change", "before", "after"),
    [
        (variants.emptied, (1, 2), []),
        (variants.doubled, (1, 2), [1, 2, 1, 2]),
        (variants.increased, (1.5,), [2.5]),
        (variants.rounded, (1.6, -2.4), [2, -2]),
    ],
)
def test_a_change_keeps_name_and_type(change, before, after):
    changed = change(number(*before))
    assert changed.data.tolist() == after
    assert (changed.name, changed.type, changed.data.dtype) == ("n", TYPES.FLOAT32, np.float32)


def test_one_field_of_several_is_changed_or_left_out():
    others = text_field(trt, "mode", "fast")
    values = [number(1), others]
    assert variants.without(values, "n") == [others]
    changed = variants.changed(values, "n", variants.emptied)
    assert (changed[0].data.size, changed[1]) == (0, others)


def test_other_orders_are_backwards_and_turned():
    assert variants.orders("abcd") == [list("dcba"), list("bcda"), list("cdab")]
    assert variants.orders("ab") == [list("ba")]


def test_only_a_type_that_holds_the_numbers_exactly_will_do():
    assert variants.in_type(trt, number(2), "INT64").data.tolist() == [2]
    assert variants.in_type(trt, number(1.5), "INT32") is None
    assert variants.in_type(trt, number(300, kind="INT32"), "INT8") is None
    assert variants.in_type(trt, number(1.5), "BF16") is None


def test_text_comes_with_and_without_a_nul():
    for text in (b"fast", b"fast\0"):
        endings = variants.endings(text_field(trt, "mode", text))
        assert [each.data.tobytes() for each in endings.values()] == [b"fast", b"fast\0"]


def test_taking_an_array_for_a_number_is_noted_and_works():
    notes = []
    array = np.array([1.5]).view(variants.noting_conversions(notes))
    assert (float(array), int(array), float(array[0]), array.item()) == (1.5, 1, 1.5, 1.5)
    assert float(array.reshape(())) == 1.5
    assert [note.how for note in notes] == ["float", "int"]
    assert notes[0].place == "test_field_variants.py:64"


def test_what_is_advertised_and_not_given_comes_without_elements():
    creator = Creator(
        advertised=[trt.PluginField("n", b"", TYPES.FLOAT32), trt.PluginField("half", b"", TYPES.FLOAT16)]
    )
    (rest,) = unset_fields(creator, [number(1)])
    assert (rest.name, rest.type, rest.data.size) == ("half", TYPES.FLOAT16, 0)


def test_a_field_shows_its_values_and_shortens_many():
    assert str(number(1.5)) == "n=[1.5]:FLOAT32"
    assert str(text_field(trt, "mode", "fast")) == "mode=b'fast':CHAR"
    assert len(str(number(*range(99)))) == 60


def test_an_attribute_of_an_onnx_node_has_its_own_representation():
    wide = variants.as_attribute(trt, number(7, kind="INT64"))
    assert (wide.type, wide.data.tolist()) == (TYPES.INT32, [7])
    assert variants.as_attribute(trt, number(2**40, kind="INT64")) is None
    assert variants.as_attribute(trt, text_field(trt, "mode", "fast")).data.tobytes() == b"fast\0"
    same = number(1.5)
    assert variants.as_attribute(trt, same) is same
    assert variants.as_attribute(trt, same.replaced(type=TYPES.UNKNOWN)) is None
