"""Torch without a GPU: what it is asked to do on CUDA it does on the CPU, on the memory of the host device.

Theory. A mode of torch's own, ``TorchFunctionMode``, hears every call. Where a call names a CUDA device, the CPU takes
its place, and what comes of it counts as a tensor of the device: ``is_cuda`` and ``device`` say so. What offers
``__cuda_array_interface__`` becomes a tensor over that very memory, which is what plugins make of their bindings. Work
on it is recorded on torch's current stream; memory that torch allocates itself is not looked at.
"""

from reference_runtime.bridges.torch.adapting import adapt

__all__ = ["adapt"]
