"""The adapters of version 2: `IPluginV2DynamicExt`, and the interfaces for an implicit batch.

Functions with the same names and arguments call the plugins of both (`Version2Calls`), so the adapters differ little.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Protocol

from reference_runtime.bound.bound_class import is_bound
from reference_runtime.calling.adapters.output_shapes import output_expressions
from reference_runtime.calling.adapters.plugin_interface import ContextCopy, PluginInterface, Saved
from reference_runtime.calling.trampolines import implicit_batch, v2
from reference_runtime.calling.trampolines.capabilities import Capabilities
from reference_runtime.interfaces.v2 import IPluginV2DynamicExtBase
from reference_runtime.interfaces.v2_ext import IPluginV2IOExt
from reference_runtime.values.descriptions import Bounds
from reference_runtime.values.enums_layers import LayerType
from reference_runtime.values.refusals import Reason, Refused

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from reference_runtime.calling.adapters.output_shapes import OutputShape
    from reference_runtime.calling.adapters.plugin_interface import EnginePlugin, Tensors
    from reference_runtime.calling.gate.gate import Gate
    from reference_runtime.calling.gate.scheduler import Scheduler
    from reference_runtime.shapes.expressions import DimsExprs, IExprBuilder
    from reference_runtime.shapes.tensor_facts import ValueFacts
    from reference_runtime.values.descriptions import Description, Extents, Range
    from reference_runtime.values.enums import DataType

_LIMIT: Final = 100
"""The number of accepted combinations after which TensorRT stops asking an `IPluginV2DynamicExt`."""


class Version2Calls(Protocol):
    """Functions that call the callbacks in which the interfaces of version 2 differ.

    Their names and arguments are those of `IPluginV2DynamicExt`.
    """

    def clone(self, gate: Gate, plugin: object) -> Any:
        """Return a copy of the plugin that TensorRT owns, or None."""
        ...

    def get_output_datatype(self, gate: Gate, plugin: object, index: int, input_types: Sequence[DataType]) -> DataType:
        """Return the type of an output."""
        ...

    def get_output_dimensions(
        self, gate: Gate, plugin: object, index: int, inputs: Sequence[DimsExprs], builder: IExprBuilder
    ) -> DimsExprs:
        """Return the dimensions of an output."""
        ...

    def supports_format_combination(
        self, gate: Gate, plugin: object, pos: int, in_out: Sequence[Description], num_inputs: int
    ) -> bool:
        """Say whether the plugin accepts the tensor at ``pos``."""
        ...

    def initialize(self, gate: Gate, plugin: object) -> int:
        """Initialize the plugin; 0 is success."""
        ...


def execution_bounds(scheduler: Scheduler, concrete: Sequence[Description], ranges: Sequence[Range]) -> list[Bounds]:
    """Return the tensors, with bounds, that ``configure_plugin`` gets in the execution phase.

    The dimensions are those of the execution. No document states the bounds. So the scheduler chooses those of the
    profile, or the dimensions of the execution.
    """
    exact = scheduler.choose("bounds in the execution phase", [False, True])
    return [
        Bounds(desc, *((desc.dims,) * 3 if exact else bounds)) for desc, bounds in zip(concrete, ranges, strict=True)
    ]


class DynamicCopy(ContextCopy):
    """A clone of an `IPluginV2DynamicExt`; TensorRT calls ``initialize`` on its source only."""

    calls = v2

    def prepare(self, descs: Sequence[Description], num_inputs: int, ranges: Sequence[Range]) -> None:
        """Call ``configure_plugin`` and, if the scheduler chooses so, ``get_workspace_size``."""
        gate, scheduler = self.source.gate, self.source.scheduler
        shown = execution_bounds(scheduler, descs, ranges)
        v2.configure_plugin(gate, self.target, shown[:num_inputs], shown[num_inputs:])
        if scheduler.choose("workspace asked for while executing", [False, True]):
            v2.get_workspace_size(gate, self.target, descs[:num_inputs], descs[num_inputs:])


class ImplicitBatchCopy(ContextCopy):
    """A clone that is attached to the context, or the engine's own object if its interface cannot be attached."""

    calls = implicit_batch

    def __init__(self, source: EnginePlugin, target: Any) -> None:
        super().__init__(source, target)
        implicit_batch.attach_to_context(source.gate, target)

    def destroy(self) -> None:
        """Detach and release a clone."""
        if implicit_batch.is_attached(self.source.plugin):
            implicit_batch.detach_from_context(self.source.gate, self.target)
            super().destroy()


