"""A CUDA device for Compute Sanitizer, which checks the accesses of kernels: each tensor is a separate allocation.

Theory. For the sanitizer, an access to a guard band or to free memory of a pool is in bounds. So there are no guard
bands, and CuPy allocates each array from CUDA. Memory is not poisoned either: for the sanitizer, filled memory is
initialised. The device does not record calls of the driver, because CUPTI and the sanitizer exclude each other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference_runtime.devices import cuda_api
from reference_runtime.devices.cuda import CudaDevice
from reference_runtime.devices.cuda_memory import CudaBuffer

if TYPE_CHECKING:
    from reference_runtime.devices.records import Damage, Owner, Source


class BareBuffer(CudaBuffer):
    """One allocation, without guard bands and poison."""

    def fill(self, byte: int) -> None:
        """Leave the memory as it is."""

    def poison(self, seed: int = 0) -> None:
        """Leave the memory as it is."""

    def damage(self) -> list[Damage]:
        """Return an empty list, because there are no guard bands."""
        return []


class BareCudaDevice(CudaDevice):
    """The current device of CUDA; its buffers have no guard bands."""

    def __init__(self) -> None:
        super().__init__(listening=False)
        cuda_api.leave_pool()

    def allocate(
        self, nbytes: int, *, label: str = "", owner: Owner = "runtime", source: Source = "malloc"
    ) -> BareBuffer:
        """Return new memory of exactly ``nbytes`` bytes, one at least, with unspecified content."""
        if nbytes < 0:
            raise ValueError(f"cannot allocate {nbytes} bytes")
        address = cuda_api.runtime().malloc(max(nbytes, 1))
        return BareBuffer(address, nbytes, label=label, owner=owner, source=source, on_free=self._release)

    def _release(self, buffer: CudaBuffer) -> None:
        buffer.freed = True
        cuda_api.runtime().free(buffer.address)
