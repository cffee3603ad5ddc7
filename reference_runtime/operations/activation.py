"""Activations: functions of each element, some with parameters alpha and beta."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, ClassVar, Final

import numpy as np

from reference_runtime.operations.kinds import FLOATS, INDEX_TYPES, one_of
from reference_runtime.operations.operation import Basic, quiet
from reference_runtime.operations.plain import NUMBER, members
from reference_runtime.operations.unary import erf
from reference_runtime.shapes.tensor_facts import mapped
from reference_runtime.values.enums import DataType
from reference_runtime.values.enums_layers import ActivationType, LayerType

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from reference_runtime.operations.operation import Array
    from reference_runtime.shapes.tensor_facts import ValueFacts

_Type = ActivationType
_GELU_CUBIC: Final = 0.044715

_FUNCTIONS: Final[dict[Any, Callable[[Array, float, float], Array]]] = {
    _Type.RELU: lambda x, _a, _b: np.maximum(x, 0),
    _Type.SIGMOID: lambda x, _a, _b: 1 / (1 + np.exp(-x)),
    _Type.TANH: lambda x, _a, _b: np.tanh(x),
    _Type.LEAKY_RELU: lambda x, alpha, _b: np.where(x >= 0, x, alpha * x),
    _Type.ELU: lambda x, alpha, _b: np.where(x >= 0, x, alpha * np.expm1(x)),
    _Type.SELU: lambda x, alpha, beta: beta * np.where(x > 0, x, alpha * np.expm1(x)),
    _Type.SOFTSIGN: lambda x, _a, _b: x / (1 + np.abs(x)),
    _Type.SOFTPLUS: lambda x, alpha, beta: alpha * np.logaddexp(0, beta * x),
    _Type.CLIP: lambda x, alpha, beta: np.minimum(np.maximum(x, alpha), beta),
    _Type.HARD_SIGMOID: lambda x, alpha, beta: np.clip(alpha * x + beta, 0, 1),
    _Type.SCALED_TANH: lambda x, alpha, beta: alpha * np.tanh(beta * x),
    _Type.THRESHOLDED_RELU: lambda x, alpha, _b: np.where(x > alpha, x, 0),
    _Type.GELU_ERF: lambda x, _a, _b: 0.5 * x * (1 + erf(x * math.sqrt(0.5))),
    _Type.GELU_TANH: lambda x, _a, _b: 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + _GELU_CUBIC * x**3))),
}


class Activation(Basic, frozen=True):
    """A function of each element; the meaning of ``alpha`` and ``beta`` depends on the function."""

    kind: ClassVar = LayerType.ACTIVATION
    fields: ClassVar = {"type": members(ActivationType), "alpha": NUMBER, "beta": NUMBER}
    type: ActivationType
    alpha: float = 0.0
    beta: float = 0.0

    def types(self, inputs: Sequence[DataType]) -> tuple[DataType, ...]:
        """Return the type of the input; only RELU accepts INT32 and INT64."""
        whole = INDEX_TYPES if self.type == _Type.RELU else frozenset[DataType]()
        return (one_of(inputs[0], FLOATS | {DataType.INT8} | whole, f"the input of {self.type.name}"),)

    def infer(self, inputs: Sequence[ValueFacts]) -> tuple[ValueFacts, ...]:
        """Return the same dimensions, and the results for known values."""
        return (mapped(inputs[0], lambda values: self.run([values])[0]),)

    def run(self, inputs: Sequence[Array]) -> tuple[Array, ...]:
        """Compute the output."""
        with quiet():
            return (np.asarray(_FUNCTIONS[self.type](inputs[0], self.alpha, self.beta)).astype(inputs[0].dtype),)
