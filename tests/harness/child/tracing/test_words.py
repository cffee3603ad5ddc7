"""Arguments are told in short words, and nothing of the user's is called for it."""

import numpy as np
import pytest

import reference_runtime as trt
from harness.child.tracing.words import cut, words


class Hostile(int):
    def __repr__(self):
        raise AssertionError("a user's method was called")

    __str__ = __format__ = __repr__


def a_description(dims):
    desc = trt.PluginTensorDesc()
    desc.dims, desc.type, desc.format = trt.Dims(dims), trt.DataType.HALF, trt.TensorFormat.CHW2
    return desc


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (None, "None"),
        (3, "3"),
        (0x7DEB000000000200, "0x7deb000000000200"),
        ("a'b", '"a\'b"'),
        (b"abc", "3 bytes"),
        ([1, (2.5, True)], "[1, (2.5, True)]"),
        (list(range(10)), "[0, 1, 2, 3, 4, 5, 6, 7, 2 more]"),
        (trt.DataType.FLOAT, "FLOAT"),
        (trt.Dims([2, -1]), "(2, -1)"),
        (np.zeros(3), "ndarray"),
    ],
)
def test_values_are_told_in_short_words(value, told):
    assert words(value) == told


def test_descriptions_are_told_by_what_they_hold():
    assert words(a_description([2, 3])) == "HALF:CHW2 (2, 3)"
    dynamic = trt.DynamicPluginTensorDesc()
    dynamic.desc, dynamic.min, dynamic.max = a_description([-1, 3]), trt.Dims([1, 3]), trt.Dims([4, 3])
    assert words(dynamic) == "HALF:CHW2 (-1, 3), (1, 3) to (4, 3)"


def test_what_a_user_derives_from_a_number_is_told_by_its_class():
    assert words(Hostile(3)) == "Hostile"


def test_a_list_in_itself_comes_to_an_end():
    endless = []
    endless.append(endless)
    assert words(endless) == "[[[[...]]]]"


def test_long_texts_are_cut():
    assert words("x" * 200) == "'" + "x" * 56 + "..."
    assert cut("short") == "short"
