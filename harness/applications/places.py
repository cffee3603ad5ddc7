"""List the memory that an application provides for tensors and contexts, and its defects."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from harness.applications.trace import EXECUTIONS

if TYPE_CHECKING:
    from harness.applications.facts import TensorFacts
    from harness.applications.trace import Trace, TracedCall

ALIGNMENT = 256


class MemoryUse(msgspec.Struct, frozen=True):
    """Memory that a call sets or uses; ``wrong`` is its defect, or empty."""

    call: TracedCall
    name: str
    wrong: str = ""
    expected: str = ""


def of_addresses(trace: Trace) -> Iterator[MemoryUse]:
    """Yield the memory of every address that is set, and of every tensor of an execution."""
    last = {(call.target, call.arguments.get("name")): call for call in trace.calls("set_tensor_address")}
    for call in trace.calls("set_tensor_address", *EXECUTIONS):
        if call.member == "set_tensor_address":
            is_last = call is last[call.target, call.arguments.get("name")]
            yield _set(call, matters=is_last or bool(call.facts.get("is_discarded")))
        elif not call.context.missing:
            for tensor in call.context.tensors:
                yield _used(call, tensor)


def _set(call: TracedCall, *, matters: bool) -> MemoryUse:
    """Judge an address that is set.

    A refused address does not matter if the application handles it and sets another.
    """
    name, address = str(call.arguments.get("name")), call.arguments.get("memory")
    tensor = call.context.tensor(name)
    is_wrong = isinstance(address, int) and address % ALIGNMENT != 0
    if is_wrong and matters and tensor is not None and not tensor.is_host:
        return MemoryUse(call, name, f"{address:#x} is not aligned", f"an address that is a multiple of {ALIGNMENT}")
    return MemoryUse(call, name)


def _used(call: TracedCall, tensor: TensorFacts) -> MemoryUse:
    if not tensor.address:
        has_one = tensor.allocator is not None or (tensor.is_host and not tensor.is_input)
        expected = "an address" if tensor.is_input else "an address or an output allocator"
        return MemoryUse(call, tensor.name, "" if has_one else "it has no address", expected)
    if tensor.is_host or tensor.allocator is not None:
        return MemoryUse(call, tensor.name)
    if tensor.address % ALIGNMENT:
        expected = f"an address that is a multiple of {ALIGNMENT}"
        return MemoryUse(call, tensor.name, f"{tensor.address:#x} is not aligned", expected)
    if tensor.room is None:
        return MemoryUse(call, tensor.name, f"{tensor.address:#x} is in no device memory", "the address of a buffer")
    is_known = tensor.dims is not None and -1 not in tensor.dims and tensor.nbytes is not None
    if is_known and not tensor.room.is_freed and tensor.room.nbytes < (tensor.nbytes or 0):
        wrong = f"its memory has {tensor.room.nbytes} bytes, and its shape {tensor.dims} needs {tensor.nbytes}"
        return MemoryUse(call, tensor.name, wrong, f"at least {tensor.nbytes} bytes")
    return MemoryUse(call, tensor.name)


def of_device_memory(trace: Trace) -> Iterator[MemoryUse]:
    """Yield the device memory of every call that provides it for a context, and of every execution that uses it."""
    for call in trace.calls("set_device_memory", "device_memory =", *EXECUTIONS):
        if call.member not in EXECUTIONS:
            address = call.arguments.get("memory", next(iter(call.arguments.values()), 0))
            is_aligned = isinstance(address, int) and address % ALIGNMENT == 0
            wrong = "" if is_aligned else f"{address} is not aligned"
            yield MemoryUse(call, "device memory", wrong, f"an address that is a multiple of {ALIGNMENT}")
        elif call.context.memory is not None and call.context.needed is not None:
            yield MemoryUse(call, "device memory", _too_small(call), f"at least {call.context.needed} bytes")


def _too_small(call: TracedCall) -> str:
    needed = call.context.needed or 0
    address, size = call.context.memory or (0, 0)
    if needed and not address:
        return f"none was given, and the shapes need {needed} bytes"
    if needed > size:
        return f"{size} bytes were given, and the shapes need {needed}"
    room = call.facts.get("memory_room")
    if needed and (room is None or room.is_freed or room.nbytes < needed):
        behind = "freed memory" if room is not None and room.is_freed else f"{room.nbytes if room else 0} bytes"
        return f"behind the address are {behind}, and the shapes need {needed} bytes"
    return ""
