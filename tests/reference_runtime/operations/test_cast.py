import numpy as np
import pytest

from reference_runtime.operations.cast import Cast, Identity
from reference_runtime.shapes.tensor_facts import ValueFacts
from reference_runtime.values.enums import DataType
from reference_runtime.values.refusals import Refused

T = DataType


@pytest.mark.parametrize(
    ("to_type", "expected", "dtype"),
    [
        (T.INT32, [-1, 0, 2], np.int32),
        (T.INT64, [-1, 0, 2], np.int64),
        (T.BOOL, [True, False, True], np.bool_),
        (T.HALF, [-1.5, 0.0, 2.75], np.float16),
        (T.BF16, [-1.5, 0.0, 2.75], np.float32),
        (T.FP8, [-1.5, 0.0, 2.75], np.float32),
    ],
)
def test_real_numbers_are_cast(to_type, expected, dtype):
    (result,) = Cast(to_type).run([np.array([-1.5, 0.0, 2.75], np.float32)])
    assert (result.tolist(), result.dtype) == (expected, dtype)
    assert Cast(to_type).types([T.FLOAT]) == (to_type,)


@pytest.mark.parametrize(
    ("to_type", "facts"),
    [
        (T.INT32, ValueFacts((3,), (7, None, 0))),
        (T.BOOL, ValueFacts((3,), (1, None, 0))),
        (T.FLOAT, ValueFacts((3,), reals=(7.0, None, 0.0))),
    ],
)
def test_values_survive(to_type, facts):
    assert Cast(to_type).infer([ValueFacts((3,), (7, None, 0))])[0] == facts
    assert Cast(T.INT64).infer([ValueFacts((2,), reals=(-2.5, None))])[0] == ValueFacts((2,), (-2, None))


@pytest.mark.parametrize(("given", "to_type"), [(T.FLOAT, T.INT4), (T.FP4, T.FLOAT), (T.FLOAT, T.E8M0)])
def test_types_of_less_than_a_byte_are_for_quantization(given, to_type):
    with pytest.raises(Refused, match="it must have one of"):
        Cast(to_type).types([given])


def test_identity_copies():
    data = np.array([1, 2])
    (result,) = Identity().run([data])
    data[0] = 7
    assert result.tolist() == [1, 2]
    assert Identity().types([T.FP8]) == (T.FP8,)
    assert Identity().infer([ValueFacts((-1,), None)])[0] == ValueFacts((-1,))
    assert Identity().infer([ValueFacts((2,), (1, None))])[0] == ValueFacts((2,), (1, None))


def test_identity_may_convert():
    identity = Identity(T.BOOL)
    assert identity.run([np.array([0.0, 2.5])])[0].tolist() == [False, True]
    assert identity.types([T.FLOAT]) == (T.BOOL,)
    assert identity.infer([ValueFacts((2,), (7, None))])[0] == ValueFacts((2,), (1, None))
