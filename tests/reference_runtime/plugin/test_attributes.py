import numpy as np
import numpy.typing as npt
import pytest

from reference_runtime.plugin.attributes import advertised, field_of, value_of

VALUES = [
    (3, int),
    (1.5, float),
    (True, bool),
    ("so", str),
    (b"\0\1", bytes),
    (np.array([1, 2], np.int16), npt.NDArray[np.int16]),
    (np.array([1.5, 2], np.float16), npt.NDArray[np.float16]),
    (np.array([True, False]), npt.NDArray[np.bool_]),
]


@pytest.mark.parametrize(("value", "annotation"), VALUES)
def test_an_attribute_comes_back_as_it_was(value, annotation):
    found = value_of(field_of("k", value), annotation)
    assert type(found) is type(value)
    assert np.array_equal(found, value)
    assert getattr(found, "dtype", None) == getattr(value, "dtype", None)


@pytest.mark.parametrize(
    ("kind", "name"), [((True, int), "INT64"), ((True, bytes), "UNKNOWN"), ((False, np.float16), "FLOAT16")]
)
def test_a_creator_says_the_type_and_no_elements(kind, name):
    field = advertised("k", kind)
    assert (field.name, field.type.name, field.size) == ("k", name, 0)
