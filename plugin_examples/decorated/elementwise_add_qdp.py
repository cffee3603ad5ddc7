"""Elementwise addition of a number, as a decorated plugin: FLOAT and HALF, with two tactics to choose from.

Tactic 1 computes all at once, tactic 2 piece by piece.
"""

import cupy as cp
import numpy as np
import tensorrt as trt
import tensorrt.plugin as trtp

ALL_AT_ONCE, PIECE_BY_PIECE = 1, 2


@trtp.register("example::elementwise_add")
def elementwise_add(x: trtp.TensorDesc, addend: float, block_size: int) -> trtp.TensorDesc:
    return x.like()


@trtp.autotune("example::elementwise_add")
def elementwise_add_ways(x: trtp.TensorDesc, outputs: tuple[trtp.TensorDesc]) -> list[trtp.AutoTuneCombination]:
    return [trtp.AutoTuneCombination("FP32|FP16, FP32|FP16", "LINEAR", [ALL_AT_ONCE, PIECE_BY_PIECE])]


@trtp.impl("example::elementwise_add")
def elementwise_add_run(
    x: trtp.Tensor, addend: float, block_size: int, outputs: tuple[trtp.Tensor], stream: int, tactic: int
) -> None:
    if x.numel() == 0:
        return
    with cp.cuda.ExternalStream(stream):
        given, made = view(x).reshape(-1), view(outputs[0]).reshape(-1)
        step = given.size if tactic == ALL_AT_ONCE else block_size
        for start in range(0, given.size, step):
            piece = slice(start, start + step)
            cp.add(given[piece], given.dtype.type(addend), out=made[piece])


def view(tensor):
    """Return an array over a tensor's memory; ``cp.asarray(tensor)`` would wait for the stream first."""
    dtype = np.dtype(trt.nptype(tensor.dtype))
    memory = cp.cuda.UnownedMemory(tensor.data_ptr, tensor.numel() * dtype.itemsize, tensor)
    return cp.ndarray(tuple(tensor.shape), dtype, cp.cuda.MemoryPointer(memory, 0))
