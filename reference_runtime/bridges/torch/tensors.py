"""Which tensors count as the device's, and which of them lie in memory of the host device."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Any

import numpy as np

from reference_runtime.bridges.cupy.creation import asarray
from reference_runtime.bridges.interfaces import memory_of
from reference_runtime.bridges.launches import Memory

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

__all__ = ["Tensors"]

_MARK = "_is_of_the_host_device"


class Tensors:
    """Tensors by their storage: where it lies on the host, and at which address of the device."""

    def __init__(self, torch: ModuleType) -> None:
        self._torch = torch
        self._places: dict[int, list[int]] = {}  # where a storage lies: the device's address, and how many share it

    def over(self, owner: Any) -> Any:
        """Return a tensor over the memory that an object describes by ``__cuda_array_interface__``, and keep that."""
        memory = memory_of(owner.__cuda_array_interface__)
        tensor = self._torch.from_numpy(memory.elements)
        if memory.nbytes:
            place = tensor.untyped_storage().data_ptr()
            self._places.setdefault(place, [memory.address, 0])[1] += 1
            weakref.finalize(memory.elements, self._leave, place, owner).atexit = False
        return self.mark(tensor)

    def mark(self, tensor: Any) -> Any:
        """Return a tensor that from now on counts as one of the device's."""
        setattr(tensor, _MARK, True)
        return tensor

    def is_marked(self, value: Any) -> bool:
        """Tell whether a value is a tensor of the device's."""
        return isinstance(value, self._torch.Tensor) and getattr(value, _MARK, False)

    def memory(self, tensor: Any) -> Memory | None:
        """Return where a tensor lies on the device; None where torch allocated it."""
        place = tensor.untyped_storage().data_ptr()
        if place not in self._places or tensor.numel() == 0:
            return None
        spread = sum((n - 1) * step for n, step in zip(tensor.shape, tensor.stride(), strict=True))
        offset, nbytes = tensor.data_ptr() - place, (spread + 1) * tensor.element_size()
        return Memory(self._places[place][0] + offset, nbytes, np.empty(0))

    def interface(self, tensor: Any) -> dict[str, Any]:
        """Return the interface of a tensor of the device's; what torch allocated is copied to the device first."""
        found = self.memory(tensor)
        elements = tensor.detach().numpy()
        if found is None:
            array = asarray(elements)
            setattr(tensor, "_on_the_host_device", array)  # noqa: B010 - a tensor declares no such attribute
            facts: dict[str, Any] = array.__cuda_array_interface__
            return {**facts, "version": 2, "stream": None}
        return {
            "shape": tuple(tensor.shape),
            "typestr": elements.dtype.str,
            "strides": None if tensor.is_contiguous() else elements.strides,
            "data": (found.address, False),
            "version": 2,
        }

    def among(self, values: Any) -> Iterator[Any]:
        """Yield the tensors among some values, however deep."""
        if isinstance(values, self._torch.Tensor):
            yield values
        elif isinstance(values, (list, tuple)):
            for value in values:
                yield from self.among(value)
        elif isinstance(values, dict):
            yield from self.among(list(values.values()))

    def share_storage(self, results: list[Any], givens: list[Any]) -> bool:
        """Tell whether all results are views of what was given."""
        storages = {given.untyped_storage().data_ptr() for given in givens}
        return all(result.untyped_storage().data_ptr() in storages for result in results)

    def _leave(self, place: int, _owner: Any) -> None:
        known = self._places[place]
        known[1] -= 1
        if not known[1]:
            del self._places[place]
