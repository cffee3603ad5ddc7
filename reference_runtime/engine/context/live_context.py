"""A context at work: its copies of the engine's plugins, the application's settings, and the executions.

Theory. A context runs a copy of each plugin. For an `IPluginV3` that is the object that ``attach_to_context`` returned,
for other plugins a clone; only an `IPluginV2` runs itself. Setting a shape, an address or a profile has no immediate
effect. The next execution computes every dimension, and prepares each plugin if the profile or a dimension changed. A
plugin of version 3 is also prepared if an input moved. Then the layers run in turn, as work on the stream: plugins, and
operations in NumPy. The context's arena lends memory for tensors between layers, for workspaces, and for copies in
another type or layout. That memory is filled with stray bytes before each use, because a result must not depend on its
old content.

A size that depends on data is read after its plugin has run. Only then are the dimensions of later layers inferred, and
their plugins prepared.
"""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from reference_runtime.application import profilers
from reference_runtime.calling.gate.gate import Phase
from reference_runtime.devices.base import ALIGNMENT
from reference_runtime.devices.records import DeviceFault
from reference_runtime.engine.context.layer_runs import OperationRun, PluginRun, copied
from reference_runtime.engine.context.memory import ContextMemory
from reference_runtime.engine.context.shapes import ContextShapes, no_address, not_specified
from reference_runtime.interfaces.resources import end_resource_context, new_resource_context
from reference_runtime.values.enums import TensorLocation
from reference_runtime.values.enums_building import ExecutionContextAllocationStrategy as Strategy
from reference_runtime.values.refusals import Refused

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from reference_runtime.devices.base import Mark, Stream
    from reference_runtime.engine.context.layer_runs import LayerRun
    from reference_runtime.engine.loading import LiveEngine
    from reference_runtime.shapes.tensor_facts import ValueFacts


