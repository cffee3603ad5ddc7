import numpy as np
import pytest

from reference_runtime.operations.concatenation import Concatenation
from reference_runtime.shapes.tensor_facts import ValueFacts
from reference_runtime.values.enums import DataType
from reference_runtime.values.refusals import Refused


def test_tensors_follow_each_other_along_the_axis():
    first, second = np.array([[1, 2], [3, 4]]), np.array([[5], [6]])
    assert Concatenation(1).run([first, second])[0].tolist() == [[1, 2, 5], [3, 4, 6]]


@pytest.mark.parametrize(("rank", "axis"), [(1, 0), (3, 0), (4, 1)])
def test_by_default_the_third_axis_from_the_end_counts(rank, axis):
    dims = [5] * rank
    dims[axis] = 10
    assert Concatenation().infer([ValueFacts((5,) * rank)] * 2)[0].dims == tuple(dims)


def test_extents_add_up_and_unknown_ones_follow_the_known():
    assert Concatenation(0).infer([ValueFacts((2, -1)), ValueFacts((3, 7))])[0].dims == (5, 7)
    assert Concatenation(0).infer([ValueFacts((-1, -1)), ValueFacts((3, -1))])[0].dims == (-1, -1)


def test_values_are_joined_and_those_of_an_unknown_tensor_stay_unknown():
    assert Concatenation(0).infer([ValueFacts((2,), (1, None)), ValueFacts((1,), (3,))])[0].values == (1, None, 3)
    assert Concatenation(0).infer([ValueFacts((2,)), ValueFacts((1,), (3,))])[0].values == (None, None, 3)
    assert Concatenation(0).infer([ValueFacts((2,)), ValueFacts((1,))])[0].values is None
    assert Concatenation(0).infer([ValueFacts((1,)), ValueFacts((1,), reals=(0.5,))])[0].reals == (None, 0.5)
    assert Concatenation(0).infer([ValueFacts((-1,)), ValueFacts((1,), (3,))])[0].values is None


@pytest.mark.parametrize(
    ("shapes", "axis", "message"),
    [
        ([(2,), (2, 3)], 0, "equal ranks"),
        ([(2, 3), (2, 4)], 0, "equal dimensions"),
        ([(2, 3), (2, 3)], 2, "no axis 2"),
        ([(2, 3), (2, 3)], -1, "no axis -1"),
    ],
)
def test_what_does_not_fit_is_refused(shapes, axis, message):
    with pytest.raises(Refused, match=message):
        Concatenation(axis).infer([ValueFacts(dims) for dims in shapes])


def test_types_must_be_the_same():
    assert Concatenation(0).types([DataType.BOOL] * 3) == (DataType.BOOL,)
    with pytest.raises(Refused, match="INT32, INT64"):
        Concatenation(0).types([DataType.INT32, DataType.INT64])
