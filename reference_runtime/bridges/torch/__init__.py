"""Torch without a GPU: calls for CUDA run on the CPU, on the memory of the host device.

Theory. A mode of torch's own, ``TorchFunctionMode``, intercepts every call. If a call names a CUDA device, the CPU
takes its place. The result counts as a tensor of the device: ``is_cuda`` and ``device`` say so. An object with
``__cuda_array_interface__`` becomes a tensor over the same memory, as plugins do with their bindings. Work on it is
recorded on torch's current stream; memory that torch allocates itself is not checked.
"""

from reference_runtime.bridges.torch.adapting import adapt

__all__ = ["adapt"]
