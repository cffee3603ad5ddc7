"""Unary operations: one function on each element."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, ClassVar, Final

import numpy as np

from reference_runtime.operations.kinds import FLOATS, NUMBERS, one_of
from reference_runtime.operations.operation import Basic, quiet
from reference_runtime.operations.plain import members
from reference_runtime.shapes.tensor_facts import mapped
from reference_runtime.values.enums import DataType
from reference_runtime.values.enums_layers import LayerType, UnaryOperation

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from reference_runtime.operations.operation import Array
    from reference_runtime.shapes.tensor_facts import ValueFacts

_Op = UnaryOperation
_SIGNED: Final = frozenset({_Op.ABS, _Op.NEG, _Op.SIGN})
_ASKING: Final = frozenset({_Op.ISINF, _Op.ISNAN})


def erf(data: Array) -> Array:
    """Return the error function of each element, which NumPy does not have."""
    results: Array = np.array([math.erf(value) for value in data.reshape(-1).tolist()], data.dtype)
    return results.reshape(data.shape)


_FUNCTIONS: Final[dict[Any, Callable[[Array], Array]]] = {
    _Op.EXP: np.exp,
    _Op.LOG: np.log,
    _Op.SQRT: np.sqrt,
    _Op.RECIP: np.reciprocal,
    _Op.ABS: np.abs,
    _Op.NEG: np.negative,
    _Op.SIN: np.sin,
    _Op.COS: np.cos,
    _Op.TAN: np.tan,
    _Op.SINH: np.sinh,
    _Op.COSH: np.cosh,
    _Op.ASIN: np.arcsin,
    _Op.ACOS: np.arccos,
    _Op.ATAN: np.arctan,
    _Op.ASINH: np.arcsinh,
    _Op.ACOSH: np.arccosh,
    _Op.ATANH: np.arctanh,
    _Op.CEIL: np.ceil,
    _Op.FLOOR: np.floor,
    _Op.ERF: erf,
    _Op.NOT: np.logical_not,
    _Op.SIGN: np.sign,
    _Op.ROUND: np.rint,
    _Op.ISINF: np.isinf,
    _Op.ISNAN: np.isnan,
}


class Unary(Basic, frozen=True):
    """One function of each element; ROUND rounds half to even."""

    kind: ClassVar = LayerType.UNARY
    fields: ClassVar = {"op": members(UnaryOperation)}
    op: UnaryOperation

    def types(self, inputs: Sequence[DataType]) -> tuple[DataType, ...]:
        """Return the type of the input; BOOL for ISINF and ISNAN."""
        numbers = NUMBERS if self.op in _SIGNED else FLOATS | {DataType.INT8}
        allowed = frozenset({DataType.BOOL}) if self.op == _Op.NOT else numbers
        dtype = one_of(inputs[0], allowed, f"the input of {self.op.name}")
        return (DataType.BOOL if self.op in _ASKING else dtype,)

    def infer(self, inputs: Sequence[ValueFacts]) -> tuple[ValueFacts, ...]:
        """Return the same dimensions, and the results for known values."""
        return (mapped(inputs[0], lambda values: self.run([values])[0]),)

    def run(self, inputs: Sequence[Array]) -> tuple[Array, ...]:
        """Compute the output."""
        with quiet():
            return (np.asarray(_FUNCTIONS[self.op](inputs[0])),)
