"""One execution of a context: the order of its layers, their streams, and memory that the application provides.

TensorRT asks an `IOutputAllocator` in every execution, once the shape of the output is known. It asks for at least one
byte, even for an empty tensor, aligned to 256 bytes. The memory must be that large; without memory the execution fails.
Then TensorRT passes the shape. An output whose size depends on data is first written to temporary memory, as large as
its bound. Then it is copied.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from reference_runtime.application import allocators
from reference_runtime.application.debugging import Shown, process_debug_tensor
from reference_runtime.devices.base import ALIGNMENT
from reference_runtime.devices.records import DeviceFault
from reference_runtime.engine.context.execution_tensors import ExecutionTensors
from reference_runtime.values import formats
from reference_runtime.values.refusals import Reason, Refused

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from reference_runtime.devices.base import Buffer
    from reference_runtime.engine.context.layer_runs import LayerRun
    from reference_runtime.engine.context.live_context import LiveContext
    from reference_runtime.shapes.tensor_facts import ValueFacts


def execute(context: LiveContext, addresses: Mapping[int, int], stream: int) -> None:
    """Run every layer on ``stream``, or raise `Refused`."""
    with context.executing(addresses, stream) as facts:
        execution = _Execution(context, addresses, facts, stream)
        try:
            execution.run()
        except DeviceFault as fault:
            raise Refused(str(fault), Reason.INTERNAL) from fault
        context.times = execution.times


class _Execution:
    """One run of all layers, on the application's stream and on the streams beside it."""

    def __init__(
        self, context: LiveContext, addresses: Mapping[int, int], facts: Sequence[ValueFacts], stream: int
    ) -> None:
        self.times: list[tuple[str, float]] = []
        self._context = context
        self._around = context.engine.around
        self._plan = context.engine.plan
        self._memory = context.memory.activations
        self._tensors = ExecutionTensors(context.engine, context.shapes, self._memory, addresses, facts, stream)
        self._streams = (stream, *context.side_streams())
        self._awaiting: dict[int, Buffer | _Temporary] = {}
        self._foreseen = all(one.settled for one in facts)

    def run(self) -> None:
        """Run every layer in turn, or raise `Refused`; all lent memory is taken back."""
        try:
            self._tensors.read_host_inputs()
            for run in self._context.runs:
                run.settle(self._tensors)
            for index, run in enumerate(self._context.runs):
                self._go_to(self._streams[index % len(self._streams)])
                self._run(index, run)
            self._go_to(self._streams[0])
        finally:
            self._memory.end_all()
            for buffer in self._awaiting.values():
                buffer.free()

    def _go_to(self, stream: int) -> None:
        """Continue on another stream, after all work so far."""
        device, before = self._around.device, self._tensors.stream
        if stream != before:
            device.wait(stream, device.mark(before))
            self._tensors.stream = stream

    def _run(self, index: int, run: LayerRun) -> None:
        plan, rule = run.layer.plan, run.layer.rule
        if not self._foreseen:  # the layers before have determined more dimensions of the inputs, and so of the outputs
            for place, facts in zip(plan.outputs, rule.infer(self._tensors.facts_for(rule)), strict=True):
                self._tensors.facts[place] = facts
        started = time.perf_counter()
        self._memory.begin(index)
        self._make_room(plan.outputs)
        if not self._foreseen:
            run.settle(self._tensors)
        run.run(self._tensors)
        self._deliver(plan.outputs)
        self._show(plan.outputs)
        self._memory.end(index)
        self.times.append((plan.name, 1e3 * (time.perf_counter() - started)))
        if index == self._context.last_reader:
            self._tell_consumed()

    def _tell_consumed(self) -> None:
        """Record the application's event: no layer after this reads an input."""
        if self._context.input_consumed:
            try:
                self._around.device.record_event(self._context.input_consumed, stream=self._tensors.stream)
            except DeviceFault as fault:
                raise Refused(f"the event for consumed inputs: {fault}") from fault

    def _make_room(self, outputs: Sequence[int]) -> None:
        """Ask the output allocators for memory; if only a bound of the size is known, use temporary memory first."""
        for place in outputs:
            if place not in self._context.output_allocators:
                continue
            facts, tensor = self._tensors.facts[place], self._plan.tensors[place]
            if facts.settled:
                self._provide(place)
                continue
            nbytes = formats.nbytes(tensor.desc.sized(facts.bound))
            self._awaiting[place] = buffer = self._temporary(nbytes, f"output {tensor.name!r} of unknown size")
            self._tensors.awaiting[place] = buffer.address

    def _provide(self, place: int) -> None:
        """Ask the application for the memory of an output, and pass its shape; refuse to run without it."""
        gate, tensors, desc = self._around.gate, self._tensors, self._tensors.stored(place)
        name, allocator = self._plan.tensors[place].name, self._context.output_allocators[place]
        size, current = max(formats.nbytes(desc), 1), tensors.addresses.get(place, 0)
        address = allocators.reallocate_output(gate, allocator, name, current, size, ALIGNMENT, tensors.stream)
        if not address:
            why = f"{name}: the output allocator gave no memory for {size} bytes"
            raise Refused(why, Reason.INTERNAL)
        if address % ALIGNMENT:
            raise Refused(f"{name}: the output allocator gave {address:#x}, which is not a multiple of {ALIGNMENT}")
        try:
            self._around.device.reach(address, size)
        except DeviceFault as fault:
            raise Refused(f"{name}: what the output allocator gave is of no use: {fault}", Reason.INTERNAL) from fault
        allocators.notify_shape(gate, allocator, name, desc.dims)
        tensors.addresses[place] = address

    def _temporary(self, nbytes: int, label: str) -> Buffer | _Temporary:
        """Return memory for the rest of the execution, from the application's allocator if the context has one."""
        allocator = self._context.temporary_allocator
        if allocator is None:
            return allocators.of_device(self._around.device, nbytes, label)
        return _Temporary(self._around.gate, allocator, nbytes)

    def _deliver(self, outputs: Sequence[int]) -> None:
        """Copy outputs whose size is known now from temporary memory to the memory of their output allocators."""
        tensors, device = self._tensors, self._around.device
        for place in outputs:
            buffer = self._awaiting.pop(place, None)
            if buffer is not None:
                del tensors.awaiting[place]
                try:
                    self._provide(place)
                    data = device.fetch(buffer.address, formats.nbytes(tensors.stored(place)), stream=tensors.stream)
                    device.store(tensors.addresses[place], data, stream=tensors.stream)
                finally:
                    buffer.free()

    def _show(self, places: Sequence[int]) -> None:
        """Show the listener the marked outputs of a layer."""
        tensors, listener = self._tensors, self._context.listener
        for place in places:
            if listener is None or place not in self._context.shown:
                continue
            tensor = self._plan.tensors[place]
            address = tensors.host[place].ctypes.data if tensors.is_on_host(place) else tensors.address(place)
            shown = Shown(address, tensor.location, tensor.desc.type, tensors.facts[place].dims, tensor.name)
            if not process_debug_tensor(self._around.gate, listener, shown, tensors.stream):
                raise Refused(f"the debug listener failed for tensor {tensor.name!r}", Reason.INTERNAL)


class _Temporary:
    """Temporary memory from the application's allocator."""

    def __init__(self, gate: Any, allocator: Any, nbytes: int) -> None:
        self._gate, self._allocator = gate, allocator
        self.address = allocators.allocate(gate, allocator, max(nbytes, 1), ALIGNMENT)
        if not self.address:
            raise Refused(f"the temporary allocator gave no memory for {nbytes} bytes", Reason.INTERNAL)
        if self.address % ALIGNMENT:
            self.free()
            why = f"the temporary allocator gave {self.address:#x}, which is not a multiple of {ALIGNMENT}"
            raise Refused(why, Reason.INTERNAL)

    def free(self) -> None:
        """Return the memory to the allocator."""
        allocators.deallocate(self._gate, self._allocator, self.address)
