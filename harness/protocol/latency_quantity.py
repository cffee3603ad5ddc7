"""List the latencies of ``enqueue`` that can be measured, their meaning, and what is needed to measure each."""

from __future__ import annotations

import enum


class Group(enum.Enum):
    """A group of quantities that are measured together, in one process."""

    STEADY = "steady"
    FIRST_CALL = "first_call"
    AFTER_DESERIALIZE = "after_deserialize"
    SHAPE_SWITCH = "shape_switch"


class Quantity(enum.Enum):
    """One latency; each has its own name, because no two of them can be compared."""

    HOST_ENQUEUE = "host_enqueue"
    HOST_ENQUEUE_NET = "host_enqueue_net"
    DEVICE_HOT = "device_hot"
    DEVICE_HOT_NET = "device_hot_net"
    DEVICE_COLD = "device_cold"
    DEVICE_COLD_NET = "device_cold_net"
    FIRST_CALL = "first_call"
    AFTER_DESERIALIZE = "after_deserialize"
    SHAPE_SWITCH = "shape_switch"

    @property
    def needs_gpu(self) -> bool:
        """Return whether only a GPU can measure the quantity."""
        return self.value.startswith("device")

    @property
    def group(self) -> Group:
        """Return the group of quantities with which it is measured."""
        alone = {group.value: group for group in Group}
        return alone.get(self.value, Group.STEADY)

    @property
    def meaning(self) -> str:
        """Return a line that describes the quantity."""
        return _MEANINGS[self]


_MEANINGS = {
    Quantity.HOST_ENQUEUE: "time of the call on the host, by way of the reference runtime",
    Quantity.HOST_ENQUEUE_NET: "the same, less that of an empty plugin with as many inputs and outputs",
    Quantity.DEVICE_HOT: "time of one call on the device, from replays of a graph with many calls",
    Quantity.DEVICE_HOT_NET: "the same, less that of an empty kernel",
    Quantity.DEVICE_COLD: "time of one call on the device that finds nothing in the L2 cache",
    Quantity.DEVICE_COLD_NET: "the same, less that of an empty kernel under the same conditions",
    Quantity.FIRST_CALL: "first call in a process, until its work is done",
    Quantity.AFTER_DESERIALIZE: "first call of a deserialized plugin in a process, until its work is done",
    Quantity.SHAPE_SWITCH: "first call after the shapes changed, until its work is done",
}
