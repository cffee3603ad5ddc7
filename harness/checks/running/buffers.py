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
"""No output shares the memory of an input."""
MOST_WORKSPACE: Final = 4 << 30
"""Bytes of workspace that the host device gives at most."""


class Buffers(msgspec.Struct, frozen=True):
    """One buffer a tensor, labelled ``inputs[0]`` and so on, and one for the workspace.

    An output that aliases an input has that input's buffer.
    """

    inputs: list[HostBuffer]
    outputs: list[HostBuffer]
    workspace: HostBuffer

    @property
    def by_label(self) -> dict[str, HostBuffer]:
        """All buffers."""
        return {buffer.label: buffer for buffer in (*self.inputs, *self.outputs, self.workspace)}

    @property
    def aliased_inputs(self) -> list[int]:
        """Indices of the inputs that share memory with an output."""
        return [i for i, buffer in enumerate(self.inputs) if any(buffer is output for output in self.outputs)]

    def moved(self, others: Buffers, labels: tuple[str, ...]) -> Buffers:
        """Return these buffers with the ``others`` in place of those whose labels begin so, or which are freed."""

        def chosen(mine: HostBuffer, other: HostBuffer) -> HostBuffer:
            if not mine.label.startswith(labels) and not mine.freed:
                return mine
            if not mine.freed:
                mine.free()
            return other

        return Buffers(
            [chosen(*pair) for pair in zip(self.inputs, others.inputs, strict=True)],
            [chosen(*pair) for pair in zip(self.outputs, others.outputs, strict=True)],
            chosen(self.workspace, others.workspace),
        )

    def changed_inputs(self, given: Sequence[bytes]) -> list[int]:
        """Return which inputs no longer hold what they were ``given``; one that was freed holds nothing."""
        held = zip(self.inputs, given, strict=True)
        return [
            i
            for i, (buffer, data) in enumerate(held)
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
    """Return new buffers: inputs that hold the arrays, outputs and workspace full of ``poison``.

    ``aliases`` maps outputs without separate memory to the input whose memory they share.

    Raises:
        NeedsDeviceError: The host device does not have so much workspace.
    """
    if workspace > MOST_WORKSPACE and not device.is_asynchronous:
        raise NeedsDeviceError(
            f"the plugin asks for {workspace:,} bytes of workspace, and the host device has {MOST_WORKSPACE:,}"
        )
    given = [device.allocate(formats.nbytes(desc), label=f"inputs[{i}]") for i, desc in enumerate(inputs)]
    taken = [
        given[aliases[i]] if i in aliases else device.allocate(formats.nbytes(desc), label=f"outputs[{i}]")
        for i, desc in enumerate(outputs)
    ]
    buffers = Buffers(given, taken, device.allocate(workspace, label="workspace"))
    for buffer in (*buffers.outputs, buffers.workspace):
        buffer.fill(poison)
    for buffer, array, desc in zip(buffers.inputs, arrays, inputs, strict=True):
        buffer.write(formats.to_device(array, desc))
    return buffers


@contextlib.contextmanager
def lent(buffers: Buffers) -> Iterator[Buffers]:
    """Give buffers, and free afterwards those that are not freed yet."""
    try:
        yield buffers
    finally:
        for buffer in buffers.by_label.values():
            if not buffer.freed:
                buffer.free()


def address_of(buffer: HostBuffer, *, null: bool) -> int:
    """Return the address of a buffer; the null address of an empty one where that is wanted."""
    return 0 if null and buffer.nbytes == 0 else buffer.address


def contents(buffer: HostBuffer) -> bytes:
    """Return what a buffer holds; zeros where it was freed."""
    return bytes(buffer.nbytes) if buffer.freed else bytes(buffer.read(np.uint8, buffer.nbytes))
