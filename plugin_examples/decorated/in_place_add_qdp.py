"""Adds a number to a tensor in place, as a decorated plugin: the output aliases the input. FLOAT and HALF.

The builder has to be given ``PreviewFeature.ALIASED_PLUGIN_IO_10_03``: without it, TensorRT refuses the network.
"""

import cupy as cp
import numpy as np
import tensorrt as trt
import tensorrt.plugin as trtp


@trtp.register("example::in_place_add")
def in_place_add(x: trtp.TensorDesc, addend: float) -> tuple[trtp.TensorDesc]:
    return (x.aliased(),)


@trtp.autotune("example::in_place_add")
def in_place_add_ways(x: trtp.TensorDesc, outputs: tuple[trtp.TensorDesc]) -> list[trtp.AutoTuneCombination]:
    combination = trtp.AutoTuneCombination()
    combination.pos([0, 1], "FP32|FP16")
    return [combination]


@trtp.impl("example::in_place_add")
def in_place_add_run(x: trtp.Tensor, addend: float, outputs: tuple[trtp.Tensor], stream: int) -> None:
    if x.numel() == 0:
        return
    with cp.cuda.ExternalStream(stream):
        made = view(outputs[0])
        given = made if outputs[0].data_ptr == x.data_ptr else view(x)
        cp.add(given, made.dtype.type(addend), out=made)


def view(tensor):
    """Return an array over a tensor's memory; ``cp.asarray(tensor)`` would wait for the stream first."""
    dtype = np.dtype(trt.nptype(tensor.dtype))
    memory = cp.cuda.UnownedMemory(tensor.data_ptr, tensor.numel() * dtype.itemsize, tensor)
    return cp.ndarray(tuple(tensor.shape), dtype, cp.cuda.MemoryPointer(memory, 0))
