"""Receive the data-dependent dimensions of outputs, which a context reports only to the outputs' allocators."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from reference_runtime.devices.host import HostBuffer
    from reference_runtime.values.descriptions import Description


@contextlib.contextmanager
def reported_sizes(
    trt: Any, context: Any, tensors: dict[str, Description], buffers: dict[str, HostBuffer]
) -> Iterator[dict[str, Description]]:
    """Give a copy of ``tensors``, which receives the data-dependent dimensions when the context runs in the block.

    The allocators return the memory in ``buffers``.
    """
    decided, unknown = dict(tensors), [name for name, desc in tensors.items() if -1 in desc.dims]

    class Memory(trt.IOutputAllocator):  # type: ignore[misc] # a class of the API level's tensorrt module
        def reallocate_output(self, name: str, *_: int) -> int:
            return buffers[name].address

        def notify_shape(self, name: str, shape: Iterable[int]) -> None:
            decided[name] = tensors[name].sized(tuple(shape))

    memory = Memory() if unknown else None
    for name in unknown:
        context.set_output_allocator(name, memory)
    yield decided
    for name in unknown:
        context.set_output_allocator(name, None)
