"""The indices of the elements that are not zero, as a decorated plugin: an output whose dimension depends on data.

Output 0 holds one row of indices for each element that is not zero, in row-major order. Output 1 is the size tensor
with their number. TensorRT allocates output 0 for the maximum number and reads output 1 afterwards.
"""

import cupy as cp
import numpy as np
import tensorrt as trt
import tensorrt.plugin as trtp


@trtp.register("example::non_zero")
def non_zero(x: trtp.TensorDesc) -> tuple[trtp.TensorDesc, trtp.TensorDesc]:
    most = x.shape_expr.numel()
    count = trtp.size_tensor(most // 2, most)
    return trtp.from_shape_expr((count.expr(), x.ndim), trt.int32), count


@trtp.autotune("example::non_zero")
def non_zero_ways(
    x: trtp.TensorDesc, outputs: tuple[trtp.TensorDesc, trtp.TensorDesc]
) -> list[trtp.AutoTuneCombination]:
    return [trtp.AutoTuneCombination("FP32*FP16, INT32, INT32", "LINEAR")]


@trtp.impl("example::non_zero")
def non_zero_run(x: trtp.Tensor, outputs: tuple[trtp.Tensor, trtp.Tensor], stream: int) -> None:
    with cp.cuda.ExternalStream(stream):
        count = view(outputs[1])
        count.fill(0)
        if x.numel() == 0:
            return
        found = (view(x) != 0).ravel()
        count[...] = found.sum()
        # The elements that are not zero come first, the others behind: the host need not wait for their number.
        places = cp.where(found, cp.cumsum(found), found.sum() + cp.cumsum(~found)) - 1
        indices = _room_for(outputs[0], found.size, x.ndim)
        number, stride = cp.arange(found.size), found.size
        for axis, extent in enumerate(x.shape):  # cp.unravel_index would wait for the device, to look at the numbers
            stride //= extent
            indices[places, axis] = number // stride % extent


def _room_for(tensor, rows, width):
    """Return an array over the memory of an output whose dimension is not known yet."""
    memory = cp.cuda.UnownedMemory(tensor.data_ptr, rows * width * 4, tensor)
    return cp.ndarray((rows, width), np.int32, cp.cuda.MemoryPointer(memory, 0))


def view(tensor):
    """Return an array over a tensor's memory; ``cp.asarray(tensor)`` would wait for the stream first."""
    dtype = np.dtype(trt.nptype(tensor.dtype))
    memory = cp.cuda.UnownedMemory(tensor.data_ptr, tensor.numel() * dtype.itemsize, tensor)
    return cp.ndarray(tuple(tensor.shape), dtype, cp.cuda.MemoryPointer(memory, 0))
