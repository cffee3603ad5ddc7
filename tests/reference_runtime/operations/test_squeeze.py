import numpy as np
import pytest

from reference_runtime.operations.squeeze import Squeeze, Unsqueeze
from reference_runtime.shapes.tensor_facts import ValueFacts
from reference_runtime.values.enums import DataType
from reference_runtime.values.refusals import Refused

T = DataType


def test_axes_of_extent_one_go():
    assert Squeeze().run([np.zeros((1, 2, 1)), np.array([0, -1])])[0].shape == (2,)
    assert Squeeze().infer([ValueFacts((1, -1, -1)), ValueFacts((2,), (0, 2))])[0].dims == (-1,)


def test_axes_come_where_they_are_counted_in_the_output():
    assert Unsqueeze().run([np.zeros((2, 3)), np.array([0, -1])])[0].shape == (1, 2, 3, 1)
    assert Unsqueeze().infer([ValueFacts((-1, 3)), ValueFacts((), (1,))])[0].dims == (-1, 1, 3)


@pytest.mark.parametrize("operation", [Squeeze(), Unsqueeze()])
def test_the_axes_decide_the_shape_so_they_must_be_known(operation):
    assert operation.shape_operands == {1}
    with pytest.raises(Refused, match="must be known when the network is built"):
        operation.infer([ValueFacts((1, 1)), ValueFacts((1,), (None,))])
    with pytest.raises(Refused, match="must be known when the network is built"):
        operation.infer([ValueFacts((1, 1)), ValueFacts((1,))])
    with pytest.raises(Refused, match="0-D or 1-D"):
        operation.infer([ValueFacts((1, 1)), ValueFacts((1, 1), (0,))])


@pytest.mark.parametrize(
    ("dims", "axes", "message"),
    [((1, 2), (1,), "cannot be squeezed"), ((1, 1), (0, -2), "differ"), ((1, 1), (2,), "from -2 to 1")],
)
def test_axes_that_cannot_go_are_refused(dims, axes, message):
    with pytest.raises(Refused, match=message):
        Squeeze().infer([ValueFacts(dims), ValueFacts((len(axes),), axes)])


def test_more_than_eight_dimensions_are_refused():
    with pytest.raises(Refused, match="more than 8 dimensions"):
        Unsqueeze().infer([ValueFacts((1,) * 8), ValueFacts((1,), (0,))])


@pytest.mark.parametrize("operation", [Squeeze(), Unsqueeze()])
def test_values_and_types_stay(operation):
    assert operation.infer([ValueFacts((1, 1), (7,)), ValueFacts((1,), (0,))])[0].values == (7,)
    assert operation.infer([ValueFacts((1, 1), reals=(0.5,)), ValueFacts((1,), (0,))])[0].reals == (0.5,)
    assert operation.types([T.BOOL, T.INT32]) == (T.BOOL,)
    with pytest.raises(Refused, match="the tensor of axes"):
        operation.types([T.BOOL, T.FLOAT])
