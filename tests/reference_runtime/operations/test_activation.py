import numpy as np
import pytest

from reference_runtime.operations.activation import Activation
from reference_runtime.shapes.tensor_facts import ValueFacts
from reference_runtime.values.enums import DataType
from reference_runtime.values.enums_layers import ActivationType as Type
from reference_runtime.values.refusals import Refused

T = DataType


@pytest.mark.parametrize(
    ("kind", "alpha", "beta", "expected"),
    [
        (Type.RELU, 0, 0, [0.0, 0.5]),
        (Type.SIGMOID, 0, 0, [0.1192029, 0.6224593]),
        (Type.TANH, 0, 0, [-0.9640276, 0.4621172]),
        (Type.LEAKY_RELU, 0.25, 0, [-0.5, 0.5]),
        (Type.ELU, 2.0, 0, [-1.7293294, 0.5]),
        (Type.SELU, 2.0, 3.0, [-5.1879883, 1.5]),
        (Type.SOFTSIGN, 0, 0, [-0.6666667, 0.3333333]),
        (Type.SOFTPLUS, 2.0, 3.0, [0.0049513, 3.4028266]),
        (Type.CLIP, -1.0, 0.25, [-1.0, 0.25]),
        (Type.HARD_SIGMOID, 0.25, 0.75, [0.25, 0.875]),
        (Type.SCALED_TANH, 3.0, 0.5, [-2.2847825, 0.7347559]),
        (Type.THRESHOLDED_RELU, 0.25, 0, [0.0, 0.5]),
        (Type.GELU_ERF, 0, 0, [-0.0455003, 0.3457312]),
        (Type.GELU_TANH, 0, 0, [-0.0454023, 0.3457140]),
    ],
)
def test_each_function(kind, alpha, beta, expected):
    data = np.array([-2.0, 0.5], np.float32)
    (result,) = Activation(kind, alpha, beta).run([data])
    assert result.tolist() == pytest.approx(expected, rel=1e-4)
    assert result.dtype == np.float32


def test_large_arguments_do_not_overflow():
    data = np.array([-1000.0, 1000.0], np.float32)
    assert Activation(Type.SIGMOID).run([data])[0].tolist() == [0.0, 1.0]
    assert Activation(Type.SOFTPLUS, 1.0, 1.0).run([data])[0].tolist() == [0.0, 1000.0]


def test_half_precision_stays():
    assert Activation(Type.TANH).run([np.ones(2, np.float16)])[0].dtype == np.float16


def test_whole_numbers_are_for_relu_alone():
    assert Activation(Type.RELU).types([T.INT32]) == (T.INT32,)
    with pytest.raises(Refused, match="the input of TANH has type INT32"):
        Activation(Type.TANH).types([T.INT32])


def test_extents_stay():
    assert Activation(Type.RELU).infer([ValueFacts((2, -1))])[0] == ValueFacts((2, -1))
    assert Activation(Type.RELU).infer([ValueFacts((2,), (-3, None))])[0] == ValueFacts((2,), (0, None))
