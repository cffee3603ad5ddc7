"""Replace ``cuda``, the package of cuda-python: ``cuda.bindings``, and the older ``cuda.cuda`` and ``cuda.cudart``.

The functions that plugins call act on the memory and the streams of the host device. NVRTC compiles nothing; its output
is the source. A launch of a kernel runs the case's stand-in for the kernel.
"""

from reference_runtime.bridges.cuda_python.bindings import driver as cuda
from reference_runtime.bridges.cuda_python.bindings import nvrtc
from reference_runtime.bridges.cuda_python.bindings import runtime as cudart

__all__ = ["cuda", "cudart", "nvrtc"]
