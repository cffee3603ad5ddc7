"""Call an ``IPluginV2DynamicExt`` as TensorRT does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from harness.subject.callers.caller import Caller, Words
from reference_runtime.calling.lifecycle.table import Call, Stage
from reference_runtime.calling.trampolines import v2
from reference_runtime.interfaces.v2_dynamic import IPluginV2DynamicExt

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

    from reference_runtime.calling.gate.gate import Gate
    from reference_runtime.values.descriptions import Bounds

_INITIALIZED = frozenset({Stage.INITIALIZED, Stage.READY})


class V2DynamicCaller(Caller):
    """Calls plugins of version 2 with dynamic shapes; they have no shape inputs and no tactics."""

    words: Words = Words(
        base="IPluginV2DynamicExt",
        creator="IPluginCreator",
        creation=("name", "field_collection"),
        type="plugin_type",
        output_types="get_output_datatype",
        output_shapes="get_output_dimensions",
        prepare="configure_plugin",
        ready="initialize",
        ready_state="initialized",
        save="serialize",
        restore="deserialize_plugin",
        restoring="deserialize_plugin",
    )
    calls: ModuleType = v2
    """The functions that call the callbacks; the module for an implicit batch has functions with the same names."""

    def parts(self, gate: Gate, plugin: Any) -> dict[str, tuple[Any, type]]:  # noqa: ARG002 - one signature for all
        """Return the plugin for all native attributes."""
        return dict.fromkeys(self.identity, (plugin, IPluginV2DynamicExt))

    def assign_namespace(self, plugin: Any, namespace: str) -> None:
        """Assign ``plugin_namespace``."""
        v2.set_plugin_namespace(plugin, namespace)

    def output_types(self, gate: Gate, plugin: Any, input_types: Sequence[Any]) -> list[Any]:
        """Call ``get_output_datatype`` for each output."""
        return [self.output_type(gate, plugin, index, input_types) for index in range(self.num_outputs(gate, plugin))]

    def output_type(self, gate: Gate, plugin: Any, index: int, input_types: Sequence[Any]) -> Any:
        """Call ``get_output_datatype``."""
        return self.calls.get_output_datatype(gate, plugin, index, input_types)

    def output_shape(
        self,
        gate: Gate,
        plugin: Any,
        index: int,
        known: tuple[Sequence[Any], Sequence[Any]],
        builder: Any,
    ) -> Any:
        """Call ``get_output_dimensions``."""
        return self.calls.get_output_dimensions(gate, plugin, index, known[0], builder)

    def supports(self, gate: Gate, plugin: Any, pos: int, in_out: Sequence[Bounds], num_inputs: int) -> bool:
        """Call ``supports_format_combination`` with plain descriptors."""
        described = [bounds.desc for bounds in in_out]
        return bool(self.calls.supports_format_combination(gate, plugin, pos, described, num_inputs))

    def configure(self, gate: Gate, plugin: Any, inputs: Sequence[Bounds], outputs: Sequence[Bounds]) -> list[int]:
        """Call ``configure_plugin``."""
        self.calls.configure_plugin(gate, plugin, inputs, outputs)
        return []

    def workspace_size(self, gate: Gate, plugin: Any, inputs: Sequence[Bounds], outputs: Sequence[Bounds]) -> int:
        """Call ``get_workspace_size`` with plain descriptors."""
        described = ([bounds.desc for bounds in inputs], [bounds.desc for bounds in outputs])
        return v2.get_workspace_size(gate, plugin, *described)

    def make_ready(self, gate: Gate, plugin: Any) -> Any:
        """Call ``initialize``."""
        v2.initialize(gate, plugin)
        return plugin

    def prepare(
        self, gate: Gate, plugin: Any, inputs: Sequence[Bounds], outputs: Sequence[Bounds], _tactic: int
    ) -> None:
        """Call ``configure_plugin`` in the execution phase."""
        v2.configure_plugin(gate, plugin, inputs, outputs)

    def is_ready(self, gate: Gate, plugin: Any) -> bool:
        """Return whether the object is initialized, or is a clone of an initialized object."""
        return gate.stage_of(plugin) not in {Stage.CREATED, Stage.CONFIGURED, Stage.TERMINATED}

    def end_work(self, gate: Gate, plugin: Any) -> None:
        """Call ``terminate``, if the object is initialized."""
        if gate.stage_of(plugin) in _INITIALIZED:
            v2.terminate(gate, plugin)

    def count_as_configured(self, gate: Gate, plugin: Any, num_inputs: int) -> None:
        """Move the object to the stage after ``configure_plugin``, and record its number of inputs."""
        gate.advance(plugin, Call.CONFIGURE_PLUGIN)
        gate.count_inputs(plugin, num_inputs)

    def save(self, gate: Gate, plugin: Any) -> bytes:
        """Call ``get_serialization_size`` and ``serialize``."""
        return v2.serialize(gate, plugin, v2.get_serialization_size(gate, plugin))

    def add_to(self, network: Any, inputs: Sequence[Any], _shape_inputs: Sequence[Any], plugin: Any) -> Any:
        """Call ``add_plugin_v2``."""
        return network.add_plugin_v2(inputs, plugin)
