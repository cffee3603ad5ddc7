"""One execution of a context: the facts and the address of each tensor while the layers run, and their order."""

from __future__ import annotations

import ctypes
import time
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from reference_runtime.application.debugging import Shown, process_debug_tensor
from reference_runtime.engine.context.output_memory import provided
from reference_runtime.engine.context.shapes import host_array
from reference_runtime.values import formats
from reference_runtime.values.enums import TensorIOMode, TensorLocation
from reference_runtime.values.refusals import Reason, Refused

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt

    from reference_runtime.devices.base import Device
    from reference_runtime.engine.activations import Activations
    from reference_runtime.engine.context.memory import ContextMemory
    from reference_runtime.engine.context.shapes import ContextShapes
    from reference_runtime.engine.loading import LiveEngine, LiveLayer
    from reference_runtime.shapes.shape_rules import ExtentRule
    from reference_runtime.shapes.tensor_facts import ValueFacts
    from reference_runtime.values.descriptions import Description, Range


class Held(Protocol):
    """Memory for a part of an execution."""

    @property
    def address(self) -> int:
        """Where it is."""
        ...

    def free(self) -> None:
        """Give it back."""
        ...


class LayerRun(Protocol):
    """A context's work for one layer."""

    layer: LiveLayer

    def settle(self, execution: Execution) -> None:
        """Prepare the layer for the current dimensions, as far as they are known and have changed."""
        ...

    def run(self, execution: Execution) -> None:
        """Run the layer, or raise `Refused`."""
        ...


class RunningContext(Protocol):
    """The part of a running context that an execution uses."""

    engine: LiveEngine
    runs: Sequence[LayerRun]
    memory: ContextMemory
    shapes: ContextShapes
    addresses: dict[int, int]
    moves: int
    output_allocators: dict[int, Any]
    listener: Any
    shown: set[int]
    input_consumed: int
    last_reader: int

    def side_streams(self) -> Sequence[int]:
        """Return the streams beside the main one."""
        ...

    def temporary(self, nbytes: int, label: str) -> Held:
        """Return memory for the rest of an execution."""
        ...

    def tell_consumed(self, stream: int) -> None:
        """Record the application's event: no layer after this reads an input."""
        ...

    def is_shown(self, tensor: int) -> bool:
        """Say whether the listener sees the tensor."""
        ...


