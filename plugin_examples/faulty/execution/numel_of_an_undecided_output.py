"""Takes the room for its rows from ``numel()`` of the output, whose dimension data decide."""

import cupy as cp
import numpy as np
import tensorrt as trt
import tensorrt.plugin as trtp

from plugin_examples.decorated.non_zero_qdp_cases import PLUGIN_CASES as NON_ZERO_CASES
from plugin_examples.faulty.bases.sound_shift_qdp import view

BREAKS = "ENQ-015"

PLUGIN_CASES = [{**case, "namespace": "faulty"} for case in NON_ZERO_CASES]


@trtp.register("faulty::non_zero")
def non_zero(x: trtp.TensorDesc) -> tuple[trtp.TensorDesc, trtp.TensorDesc]:
    most = x.shape_expr.numel()
    count = trtp.size_tensor(most // 2, most)
    return trtp.from_shape_expr((count.expr(), x.ndim), trt.int32), count


@trtp.impl("faulty::non_zero")
def run(x: trtp.Tensor, outputs: tuple[trtp.Tensor, trtp.Tensor], stream: int):
    with cp.cuda.ExternalStream(stream):
        room = cp.cuda.UnownedMemory(outputs[0].data_ptr, outputs[0].numel() * 4, x)
        rows = cp.ndarray((outputs[0].numel(),), np.int32, cp.cuda.MemoryPointer(room, 0))
        found = cp.argwhere(view(x)).astype(np.int32)
        rows[: found.size] = found.ravel()
        view(outputs[1])[...] = len(found)
