"""Call an ``IPluginV2DynamicExt`` and its ``IPluginCreator`` as TensorRT does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from harness.subject.callers.caller import Words
from reference_runtime import instruments
from reference_runtime.calling.lifecycle.table import Call, Stage
from reference_runtime.calling.trampolines import v2 as trampolines
from reference_runtime.interfaces.v2_dynamic import IPluginV2DynamicExt

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

    from reference_runtime.calling.gate.gate import Gate
    from reference_runtime.values.descriptions import Bounds

_INITIALIZED = frozenset({Stage.INITIALIZED, Stage.READY})


class V2DynamicCaller:
    """Calls plugins of version 2 with dynamic shapes."""

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
    identity: Final = ("plugin_type", "plugin_version", "plugin_namespace", "num_outputs")
    attaches: Final = False
    has_tactics: Final = False
    batches: bool = False
    trampolines: ModuleType = trampolines
    """What calls the queries, the configuration and the execution; one for an implicit batch has the same functions."""

    def create(self, gate: Gate, creator: Any, name: str, collection: Any) -> Any:
        """Call ``create_plugin``."""
        return trampolines.create_plugin(gate, creator, name, collection)

    def identity_of(self, _gate: Gate, plugin: Any) -> dict[str, Any]:
        """Read the native attributes."""
        return {name: instruments.read(plugin, IPluginV2DynamicExt, name) for name in self.identity}

    def unassigned(self, _gate: Gate, plugin: Any) -> list[str]:
        """Look which native attributes are not there."""
        return [name for name in self.identity if not instruments.is_assigned(plugin, IPluginV2DynamicExt, name)]

    def assign_namespace(self, plugin: Any, namespace: str) -> None:
        """Assign ``plugin_namespace``."""
        trampolines.set_plugin_namespace(plugin, namespace)

    def num_outputs(self, gate: Gate, plugin: Any) -> int:
        """Read ``num_outputs``."""
        return trampolines.num_outputs(gate, plugin)

    def output_types(self, gate: Gate, plugin: Any, input_types: Sequence[Any]) -> list[Any]:
        """Call ``get_output_datatype`` for each output."""
        return [self.output_type(gate, plugin, index, input_types) for index in range(self.num_outputs(gate, plugin))]

    def output_type(self, gate: Gate, plugin: Any, index: int, input_types: Sequence[Any]) -> Any:
        """Call ``get_output_datatype``."""
        return self.trampolines.get_output_datatype(gate, plugin, index, input_types)

    def output_shape(
        self,
        gate: Gate,
        plugin: Any,
        index: int,
        given: tuple[Sequence[Any], Sequence[Any]],
        builder: Any,
    ) -> Any:
        """Call ``get_output_dimensions``; there are no shape inputs."""
        return self.trampolines.get_output_dimensions(gate, plugin, index, given[0], builder)

    def supports(self, gate: Gate, plugin: Any, pos: int, in_out: Sequence[Bounds], num_inputs: int) -> bool:
        """Call ``supports_format_combination`` with plain descriptors."""
        described = [bounds.desc for bounds in in_out]
        answer: bool = self.trampolines.supports_format_combination(gate, plugin, pos, described, num_inputs)
        return answer

    def configure(self, gate: Gate, plugin: Any, inputs: Sequence[Bounds], outputs: Sequence[Bounds]) -> list[int]:
        """Call ``configure_plugin``."""
        self.trampolines.configure_plugin(gate, plugin, inputs, outputs)
        return []

    def workspace_size(self, gate: Gate, plugin: Any, inputs: Sequence[Bounds], outputs: Sequence[Bounds]) -> int:
        """Call ``get_workspace_size`` with plain descriptors."""
        described = ([bounds.desc for bounds in inputs], [bounds.desc for bounds in outputs])
        return trampolines.get_workspace_size(gate, plugin, *described)

    def make_ready(self, gate: Gate, plugin: Any) -> Any:
        """Call ``initialize``."""
        trampolines.initialize(gate, plugin)
        return plugin

    def prepare(
        self, gate: Gate, plugin: Any, inputs: Sequence[Bounds], outputs: Sequence[Bounds], _tactic: int
    ) -> None:
        """Call ``configure_plugin`` in the execution phase."""
        trampolines.configure_plugin(gate, plugin, inputs, outputs)

    def enqueue(
        self,
        gate: Gate,
        plugin: Any,
        described: tuple[Sequence[Any], Sequence[Any]],
        addresses: tuple[Sequence[int], Sequence[int]],
        workspace: int,
        stream: int,
    ) -> int:
        """Call ``enqueue``."""
        return self.run(gate, plugin, described, addresses, workspace, stream)

    def run(
        self,
        gate: Gate,
        running: Any,
        described: tuple[Sequence[Any], Sequence[Any]],
        addresses: tuple[Sequence[int], Sequence[int]],
        workspace: int,
        stream: int,
    ) -> int:
        """Call ``enqueue`` of the plugin."""
        status: int = self.trampolines.enqueue(gate, running, *described, *addresses, workspace, stream)
        return status

    def what_builds(self, gate: Gate, plugin: Any) -> Any:  # noqa: ARG002 - one signature for all interfaces
        """Return the plugin itself."""
        return plugin

    def what_runs(self, gate: Gate, plugin: Any) -> Any:  # noqa: ARG002 - one signature for all interfaces
        """Return the plugin itself."""
        return plugin

    def is_ready(self, gate: Gate, plugin: Any) -> bool:
        """Return whether it is initialized, or is a clone of one that was."""
        return gate.stage_of(plugin) not in {Stage.CREATED, Stage.CONFIGURED, Stage.TERMINATED}

    def can_be_asked(self, gate: Gate, plugin: Any) -> bool:  # noqa: ARG002 - one signature for all interfaces
        """Return True: any object may be asked at any time."""
        return True

    def end_work(self, gate: Gate, plugin: Any) -> None:
        """Call ``terminate`` where the object was initialized."""
        if gate.stage_of(plugin) in _INITIALIZED:
            trampolines.terminate(gate, plugin)

    def count_as_configured(self, gate: Gate, plugin: Any, num_inputs: int) -> None:
        """Move it on as ``configure_plugin`` does, and lend it the bindings' count of inputs."""
        gate.advance(plugin, Call.CONFIGURE_PLUGIN)
        gate.count_inputs(plugin, num_inputs)

    def copied_inputs(
        self,
        gate: Gate,  # noqa: ARG002 - one signature for all interfaces
        plugin: Any,  # noqa: ARG002 - as above
        inputs: Sequence[Sequence[int]],  # noqa: ARG002 - as above
    ) -> frozenset[int]:
        """Return none: there is no batch but the tensors' own dimensions."""
        return frozenset()

    def save(self, gate: Gate, plugin: Any) -> bytes:
        """Call ``get_serialization_size`` and ``serialize``."""
        return trampolines.serialize(gate, plugin, trampolines.get_serialization_size(gate, plugin))

    def restore(self, gate: Gate, creator: Any, name: str, saved: bytes) -> Any:
        """Call ``deserialize_plugin``."""
        return trampolines.deserialize_plugin(gate, creator, name, saved)

    def clone(self, gate: Gate, plugin: Any) -> Any:
        """Call ``clone``."""
        return self.trampolines.clone(gate, plugin)

    def destroy(self, gate: Gate, plugin: Any) -> None:
        """Call ``destroy``."""
        trampolines.destroy(gate, plugin)

    def add_to(self, network: Any, inputs: Sequence[Any], _shape_inputs: Sequence[Any], plugin: Any) -> Any:
        """Call ``add_plugin_v2``; there are no shape inputs."""
        return network.add_plugin_v2(inputs, plugin)
