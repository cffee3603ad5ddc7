"""The settings for the timing of a layer, and device memory for each run."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from msgspec import Struct

from reference_runtime.values import formats
from reference_runtime.values.refusals import Reason, Refused

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from reference_runtime.builder.work import Point
    from reference_runtime.calling.gate.gate import Gate
    from reference_runtime.calling.gate.scheduler import Scheduler
    from reference_runtime.devices.base import Buffer, Device, Stream
    from reference_runtime.network.graph.graph_parts import Tensor
    from reference_runtime.values.descriptions import Description, Range


class LayerTiming(Struct, frozen=True):
    """The settings for the timing of a layer; ``tensors`` has its ``num_inputs`` inputs, then its outputs."""

    gate: Gate
    scheduler: Scheduler
    device: Device
    workspace_limit: int
    iterations: int
    num_inputs: int
    tensors: Sequence[Tensor]
    points: Sequence[Point]
    aliases: Sequence[int] = ()
    """For each output the input whose memory it shares, or -1."""

    @property
    def profiles(self) -> list[list[Range]]:
        """For each profile the range of each tensor of the layer."""
        return [[point.ranges[tensor] for tensor in self.tensors] for point in self.points]

    def allowed_workspace(self, size: int) -> int:
        """Return the workspace size that a layer gets: its request, or raise `Refused` if that is too large."""
        if size > self.workspace_limit:
            why = f"the plugin needs {size} bytes of workspace, and {self.workspace_limit} are allowed"
            raise Refused(why, Reason.NO_IMPLEMENTATION)
        return size


class Addresses(Struct, frozen=True):
    """The addresses of a plugin's tensors."""

    inputs: list[int]
    outputs: list[int]
    workspace: int
    stream: Stream


@contextmanager
def lent(timing: LayerTiming, described: Sequence[Description], workspace: int) -> Iterator[Addresses]:
    """Provide memory for one run and free it afterwards: inputs are zero, outputs and workspace have stray content."""
    count, device = timing.num_inputs, timing.device
    buffers: list[Buffer] = []

    def allocate(size: int, label: str) -> Buffer:
        buffers.append(device.allocate(size, label=label))
        return buffers[-1]

    try:
        inputs = [allocate(formats.nbytes(desc), f"input {place}") for place, desc in enumerate(described[:count])]
        for buffer in inputs:
            buffer.fill(0)
        outputs = [
            inputs[source] if source >= 0 else allocate(formats.nbytes(desc), f"output {place}")
            for place, (desc, source) in enumerate(zip(described[count:], _shared(timing), strict=True))
        ]
        scratch = allocate(workspace, "workspace").address if workspace else 0
        yield Addresses(_addresses(inputs), _addresses(outputs), scratch, device.new_stream())
    finally:
        for buffer in buffers:
            buffer.free()


def _shared(timing: LayerTiming) -> Sequence[int]:
    return timing.aliases or [-1] * (len(timing.tensors) - timing.num_inputs)


def _addresses(buffers: Sequence[Buffer]) -> list[int]:
    return [buffer.address for buffer in buffers]
