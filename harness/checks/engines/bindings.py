"""Allocate the memory of a context's inputs and outputs, bind it, and execute the context."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from harness.checks.engines.output_allocator import reported_sizes
from harness.checks.sampling.data import shape_values
from harness.checks.sampling.scales import int8_scale
from harness.checks.shapes.batches import batch_of, is_implicit, shape_with_batch
from harness.contract.interface import MADE_AS_V3
from reference_runtime.values import formats
from reference_runtime.values.descriptions import NO_SCALE, Description

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from harness.cases.case import Shape
    from harness.subject.subject import Subject
    from reference_runtime.devices.host import HostBuffer


class Bindings(msgspec.Struct, frozen=True):
    """Memory for each tensor on the device; an output that aliases an input shares the input's memory.

    Attributes:
        tensors: The type, format and shape of each tensor, by name; -1 is a data-dependent dimension.
        buffers: The memory of each tensor, by name.
        values: The values of the shape inputs, which are on the host.
        batch: The number of items, if the batch is implicit; otherwise 0.
    """

    tensors: dict[str, Description]
    buffers: dict[str, HostBuffer]
    values: list[npt.NDArray[Any]]
    batch: int = 0

    @property
    def outputs(self) -> list[str]:
        """The names of the outputs, in their order."""
        return [name for name in self.tensors if not name.startswith("input_")]

    @property
    def apart(self) -> dict[str, HostBuffer]:
        """The inputs that share no memory with an output."""
        shared = {id(self.buffers[name]) for name in self.outputs}
        return {name: buf for name, buf in self.buffers.items() if id(buf) not in shared and name not in self.outputs}

    def write(self, arrays: Sequence[npt.NDArray[Any]]) -> None:
        """Write data to the inputs."""
        for index, array in enumerate(arrays):
            name = f"input_{index}"
            self.buffers[name].write(formats.to_device(array, self.tensors[name]))

    def read(self, decided: dict[str, Description]) -> list[npt.NDArray[Any]]:
        """Return the outputs as arrays, with the dimensions in ``decided``; empty for an output with a -1 there."""
        arrays = []
        for name in self.outputs:
            desc = decided[name]
            if -1 in desc.dims:
                desc = desc.sized((0,) * len(desc.dims))
            arrays.append(formats.from_device(self.buffers[name].read(np.uint8, formats.nbytes(desc)).tobytes(), desc))
        return arrays

    def free(self) -> None:
        """Free the buffers that are not freed yet."""
        for buffer in self.buffers.values():
            if not buffer.freed:
                buffer.free()


def set_shapes(subject: Subject, context: Any, shapes: Sequence[Shape]) -> bool:
    """Set the input shapes of a context; return whether it accepted all.

    Do nothing for an implicit batch, which :func:`execute` passes on.
    """
    if is_implicit(subject):
        return True
    data_shapes = shapes[: len(subject.case.data_inputs)]
    accepted = [context.set_input_shape(f"input_{index}", shape) for index, shape in enumerate(data_shapes)]
    return all(accepted)


def new_bindings(subject: Subject, context: Any, shapes: Sequence[Shape]) -> Bindings:
    """Return new memory for a context whose shapes are set, and set the values of its shape inputs."""
    values = shape_values(subject.case, shapes)
    _bind_values(context, values)
    names = [context.engine.get_tensor_name(index) for index in range(context.engine.num_io_tensors)]
    on_device = [name for name in names if not name.startswith("shape_input_")]
    tensors = {name: _described(subject, context, name, shapes) for name in on_device}
    may_alias = subject.interface in MADE_AS_V3
    buffers: dict[str, HostBuffer] = {}
    for name, desc in tensors.items():  # inputs come first
        source = context.engine.get_aliased_input_tensor(name) if may_alias and not name.startswith("input_") else None
        # Only the engine knows the maximum size of an output with data-dependent dimensions. It needs one byte or more.
        size = max(int(context.get_max_output_size(name)), 1) if -1 in desc.dims else formats.nbytes(desc)
        buffers[name] = buffers[source] if source else subject.device.allocate(size, label=name)
    return Bindings(tensors, buffers, values, batch_of(subject, shapes) if is_implicit(subject) else 0)


def execute(subject: Subject, context: Any, bindings: Bindings, stream: int) -> tuple[bool, dict[str, Description]]:
    """Execute a context; return whether it reported success, and the tensors with their data-dependent dimensions."""
    if bindings.batch:
        addresses = [buffer.address for buffer in bindings.buffers.values()]
        return bool(context.execute_async(bindings.batch, addresses, stream)), dict(bindings.tensors)
    _bind_values(context, bindings.values)
    for name, buffer in bindings.buffers.items():
        context.set_tensor_address(name, buffer.address)
    with reported_sizes(subject.trt, context, bindings.tensors, bindings.buffers) as decided:
        succeeded = bool(context.execute_async_v3(stream))
    return succeeded, decided


def _bind_values(context: Any, values: Sequence[npt.NDArray[Any]]) -> None:
    for index, array in enumerate(values):
        context.set_tensor_address(f"shape_input_{index}", array.ctypes.data)


def _described(subject: Subject, context: Any, name: str, shapes: Sequence[Shape]) -> Description:
    implicit = is_implicit(subject)
    dims = shape_with_batch(subject, name, shapes) if implicit else tuple(context.get_tensor_shape(name))
    dtype = context.engine.get_tensor_dtype(name)
    inputs = len(subject.case.data_inputs)
    position = int(name.removeprefix("input_")) if name.startswith("input_") else inputs
    scale = int8_scale(subject.case, position) if dtype == subject.trt.DataType.INT8 else NO_SCALE
    return Description(dims, dtype, subject.trt.TensorFormat.LINEAR, scale)
