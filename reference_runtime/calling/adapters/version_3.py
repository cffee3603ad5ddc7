"""The adapters of version 3: `IPluginV3`, and decorated plugins.

The capabilities of a plugin may be separate objects. `trampolines.v3` calls each in the form that its class requires.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from reference_runtime.calling.adapters.output_shapes import die_of_null, output_expressions_v3
from reference_runtime.calling.adapters.plugin_interface import ContextCopy, PluginInterface, Saved
from reference_runtime.calling.trampolines import quick, v2, v3
from reference_runtime.interfaces.v3 import is_quick
from reference_runtime.values.descriptions import Bounds
from reference_runtime.values.enums_layers import LayerType
from reference_runtime.values.refusals import Reason, Refused

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from reference_runtime.calling.adapters.output_shapes import OutputShape
    from reference_runtime.calling.adapters.plugin_interface import EnginePlugin
    from reference_runtime.calling.gate.gate import Gate
    from reference_runtime.calling.trampolines.capabilities import Capabilities
    from reference_runtime.shapes.tensor_facts import ValueFacts
    from reference_runtime.values.descriptions import Description, Extents, Range
    from reference_runtime.values.enums import DataType, TensorFormat

_INVALID_BOUNDS: Final = Bounds(v2.INVALID, (), (), ())
_NO_MEMBER: Final = "???"
"""The name that the bindings give a number without a member in an enumeration."""


class Version3Copy(ContextCopy):
    """A context's copy of an `IPluginV3` or of a decorated plugin, with the builder's tactic.

    ``target`` is its runtime capability. A decorated plugin does not have ``on_shape_change``, and does not get it.
    """

    calls = v3
    watches_addresses = True

    def __init__(self, source: EnginePlugin, plugin: Any) -> None:
        capabilities = v3.capabilities(source.gate, plugin, build=False)
        if capabilities is None:
            why = f"{source.layer}: what attach_to_context returned has no CORE or RUNTIME capability"
            raise Refused(why, Reason.INTERNAL)
        super().__init__(source, capabilities.runtime)
        self._plugin = plugin
        self._has_tactic = False
        if source.scheduler.choose("tactic set when a context is created", [False, True]):
            self._set_tactic()

    def prepare(self, descs: Sequence[Description], num_inputs: int, ranges: Sequence[Range]) -> None:
        """Call ``set_tactic``, once or each time as the scheduler chooses, then ``on_shape_change``."""
        again = self.source.scheduler.choose("tactic set with every change of shape", [False, True])
        if again or not self._has_tactic:
            self._set_tactic()
        status = v3.on_shape_change(self.source.gate, self.target, descs[:num_inputs], descs[num_inputs:])
        if status != v3.SUCCESS:
            raise Refused(f"{self.source.layer}: the plugin's on_shape_change failed", Reason.INTERNAL)

    def destroy(self) -> None:
        """Destroy the whole plugin, not only ``target``."""
        v3.destroy(self.source.gate, self._plugin)

    def _set_tactic(self) -> None:
        source = self.source
        if v3.set_tactic(source.gate, self.target, source.tactic) != v3.SUCCESS:
            raise Refused(f"{source.layer}: the plugin's set_tactic({source.tactic}) failed", Reason.INTERNAL)
        self._has_tactic = True


class Version3(PluginInterface):
    """An `IPluginV3`."""

    kind: LayerType = LayerType.PLUGIN_V3
    answers_first: bool = True
    repeats_types: bool = True
    shows_profile: bool = True
    attaches: bool = True
    repeats_fields: bool = True
    dies_of_null: bool = True

    def name_of(self, plugin: Any) -> str:
        """Return the same name for each plugin."""
        return "IPluginV3"

    def clone(self, gate: Gate, plugin: Any) -> Any:
        """Call ``clone``."""
        return v3.clone(gate, plugin)

    def destroy(self, gate: Gate, plugin: Any) -> None:
        """Call ``destroy`` for the last owner."""
        v3.destroy(gate, plugin)

    def capabilities(self, gate: Gate, plugin: Any, *, build: bool) -> Capabilities | None:
        """Call ``get_capability_interface`` for each capability of the phase."""
        return v3.capabilities(gate, plugin, build=build)

    def identity(self, gate: Gate, capabilities: Capabilities) -> Iterator[tuple[str, str | None]]:
        """Read the native attributes of the core capability."""
        for read in (v3.plugin_name, v3.plugin_version, v3.plugin_namespace):
            yield read.__name__, read(gate, capabilities.core)

    def num_outputs(self, gate: Gate, capabilities: Capabilities) -> int:
        """Read ``num_outputs``, or call ``get_num_outputs``."""
        return v3.num_outputs(gate, capabilities.build)

    def output_types(
        self, gate: Gate, capabilities: Capabilities, types: Sequence[DataType], count: int, ranks: Sequence[int]
    ) -> list[DataType] | None:
        """Call ``get_output_data_types``."""
        return v3.get_output_data_types(gate, capabilities.build, types, count, ranks)

    def output_shapes(
        self,
        gate: Gate,
        capabilities: Capabilities,
        inputs: Sequence[Extents],
        shape_inputs: Sequence[ValueFacts],
        count: int,
    ) -> list[OutputShape] | None:
        """Call ``get_output_shapes``."""
        shapes = output_expressions_v3(gate, capabilities, inputs, shape_inputs, count)
        if self.dies_of_null:
            die_of_null(capabilities.plugin, shapes or ())
        return shapes

    def aliases(self, gate: Gate, capabilities: Capabilities, count: int) -> tuple[int, ...]:
        """Call ``get_aliased_input`` for each output, if the build capability has this query."""
        return tuple(v3.get_aliased_input(gate, capabilities.build, output) for output in range(count))

    def format_limit(self, gate: Gate, capabilities: Capabilities) -> int:
        """Read ``format_combination_limit``; NVIDIA's builder takes one combination where it is 0."""
        return max(v3.format_combination_limit(gate, capabilities.build), 1)

    def supports(
        self,
        gate: Gate,
        capabilities: Capabilities,
        settled: Sequence[Description],
        bounds: Sequence[Bounds],
        num_inputs: int,
    ) -> bool:
        """Call ``supports_format_combination``."""
        head = [Bounds(desc, each.min, each.opt, each.max) for desc, each in zip(settled, bounds, strict=False)]
        in_out = [*head, *[_INVALID_BOUNDS] * (len(bounds) - len(head))]
        return v3.supports_format_combination(gate, capabilities.build, len(head) - 1, in_out, num_inputs)

    def metadata(self, gate: Gate, capabilities: Capabilities) -> str | None:
        """Read ``metadata_string``."""
        return v3.metadata_string(gate, capabilities.build)

    def saved(self, gate: Gate, capabilities: Capabilities, layer: str, most: int) -> Saved:
        """Call ``get_fields_to_serialize``, and copy the fields."""
        fields = v3.get_fields_to_serialize(gate, capabilities.runtime)
        if fields is None:
            raise Refused(f"{layer}: the plugin's get_fields_to_serialize gave no fields", Reason.SERIALIZATION)
        for field in fields:
            if field.type.name == _NO_MEMBER or len(field.data) > most:
                why = f"the field {field.name!r} has type {int(field.type)} and {len(field.data)} bytes"
                raise Refused(f"{layer}: {why}, which cannot be serialized", Reason.SERIALIZATION)
        return Saved(fields=fields)

    def for_context(self, source: EnginePlugin, resources: object) -> ContextCopy:
        """Call ``attach_to_context``."""
        attached = v3.attach_to_context(source.gate, source.capabilities.runtime, resources)
        if attached is None:
            raise Refused(f"{source.layer}: the plugin could not be attached to the context", Reason.INTERNAL)
        return self._copied(source, attached)

    def _copied(self, source: EnginePlugin, plugin: Any) -> ContextCopy:
        try:
            return Version3Copy(source, plugin)
        except Refused:
            v3.destroy(source.gate, plugin)
            raise


