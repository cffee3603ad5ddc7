"""A CUDA device for tools that look into kernels: each tensor is an allocation of its own, of exactly its bytes.

Theory. A guard band is memory like any other to a tool, and so is what a pool keeps: an access there is in bounds. So
there are none, CuPy asks CUDA for each array anew, and nothing is poisoned: to a tool, memory that was filled is memory
that somebody has initialised. Nobody listens to the driver, because CUPTI and such a tool exclude each other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference_runtime.devices import cuda_api
from reference_runtime.devices.cuda import CudaDevice
from reference_runtime.devices.cuda_memory import CudaBuffer

if TYPE_CHECKING:
    from reference_runtime.devices.records import Damage, Owner, Source

__all__ = ["BareBuffer", "BareCudaDevice"]


class BareBuffer(CudaBuffer):
    """One allocation, with nothing around it and nothing in it that was not asked for."""

    def fill(self, byte: int) -> None:
        """Leave the memory as it is."""

    def poison(self, seed: int = 0) -> None:
        """Leave the memory as it is."""

    def damage(self) -> list[Damage]:
        """Return nothing: there are no guard bands."""
        return []


class BareCudaDevice(CudaDevice):
    """The current device of CUDA, with nothing between a plugin and the memory that it is given."""

    def __init__(self) -> None:
        super().__init__(listening=False)
        cuda_api.leave_pool()

    def allocate(
        self, nbytes: int, *, label: str = "", owner: Owner = "runtime", source: Source = "malloc"
    ) -> BareBuffer:
        """Return new memory."""
        if nbytes < 0:
            raise ValueError(f"cannot allocate {nbytes} bytes")
        address = cuda_api.runtime().malloc(max(nbytes, 1))
        return BareBuffer(address, nbytes, label=label, owner=owner, source=source, on_free=self._release)

    def _release(self, buffer: CudaBuffer) -> None:
        buffer.freed = True
        cuda_api.runtime().free(buffer.address)
