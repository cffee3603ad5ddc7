import numpy as np
import pytest

from reference_runtime.operations.slice import AXES, FILL_VALUE, SIZE, START, STRIDE, Slice
from reference_runtime.shapes.tensor_facts import ValueFacts
from reference_runtime.values.enums import DataType
from reference_runtime.values.enums_layers import SampleMode as Mode
from reference_runtime.values.refusals import Refused

T = DataType
LINE = np.array([10, 11, 12, 13])


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        (Mode.WRAP, [12, 13, 10, 11, 12, 13, 10, 11]),
        (Mode.CLAMP, [10, 10, 10, 11, 12, 13, 13, 13]),
        (Mode.REFLECT, [12, 11, 10, 11, 12, 13, 12, 11]),
        (Mode.FILL, [0, 0, 10, 11, 12, 13, 0, 0]),
    ],
)
def test_what_lies_beyond_the_ends(mode, expected):
    assert Slice((-2,), (8,), (1,), mode).run([LINE])[0].tolist() == expected


def test_a_value_to_fill_with():
    fill = np.array([7])
    slice_ = Slice((-1,), (3,), (1,), Mode.FILL, operands=(0, FILL_VALUE))
    assert slice_.run([LINE, fill])[0].tolist() == [7, 10, 11]
    assert slice_.shape_operands == frozenset()


def test_strides_may_go_backwards():
    data = np.arange(12).reshape(3, 4)
    assert Slice((2, 3), (2, 2), (-2, -1)).run([data])[0].tolist() == [[11, 10], [3, 2]]


def test_an_axis_of_one_reflects_onto_itself():
    assert Slice((-2,), (4,), (1,), Mode.REFLECT).run([np.array([5])])[0].tolist() == [5, 5, 5, 5]


@pytest.mark.parametrize(
    ("start", "size", "stride"), [((-1,), (2,), (1,)), ((0,), (5,), (1,)), ((1,), (3,), (2,)), ((1,), (3,), (-1,))]
)
def test_strict_bounds_are_strict(start, size, stride):
    with pytest.raises(Refused, match="along axis 0, which has 4"):
        Slice(start, size, stride).infer([ValueFacts((4,))])


def test_nothing_may_be_taken_from_anywhere():
    assert Slice((9,), (0,), (1,)).run([LINE])[0].shape == (0,)


def test_a_negative_size_and_the_elements_of_nothing_are_refused():
    with pytest.raises(Refused, match="cannot take -1 elements"):
        Slice((0,), (-1,), (1,)).infer([ValueFacts((4,))])
    with pytest.raises(Refused, match="empty axis 0"):
        Slice((0,), (1,), (1,), Mode.CLAMP).infer([ValueFacts((0,))])
    assert Slice((0,), (2,), (1,), Mode.FILL).run([np.zeros(0)])[0].tolist() == [0.0, 0.0]


def test_some_axes_alone():
    slice_ = Slice((1,), (2,), (1,), axes=(-1,))
    assert slice_.infer([ValueFacts((-1, 4))])[0].dims == (-1, 2)
    assert slice_.run([np.arange(8).reshape(2, 4)])[0].tolist() == [[1, 2], [5, 6]]
    with pytest.raises(Refused, match="must differ"):
        Slice((0, 0), (1, 1), (1, 1), axes=(0, -2)).infer([ValueFacts((2, 2))])
    with pytest.raises(Refused, match="along 2 axes cannot use"):
        Slice((0,), (1,), (1,)).infer([ValueFacts((2, 2))])


def test_inputs_take_the_place_of_settings():
    slice_ = Slice((0,), (0,), (0,), operands=(0, START, SIZE, STRIDE, AXES))
    assert slice_.shape_operands == {1, 2, 3, 4}
    parameters = [np.array([value]) for value in (3, 2, -3, 0)]
    assert slice_.run([LINE, *parameters])[0].tolist() == [13, 10]
    facts = [ValueFacts((1,), (value,)) for value in (3, None, -3, 0)]
    assert slice_.infer([ValueFacts((4,)), *facts])[0].dims == (-1,)
    with pytest.raises(Refused, match="the axes of a slice must be known"):
        slice_.infer([ValueFacts((4,)), *facts[:3], ValueFacts((1,), (None,))])
    with pytest.raises(Refused, match="input 1 of a slice is 1-D"):
        slice_.infer([ValueFacts((4,)), ValueFacts((), (3,)), *facts[1:]])


def test_values_are_taken_along():
    assert Slice((2,), (2,), (-2,)).infer([ValueFacts((3,), (1, 2, None))])[0] == ValueFacts((2,), (None, 1))
    assert Slice((-1,), (2,), (1,), Mode.FILL).infer([ValueFacts((2,), (5, 6))])[0] == ValueFacts((2,), (0, 5))
    assert Slice((0,), (2,), (1,)).infer([ValueFacts((-1,))])[0] == ValueFacts((2,))


def test_types():
    assert Slice((0,), (1,), (1,)).types([T.BOOL]) == (T.BOOL,)
    with pytest.raises(Refused, match="input 2 of a slice has type FLOAT"):
        Slice((0,), (1,), (1,), operands=(0, SIZE)).types([T.HALF, T.FLOAT])
    with pytest.raises(Refused, match="its fill value"):
        Slice((0,), (1,), (1,), operands=(0, FILL_VALUE)).types([T.HALF, T.FLOAT])