class Execution:
    """Run all layers on a stream; ``facts`` are current, because data may determine a size during the run."""

    def __init__(
        self, context: RunningContext, addresses: Mapping[int, int], facts: Sequence[ValueFacts], stream: int
    ) -> None:
        engine = context.engine
        self.device: Device = engine.around.device
        self.memory: Activations = context.memory.activations
        self.ranges: Mapping[int, Range] = engine.ranges[context.shapes.profile]
        self.stamp = context.shapes.stamp
        self.moves = context.moves
        self.stream = stream
        self._streams = (stream, *context.side_streams())
        self.facts = list(facts)
        self.host: dict[int, npt.NDArray[Any]] = {}
        self.times: list[tuple[str, float]] = []
        self._context = context
        self._plan = engine.plan
        self._homes = engine.demand.homes
        self._addresses = dict(addresses)
        self._awaiting: dict[int, Held] = {}
        self._foreseen = all(one.settled for one in facts)

    def run(self) -> None:
        """Run every layer in turn, or raise `Refused`; all lent memory is taken back."""
        try:
            for place, tensor in enumerate(self._plan.inputs):
                if tensor.location == TensorLocation.HOST:
                    self.host[place] = host_array(self.stored(place), self._addresses[place])
            for run in self._context.runs:
                run.settle(self)
            for index, run in enumerate(self._context.runs):
                self._go_to(self._streams[index % len(self._streams)])
                self._run(index, run)
            self._go_to(self._streams[0])
        finally:
            self.memory.end_all()
            for buffer in self._awaiting.values():
                buffer.free()

    def stored(self, place: int) -> Description:
        """Return a tensor's form in the engine, with the current dimensions."""
        return self._plan.tensors[place].desc.sized(self.facts[place].dims)

    def is_on_host(self, place: int) -> bool:
        """Say whether a tensor is on the host."""
        return bool(self._plan.tensors[place].location == TensorLocation.HOST)

    def address(self, place: int) -> int:
        """Return a tensor's address on the device; 0 for one on the host."""
        home = self._homes[place]
        if home in self._awaiting:
            return self._awaiting[home].address
        if self._plan.tensors[home].mode == TensorIOMode.NONE:
            return self.memory.address(("tensor", home, 0))
        return 0 if self.is_on_host(home) else self._addresses.get(home, 0)

    def given(self, rule: ExtentRule[int]) -> list[ValueFacts]:
        """Return the facts that a layer's rule needs."""
        return [self.facts[place] for place in (*rule.inputs, *rule.shape_inputs)]

    def is_foreseen(self, place: int) -> bool:
        """Say whether a tensor on the host has values that were inferred."""
        values = self.facts[place].values
        return self.is_on_host(place) and values is not None and None not in values

    def foreseen(self, place: int) -> npt.NDArray[Any]:
        """Return the values that were inferred."""
        return np.array(self.facts[place].values, np.int64).reshape(self.facts[place].dims)

    def read(self, place: int, wanted: Description) -> npt.NDArray[Any]:
        """Return a tensor as an array, rounded to the type that a layer wants it in."""
        if self.is_on_host(place):
            return self.host[place]
        stored = self.stored(place)
        raw = self.device.fetch(self.address(place), formats.nbytes(stored), stream=self.stream)
        wanted = wanted.sized(stored.dims)
        return formats.from_device(raw if stored == wanted else formats.convert(raw, stored, wanted), wanted)

    def write(self, place: int, given: Description, data: npt.NDArray[Any]) -> None:
        """Keep the result of a layer, which it computed in the type ``given``."""
        stored = self.stored(place)
        rounded = formats.to_device(data.reshape(stored.dims), given.sized(stored.dims))
        raw = (
            rounded
            if given.sized(stored.dims) == stored
            else formats.convert(rounded, given.sized(stored.dims), stored)
        )
        if not self.is_on_host(place):
            self.device.store(self.address(place), raw, stream=self.stream)
            return
        self.host[place] = formats.from_device(raw, stored)
        if place in self._addresses and self._plan.tensors[place].mode == TensorIOMode.OUTPUT:
            ctypes.memmove(self._addresses[place], raw, len(raw))

    def _go_to(self, stream: int) -> None:
        """Continue on another stream, after all work so far."""
        if stream != self.stream:
            self.device.wait(stream, self.device.mark(self.stream))
            self.stream = stream

    def _run(self, index: int, run: LayerRun) -> None:
        if not self._foreseen:  # more is known of the layer's inputs now, and so of its outputs
            inferred = run.layer.rule.infer(self.given(run.layer.rule))
            for place, facts in zip(run.layer.plan.outputs, inferred, strict=True):
                self.facts[place] = facts
        started = time.perf_counter()
        self.memory.begin(index)
        self._make_room(run)
        run.run(self)
        self._deliver(run)
        self._show(run.layer.plan.outputs)
        self.memory.end(index)
        self.times.append((run.layer.plan.name, 1e3 * (time.perf_counter() - started)))
        if index == self._context.last_reader:
            self._context.tell_consumed(self.stream)

    def _provide(self, place: int) -> None:
        name = self._plan.tensors[place].name
        allocator = self._context.output_allocators[place]
        current = self._addresses.get(place, 0)
        around = self._context.engine.around
        self._addresses[place] = provided(
            around, allocator, name, self.stored(place), current=current, stream=self.stream
        )

    def _make_room(self, run: LayerRun) -> None:
        """Ask for the memory of outputs; if only a bound is known, ask the application later."""
        for place in run.layer.plan.outputs:
            if place not in self._context.output_allocators:
                continue
            if self.facts[place].settled:
                self._provide(place)
            else:
                bound = self._plan.tensors[place].desc.sized(self.facts[place].bound)
                label = f"output {self._plan.tensors[place].name!r} of unknown size"
                self._awaiting[place] = self._context.temporary(formats.nbytes(bound), label)

    def _deliver(self, run: LayerRun) -> None:
        """Copy outputs whose size is known now to the memory that the application provides for it."""
        for place in run.layer.plan.outputs:
            buffer = self._awaiting.pop(place, None)
            if buffer is not None:
                try:
                    self._provide(place)
                    data = self.device.fetch(buffer.address, formats.nbytes(self.stored(place)), stream=self.stream)
                    self.device.store(self._addresses[place], data, stream=self.stream)
                finally:
                    buffer.free()

    def _show(self, places: Sequence[int]) -> None:
        """Show the listener the marked outputs of a layer."""
        for place in places:
            tensor = self._plan.tensors[place]
            if not self._context.is_shown(place):
                continue
            address = self.host[place].ctypes.data if self.is_on_host(place) else self.address(place)
            shown = Shown(address, tensor.location, tensor.desc.type, self.facts[place].dims, tensor.name)
            if not process_debug_tensor(self._context.engine.around.gate, self._context.listener, shown, self.stream):
                raise Refused(f"the debug listener failed for tensor {tensor.name!r}", Reason.INTERNAL)
