"""Run one layer in a context: a plugin on tensors in the chosen formats, or an operation in NumPy."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from reference_runtime.calling.adapters.plugin_interface import EnginePlugin
from reference_runtime.devices.records import DeviceFault
from reference_runtime.engine.activations import batch_of, is_copied, is_spread, shares_input
from reference_runtime.engine.context.kernels import CompiledCopy
from reference_runtime.shapes.tensor_facts import UNKNOWN
from reference_runtime.values import formats
from reference_runtime.values.refusals import Reason, Refused

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from reference_runtime.calling.adapters.plugin_interface import ContextCopy
    from reference_runtime.devices.base import Device
    from reference_runtime.engine.context.execution_tensors import ExecutionTensors
    from reference_runtime.engine.loading import EngineServices, LiveLayer
    from reference_runtime.operations import Operation
    from reference_runtime.plan import Plan
    from reference_runtime.shapes.tensor_facts import ValueFacts
    from reference_runtime.values.descriptions import Description, Extents


def reformat(device: Device, source: tuple[Description, int], target: tuple[Description, int], *, stream: int) -> None:
    """Copy a tensor from one address to another, in another type and layout; work on ``stream``."""
    (source_desc, here), (target_desc, there) = source, target
    raw = device.fetch(here, formats.nbytes(source_desc), stream=stream)
    device.store(there, formats.convert(raw, source_desc, target_desc), stream=stream)


def spread(device: Device, source: tuple[Description, int], target: tuple[Description, int], *, stream: int) -> None:
    """Repeat one item for a whole batch, in another type and layout; work on ``stream``."""
    (source_desc, here), (target_desc, there) = source, target
    raw = device.fetch(here, formats.nbytes(source_desc), stream=stream)
    item = formats.convert(raw, source_desc, target_desc.sized(source_desc.dims))
    device.store(there, bytes(item) * target_desc.dims[0], stream=stream)


def copied(layer: LiveLayer, around: EngineServices, resources: object) -> ContextCopy | CompiledCopy:
    """Return a copy of a layer's plugin for a context, or raise `Refused` and leave no copy."""
    plan = layer.plan
    if plan.kernel is not None:
        return CompiledCopy(around.device, plan.kernel)
    if layer.interface is None or layer.capabilities is None or plan.plugin is None:
        raise TypeError("a layer without a plugin needs no copy")
    source = EnginePlugin(
        around.gate, around.scheduler, plan.name, layer.plugin, layer.capabilities, plan.plugin.tactic
    )
    return layer.interface.for_context(source, resources)


