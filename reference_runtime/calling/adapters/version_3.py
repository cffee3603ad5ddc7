"""The adapters of version 3: `IPluginV3`, and decorated plugins.

The parts of a plugin may be separate objects; `trampolines.v3` knows each part's form of a callback.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from reference_runtime.calling.adapters.output_shapes import die_of_null, output_expressions_v3
from reference_runtime.calling.adapters.plugin_interface import PluginInterface, Saved
from reference_runtime.calling.trampolines import quick, v2, v3
from reference_runtime.interfaces.v3 import is_quick
from reference_runtime.values.descriptions import Bounds
from reference_runtime.values.enums_layers import LayerType
from reference_runtime.values.refusals import Reason, Refused

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from reference_runtime.calling.adapters.output_shapes import OutputShape
    from reference_runtime.calling.gate.gate import Gate
    from reference_runtime.calling.trampolines.capabilities import Capabilities
    from reference_runtime.shapes.tensor_facts import ValueFacts
    from reference_runtime.values.descriptions import Description, Extents
    from reference_runtime.values.enums import DataType, TensorFormat

_INVALID_BOUNDS: Final = Bounds(v2.INVALID, (), (), ())
_NO_MEMBER: Final = "???"
"""What an enumeration calls a value that it does not have."""


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
        """Return the only name."""
        return "IPluginV3"

    def clone(self, gate: Gate, plugin: Any) -> Any:
        """Call ``clone``."""
        return v3.clone(gate, plugin)

    def destroy(self, gate: Gate, plugin: Any) -> None:
        """Call ``destroy`` for the last owner."""
        v3.destroy(gate, plugin)

    def capabilities(self, gate: Gate, plugin: Any, *, build: bool) -> Capabilities | None:
        """Call ``get_capability_interface`` for each of them."""
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
        found = output_expressions_v3(gate, capabilities, inputs, shape_inputs, count)
        if self.dies_of_null:
            die_of_null(capabilities.plugin, found or ())
        return found

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
        found = v3.get_fields_to_serialize(gate, capabilities.runtime)
        if found is None:
            raise Refused(f"{layer}: the plugin's get_fields_to_serialize gave no fields", Reason.SERIALIZATION)
        for field in found:
            if field.type.name == _NO_MEMBER or len(field.data) > most:
                why = f"the field {field.name!r} has type {int(field.type)} and {len(field.data)} bytes"
                raise Refused(f"{layer}: {why}, which cannot be serialized", Reason.SERIALIZATION)
        return Saved(fields=found)


class Decorated(Version3):
    """An `IPluginV3` whose capabilities are the quick ones."""

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
        """Call ``get_supported_format_combinations``; no answer is an empty list."""
        return quick.supported_combinations(gate, capabilities.build, bounds, num_inputs) or []


V3: Final = Version3()
DECORATED: Final = Decorated()


def version_3(plugin: object) -> Version3:
    """Return the adapter of a plugin of version 3."""
    return DECORATED if is_quick(plugin) else V3
