"""Hold the device memory of one ``enqueue`` call: inputs, outputs and workspace."""

from __future__ import annotations

import contextlib
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import msgspec
import numpy as np

from harness.contract.finding import NeedsDeviceError
from reference_runtime.values import formats

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import numpy.typing as npt

    from reference_runtime.devices.host import HostBuffer, HostDevice
    from reference_runtime.values.descriptions import Description

NO_ALIASES: Final[Mapping[int, int]] = MappingProxyType({})
"""The aliases of a plugin whose outputs share no memory with inputs."""
MOST_WORKSPACE: Final = 4 << 30
"""The most bytes of workspace that the host device allocates."""


class Buffers(msgspec.Struct, frozen=True):
    """A buffer for each input and output, labelled ``inputs[0]`` or ``outputs[0]``, and for the workspace.

    An output that aliases an input has the input's buffer.
    """

    inputs: list[HostBuffer]
    outputs: list[HostBuffer]
    workspace: HostBuffer

    @property
    def by_label(self) -> dict[str, HostBuffer]:
        """All buffers by label; a buffer that is shared has an input's label."""
        return {buffer.label: buffer for buffer in (*self.inputs, *self.outputs, self.workspace)}

    @property
    def aliased_inputs(self) -> list[int]:
        """Indices of the inputs that share memory with an output."""
        return [i for i, buffer in enumerate(self.inputs) if any(buffer is output for output in self.outputs)]

    def moved(self, others: Buffers, labels: tuple[str, ...]) -> Buffers:
        """Return these buffers, some replaced by ``others``: those whose label begins with ``labels``, and freed ones.

        The replaced buffers are freed.
        """

        def chosen(buffer: HostBuffer, other: HostBuffer) -> HostBuffer:
            if not buffer.label.startswith(labels) and not buffer.freed:
                return buffer
            if not buffer.freed:
                buffer.free()
            return other

        return Buffers(
            [chosen(*pair) for pair in zip(self.inputs, others.inputs, strict=True)],
            [chosen(*pair) for pair in zip(self.outputs, others.outputs, strict=True)],
            chosen(self.workspace, others.workspace),
        )

    def changed_inputs(self, before: Sequence[bytes]) -> list[int]:
        """Return the indices of the inputs whose bytes differ from ``before``, except aliased and freed inputs."""
        pairs = zip(self.inputs, before, strict=True)
        return [
            i
            for i, (buffer, data) in enumerate(pairs)
            if i not in self.aliased_inputs and not buffer.freed and contents(buffer) != data
        ]


def allocated(
    device: HostDevice,
    inputs: Sequence[Description],
    outputs: Sequence[Description],
    arrays: Sequence[npt.NDArray[Any]],
    workspace: int,
    poison: int,
    aliases: Mapping[int, int] = NO_ALIASES,
) -> Buffers:
    """Return new buffers: inputs with the values of ``arrays``, outputs and workspace filled with the byte ``poison``.

    ``aliases`` has the index of the input whose memory an output shares, by the index of the output.

    Raises:
        NeedsDeviceError: The workspace, in bytes, is too large for the host device.
    """
    if workspace > MOST_WORKSPACE and not device.is_asynchronous:
        raise NeedsDeviceError(
            f"the plugin asks for {workspace:,} bytes of workspace, and the host device has {MOST_WORKSPACE:,}"
        )
    sources = [device.allocate(formats.nbytes(desc), label=f"inputs[{i}]") for i, desc in enumerate(inputs)]
    results = [
        sources[aliases[i]] if i in aliases else device.allocate(formats.nbytes(desc), label=f"outputs[{i}]")
        for i, desc in enumerate(outputs)
    ]
    buffers = Buffers(sources, results, device.allocate(workspace, label="workspace"))
    for buffer in (*buffers.outputs, buffers.workspace):
        buffer.fill(poison)
    for buffer, array, desc in zip(buffers.inputs, arrays, inputs, strict=True):
        buffer.write(formats.to_device(array, desc))
    return buffers


@contextlib.contextmanager
def lent(buffers: Buffers) -> Iterator[Buffers]:
    """Give the buffers, and free them at the end of the block, except those that are freed already."""
    try:
        yield buffers
    finally:
        for buffer in buffers.by_label.values():
            if not buffer.freed:
                buffer.free()


def address_of(buffer: HostBuffer, *, null: bool) -> int:
    """Return the address of a buffer; 0 if the buffer is empty and ``null`` is true."""
    return 0 if null and buffer.nbytes == 0 else buffer.address


def contents(buffer: HostBuffer) -> bytes:
    """Return the bytes of a buffer; zeros if it was freed."""
    return bytes(buffer.nbytes) if buffer.freed else bytes(buffer.read(np.uint8, buffer.nbytes))
