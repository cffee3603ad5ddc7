"""What the user says of dynamic dimensions."""

import pytest

from harness.config import onnx_dims
from harness.config.onnx_dims import Range


@pytest.mark.parametrize(
    ("text", "name", "found"),
    [
        ("batch=4", "batch", Range(4, 4, 4)),
        ("batch=1:8", "batch", Range(1, 8, 8)),
        ("batch=1:4:8", "batch", Range(1, 4, 8)),
        ("x.0=2", "x.0", Range(2, 2, 2)),
        ("a=b=2", "a=b", Range(2, 2, 2)),
    ],
)
def test_a_range_is_one_two_or_three_extents(text, name, found):
    assert onnx_dims.parse([text]) == {name: found}


@pytest.mark.parametrize("text", ["batch", "batch=", "=4", "batch=1:2:3:4", "batch=-1", "batch=two"])
def test_anything_else_is_told_how_to_write_it(text):
    with pytest.raises(onnx_dims.DimsError, match=r"write it as NAME=MIN:OPT:MAX, for example batch=1:4:8"):
        onnx_dims.parse([text])


def test_extents_must_not_fall():
    with pytest.raises(onnx_dims.DimsError, match="MIN must be at most OPT, and OPT at most MAX"):
        onnx_dims.parse(["batch=4:2:8"])


def test_all_values_of_a_small_range_and_some_of_a_large_one():
    assert Range(1, 2, 4).values == (1, 2, 3, 4)
    assert Range(1, 50, 100).values == (1, 2, 49, 50, 51, 99, 100)


def test_what_is_not_said_has_a_default():
    assert onnx_dims.settled(["a", "b"], {"a": Range(1, 1, 1)}) == {"a": Range(1, 1, 1), "b": onnx_dims.DEFAULT}
    assert str(onnx_dims.DEFAULT) == "1:2:4"


def test_a_dimension_that_is_not_there_is_told_with_the_nearest():
    onnx_dims.check(["batch"], ["batch", "x.2"])
    with pytest.raises(
        onnx_dims.DimsError, match=r"no dynamic dimension 'bach' in the model, but batch, x.2 \(did you mean"
    ):
        onnx_dims.check(["bach"], ["batch", "x.2"])
