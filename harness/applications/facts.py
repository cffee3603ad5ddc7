"""Record facts about a context, a network or a registry just before the application calls it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from reference_runtime.devices import host
from reference_runtime.instruments import host_array, live_context
from reference_runtime.levels import applied
from reference_runtime.levels.v8_6.profiles import profile_of
from reference_runtime.values import formats
from reference_runtime.values.enums import TensorLocation
from reference_runtime.values.refusals import Refused

if TYPE_CHECKING:
    from harness.applications.names import Names
    from harness.applications.references import Ref
    from reference_runtime import IExecutionContext
    from reference_runtime.instruments import LiveContext

UNKNOWN = -1


class Room(msgspec.Struct, frozen=True):
    """The device memory from an address to the end of its allocation: its bytes, and whether it was freed."""

    nbytes: int
    is_freed: bool


class TensorFacts(msgspec.Struct, frozen=True):
    """An input or output of a context.

    Attributes:
        name: Its name.
        is_input: Whether it is an input.
        is_host: Whether it is on the host.
        dims: Its shape, with -1 for unknown dimensions; None if shapes cannot be inferred.
        address: Its address; 0 if none was set.
        nbytes: The bytes that its shape needs, for data-dependent dimensions the maximum; None if unknown.
        room: The device memory at the address; None on the host, and if the address is in no device memory.
        allocator: The output allocator for its memory; None if there is none.
        values: The values of a shape input on the host; None for other tensors.
    """

    name: str
    is_input: bool
    is_host: bool
    dims: tuple[int, ...] | None
    address: int
    nbytes: int | None
    room: Room | None
    allocator: Ref | None
    values: tuple[int, ...] | None = None


class ContextFacts(msgspec.Struct, frozen=True):
    """A context just before a call.

    Attributes:
        engine: Its engine.
        profile: The active profile; -1 for none.
        profiles: The number of the engine's profiles.
        dynamic: The inputs whose shapes have to be set.
        missing: The inputs whose shapes are not set, and the shape inputs without an address.
        clash: Why shapes cannot be inferred although all are set; empty if they can.
        tensors: Its inputs and outputs.
        memory: Address and size of the device memory that the application provides; None if the context has its own.
        needed: The bytes of device memory that the shapes need; None if unknown.
        has_switched_before: For an execution: whether its stream waits for the last switch of the profile; None if no
            switch is pending.
    """

    engine: Ref
    profile: int
    profiles: int
    dynamic: tuple[str, ...]
    missing: tuple[str, ...]
    clash: str
    tensors: tuple[TensorFacts, ...]
    memory: tuple[int, int] | None
    needed: int | None
    has_switched_before: bool | None = None

    def tensor(self, name: object) -> TensorFacts | None:
        """Return an input or output, or None."""
        return next((tensor for tensor in self.tensors if tensor.name == name), None)

    @property
    def inputs(self) -> list[TensorFacts]:
        """Return the inputs."""
        return [tensor for tensor in self.tensors if tensor.is_input]

    @property
    def outputs(self) -> list[TensorFacts]:
        """Return the outputs."""
        return [tensor for tensor in self.tensors if not tensor.is_input]


def of_context(context: IExecutionContext, names: Names, arguments: Mapping[str, Any]) -> ContextFacts:
    """Return the facts of a context before a call; the call's ``bindings`` replace the addresses that were set."""
    live = live_context(context)
    addresses = _addresses(live, arguments.get("bindings"))
    batch = _implicit_batch(context, arguments)
    missing = tuple(live.shapes.missing(addresses)) if batch is None else ()
    facts: Sequence[Any] | None = None
    clash = ""
    if not missing and batch is None:
        try:
            facts = live.shapes.facts(addresses)
        except Refused as refused:
            clash = str(refused)
    stream = names.plain(arguments.get("stream_handle"))
    return ContextFacts(
        engine=names.of(context.engine),
        profile=profile_of(context) if applied() == "8.6" else live.shapes.profile,
        profiles=len(live.engine.plan.profiles),
        dynamic=tuple(each.name for each in live.engine.plan.inputs if batch is None and UNKNOWN in each.desc.dims),
        missing=missing,
        clash=clash,
        tensors=tuple(_tensors(live, names, addresses, facts, batch)),
        memory=live.memory.application_memory if live.memory.is_managed_by_user else None,
        needed=live.memory.needed(facts) if facts is not None else None,
        has_switched_before=live.waits_for_switch(int(stream)) if stream is not None and is_stream(stream) else None,
    )


def room_at(address: int) -> Room | None:
    """Return the device memory from an address on; None if the address is in no device memory."""
    buffer = host.buffer_at(address) if address else None
    return None if buffer is None else Room(max(buffer.address + buffer.nbytes - address, 0), buffer.freed)


def is_stream(handle: Any) -> bool:
    """Return whether a value is the handle of a stream of this process."""
    return isinstance(handle, int) and host.is_stream(handle)


def _addresses(live: LiveContext, bindings: Any) -> dict[int, int]:
    """Return the addresses by the indices of tensors; from a list of bindings, the part of the active profile."""
    if not isinstance(bindings, (list, tuple)):
        return dict(live.addresses)
    count = len(live.engine.plan.io)
    begin = live.shapes.profile * count if len(bindings) > count else 0
    addresses = [int(address) for address in bindings[begin : begin + count]]
    return {place: address or live.addresses.get(place, 0) for place, address in enumerate(addresses)}


def _implicit_batch(context: IExecutionContext, arguments: Mapping[str, Any]) -> int | None:
    """Return the batch size of an execution of a network with implicit batch; None for other networks."""
    if applied() != "8.6" or not context.engine.has_implicit_batch_dimension:
        return None
    batch = arguments.get("batch_size", 1)
    return batch if isinstance(batch, int) and batch > 0 else 1


def _tensors(
    live: LiveContext, names: Names, addresses: Mapping[int, int], facts: Sequence[Any] | None, batch: int | None
) -> Iterator[TensorFacts]:
    inputs = len(live.engine.plan.inputs)
    for place, tensor in enumerate(live.engine.plan.io):
        is_host = tensor.location == TensorLocation.HOST
        address = addresses.get(place, 0)
        dims = tuple(live.shapes.shape_so_far(place)) if place < inputs else None
        if facts is not None:
            dims = tuple(facts[place].dims)
        elif batch is not None:
            dims = tuple(batch if extent == UNKNOWN else extent for extent in tensor.desc.dims)
        allocator = live.output_allocators.get(place)
        yield TensorFacts(
            name=tensor.name,
            is_input=place < inputs,
            is_host=is_host,
            dims=dims,
            address=address,
            nbytes=_nbytes(tensor.desc, dims, facts[place].bound if facts is not None else None),
            room=None if is_host else room_at(address),
            allocator=None if allocator is None else names.of(allocator),
            values=_values(tensor.desc, dims, address) if is_host and place < inputs else None,
        )


def _nbytes(desc: Any, dims: tuple[int, ...] | None, bound: Any) -> int | None:
    known = dims if dims is not None and UNKNOWN not in dims else bound
    return None if known is None or UNKNOWN in known else formats.nbytes(desc.sized(tuple(known)))


def _values(desc: Any, dims: tuple[int, ...] | None, address: int) -> tuple[int, ...] | None:
    if not address or dims is None or UNKNOWN in dims or host.is_device_address(address):
        return None
    return tuple(int(value) for value in host_array(desc.sized(dims), address).reshape(-1))