class PluginRun:
    """A plugin layer: the context's copy of the plugin, and the arguments that it was last prepared with."""

    def __init__(self, index: int, layer: LiveLayer, copy: ContextCopy | CompiledCopy, made: Plan) -> None:
        self.index = index
        self.layer = layer
        self.copy = copy
        self.descs: tuple[Description, ...] = ()
        self._prepared_for: tuple[int, int, tuple[Extents, ...]] | None = None
        self._tensors = layer.plan.tensors
        self._num_inputs = len(layer.plan.inputs)
        self._copied = [position for position in range(len(self._tensors)) if is_copied(layer.plan, position, made)]
        self._shared = {
            self._num_inputs + output: shared
            for output in range(len(layer.plan.outputs))
            if (shared := shares_input(layer.plan, output)) is not None
        }
        self._sizes = layer.plan.plugin.sizes if layer.plan.plugin is not None else ()
        self._spread = [position for position in self._copied if is_spread(layer.plan, position, made)]
        self._batch = batch_of(layer.plan, made)

    def settle(self, tensors: ExecutionTensors) -> None:
        """Pass the plugin the current dimensions, if the profile, a shape or, for version 3, an address changed."""
        dims = tuple(tensors.facts[place].dims for place in self._tensors)
        if any(UNKNOWN in extents for extents in dims[: self._num_inputs]):
            return
        moved = tensors.moves if self.copy.watches_addresses else 0
        if self._prepared_for == (tensors.stamp, moved, dims):
            return
        self._prepared_for = None
        self.descs = tuple(
            desc.sized((dims[self._batch][0], *extents[1:]) if position in self._spread else extents)
            for position, (desc, extents) in enumerate(zip(self.layer.plan.chosen, dims, strict=True))
        )
        ranges = [tensors.ranges[place] for place in self._tensors]
        self.copy.prepare(self.descs, self._num_inputs, ranges)
        self._prepared_for = (tensors.stamp, moved, dims)

    def run(self, tensors: ExecutionTensors) -> None:
        """Convert the inputs, run the plugin, read the sizes that it wrote, and convert the outputs."""
        outer = [tensors.address(place) for place in self._tensors]
        used = self._used(tensors, outer)
        try:
            self._bring(tensors, outer, used)
            workspace = tensors.memory.address(("workspace", self.index, 0))
            if not self.copy.enqueue(self.descs, used, self._num_inputs, workspace, tensors.stream):
                raise Refused(f"{self.layer.plan.name}: the plugin's enqueue failed", Reason.INTERNAL)
            self._learn_sizes(tensors, used)
            self._take_away(tensors, outer, used)
        except DeviceFault as fault:
            raise Refused(f"{self.layer.plan.name}: {fault}", Reason.INTERNAL) from fault

    def _used(self, tensors: ExecutionTensors, outer: Sequence[int]) -> list[int]:
        """Return the addresses that the plugin gets: a copy's, a shared input's, or else the tensor's own."""
        used = list(outer)
        for position in self._copied:
            used[position] = tensors.memory.address(("copy", self.index, position))
        for position, shared in self._shared.items():
            used[position] = used[shared]
        return used

    def _bring(self, tensors: ExecutionTensors, outer: Sequence[int], used: Sequence[int]) -> None:
        for position in self._copied:
            if position < self._num_inputs:
                place, desc = self._tensors[position], self.descs[position]
                if tensors.is_on_host(place):
                    data = formats.to_device(tensors.host[place], desc)
                    tensors.device.store(used[position], data, stream=tensors.stream)
                else:
                    source, target = (tensors.stored(place), outer[position]), (desc, used[position])
                    copy = spread if position in self._spread else reformat
                    copy(tensors.device, source, target, stream=tensors.stream)

    def _take_away(self, tensors: ExecutionTensors, outer: Sequence[int], used: Sequence[int]) -> None:
        for position in range(self._num_inputs, len(used)):
            if used[position] != outer[position]:
                stored = tensors.stored(self._tensors[position])
                desc = self.descs[position].sized(stored.dims)
                source, target = (desc, used[position]), (stored, outer[position])
                reformat(tensors.device, source, target, stream=tensors.stream)

    def _learn_sizes(self, tensors: ExecutionTensors, used: Sequence[int]) -> None:
        if not self._sizes:
            return
        sizes = {output: self._size(tensors, output, used) for output in self._sizes}
        before = [tensors.facts[place] for place in self.layer.plan.outputs]
        after = self.layer.rule.infer(tensors.facts_for(self.layer.rule), sizes)
        self._check_bounds(before, after, sizes)
        for place, facts in zip(self.layer.plan.outputs, after, strict=True):
            tensors.facts[place] = facts

    def _size(self, tensors: ExecutionTensors, output: int, used: Sequence[int]) -> int:
        position = self._num_inputs + output
        desc = self.descs[position]
        raw = tensors.device.fetch(used[position], formats.nbytes(desc), stream=tensors.stream)
        size = int(formats.from_device(raw, desc).reshape(-1)[0])
        if size < 0:
            why = f"{self.layer.plan.name}: the plugin wrote {size} into its size tensor, output {output}"
            raise Refused(f"{why}; a size is 0 or more", Reason.INTERNAL)
        return size

    def _check_bounds(
        self, before: Sequence[ValueFacts], after: Sequence[ValueFacts], sizes: Mapping[int, int]
    ) -> None:
        for output, (bounded, actual) in enumerate(zip(before, after, strict=True)):
            if any(extent > most for extent, most in zip(actual.dims, bounded.bound, strict=True)):
                why = f"{self.layer.plan.name}: with sizes {dict(sizes)} output {output} is {list(actual.dims)}"
                raise Refused(f"{why}, which is beyond the declared upper bound {list(bounded.bound)}", Reason.INTERNAL)


class OperationRun:
    """A layer without a plugin: it needs no preparation."""

    def __init__(self, layer: LiveLayer, operation: Operation) -> None:
        self.layer = layer
        self._operation = operation

    def settle(self, tensors: ExecutionTensors) -> None:
        """Do nothing."""

    def run(self, tensors: ExecutionTensors) -> None:
        """Compute the outputs from the inputs, in the types that were chosen for the layer."""
        plan = self.layer.plan
        count = len(plan.inputs)
        try:
            if all(tensors.is_foreseen(place) for place in plan.outputs):
                results = [tensors.foreseen(place) for place in plan.outputs]
            else:
                inputs = [tensors.read(place, desc) for place, desc in zip(plan.inputs, plan.chosen, strict=False)]
                operation = self.layer.operation or self._operation  # a refitted engine has other weights
                results = list(operation.run(inputs))
            for place, desc, data in zip(plan.outputs, plan.chosen[count:], results, strict=True):
                tensors.write(place, desc, data)
        except DeviceFault as fault:
            raise Refused(f"{plan.name}: {fault}", Reason.INTERNAL) from fault


LayerRun: TypeAlias = "PluginRun | OperationRun"
"""A context's work for one layer."""
