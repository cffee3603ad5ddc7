"""Keep track of the tensors that count as CUDA tensors, and of their addresses on the host device."""

from __future__ import annotations

import ctypes
import weakref
from typing import TYPE_CHECKING, Any

import numpy as np

from reference_runtime.bridges.interfaces import memory_of
from reference_runtime.bridges.launches import Memory
from reference_runtime.devices import host

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

    from reference_runtime.devices.host_buffers import HostBuffer

__all__ = ["Tensors"]

_MARK = "_is_of_the_host_device"


class Tensors:
    """Maps the storage of tensors: from its address on the host to its address on the device."""

    def __init__(self, torch: ModuleType) -> None:
        self._torch = torch
        self._places: dict[int, list[int]] = {}  # for each storage: its device address, and how many tensors share it

    def over(self, owner: Any) -> Any:
        """Return a tensor over the memory of an object with ``__cuda_array_interface__``; the tensor keeps it alive."""
        memory = memory_of(owner.__cuda_array_interface__)
        tensor = self._torch.from_numpy(memory.elements)
        if memory.nbytes:
            place = tensor.untyped_storage().data_ptr()
            self._places.setdefault(place, [memory.address, 0])[1] += 1
            weakref.finalize(memory.elements, self._leave, place, owner).atexit = False
        return self.mark(tensor)

    def mark(self, tensor: Any) -> Any:
        """Mark a tensor as a CUDA tensor, and return it."""
        setattr(tensor, _MARK, True)
        return tensor

    def is_marked(self, value: Any) -> bool:
        """Return whether a value is a tensor that was marked as a CUDA tensor."""
        return isinstance(value, self._torch.Tensor) and getattr(value, _MARK, False)

    def memory(self, tensor: Any) -> Memory | None:
        """Return a tensor's memory on the device; None if it has no device address, or no elements."""
        place = tensor.untyped_storage().data_ptr()
        if place not in self._places or tensor.numel() == 0:
            return None
        spread = sum((n - 1) * step for n, step in zip(tensor.shape, tensor.stride(), strict=True))
        offset, nbytes = tensor.data_ptr() - place, (spread + 1) * tensor.element_size()
        return Memory(self._places[place][0] + offset, nbytes, np.empty(0))

    def address(self, tensor: Any) -> int:
        """Return a tensor's device address; memory that torch allocated gets its device address here."""
        if tensor.numel() == 0:
            return 0
        storage = tensor.untyped_storage()
        place = storage.data_ptr()
        if place not in self._places:
            memory = np.ctypeslib.as_array((ctypes.c_ubyte * storage.nbytes()).from_address(place))
            lent = host.current_device().borrow(memory, label="torch")
            self._places[place] = [lent.address, 1]
            weakref.finalize(storage, self._give_back, place, lent).atexit = False
        memory_there = self.memory(tensor)
        return 0 if memory_there is None else memory_there.address

    def interface(self, tensor: Any) -> dict[str, Any]:
        """Return the ``__cuda_array_interface__`` of a tensor."""
        elements = tensor.detach().numpy()
        return {
            "shape": tuple(tensor.shape),
            "typestr": elements.dtype.str,
            "strides": None if tensor.is_contiguous() else elements.strides,
            "data": (self.address(tensor), False),
            "version": 2,
        }

    def among(self, values: Any) -> Iterator[Any]:
        """Yield the tensors among some values, also in nested lists, tuples and dictionaries."""
        if isinstance(values, self._torch.Tensor):
            yield values
        elif isinstance(values, (list, tuple)):
            for value in values:
                yield from self.among(value)
        elif isinstance(values, dict):
            yield from self.among(list(values.values()))

    def share_storage(self, results: list[Any], arguments: list[Any]) -> bool:
        """Return whether each result shares the storage of an argument."""
        storages = {argument.untyped_storage().data_ptr() for argument in arguments}
        return all(result.untyped_storage().data_ptr() in storages for result in results)

    def _give_back(self, place: int, lent: HostBuffer) -> None:
        del self._places[place]
        lent.free()

    def _leave(self, place: int, _owner: Any) -> None:
        known = self._places[place]
        known[1] -= 1
        if not known[1]:
            del self._places[place]
