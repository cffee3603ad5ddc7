"""Run one layer in a context: a plugin, with its tensors as it wants them, or an operation, with NumPy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference_runtime.devices.records import DeviceFault
from reference_runtime.engine.activations import batch_of, is_copied, is_spread, shares_input
from reference_runtime.shapes.tensor_facts import UNKNOWN
from reference_runtime.values import formats
from reference_runtime.values.refusals import Reason, Refused

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from reference_runtime.devices.base import Device
    from reference_runtime.engine.context.execution import Execution
    from reference_runtime.engine.context.plugin_copies import PluginCopy
    from reference_runtime.engine.loading import LiveLayer
    from reference_runtime.operations import Operation
    from reference_runtime.plan import Plan
    from reference_runtime.shapes.tensor_facts import ValueFacts
    from reference_runtime.values.descriptions import Description, Extents


def reformat(device: Device, source: tuple[Description, int], target: tuple[Description, int], *, stream: int) -> None:
    """Copy a tensor from one address to another, in another type and layout; work on ``stream``."""
    (given, here), (wanted, there) = source, target
    raw = device.fetch(here, formats.nbytes(given), stream=stream)
    device.store(there, formats.convert(raw, given, wanted), stream=stream)


def spread(device: Device, source: tuple[Description, int], target: tuple[Description, int], *, stream: int) -> None:
    """Repeat one item for a whole batch, in another type and layout; work on ``stream``."""
    (given, here), (wanted, there) = source, target
    raw = device.fetch(here, formats.nbytes(given), stream=stream)
    item = formats.convert(raw, given, wanted.sized(given.dims))
    device.store(there, bytes(item) * wanted.dims[0], stream=stream)


class PluginRun:
    """A plugin layer: the context's copy of the plugin, and the arguments that it was last prepared with."""

    def __init__(self, index: int, layer: LiveLayer, copy: PluginCopy, made: Plan) -> None:
        self.index = index
        self.layer = layer
        self.copy = copy
        self.wanted: tuple[Description, ...] = ()
        self._told: tuple[int, int, tuple[Extents, ...]] | None = None
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

    def settle(self, execution: Execution) -> None:
        """Pass the plugin the current dimensions, if the profile, a shape or, for version 3, an address changed."""
        dims = tuple(execution.facts[place].dims for place in self._tensors)
        if any(UNKNOWN in extents for extents in dims[: self._num_inputs]):
            return
        moved = execution.moves if self.copy.watches_addresses else 0
        if self._told == (execution.stamp, moved, dims):
            return
        self._told = None
        self.wanted = tuple(
            desc.sized((dims[self._batch][0], *extents[1:]) if position in self._spread else extents)
            for position, (desc, extents) in enumerate(zip(self.layer.plan.chosen, dims, strict=True))
        )
        ranges = [execution.ranges[place] for place in self._tensors]
        self.copy.prepare(self.wanted, self._num_inputs, ranges)
        self._told = (execution.stamp, moved, dims)

    def run(self, execution: Execution) -> None:
        """Convert the inputs, run the plugin, read the sizes that it wrote, and convert the outputs."""
        self.settle(execution)
        outer = [execution.address(place) for place in self._tensors]
        used = self._used(execution, outer)
        try:
            self._bring(execution, outer, used)
            lent = (execution.memory.address(("workspace", self.index, 0)), execution.stream)
            if not self.copy.enqueue(self.wanted, used, self._num_inputs, lent):
                raise Refused(f"{self.layer.plan.name}: the plugin's enqueue failed", Reason.INTERNAL)
            self._learn_sizes(execution, used)
            self._take_away(execution, outer, used)
        except DeviceFault as fault:
            raise Refused(f"{self.layer.plan.name}: {fault}", Reason.INTERNAL) from fault

    def _used(self, execution: Execution, outer: Sequence[int]) -> list[int]:
        """Return the plugin's addresses: of copies first, then of outputs that share an input's address."""
        used = list(outer)
        for position in self._copied:
            used[position] = execution.memory.address(("copy", self.index, position))
        for position, shared in self._shared.items():
            used[position] = used[shared]
        return used

    def _bring(self, execution: Execution, outer: Sequence[int], used: Sequence[int]) -> None:
        for position in self._copied:
            if position < self._num_inputs:
                place, wanted = self._tensors[position], self.wanted[position]
                if execution.is_on_host(place):
                    data = formats.to_device(execution.host[place], wanted)
                    execution.device.store(used[position], data, stream=execution.stream)
                else:
                    source, target = (execution.stored(place), outer[position]), (wanted, used[position])
                    copy = spread if position in self._spread else reformat
                    copy(execution.device, source, target, stream=execution.stream)

    def _take_away(self, execution: Execution, outer: Sequence[int], used: Sequence[int]) -> None:
        for position in range(self._num_inputs, len(used)):
            if used[position] != outer[position]:
                stored = execution.stored(self._tensors[position])
                wanted = self.wanted[position].sized(stored.dims)
                source, target = (wanted, used[position]), (stored, outer[position])
                reformat(execution.device, source, target, stream=execution.stream)

    def _learn_sizes(self, execution: Execution, used: Sequence[int]) -> None:
        if not self._sizes:
            return
        sizes = {output: self._size(execution, output, used) for output in self._sizes}
        before = [execution.facts[place] for place in self.layer.plan.outputs]
        after = self.layer.rule.infer(execution.given(self.layer.rule), sizes)
        self._check_bounds(before, after, sizes)
        for place, facts in zip(self.layer.plan.outputs, after, strict=True):
            execution.facts[place] = facts

    def _size(self, execution: Execution, output: int, used: Sequence[int]) -> int:
        position = self._num_inputs + output
        desc = self.wanted[position]
        raw = execution.device.fetch(used[position], formats.nbytes(desc), stream=execution.stream)
        size = int(formats.from_device(raw, desc).reshape(-1)[0])
        if size < 0:
            why = f"{self.layer.plan.name}: the plugin wrote {size} into its size tensor, output {output}"
            raise Refused(f"{why}; a size is 0 or more", Reason.INTERNAL)
        return size

    def _check_bounds(
        self, before: Sequence[ValueFacts], after: Sequence[ValueFacts], sizes: Mapping[int, int]
    ) -> None:
        for output, (bounded, found) in enumerate(zip(before, after, strict=True)):
            if any(extent > most for extent, most in zip(found.dims, bounded.bound, strict=True)):
                why = f"{self.layer.plan.name}: with sizes {dict(sizes)} output {output} is {list(found.dims)}"
                raise Refused(f"{why}, which is beyond the declared upper bound {list(bounded.bound)}", Reason.INTERNAL)


class OperationRun:
    """A layer without a plugin: it needs no preparation."""

    def __init__(self, layer: LiveLayer, operation: Operation) -> None:
        self.layer = layer
        self._operation = operation

    def settle(self, execution: Execution) -> None:
        """Do nothing."""

    def run(self, execution: Execution) -> None:
        """Compute the outputs from the inputs, in the types that were chosen for the layer."""
        plan = self.layer.plan
        count = len(plan.inputs)
        try:
            if all(execution.is_foreseen(place) for place in plan.outputs):
                results = [execution.foreseen(place) for place in plan.outputs]
            else:
                given = [execution.read(place, desc) for place, desc in zip(plan.inputs, plan.chosen, strict=False)]
                operation = self.layer.operation or self._operation  # a refitted engine has other weights
                results = list(operation.run(given))
            for place, desc, data in zip(plan.outputs, plan.chosen[count:], results, strict=True):
                execution.write(place, desc, data)
        except DeviceFault as fault:
            raise Refused(f"{plan.name}: {fault}", Reason.INTERNAL) from fault
