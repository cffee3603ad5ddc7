"""Repeat a call of ``enqueue`` with the same buffers on the same stream."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from harness.checks.running.buffers import contents
from reference_runtime.values import formats

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy.typing as npt

    from harness.checks.running.buffers import Buffers
    from reference_runtime.devices.host import HostStream
    from reference_runtime.values.descriptions import Description


class RepeatableCall(msgspec.Struct, frozen=True):
    """An ``enqueue`` call that can be repeated, with its stream, memory and descriptors.

    Attributes:
        call: Calls ``enqueue``; raises CallbackFailedError if that fails.
        stream: The stream for the call.
        buffers: The memory of inputs, outputs and workspace.
        inputs: The descriptions of the inputs.
        outputs: The descriptions of the outputs.
    """

    call: Callable[[], None]
    stream: HostStream
    buffers: Buffers
    inputs: Sequence[Description]
    outputs: Sequence[Description]

    def give(self, arrays: Sequence[npt.NDArray[Any]]) -> None:
        """Write other data to the inputs, and fill the outputs that share no memory with inputs with a fixed byte."""
        aliased = [self.buffers.inputs[index] for index in self.buffers.aliased_inputs]
        for output in self.buffers.outputs:
            if not any(output is each for each in aliased):
                output.fill(_POISON)
        for buffer, array, desc in zip(self.buffers.inputs, arrays, self.inputs, strict=True):
            buffer.write(formats.to_device(array, desc))

    def results(self) -> list[npt.NDArray[Any]]:
        """Return the outputs as linear arrays, INT8 data with a scale as real numbers."""
        pairs = zip(self.buffers.outputs, self.outputs, strict=True)
        return [formats.from_device(contents(buffer)[: formats.nbytes(desc)], desc) for buffer, desc in pairs]


_POISON = 0xCD