class LiveContext:
    """The implementation of an IExecutionContext."""

    def __init__(
        self, engine: LiveEngine, runs: Sequence[LayerRun], memory: ContextMemory, resources: Any = None
    ) -> None:
        self.engine = engine
        self.runs = runs
        self.memory = memory
        self.shapes: ContextShapes = ContextShapes(engine)
        self.addresses: dict[int, int] = {}
        self.output_allocators: dict[int, Any] = {}
        self.temporary_allocator: Any = None
        self.listener: Any = None
        self.shown: set[int] = set()
        """The tensors that the listener is to see."""
        self.shows_unfused = False
        self.aux_streams: list[int] = []
        self.communicator = 0
        self.input_consumed = 0
        self.times: list[tuple[str, float]] = []
        """The milliseconds that each layer took in the last execution."""
        self.last_reader = _last_reader(engine)
        self._own_streams: list[Stream] = []
        self._resources = resources
        self._busy = threading.Lock()
        self._arranged = 0
        self._switched: Mark | None = None
        engine.contexts.append(self.close)

    def set_profile(self, profile: int, stream: int) -> None:
        """Choose another profile, as work on ``stream``."""
        before = self.shapes.profile
        try:
            mark = self.engine.around.device.mark(stream)
        except DeviceFault as fault:
            raise Refused(str(fault)) from fault
        self.shapes.set_profile(profile)
        if profile != before:
            self._switched = mark
            self._arranged = 0
            self.memory.switch(profile)

    def set_address(self, tensor: int, address: int) -> None:
        """Set the address of a tensor."""
        if address % ALIGNMENT and self.engine.plan.tensors[tensor].location == TensorLocation.DEVICE:
            raise Refused(f"{self.engine.plan.tensors[tensor].name}: {address:#x} is not a multiple of {ALIGNMENT}")
        self.addresses[tensor] = address

    def set_device_memory(self, address: int, size: int | None = None) -> None:
        """Use device memory of the application; without a ``size`` it has the size that the engine announces."""
        if size is None:
            self.memory.give_all(address)
        else:
            self.memory.give(address, size)
        self._arranged = 0

    def facts(self) -> list[ValueFacts]:
        """Return the dimensions and known values of every tensor, or raise `Refused` if the inputs do not match."""
        return self.shapes.facts(self.addresses)

    def waits_for_switch(self, stream: int) -> bool | None:
        """Return whether work on ``stream`` comes after the last switch of the profile; None if there was no switch."""
        return None if self._switched is None else self.engine.around.device.comes_after(stream, self._switched)

    @contextmanager
    def executing(self, addresses: Mapping[int, int], stream: int) -> Iterator[list[ValueFacts]]:
        """Reserve the context for one execution and arrange its memory; yield `facts`, or raise `Refused`."""
        if not self.is_open:
            raise Refused("the context was closed")
        if not self._busy.acquire(blocking=False):
            raise Refused("the context is being executed already; use one context for each stream")
        try:
            with self.engine.around.gate.during(Phase.EXECUTION):
                yield self._arranged_facts(addresses, stream)
        finally:
            self._busy.release()

    @property
    def is_open(self) -> bool:
        """Return whether the context has not been closed."""
        return self.close in self.engine.contexts

    def side_streams(self) -> Sequence[int]:
        """Return the streams beside the main stream: the application's first, then the context's."""
        count = self.engine.plan.traits.aux_streams
        while len(self.aux_streams) + len(self._own_streams) < count:
            self._own_streams.append(self.engine.around.device.new_stream())
        return [*self.aux_streams, *(stream.handle for stream in self._own_streams)][:count]

    def report_times(self, profiler: Any) -> None:
        """Report to a profiler the time of each layer in the last execution, once."""
        times, self.times = self.times, []
        for name, milliseconds in times:
            profilers.report(self.engine.around.gate, profiler, name, milliseconds)

    def close(self) -> None:
        """Destroy the context's copies and free its memory; do nothing if the context is closed."""
        if not self.is_open:
            return
        self.engine.contexts.remove(self.close)
        self.memory.close()
        around = self.engine.around
        with around.gate.during(Phase.DESTRUCTION):
            plugins = [run.copy for run in self.runs if isinstance(run, PluginRun)]
            for copy in around.scheduler.order("context copies go", plugins):
                copy.destroy()
        if self._resources is not None:
            end_resource_context(self._resources)

    def _arranged_facts(self, addresses: Mapping[int, int], stream: int) -> list[ValueFacts]:
        missing = self.shapes.missing_shapes
        if missing:
            raise not_specified(missing)
        facts = self.shapes.facts(addresses)
        for place, tensor in enumerate(self.engine.plan.io):
            # the guide says: an empty tensor needs at least one byte, too
            if not addresses.get(place) and place not in self.output_allocators:
                raise no_address(tensor)
        self._check_order(stream)
        self.shapes.look_at_places(addresses)
        if self._arranged != self.shapes.stamp:
            self.memory.arrange(facts, self.shapes.profile)
            self._arranged = self.shapes.stamp
        return facts

    def _check_order(self, stream: int) -> None:
        """Refuse to run on a stream that may overtake the switch of the profile."""
        if self.waits_for_switch(stream) is False:
            why = "the optimization profile was switched on another stream, and this stream does not wait for it"
            raise Refused(f"{why}: synchronize, or wait for an event")
        self._switched = None


def _last_reader(engine: LiveEngine) -> int:
    """Return the number of the last layer that uses the memory of an input; -1 if there is none."""
    inputs = set(range(len(engine.plan.inputs)))
    homes = engine.demand.homes
    readers = [
        index
        for index, layer in enumerate(engine.plan.layers)
        if any(homes[place] in inputs for place in (*layer.needed, *layer.outputs))
    ]
    return max(readers, default=-1)


def new_context(engine: LiveEngine, strategy: Strategy = Strategy.STATIC, allocator: Any = None) -> LiveContext:
    """Return a new context with copies of an engine's plugins, or raise `Refused`."""
    if engine.closed:
        raise Refused("the engine was closed")
    around = engine.around
    resources = new_resource_context(allocator)
    runs: list[LayerRun] = []
    try:
        with around.gate.during(Phase.CONTEXT):
            for index, layer in enumerate(engine.layers):
                if layer.operation is not None:
                    runs.append(OperationRun(layer, layer.operation))
                else:
                    runs.append(PluginRun(index, layer, copied(layer, around, resources), engine.plan))
            return LiveContext(engine, runs, ContextMemory(engine, strategy, allocator), resources)
    except Refused:
        for run in runs:
            if isinstance(run, PluginRun):
                run.copy.destroy()
        end_resource_context(resources)
        raise
