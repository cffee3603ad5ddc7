"""Damage to bytes and to fields: what is changed, and that names, types and whole elements stay."""

import numpy as np
import pytest

import reference_runtime as trt
from harness.checks.fields.damage import damaged, described, size_of
from reference_runtime.interfaces.saved_fields import SavedField

TYPES = trt.PluginFieldType
PADS = SavedField("pads", TYPES.INT32, 2, np.array([1, 2], np.int32).tobytes())
MODE = SavedField("mode", TYPES.CHAR, 4, b"fast")


@pytest.mark.parametrize(
    ("done", "left"),
    [
        ({"do": "flip", "at": 1, "bit": 0}, b"accdefgh"),
        ({"do": "flip", "at": 9, "bit": 0}, b"accdefgh"),
        ({"do": "set", "at": -1, "to": 0}, b"abcdefg\0"),
        ({"do": "word", "at": 6, "to": 0xFFFFFFFF}, b"abcd\xff\xff\xff\xff"),
        ({"do": "cut", "at": 3}, b"abc"),
        ({"do": "tail", "of": 1, "bytes": 2}, b"abcdefgh\1\1"),
        ({"do": "repeat", "at": 2, "bytes": 2}, b"abcdcdefgh"),
        ({"do": "swap", "at": 3}, b"defghabc"),
    ],
)
def test_bytes_are_damaged(done, left):
    assert damaged(b"abcdefgh", [done]) == left
    assert described([done])


@pytest.mark.parametrize("do", ["flip", "set", "word", "cut", "repeat", "swap"])
def test_where_there_is_nothing_nothing_is_damaged(do):
    damage = {"do": do, "at": 3, "bit": 1, "to": 1, "bytes": 2}
    assert damaged(b"", [damage]) == b""
    assert damaged([], [damage]) == []


def test_damages_are_done_one_after_the_other():
    assert damaged(b"abcd", [{"do": "cut", "at": 2}, {"do": "tail", "of": 65, "bytes": 1}]) == b"abA"


def test_the_field_that_holds_the_place_is_damaged():
    pads, mode = damaged([PADS, MODE], [{"do": "set", "at": 9, "to": 65}])
    assert (pads, mode) == (PADS, SavedField("mode", TYPES.CHAR, 4, b"fAst"))


@pytest.mark.parametrize(("at", "elements"), [(7, 1), (4, 1), (3, 0)])
def test_a_field_keeps_whole_elements(at, elements):
    pads, _ = damaged([PADS, MODE], [{"do": "cut", "at": at}])
    assert (pads.length, len(pads.data)) == (elements, 4 * elements)


def test_all_bytes_are_counted():
    assert (size_of(b"abc"), size_of([PADS, MODE]), size_of([])) == (3, 12, 0)
