"""Lend `IPluginResourceContext` to C++ plugins; it returns the allocator of the execution context."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reference_runtime.native.abi.tables import Table, Words
from reference_runtime.native.exchange.misuses import note

if TYPE_CHECKING:
    from reference_runtime.native.abi.slots import Abi
    from reference_runtime.native.elf.loading import Pairs


class ResourceContexts:
    """The contexts and allocators that were lent, by their addresses."""

    def __init__(self, abi: Abi, pairs: Pairs) -> None:
        methods: dict[str, Any] = {"getGpuAllocator": self._gpu_allocator}
        self._context_table = Table(abi, "IPluginResourceContext", methods)
        allocating: dict[str, Any] = {
            "allocate": lambda this, size, align, flags: self._allocate(this, size, align, flags, 0),
            "allocateAsync": self._allocate,
            "deallocate": lambda this, memory: self._free(this, memory, 0),
            "deallocateAsync": self._free,
        }
        self._allocator_table = Table(abi, "IGpuAllocator", allocating, info=pairs.function("IGpuAllocator", 1, 0))
        self._lent: dict[int, tuple[Any, Words]] = {}

    def lend(self, context: Any) -> int:
        """Return the address of a context's C++ object, which stays valid; 0 for None."""
        return 0 if context is None else self._lend(context, self._context_table)

    def _lend(self, value: Any, table: Table) -> int:
        for address, (known, _) in self._lent.items():
            if known is value:
                return address
        words = Words(table.address)
        self._lent[words.address] = (value, words)
        return words.address

    def _gpu_allocator(self, this: int) -> int:
        allocator = self._lent[this][0].gpu_allocator
        return 0 if allocator is None else self._lend(allocator, self._allocator_table)

    def _allocate(self, this: int, size: int, align: int, flags: int, stream: int | None) -> int:
        try:
            return int(self._lent[this][0].allocate_async(size, align, flags, stream or 0) or 0)
        except Exception as error:  # noqa: BLE001 - no exception may pass through C++
            note(error)
            return 0

    def _free(self, this: int, memory: int | None, stream: int | None) -> bool:
        try:
            return bool(self._lent[this][0].deallocate_async(memory or 0, stream or 0))
        except Exception as error:  # noqa: BLE001 - as above
            note(error)
            return False
