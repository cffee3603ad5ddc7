"""The functions for calculations with dimensions in decorated functions, besides the operators."""

from __future__ import annotations

from typing import Any

from reference_runtime.plugin.symbols import ShapeExpr, ShapeExprs
from reference_runtime.plugin.tensors import SizeTensorDesc, TensorDesc
from reference_runtime.values.enums import DimensionOperation


def cdiv(first: Any, second: Any) -> Any:
    """Return the quotient, rounded up."""
    return _operation(DimensionOperation.CEIL_DIV, first, second)


def max(first: Any, second: Any) -> Any:  # noqa: A001 - TensorRT's name
    """Return the greater of two dimensions."""
    return _operation(DimensionOperation.MAX, first, second)


def min(first: Any, second: Any) -> Any:  # noqa: A001 - TensorRT's name
    """Return the smaller of two dimensions."""
    return _operation(DimensionOperation.MIN, first, second)


def _operation(operation: DimensionOperation, first: Any, second: Any) -> Any:
    if isinstance(first, int):
        if isinstance(second, int):
            raise ValueError("Both arguments cannot be 'int's")
        first = ShapeExpr(first)
    return first._op(operation, second)


def size_tensor(opt: ShapeExpr, upper_bound: ShapeExpr) -> SizeTensorDesc:
    """Return the descriptor of a size tensor: the plugin writes a data-dependent dimension into it."""
    return SizeTensorDesc(opt, upper_bound)


def from_shape_expr(shape_expr: Any, dtype: Any) -> TensorDesc:
    """Return the descriptor of a tensor by its dimensions and type."""
    exprs = ShapeExprs.from_tuple(shape_expr) if isinstance(shape_expr, tuple) else shape_expr
    return TensorDesc(exprs, dtype)
