"""``cuda``, the package of cuda-python, on the host device: ``cuda.bindings``, and the older ``cuda.cuda`` and so on.

The calls that plugins make are here, on the memory and the streams of the host device. NVRTC compiles nothing: its
output holds the source, and a launch of a kernel runs the case's stand-in for it.
"""

from reference_runtime.bridges.cuda_python.bindings import driver as cuda
from reference_runtime.bridges.cuda_python.bindings import nvrtc
from reference_runtime.bridges.cuda_python.bindings import runtime as cudart

__all__ = ["cuda", "cudart", "nvrtc"]
