"""``tensorrt.plugin``: plugins as decorated functions, with the names of TensorRT 10.16.

It uses the quick interfaces (`reference_runtime.interfaces.quick`), as TensorRT's own package does, under the name
``tensorrt.plugin``. As there, ``import tensorrt`` alone does not import it.
"""

from reference_runtime.plugin.combinations import AutoTuneCombination
from reference_runtime.plugin.definitions import aot_impl, autotune, impl, op, register
from reference_runtime.plugin.functions import cdiv, from_shape_expr, max, min, size_tensor  # noqa: A004 - its names
from reference_runtime.plugin.launching import KernelLaunchParams
from reference_runtime.plugin.symbols import (
    ShapeExpr,
    ShapeExprs,
    SizeTensorShapeExpr,
    SymExprs,
    SymInt8,
    SymInt16,
    SymInt32,
    SymIntExprs,
)
from reference_runtime.plugin.tensors import Shape, SizeTensorDesc, Tensor, TensorDesc

__all__ = [
    "AutoTuneCombination",
    "KernelLaunchParams",
    "Shape",
    "ShapeExpr",
    "ShapeExprs",
    "SizeTensorDesc",
    "SizeTensorShapeExpr",
    "SymExprs",
    "SymInt8",
    "SymInt16",
    "SymInt32",
    "SymIntExprs",
    "Tensor",
    "TensorDesc",
    "aot_impl",
    "autotune",
    "cdiv",
    "from_shape_expr",
    "impl",
    "max",
    "min",
    "op",
    "register",
    "size_tensor",
]
