from fractions import Fraction

import numpy as np
import pytest

from reference_runtime.bound import conversions
from reference_runtime.bound.conversions import Mismatch
from reference_runtime.values.dims import Dims
from reference_runtime.values.enums import DataType
from tests.support.nonsense.kinds import misnamed, unreadable


class OnlyInt:
    def __int__(self):
        return 9


class BadInt:
    def __int__(self):
        raise ValueError("no")


class Truthy:
    def __bool__(self):
        return True


class Sized:
    def __len__(self):
        return 3


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (True, 1),
        (-(2**31), -(2**31)),
        (np.int8(3), 3),
        (np.array(4), 4),
        (OnlyInt(), 9),
        (DataType.INT32, 3),
        (np.float32(2.0), 2),
    ],
)
def test_an_integer_parameter_takes_what_has_an_integer_in_it(value, expected):
    assert conversions.int32(value) == expected


@pytest.mark.parametrize("value", [1.0, np.float64(1.0), "1", b"1", None, 2**31, -(2**31) - 1, [1], BadInt(), 1j])
def test_an_integer_parameter_refuses_floats_text_and_overflow(value):
    with pytest.raises(Mismatch):
        conversions.int32(value)


def test_a_size_is_not_negative_and_has_64_bits():
    assert conversions.size_t(2**64 - 1) == 2**64 - 1
    for value in (-1, 2**64):
        with pytest.raises(Mismatch):
            conversions.size_t(value)


@pytest.mark.parametrize(
    ("value", "expected"),
    [(True, 1.0), (3, 3.0), (Fraction(1, 2), 0.5), (0.1, 0.10000000149011612), (1e300, float("inf"))],
)
def test_a_float_parameter_rounds_to_32_bits(value, expected):
    assert conversions.float32(value) == expected


@pytest.mark.parametrize("value", ["1", b"1", None, 1j, [1.0], 10**400])
def test_a_float_parameter_refuses_what_is_no_number(value):
    with pytest.raises(Mismatch):
        conversions.float32(value)


@pytest.mark.parametrize(
    ("value", "expected"), [(None, False), (0, False), (2, True), (np.bool_(1), True), (Truthy(), True)]
)
def test_a_bool_parameter_asks_for_a_truth_value(value, expected):
    assert conversions.boolean(value) is expected


@pytest.mark.parametrize("value", ["true", [1], {}, Sized(), np.zeros(2), object()])
def test_a_bool_parameter_refuses_what_only_has_a_length(value):
    with pytest.raises(Mismatch):
        conversions.boolean(value)


@pytest.mark.parametrize(
    ("value", "expected"), [("é", "é"), (b"ab", "ab"), (bytearray(b"ab"), "ab"), (b"\xc3\xa9", "é")]
)
def test_a_string_parameter_takes_utf8(value, expected):
    assert conversions.string(value) == expected


@pytest.mark.parametrize("value", [1, None, "\ud800", b"\xff", ["a"]])
def test_a_string_parameter_refuses_what_is_no_text(value):
    with pytest.raises(Mismatch):
        conversions.string(value)


def test_a_c_string_ends_at_its_first_nul_and_may_be_none():
    assert conversions.c_string("a\0b") == "a"
    assert conversions.c_string(None) is None


@pytest.mark.parametrize(
    "value",
    [
        [1, 2],
        (1, 2),
        range(1, 3),
        np.array([1, 2]),
        {1: "a", 2: "b"}.keys(),
        map(int, "12"),
        (i for i in (1, 2)),
        bytearray(b"\1\2"),
        Dims([1, 2]),
        memoryview(b"\1\2"),
    ],
)
def test_a_vector_is_filled_from_sequences_views_and_generators(value):
    assert conversions.sequence(conversions.int64)(value) == [1, 2]


@pytest.mark.parametrize("value", [iter([1, 2]), "12", b"12", {1: 2}, 5, None, [1, None], np.array(5)])
def test_a_vector_is_not_filled_from_text_mappings_or_iterators(value):
    with pytest.raises(Mismatch):
        conversions.sequence(conversions.int64)(value)


def test_an_object_that_was_never_initialised_is_not_taken():
    with pytest.raises(Mismatch):
        conversions.instance(Dims)(Dims.__new__(Dims))


def test_only_a_pointer_may_be_none():
    with pytest.raises(Mismatch):
        conversions.instance(Dims)(None)
    assert conversions.optional(conversions.instance(Dims))(None) is None


@pytest.mark.parametrize(
    ("converter", "kind"),
    [
        (conversions.string, str),
        (conversions.string, bytes),
        (conversions.int32, int),
        (conversions.float32, float),
        (conversions.boolean, bool),
        (conversions.sequence(conversions.int32), list),
        (conversions.instance(slice), slice),
    ],
)
def test_an_object_that_lies_about_its_class_is_refused(converter, kind):
    with pytest.raises(Mismatch):
        converter(misnamed(kind))


def test_what_cpp_reads_does_not_depend_on_methods_of_a_subclass():
    assert conversions.string(unreadable(str, "text")) == "text"
    assert conversions.string(unreadable(bytes, b"text")) == "text"
    with pytest.raises(Mismatch):
        conversions.sequence(conversions.int32)(unreadable(list, [1]))
