"""Provide the memory of a context, and compute its layout.

Theory. A context allocates for all profiles when it is created (STATIC), or for the active profile whenever that
changes (ON_PROFILE_CHANGE). Or it uses the application's memory (USER_MANAGED). An allocator that the application has
set for the runtime provides the memory for the maximum shapes. Without an allocator the device provides only as much as
the current shapes need. Other code may use USER_MANAGED memory between executions, so its content is then unknown.

The outputs of a plugin need not grow with its inputs. So some shapes may need more memory than the maximum shapes. The
context's own memory then grows; the application's is refused as too small.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reference_runtime.application import allocators
from reference_runtime.devices.base import ALIGNMENT
from reference_runtime.devices.records import DeviceFault
from reference_runtime.engine.activations import Activations
from reference_runtime.values.enums_building import ExecutionContextAllocationStrategy as Strategy
from reference_runtime.values.refusals import Reason, Refused

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from reference_runtime.devices.base import Arena
    from reference_runtime.engine.activations import Key
    from reference_runtime.engine.loading import LiveEngine
    from reference_runtime.engine.memory_plan import Layout
    from reference_runtime.shapes.tensor_facts import ValueFacts
    from reference_runtime.values.descriptions import Extents


def memory_sizes(engine: LiveEngine) -> list[int]:
    """Return the bytes of a context's arena for each profile: the need of its maximum dimensions."""
    return [_foreseen(engine, profile).size for profile in range(len(engine.plan.profiles))]


def _foreseen(engine: LiveEngine, profile: int) -> Layout[Key]:
    layouts = engine.demand.layouts
    if profile not in layouts:
        layouts[profile] = engine.demand.layout(_greatest(engine, profile))
    return layouts[profile]


def _greatest(engine: LiveEngine, profile: int) -> list[Extents]:
    ranges = engine.ranges[profile]
    return [ranges[place][2] for place in range(len(engine.plan.tensors))]


class ContextMemory:
    """The arena of one context."""

    def __init__(self, engine: LiveEngine, strategy: Strategy, allocator: Any = None) -> None:
        self._engine = engine
        self._allocator = allocator
        self.strategy = strategy
        self._arena: Arena | None = None
        self._release: Callable[[], None] = lambda: None
        self._application_memory = (0, 0)
        self.activations = Activations()
        if strategy == Strategy.STATIC:
            self._foresee(max(memory_sizes(engine)))
        elif strategy == Strategy.ON_PROFILE_CHANGE:
            self.switch(0)

    @property
    def is_managed_by_user(self) -> bool:
        """Return whether the application provides the memory."""
        return bool(self.strategy == Strategy.USER_MANAGED)

    @property
    def application_memory(self) -> tuple[int, int]:
        """The address and the size in bytes of the application's memory; 0 and 0 if none was set."""
        return self._application_memory

    def switch(self, profile: int) -> None:
        """Allocate for another profile, if the strategy is ON_PROFILE_CHANGE."""
        if self.strategy == Strategy.ON_PROFILE_CHANGE:
            self._foresee(_foreseen(self._engine, profile).size)

    def give(self, address: int, size: int) -> None:
        """Use the application's memory for later executions, or raise `Refused`."""
        if not self.is_managed_by_user:
            raise Refused(
                "the context manages its memory itself: create it with ExecutionContextAllocationStrategy.USER_MANAGED"
            )
        if address % ALIGNMENT:
            raise Refused(f"device memory has to begin at a multiple of {ALIGNMENT}, and {address:#x} is none")
        if size < 0:
            raise Refused(f"device memory cannot have {size} bytes")
        self._close_arena()
        self._application_memory = (address, size)

    def give_all(self, address: int) -> None:
        """Use the application's memory of the size that the engine announces, or raise `Refused`."""
        self.give(address, max(memory_sizes(self._engine)))

    def needed(self, facts: Sequence[ValueFacts]) -> int:
        """Return the bytes that the current dimensions need."""
        return self._engine.demand.layout([one.bound for one in facts]).size

    def arrange(self, facts: Sequence[ValueFacts], profile: int) -> None:
        """Arrange the memory for the current dimensions, or raise `Refused`."""
        demand, extents = self._engine.demand, [one.bound for one in facts]
        layout = demand.layout(extents)
        if self.is_managed_by_user:
            self._open_application_memory(layout.size)
        room = 0 if self._arena is None else self._arena.nbytes
        if layout.size > room:
            layout = self._fallback(layout, extents, profile, room)
        self.activations = Activations(self._arena)
        if self._arena is not None:
            self.activations.place(demand, layout, extents)

    def close(self) -> None:
        """Free all memory."""
        self.activations = Activations()
        self._close_arena()

    def _fallback(self, layout: Layout[Key], extents: Sequence[Extents], profile: int, room: int) -> Layout[Key]:
        """Return the profile's layout if it has room for all pieces; else allocate for the new ``layout``."""
        foreseen = _foreseen(self._engine, profile)
        least = {need.key: need.nbytes for need in self._engine.demand.needs(_greatest(self._engine, profile))}
        fits = all(need.nbytes <= least[need.key] for need in self._engine.demand.needs(extents))
        if fits and foreseen.size <= room:
            return foreseen
        if self.is_managed_by_user:
            why = f"the context needs {layout.size} bytes of device memory, and {room} were set with set_device_memory"
            raise Refused(why)
        self._allocate(layout.size)
        return layout

    def _foresee(self, size: int) -> None:
        """Ask the application's allocator for the maximum; memory of the device is allocated on demand."""
        self._close_arena()
        if self._allocator is not None:
            self._allocate(size)

    def _allocate(self, size: int) -> None:
        self._close_arena()
        if size == 0:
            return
        device = self._engine.around.device
        if self._allocator is None:
            buffer = allocators.of_device(device, size, "device memory of a context")
            address, self._release = buffer.address, buffer.free
        else:
            address = self._ask(size)
        try:
            self._arena = device.arena(address, size, shared=False)
        except DeviceFault as fault:
            raise Refused(f"the memory of the allocator is of no use: {fault}", Reason.INTERNAL) from fault

    def _ask(self, size: int) -> int:
        gate, allocator = self._engine.around.gate, self._allocator
        address = allocators.allocate(gate, allocator, size, ALIGNMENT)
        if not address:
            raise Refused(f"the allocator gave no memory for {size} bytes", Reason.INTERNAL)
        self._release = lambda: _give_back(gate, allocator, address)
        if address % ALIGNMENT:
            self._close_arena()
            raise Refused(f"the allocator gave {address:#x}, which is not a multiple of {ALIGNMENT}", Reason.INTERNAL)
        return address

    def _open_application_memory(self, size: int) -> None:
        address, bytes_set = self._application_memory
        if self._arena is not None or not size:
            return
        if not address:
            raise Refused("the context has no device memory: call set_device_memory before it is executed")
        try:
            self._arena = self._engine.around.device.arena(address, bytes_set, shared=True)
        except DeviceFault as fault:
            raise Refused(f"the memory of set_device_memory is of no use: {fault}") from fault

    def _close_arena(self) -> None:
        if self._arena is not None:
            self._arena.close()
        self._arena = None
        release, self._release = self._release, lambda: None
        release()


def _give_back(gate: Any, allocator: Any, address: int) -> None:
    allocators.deallocate(gate, allocator, address)
