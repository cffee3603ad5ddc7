"""Wants room for one row more than the value of its size tensor."""

import tensorrt as trt
import tensorrt.plugin as trtp

from plugin_examples.decorated.non_zero_qdp import non_zero_run
from plugin_examples.decorated.non_zero_qdp_cases import PLUGIN_CASES as NON_ZERO_CASES

BREAKS = "QDP-016"
FIXED = {"count.expr() + 1": "count.expr()"}

PLUGIN_CASES = [{**case, "namespace": "faulty"} for case in NON_ZERO_CASES]


@trtp.register("faulty::non_zero")
def non_zero(x: trtp.TensorDesc) -> tuple[trtp.TensorDesc, trtp.TensorDesc]:
    most = x.shape_expr.numel()
    count = trtp.size_tensor(most // 2, most)
    return trtp.from_shape_expr((count.expr() + 1, x.ndim), trt.int32), count


@trtp.impl("faulty::non_zero")
def run(x: trtp.Tensor, outputs: tuple[trtp.Tensor, trtp.Tensor], stream: int):
    non_zero_run(x, outputs, stream)
