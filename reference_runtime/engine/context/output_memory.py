"""Outputs whose memory the application provides on request, through an IOutputAllocator.

TensorRT asks in every execution, once the shape of the output is known. It asks for at least one byte, even for an
empty tensor, aligned to 256 bytes. The memory must be that large; without memory the execution fails. Then TensorRT
passes the shape. An output whose size depends on data is first written to memory of the context, as large as its bound.
Then it is copied.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reference_runtime.application import allocators
from reference_runtime.devices.base import ALIGNMENT
from reference_runtime.devices.records import DeviceFault
from reference_runtime.values import formats
from reference_runtime.values.refusals import Reason, Refused

if TYPE_CHECKING:
    from reference_runtime.engine.loading import EngineServices
    from reference_runtime.values.descriptions import Description


def provided(around: EngineServices, allocator: Any, name: str, desc: Description, *, current: int, stream: int) -> int:
    """Return the address for an output, and pass its shape.

    Raise `Refused` if the application gives no usable memory.
    """
    size = max(formats.nbytes(desc), 1)
    address = allocators.reallocate_output(around.gate, allocator, name, current, size, ALIGNMENT, stream)
    if not address:
        why = f"{name}: the output allocator gave no memory for {size} bytes"
        raise Refused(why, Reason.INTERNAL)
    if address % ALIGNMENT:
        raise Refused(f"{name}: the output allocator gave {address:#x}, which is not a multiple of {ALIGNMENT}")
    try:
        around.device.reach(address, size)
    except DeviceFault as fault:
        raise Refused(f"{name}: what the output allocator gave is of no use: {fault}", Reason.INTERNAL) from fault
    allocators.notify_shape(around.gate, allocator, name, desc.dims)
    return address
