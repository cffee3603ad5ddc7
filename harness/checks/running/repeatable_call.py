"""Repeat one call of ``enqueue``: the same buffers, the same stream."""

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
        call: Calls ``enqueue``; raises `CallbackFailedError` where that fails.
        stream: The stream that it is given.
        buffers: The memory that it is given.
        inputs: What describes the inputs.
        outputs: What describes the outputs.
    """

    call: Callable[[], None]
    stream: HostStream
    buffers: Buffers
    inputs: Sequence[Description]
    outputs: Sequence[Description]

    def give(self, arrays: Sequence[npt.NDArray[Any]]) -> None:
        """Put other data into the inputs, and poison into the outputs that share no memory with them."""
        aliased = [self.buffers.inputs[index] for index in self.buffers.aliased_inputs]
        for output in self.buffers.outputs:
            if not any(output is each for each in aliased):
                output.fill(_POISON)
        for buffer, array, desc in zip(self.buffers.inputs, arrays, self.inputs, strict=True):
            buffer.write(formats.to_device(array, desc))

    def results(self) -> list[npt.NDArray[Any]]:
        """Return what the outputs hold, as linear real-number data."""
        held = zip(self.buffers.outputs, self.outputs, strict=True)
        return [formats.from_device(contents(buffer)[: formats.nbytes(desc)], desc) for buffer, desc in held]


_POISON = 0xCD
