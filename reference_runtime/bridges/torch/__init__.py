"""Adapt torch: calls for CUDA run on the CPU, on the memory of the host device.

Theory. A ``TorchFunctionMode`` intercepts every call. If a call names a CUDA device, the CPU takes its place. The
result counts as a CUDA tensor, which ``is_cuda`` and ``device`` report. An object with ``__cuda_array_interface__``,
such as a binding of a plugin, becomes a tensor over the same memory. Work on that memory is recorded on torch's current
stream. Memory that torch allocates itself is recorded only after its address was read.
"""

from reference_runtime.bridges.torch.adapting import adapt

__all__ = ["adapt"]
