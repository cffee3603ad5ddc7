import numpy as np

from reference_runtime.operations.shape import Shape
from reference_runtime.shapes.tensor_facts import ValueFacts
from reference_runtime.values.enums import DataType


def test_the_extents_become_a_tensor():
    (result,) = Shape().run([np.zeros((2, 0, 3))])
    assert (result.tolist(), result.dtype) == ([2, 0, 3], np.int64)
    assert Shape().types([DataType.BOOL]) == (DataType.INT64,)


def test_known_extents_are_known_values():
    assert Shape().infer([ValueFacts((-1, 3))])[0] == ValueFacts((2,), (None, 3))
    assert Shape().infer([ValueFacts(())])[0] == ValueFacts((0,), ())
