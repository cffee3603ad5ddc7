"""Dimension expressions under the names that they have up to TensorRT 9.3."""

from __future__ import annotations

from typing import Any

from reference_runtime.bound.overloads import Overload, bound
from reference_runtime.shapes.expressions import IDimensionExpr

_is_constant = IDimensionExpr.is_constant
_get_constant_value = IDimensionExpr.get_constant_value


class Expression:
    """The members of ``IDimensionExpr`` in TensorRT 8.6; the 32-bit minimum means "not constant"."""

    @bound(Overload("(self: IDimensionExpr) -> bool"))
    def isConstant(self: Any) -> bool:  # noqa: N802 - TensorRT's name
        """Say whether the value is known now."""
        return _is_constant(self)

    @bound(Overload("(self: IDimensionExpr) -> int"))
    def getConstantValue(self: Any) -> int:  # noqa: N802 - TensorRT's name
        """Return the value if it is known now, else the 32-bit minimum."""
        return _get_constant_value(self)
