import numpy as np
import pytest

from reference_runtime.operations.gather import Gather
from reference_runtime.shapes.tensor_facts import ValueFacts
from reference_runtime.values.enums import DataType
from reference_runtime.values.enums_layers import GatherMode as Mode
from reference_runtime.values.refusals import Refused

T = DataType
TABLE = np.array([[1, 2, 3], [4, 5, 6]])


def test_default_takes_slices_across_the_axis():
    indices = np.array([[2, 0], [1, 1]])
    assert Gather(Mode.DEFAULT, 1).run([TABLE, indices])[0].tolist() == [[[3, 1], [2, 2]], [[6, 4], [5, 5]]]
    assert Gather(Mode.DEFAULT, 0).run([TABLE, np.array(1)])[0].tolist() == [4, 5, 6]
    assert Gather(Mode.DEFAULT, 1).infer([ValueFacts((2, -1)), ValueFacts((-1, 2))])[0].dims == (2, -1, 2)


def test_shared_leading_axes_are_gathered_one_by_one():
    indices = np.array([[2, 2], [0, 1]])
    gather = Gather(Mode.DEFAULT, 1, 1)
    assert gather.run([TABLE, indices])[0].tolist() == [[3, 3], [4, 5]]
    assert gather.run([TABLE, indices[1:]])[0].tolist() == [[1, 2], [4, 5]]


def test_element_takes_one_for_each_index():
    indices = np.array([[0, 1, 0]])
    assert Gather(Mode.ELEMENT, 0).run([TABLE, indices])[0].tolist() == [[1, 5, 3]]
    assert Gather(Mode.ELEMENT, 1).infer([ValueFacts((2, 3)), ValueFacts((2, -1))])[0].dims == (2, -1)
    with pytest.raises(Refused, match="reach beyond"):
        Gather(Mode.ELEMENT, 0).infer([ValueFacts((2, 3)), ValueFacts((2, 4))])
    with pytest.raises(Refused, match="equal ranks"):
        Gather(Mode.ELEMENT, 0).infer([ValueFacts((2, 3)), ValueFacts((2,))])


def test_nd_takes_blocks_at_positions():
    assert Gather(Mode.ND).run([TABLE, np.array([[1], [0]])])[0].tolist() == [[4, 5, 6], [1, 2, 3]]
    assert Gather(Mode.ND).run([TABLE, np.array([[1, 2], [0, 0]])])[0].tolist() == [6, 1]
    shared = Gather(Mode.ND, num_elementwise_dims=1)
    assert shared.run([TABLE, np.array([[2], [0]])])[0].tolist() == [3, 4]
    with pytest.raises(Refused, match="3 positions are too many"):
        Gather(Mode.ND).infer([ValueFacts((2, 3)), ValueFacts((5, 3))])
    with pytest.raises(Refused, match="last dimension"):
        Gather(Mode.ND).infer([ValueFacts((2, 3)), ValueFacts((5, -1))])
    with pytest.raises(Refused, match="axis of positions"):
        Gather(Mode.ND).infer([ValueFacts((2, 3)), ValueFacts(())])


@pytest.mark.parametrize("index", [-1, 3])
def test_what_lies_beyond_the_ends_reads_as_zero(index):
    assert Gather(Mode.DEFAULT, 1).run([TABLE, np.array([index])])[0].tolist() == [[0], [0]]
    assert Gather(Mode.DEFAULT).run([np.zeros((0, 2), int), np.array([index])])[0].tolist() == [[0, 0]]


@pytest.mark.parametrize(
    ("gather", "data", "indices", "message"),
    [
        (Gather(Mode.DEFAULT, 2), (2, 3), (1,), "no axis 2"),
        (Gather(Mode.DEFAULT, -1), (2, 3), (1,), "no axis -1"),
        (Gather(Mode.DEFAULT, 0, 1), (2, 3), (2,), "leading axes"),
        (Gather(Mode.DEFAULT, 1, 2), (2, 3), (2,), "cannot share 2"),
        (Gather(Mode.DEFAULT, 1, 1), (2, 3), (3, 1), "cannot be broadcast"),
        (Gather(Mode.DEFAULT, 0), (1,) * 5, (1,) * 5, "would have 9 dimensions"),
    ],
)
def test_what_does_not_fit_is_refused(gather, data, indices, message):
    with pytest.raises(Refused, match=message):
        gather.infer([ValueFacts(data), ValueFacts(indices)])


def test_values_are_known_where_the_index_and_what_it_picks_are():
    data = ValueFacts((3,), (10, None, 30))
    assert Gather(Mode.DEFAULT).infer([data, ValueFacts((4,), (2, 1, None, 0))])[0] == ValueFacts(
        (4,), (30, None, None, 10)
    )
    assert Gather(Mode.DEFAULT).infer([data, ValueFacts((), (2,))])[0] == ValueFacts((), (30,))
    assert Gather(Mode.DEFAULT).infer([data, ValueFacts((2,))])[0] == ValueFacts((2,))


def test_types():
    assert Gather(Mode.DEFAULT).types([T.BOOL, T.INT64]) == (T.BOOL,)
    with pytest.raises(Refused, match="the indices of a gather has type FLOAT"):
        Gather(Mode.DEFAULT).types([T.FLOAT, T.FLOAT])
