"""Offers each layout for input and output separately, though the output has the memory of the input."""

import cupy as cp
import numpy as np
import tensorrt as trt
import tensorrt.plugin as trtp

BREAKS = "ALI-004"
FIXED = {"LINEAR*HWC": "LINEAR|HWC, LINEAR|HWC"}

PLUGIN_CASES = [
    {
        "plugin": "negate",
        "namespace": "faulty",
        "inputs": [{"dims": ("N", 3, 4, 4), "min": (1, 3, 4, 4), "opt": (2, 3, 4, 4), "max": (3, 3, 4, 4)}],
        "reference": np.negative,
    }
]


@trtp.register("faulty::negate")
def negate(x: trtp.TensorDesc) -> trtp.TensorDesc:
    return x.aliased()


@trtp.autotune("faulty::negate")
def negate_layouts(x: trtp.TensorDesc, outputs: tuple[trtp.TensorDesc]) -> list[trtp.AutoTuneCombination]:
    return [trtp.AutoTuneCombination("FP32, FP32", "LINEAR*HWC")]


@trtp.impl("faulty::negate")
def negate_run(x: trtp.Tensor, outputs: tuple[trtp.Tensor], stream: int) -> None:
    with cp.cuda.ExternalStream(stream):
        result = elements(outputs[0])
        cp.negative(result if outputs[0].data_ptr == x.data_ptr else elements(x), out=result)


def elements(tensor):
    """Return the elements of a tensor in the order of its memory."""
    dtype = np.dtype(trt.nptype(tensor.dtype))
    memory = cp.cuda.UnownedMemory(tensor.data_ptr, tensor.numel() * dtype.itemsize, tensor)
    return cp.ndarray((tensor.numel(),), dtype, cp.cuda.MemoryPointer(memory, 0))