class Version2(PluginInterface):
    """An `IPluginV2DynamicExt`."""

    kind: LayerType = LayerType.PLUGIN_V2
    calls: Version2Calls = v2

    def name_of(self, plugin: Any) -> str:
        """Return the same name for each plugin."""
        return "IPluginV2DynamicExt"

    def refuse_inputs(
        self, plugin: Any, shapes: Callable[[], Sequence[Extents]], *, implicit_batch: bool, shape_inputs: int
    ) -> None:
        """Refuse an implicit batch."""
        if implicit_batch:
            raise Refused("an IPluginV2DynamicExt needs a network with an explicit batch, and this batch is implicit")

    def clone(self, gate: Gate, plugin: Any) -> Any:
        """Call ``clone``."""
        return self.calls.clone(gate, plugin)

    def destroy(self, gate: Gate, plugin: Any) -> None:
        """Call ``destroy`` for the last owner."""
        v2.destroy(gate, plugin)

    def capabilities(self, gate: Gate, plugin: Any, *, build: bool) -> Capabilities:
        """Return the plugin itself as each capability."""
        return Capabilities(plugin, plugin, plugin, plugin)

    def identity(self, gate: Gate, capabilities: Capabilities) -> Iterator[tuple[str, str | None]]:
        """Read the native attributes."""
        for read in (v2.plugin_type, v2.plugin_version, v2.plugin_namespace):
            yield read.__name__, read(gate, capabilities.core)

    def num_outputs(self, gate: Gate, capabilities: Capabilities) -> int:
        """Read ``num_outputs``."""
        return v2.num_outputs(gate, capabilities.build)

    def output_types(
        self, gate: Gate, capabilities: Capabilities, types: Sequence[DataType], count: int, ranks: Sequence[int]
    ) -> list[DataType]:
        """Query one type after the other."""
        return [self.calls.get_output_datatype(gate, capabilities.build, index, types) for index in range(count)]

    def output_shapes(
        self,
        gate: Gate,
        capabilities: Capabilities,
        inputs: Sequence[Extents],
        shape_inputs: Sequence[ValueFacts],
        count: int,
    ) -> list[OutputShape]:
        """Query one shape after the other."""
        return output_expressions(self.calls.get_output_dimensions, gate, capabilities.build, inputs, range(count))

    def format_limit(self, gate: Gate, capabilities: Capabilities) -> int:
        """Return TensorRT's fixed limit."""
        return _LIMIT

    def supports(
        self,
        gate: Gate,
        capabilities: Capabilities,
        settled: Sequence[Description],
        bounds: Sequence[Bounds],
        num_inputs: int,
    ) -> bool:
        """Call ``supports_format_combination``."""
        in_out = [*settled, *[v2.INVALID] * (len(bounds) - len(settled))]
        return self.calls.supports_format_combination(gate, capabilities.build, len(settled) - 1, in_out, num_inputs)

    def saved(self, gate: Gate, capabilities: Capabilities, layer: str, most: int) -> Saved:
        """Call ``get_serialization_size`` and ``serialize``."""
        size = v2.get_serialization_size(gate, capabilities.runtime)
        if size > most:
            raise Refused(f"{layer}: the plugin announces {size} bytes of serialized data", Reason.SERIALIZATION)
        return Saved(payload=v2.serialize(gate, capabilities.runtime, size))

    def start(self, gate: Gate, plugin: Any, layer: str, namespace: str, chosen: Sequence[Description]) -> None:
        """Set the namespace, and call ``initialize``."""
        v2.set_plugin_namespace(plugin, namespace)
        if not self._still_supports(gate, plugin, chosen):
            raise Refused(f"{layer}: the plugin does not support the formats of the engine", Reason.SERIALIZATION)
        if self.calls.initialize(gate, plugin) != v2.SUCCESS:
            raise Refused(f"{layer}: the plugin could not be initialized", Reason.INTERNAL)

    def for_context(self, source: EnginePlugin, resources: object) -> ContextCopy:
        """Call ``clone``."""
        return DynamicCopy(source, self.cloned(source))

    def terminate(self, gate: Gate, plugin: Any) -> None:
        """Call ``terminate``."""
        v2.terminate(gate, plugin)

    def _still_supports(self, gate: Gate, plugin: Any, chosen: Sequence[Description]) -> bool:
        """Return True: TensorRT does not ask an `IPluginV2DynamicExt` for formats again."""
        return True


class ImplicitBatch(Version2):
    """An `IPluginV2`, `IPluginV2Ext` or `IPluginV2IOExt`."""

    calls: Version2Calls = implicit_batch

    def name_of(self, plugin: Any) -> str:
        """Return the name of the most derived of the interfaces."""
        return next(base.__name__ for base in type(plugin).__mro__ if is_bound(base))

    def refuse_inputs(
        self, plugin: Any, shapes: Callable[[], Sequence[Extents]], *, implicit_batch: bool, shape_inputs: int
    ) -> None:
        """With an explicit batch, refuse wildcards, scalars, and first dimensions that differ."""
        if implicit_batch:
            return
        input_dims = shapes()
        if any(not dims or -1 in dims for dims in input_dims) or len({dims[0] for dims in input_dims}) > 1:
            why = f"an {self.name_of(plugin)} in a network with an explicit batch needs inputs without wildcards,"
            raise Refused(
                f"{why} with one batch as first dimension, not {', '.join(str(list(dims)) for dims in input_dims)}"
            )

    def workspace_at_start(self, gate: Gate, plugin: Any, greatest: Callable[[], Tensors]) -> int:
        """Call ``get_workspace_size``."""
        return implicit_batch.get_workspace_size(gate, plugin, *greatest())

    def for_context(self, source: EnginePlugin, resources: object) -> ContextCopy:
        """Call ``attach_to_context`` of a clone; contexts share an `IPluginV2`."""
        own = implicit_batch.is_attached(source.plugin)
        return ImplicitBatchCopy(source, self.cloned(source) if own else source.plugin)

    def _still_supports(self, gate: Gate, plugin: Any, chosen: Sequence[Description]) -> bool:
        """Call ``supports_format`` again for each type and format: by the documents, engines call it, too."""
        if not all(desc.dims for desc in chosen):
            return False  # a scalar has no batch
        if isinstance(plugin, IPluginV2IOExt):
            return True
        forms = dict.fromkeys((desc.type, desc.format) for desc in chosen)
        return all(implicit_batch.supports_format(gate, plugin, *form) for form in forms)


DYNAMIC: Final = Version2()
IMPLICIT_BATCH: Final = ImplicitBatch()


def version_2(plugin: object) -> Version2:
    """Return the adapter of a plugin of version 2."""
    return DYNAMIC if isinstance(plugin, IPluginV2DynamicExtBase) else IMPLICIT_BATCH
