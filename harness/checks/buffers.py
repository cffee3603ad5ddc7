"""The device memory that one ``enqueue`` is given: inputs, outputs and workspace."""

from __future__ import annotations

import contextlib
import dataclasses
from typing import TYPE_CHECKING, Any

import numpy as np

from reference_runtime import formats

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy.typing as npt

    from reference_runtime.backends.host import HostBuffer, HostDevice
    from reference_runtime.descriptions import Description


@dataclasses.dataclass(frozen=True)
class Buffers:
    """One buffer a tensor, labelled ``inputs[0]`` and so on, and one for the workspace."""

    inputs: list[HostBuffer]
    outputs: list[HostBuffer]
    workspace: HostBuffer

    @property
    def by_label(self) -> dict[str, HostBuffer]:
        """All buffers."""
        return {buffer.label: buffer for buffer in (*self.inputs, *self.outputs, self.workspace)}

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
        return [i for i, (buffer, data) in enumerate(held) if not buffer.freed and contents(buffer) != data]


def allocated(
    device: HostDevice,
    inputs: Sequence[Description],
    outputs: Sequence[Description],
    arrays: Sequence[npt.NDArray[Any]],
    workspace: int,
    poison: int,
) -> Buffers:
    """Return new buffers: inputs that hold the arrays, outputs and workspace full of ``poison``."""
    buffers = Buffers(
        [device.allocate(formats.nbytes(desc), label=f"inputs[{i}]") for i, desc in enumerate(inputs)],
        [device.allocate(formats.nbytes(desc), label=f"outputs[{i}]") for i, desc in enumerate(outputs)],
        device.allocate(workspace, label="workspace"),
    )
    for buffer, array, desc in zip(buffers.inputs, arrays, inputs, strict=True):
        buffer.write(formats.to_device(array, desc))
    for buffer in (*buffers.outputs, buffers.workspace):
        buffer.fill(poison)
    return buffers


@contextlib.contextmanager
def lent(buffers: Buffers) -> Iterator[Buffers]:
    """Give buffers that are freed afterwards, as far as nobody else has freed them."""
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
