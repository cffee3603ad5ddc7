"""``cuda``, the package of cuda-python, on the host device: ``cuda.bindings``, and ``cuda.cuda`` and so on of old.

The calls that plugins make are here, on the memory and the streams of the host device. NVRTC compiles nothing: what it
makes holds the source, and where a kernel is launched the case's stand-in for it runs.
"""

from reference_runtime.bridges.cuda_python.bindings import driver as cuda
from reference_runtime.bridges.cuda_python.bindings import nvrtc
from reference_runtime.bridges.cuda_python.bindings import runtime as cudart

__all__ = ["cuda", "cudart", "nvrtc"]
