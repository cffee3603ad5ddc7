"""Elementwise and select: operations on the elements of several tensors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Final

import numpy as np

from reference_runtime.operations.broadcasting import broadcast, broadcast_facts
from reference_runtime.operations.kinds import FLOATS, INTEGERS, NUMBERS, alike, one_of
from reference_runtime.operations.operation import Basic, quiet
from reference_runtime.operations.plain import members
from reference_runtime.shapes.tensor_facts import ValueFacts, are_kept, carried, traced
from reference_runtime.values.enums import DataType
from reference_runtime.values.enums_layers import ElementWiseOperation, LayerType

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from reference_runtime.operations.operation import Array

_Op = ElementWiseOperation
_LOGICAL: Final = frozenset({_Op.AND, _Op.OR, _Op.XOR})
_COMPARING: Final = frozenset({_Op.EQUAL, _Op.GREATER, _Op.LESS})


def _divide(first: Array, second: Array) -> Array:
    """Divide; the quotient of integers is rounded towards zero, and is 0 for a divisor of 0."""
    if first.dtype.kind == "f":
        quotient: Array = first / second
        return quotient
    safe = np.where(second == 0, 1, second)
    whole: Array = np.where(second == 0, 0, np.sign(first) * np.sign(safe) * (np.abs(first) // np.abs(safe)))
    return whole.astype(first.dtype)


_FUNCTIONS: Final[dict[Any, Callable[[Array, Array], Array]]] = {
    _Op.SUM: np.add,
    _Op.PROD: np.multiply,
    _Op.MAX: np.maximum,
    _Op.MIN: np.minimum,
    _Op.SUB: np.subtract,
    _Op.DIV: _divide,
    _Op.POW: np.power,
    _Op.FLOOR_DIV: np.floor_divide,
    _Op.AND: np.logical_and,
    _Op.OR: np.logical_or,
    _Op.XOR: np.logical_xor,
    _Op.EQUAL: np.equal,
    _Op.GREATER: np.greater,
    _Op.LESS: np.less,
}


class Elementwise(Basic, frozen=True):
    """An operation on the corresponding elements of two tensors, which are broadcast."""

    kind: ClassVar = LayerType.ELEMENTWISE
    required: ClassVar[int | None] = 2
    fields: ClassVar = {"op": members(ElementWiseOperation)}
    op: ElementWiseOperation

    def types(self, inputs: Sequence[DataType]) -> tuple[DataType, ...]:
        """Return the type of the operands; BOOL for a comparison."""
        numbers = FLOATS | {DataType.INT8} if self.op == _Op.POW else NUMBERS
        allowed = frozenset({DataType.BOOL}) if self.op in _LOGICAL else numbers
        dtype = one_of(alike(inputs, f"the operands of {self.op.name}"), allowed, f"an operand of {self.op.name}")
        return (DataType.BOOL if self.op in _COMPARING else dtype,)

    def infer(self, inputs: Sequence[ValueFacts]) -> tuple[ValueFacts, ...]:
        """Return the dimensions to which both are broadcast, and the results for known values."""
        what = f"the operands of {self.op.name}"
        if self.op == _Op.POW and any(facts.values is not None for facts in inputs):  # POW does not accept integers
            return (ValueFacts(broadcast([facts.dims for facts in inputs], what)),)
        return (broadcast_facts(inputs, what, lambda operands: self.run(operands)[0]),)

    def run(self, inputs: Sequence[Array]) -> tuple[Array, ...]:
        """Compute the output."""
        with quiet():
            return (np.asarray(_FUNCTIONS[self.op](inputs[0], inputs[1])),)


class Select(Basic, frozen=True):
    """Each element is that of the second input if the condition is true, else that of the third."""

    kind: ClassVar = LayerType.SELECT
    required: ClassVar[int | None] = 3

    def types(self, inputs: Sequence[DataType]) -> tuple[DataType, ...]:
        """Return the common type of the second and third input."""
        one_of(inputs[0], {DataType.BOOL}, "the condition of a select")
        allowed = FLOATS | INTEGERS | {DataType.BOOL}
        return (one_of(alike(inputs[1:], "the operands of a select"), allowed, "an operand of a select"),)

    def infer(self, inputs: Sequence[ValueFacts]) -> tuple[ValueFacts, ...]:
        """Return the dimensions to which all are broadcast; a value is known if condition and selected value are."""
        dims = broadcast([facts.dims for facts in inputs], "the operands of a select")
        operands = [traced(facts) for facts in inputs]
        if not are_kept(dims) or any(operand is None for operand in operands):
            return (ValueFacts(dims),)
        (condition, sure), *branches = [operand for operand in operands if operand is not None]
        values = np.where(condition, branches[0][0], branches[1][0])
        known = sure & np.where(condition, branches[0][1], branches[1][1])
        return (carried(dims, np.broadcast_to(values, dims), np.broadcast_to(known, dims)),)

    def run(self, inputs: Sequence[Array]) -> tuple[Array, ...]:
        """Compute the output."""
        return (np.where(inputs[0].astype(bool), inputs[1], inputs[2]),)
