"""A context at work: its clones of the engine's plugins, shapes, addresses, and the executions.

Theory. A context runs a clone of each plugin. Setting a shape, an address or a profile does nothing at once. The next
execution works out every extent, and where the profile or an input's shape changed since the last one, or nothing was
configured yet, it configures each plugin for the extents at hand; then each runs in its turn. Tensors between layers,
the workspace, and copies of tensors whose type or layout the plugin wants otherwise live in memory of the context's
own, which is poisoned before each use: nothing that was there may matter.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from reference_runtime import formats, trampolines
from reference_runtime.backends.base import ALIGNMENT
from reference_runtime.backends.records import DeviceFault
from reference_runtime.enums import TensorIOMode
from reference_runtime.execution import execution_bounds, reformat
from reference_runtime.extents import propagate
from reference_runtime.gate import Phase
from reference_runtime.refusals import Reason, Refused

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from reference_runtime.backends.base import Buffer
    from reference_runtime.descriptions import Description, Extents, Range
    from reference_runtime.loading import LiveEngine, LiveLayer
    from reference_runtime.plan import TensorPlan

__all__ = ["LiveContext", "new_context"]

_POISON: Final = 0x7E


@dataclass(frozen=True)
class _Step:
    """One layer as it is run: its plugin, how each tensor lies in the engine and how the plugin wants it."""

    layer: LiveLayer
    plugin: Any
    stored: tuple[Description, ...]
    wanted: tuple[Description, ...]
    copies: tuple[Buffer | None, ...]
    """Memory for the tensors that have to be reformatted."""

    @property
    def num_inputs(self) -> int:
        """How many of the tensors are inputs."""
        return len(self.layer.plan.inputs)

    @property
    def tensors(self) -> tuple[int, ...]:
        """The tensors, inputs first, by their place in the plan."""
        return self.layer.plan.tensors


class LiveContext:
    """What stands behind an IExecutionContext."""

    def __init__(self, engine: LiveEngine, plugins: Mapping[LiveLayer, Any]) -> None:
        self.engine = engine
        self.plugins = plugins
        self.profile: int = 0
        self.addresses: dict[int, int] = {}
        self._shapes: dict[int, Extents] = {}
        self._changed = True
        self._steps: list[_Step] = []
        self._inner: dict[int, Buffer] = {}
        self._workspace: Buffer | None = None
        engine.contexts.append(self.close)

    @property
    def _tensors(self) -> tuple[TensorPlan, ...]:
        return self.engine.plan.tensors

    def set_profile(self, profile: int) -> None:
        """Choose another profile; every input with wildcards needs its shape again."""
        count = len(self.engine.plan.profiles)
        if not 0 <= profile < count:
            raise Refused(f"there is no optimization profile {profile}; the engine has {count}")
        if profile != self.profile:
            self.profile = profile
            self._shapes.clear()
            self._changed = True

    def set_shape(self, tensor: int, extents: Extents) -> None:
        """Set the shape of an input, within the profile."""
        name, dims = self._tensors[tensor].name, self._tensors[tensor].desc.dims
        least, _, greatest = self._ranges[tensor]
        if len(extents) != len(dims):
            raise Refused(f"{name} has {len(dims)} dimensions, not the {len(extents)} of {list(extents)}")
        if any(fixed not in (-1, extent) for fixed, extent in zip(dims, extents, strict=True)):
            raise Refused(f"Static dimension mismatch while setting input shape for {name}: {list(dims)}")
        if any(not low <= extent <= high for low, extent, high in zip(least, extents, greatest, strict=True)):
            why = f"{name}: {list(extents)} is not within {list(least)} and {list(greatest)} of profile {self.profile}"
            raise Refused(why)
        if self._shapes.get(tensor) != extents:
            self._shapes[tensor] = extents
            self._changed = True

    def set_address(self, tensor: int, address: int) -> None:
        """Say where a tensor is."""
        if address % ALIGNMENT:
            raise Refused(f"{self._tensors[tensor].name}: {address:#x} is not a multiple of {ALIGNMENT}")
        self.addresses[tensor] = address

    def missing_shapes(self) -> list[str]:
        """Return the names of the inputs whose shapes have to be set."""
        return [
            tensor.name
            for place, tensor in enumerate(self.engine.plan.inputs)
            if -1 in tensor.desc.dims and place not in self._shapes
        ]

    def extents(self) -> list[Extents] | None:
        """Return the shape of every tensor, or None while shapes are missing; `Refused` where there is none."""
        if self.missing_shapes():
            return None
        inputs = {
            place: self._shapes.get(place, tensor.desc.dims) for place, tensor in enumerate(self.engine.plan.inputs)
        }
        shapes = propagate([layer.rule for layer in self.engine.layers], inputs)
        return [shapes.get(place, tensor.desc.dims) for place, tensor in enumerate(self._tensors)]

    def shape_so_far(self, tensor: int) -> Extents:
        """Return the shape of a tensor as far as it is known: as it was set, or as the network has it."""
        return self._shapes.get(tensor, self._tensors[tensor].desc.dims)

    def execute(self, addresses: Mapping[int, int], stream: int) -> None:
        """Run every layer on ``stream``, or raise `Refused`."""
        if self.close not in self.engine.contexts:
            raise Refused("the context was closed")
        extents = self.extents()
        if extents is None:
            raise Refused(f"the shapes of {', '.join(self.missing_shapes())} are not set")
        self._check(addresses, extents)
        with self.engine.around.gate.during(Phase.EXECUTION):
            if self._changed:
                self._prepare(extents)
            for step in self._steps:
                self._run(step, addresses, stream)

    def close(self) -> None:
        """Destroy the context's clones and give its memory back; a second time does nothing."""
        if self.close not in self.engine.contexts:
            return
        self.engine.contexts.remove(self.close)
        self._release()
        around = self.engine.around
        with around.gate.during(Phase.DESTRUCTION):
            for plugin in around.scheduler.order("context copies go", list(self.plugins.values())):
                trampolines.destroy(around.gate, plugin)

    @property
    def _ranges(self) -> tuple[Range, ...]:
        return self.engine.plan.profiles[self.profile].ranges

    def _check(self, addresses: Mapping[int, int], extents: Sequence[Extents]) -> None:
        for place, tensor in enumerate(self.engine.plan.io):
            if not addresses.get(place) and 0 not in extents[place]:
                raise Refused(f"Address is not set for tensor {tensor.name}")

    def _prepare(self, extents: Sequence[Extents]) -> None:
        """Make room for the extents at hand, and configure every plugin for them."""
        self._release()
        device = self.engine.around.device
        described = [tensor.desc.sized(dims) for tensor, dims in zip(self._tensors, extents, strict=True)]
        self._inner = {
            place: device.allocate(formats.nbytes(described[place]), label=f"tensor {tensor.name!r}")
            for place, tensor in enumerate(self._tensors)
            if tensor.mode == TensorIOMode.NONE
        }
        size = max((layer.plan.workspace for layer in self.engine.layers), default=0)
        self._workspace = device.allocate(size, label="workspace") if size else None
        for layer in self.engine.layers:
            self._steps.append(self._step(layer, described))
            self._configure(self._steps[-1])
        self._changed = False

    def _step(self, layer: LiveLayer, described: Sequence[Description]) -> _Step:
        stored = tuple(described[place] for place in layer.plan.tensors)
        wanted = tuple(desc.sized(here.dims) for desc, here in zip(layer.plan.chosen, stored, strict=True))
        copies = tuple(
            None
            if here == there
            else self.engine.around.device.allocate(formats.nbytes(there), label=f"{layer.plan.name} tensor {place}")
            for place, (here, there) in enumerate(zip(stored, wanted, strict=True))
        )
        return _Step(layer, self.plugins[layer], stored, wanted, copies)

    def _configure(self, step: _Step) -> None:
        around, count = self.engine.around, step.num_inputs
        ranges = [self.engine.ranges[self.profile][place] for place in step.tensors]
        shown = execution_bounds(around.scheduler, step.wanted, ranges)
        trampolines.configure_plugin(around.gate, step.plugin, shown[:count], shown[count:])
        if around.scheduler.choose("workspace asked for while executing", [False, True]):
            trampolines.get_workspace_size(around.gate, step.plugin, step.wanted[:count], step.wanted[count:])

    def _run(self, step: _Step, addresses: Mapping[int, int], stream: int) -> None:
        count = step.num_inputs
        outer = [self._address(place, addresses) for place in step.tensors]
        used = [there if copy is None else copy.address for there, copy in zip(outer, step.copies, strict=True)]
        self._poison(step)
        try:
            self._copy(step, range(count), outer, used, stream)
            workspace = self._workspace.address if self._workspace and step.layer.plan.workspace else 0
            status = trampolines.enqueue(
                self.engine.around.gate,
                step.plugin,
                step.wanted[:count],
                step.wanted[count:],
                used[:count],
                used[count:],
                workspace,
                stream,
            )
            if status != trampolines.SUCCESS:
                raise Refused(f"{step.layer.plan.name}: the plugin's enqueue failed", Reason.INTERNAL)
            self._copy(step, range(count, len(outer)), used, outer, stream)
        except DeviceFault as fault:
            raise Refused(f"{step.layer.plan.name}: {fault}", Reason.INTERNAL) from fault

    def _copy(self, step: _Step, places: range, source: Sequence[int], target: Sequence[int], stream: int) -> None:
        """Reformat inputs for the plugin, or its outputs for everybody else."""
        for place in places:
            if step.copies[place] is not None:
                here, there = step.stored[place], step.wanted[place]
                given, wanted = (here, there) if place < step.num_inputs else (there, here)
                reformat(self.engine.around.device, (given, source[place]), (wanted, target[place]), stream=stream)

    def _poison(self, step: _Step) -> None:
        outputs = step.layer.plan.outputs
        for buffer in (self._workspace, *step.copies, *(self._inner.get(place) for place in outputs)):
            if buffer is not None:
                buffer.fill(_POISON)

    def _address(self, place: int, addresses: Mapping[int, int]) -> int:
        return self._inner[place].address if place in self._inner else addresses.get(place, 0)

    def _release(self) -> None:
        for step in self._steps:
            for buffer in step.copies:
                if buffer is not None:
                    buffer.free()
        for buffer in (*self._inner.values(), *([self._workspace] if self._workspace else [])):
            buffer.free()
        self._steps, self._inner, self._workspace = [], {}, None


def new_context(engine: LiveEngine) -> LiveContext:
    """Clone an engine's plugins for a context, or raise `Refused`; the clones are not initialized, the source is."""
    if engine.closed:
        raise Refused("the engine was closed")
    gate = engine.around.gate
    plugins: dict[LiveLayer, Any] = {}
    with gate.during(Phase.CONTEXT):
        for layer in engine.layers:
            copy = trampolines.clone(gate, layer.plugin)
            if copy is None:
                for made in plugins.values():
                    trampolines.destroy(gate, made)
                raise Refused(f"{layer.plan.name}: the plugin could not be cloned for the context", Reason.INTERNAL)
            plugins[layer] = copy
    return LiveContext(engine, plugins)
