"""Record what a context passes to the allocators of its outputs: the data-dependent dimensions."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from reference_runtime.devices.host import HostBuffer
    from reference_runtime.values.descriptions import Description


@contextlib.contextmanager
def told_sizes(
    trt: Any, context: Any, tensors: dict[str, Description], buffers: dict[str, HostBuffer]
) -> Iterator[dict[str, Description]]:
    """Give what describes the tensors; the dimensions that data decide are filled in when the context has run.

    TensorRT reports these dimensions only to the output's allocator.
    """
    decided, unknown = dict(tensors), [name for name, desc in tensors.items() if -1 in desc.dims]

    class Memory(trt.IOutputAllocator):  # type: ignore[misc] # TensorRT as it is at this level
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