class Decorated(Version3):
    """A decorated plugin: an `IPluginV3` whose capabilities are of the ``IPluginV3Quick...`` classes."""

    learns_types: bool = True
    answers_first: bool = False
    attaches: bool = False
    dies_of_null: bool = False

    def refuse_inputs(
        self, plugin: Any, shapes: Callable[[], Sequence[Extents]], *, implicit_batch: bool, shape_inputs: int
    ) -> None:
        """Refuse shape inputs."""
        if shape_inputs:
            raise Refused("a decorated plugin takes no shape inputs")

    def listed_formats(
        self, gate: Gate, capabilities: Capabilities, bounds: Sequence[Bounds], num_inputs: int
    ) -> list[tuple[tuple[DataType, TensorFormat], ...]]:
        """Call ``get_supported_format_combinations``; return an empty list if it failed."""
        return quick.supported_combinations(gate, capabilities.build, bounds, num_inputs) or []

    def for_context(self, source: EnginePlugin, resources: object) -> ContextCopy:
        """Call ``clone``."""
        return self._copied(source, self.cloned(source))


V3: Final = Version3()
DECORATED: Final = Decorated()


def version_3(plugin: object) -> Version3:
    """Return the adapter of a plugin of version 3."""
    return DECORATED if is_quick(plugin) else V3
