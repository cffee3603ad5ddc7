"""Leaky ReLU as a decorated plugin, compiled ahead of time: the engine has its kernel and needs no Python.

The slope is compiled in, since a kernel gets symbolic integers alone. The tactic is the number of threads in a block.
FLOAT only. Without a GPU the function in ``leaky_relu_aot_cases.py`` is the kernel's stand-in.
"""

import functools

import tensorrt.plugin as trtp

try:
    from cuda.bindings import nvrtc
except ImportError:  # cuda-python before 12.8
    from cuda import nvrtc

SOURCE = """
extern "C" __global__ void leaky_relu(const float* x, int count, float* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) y[i] = x[i] > 0.0f ? x[i] : x[i] * SLOPE;
}
"""


def checked(answer):
    """Return the outputs of a call of NVRTC without its status; raise for a bad status."""
    status, *results = answer
    if status.value != 0:
        raise RuntimeError(f"{status!r}")
    return results[0] if len(results) == 1 else results


@functools.cache
def ptx(slope):
    """Return the kernel's PTX, compiled once for each slope."""
    program = checked(nvrtc.nvrtcCreateProgram(SOURCE.encode(), b"leaky_relu.cu", 0, [], []))
    options = [b"--gpu-architecture=compute_75", f"-DSLOPE={slope!r}f".encode()]
    checked(nvrtc.nvrtcCompileProgram(program, len(options), options))
    image = b" " * checked(nvrtc.nvrtcGetPTXSize(program))  # it is written to, as NVIDIA's samples have it
    checked(nvrtc.nvrtcGetPTX(program, image))
    checked(nvrtc.nvrtcDestroyProgram(program))
    return image


@trtp.register("example::leaky_relu")
def leaky_relu(x: trtp.TensorDesc, slope: float) -> trtp.TensorDesc:
    return x.like()


@trtp.autotune("example::leaky_relu")
def leaky_relu_ways(x: trtp.TensorDesc, outputs: tuple[trtp.TensorDesc]) -> list[trtp.AutoTuneCombination]:
    return [trtp.AutoTuneCombination("FP32, FP32", "LINEAR", [128, 256])]


@trtp.aot_impl("example::leaky_relu")
def leaky_relu_kernel(
    x: trtp.TensorDesc, slope: float, outputs: tuple[trtp.TensorDesc], tactic: int
) -> tuple[str, bytes, trtp.KernelLaunchParams, trtp.SymIntExprs]:
    count = x.shape_expr.numel()
    launch = trtp.KernelLaunchParams(grid_x=trtp.cdiv(count, tactic), block_x=tactic)
    return "leaky_relu", ptx(slope), launch, trtp.SymIntExprs.from_tuple([trtp.SymInt32(count)])
