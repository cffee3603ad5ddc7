"""Call an ``IPluginV3``, its capabilities and its ``IPluginCreatorV3One`` as TensorRT does."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any, ClassVar, Final

from harness.contract.finding import CallbackFailedError, CallbackFailure
from harness.subject.callers.caller import Words
from reference_runtime import instruments
from reference_runtime.calling.lifecycle.table import Stage
from reference_runtime.calling.trampolines import v3
from reference_runtime.interfaces.field_collections import PluginField, received
from reference_runtime.interfaces.resources import new_resource_context
from reference_runtime.interfaces.v3 import IPluginV3OneBuild, IPluginV3OneCore
from reference_runtime.shapes.expressions import DimsExprs
from reference_runtime.values.enums import PluginCapabilityType, TensorRTPhase

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from reference_runtime.calling.gate.gate import Gate
    from reference_runtime.interfaces.saved_fields import SavedField
    from reference_runtime.values.descriptions import Bounds

_NEW_IN_A_CONTEXT = frozenset({Stage.ATTACHED, Stage.ATTACHED_IN_A_BUILD})
_IN_A_CONTEXT = _NEW_IN_A_CONTEXT | {Stage.ATTACHED_TACTIC_SET, Stage.RUNNING}
_IN_AN_ENGINE = _IN_A_CONTEXT | {Stage.LOADED}


class V3Caller:
    """Calls plugins of version 3, be they one object or several."""

    words: ClassVar[Words] = Words(
        base="IPluginV3",
        creator="IPluginCreatorV3One",
        creation=("name", "field_collection", "phase"),
        type="plugin_name",
        output_types="get_output_data_types",
        output_shapes="get_output_shapes",
        prepare="on_shape_change",
        ready="attach_to_context",
        ready_state="attached",
        save="get_fields_to_serialize",
        restore="create_plugin",
        restoring="create_plugin in the runtime phase",
    )
    identity: ClassVar[tuple[str, ...]] = ("plugin_name", "plugin_version", "plugin_namespace", "num_outputs")
    attaches: Final = True
    has_tactics: Final = True
    batches: Final = False

    def create(self, gate: Gate, creator: Any, name: str, collection: Any) -> Any:
        """Call ``create_plugin`` for the build phase."""
        return v3.create_plugin(gate, creator, name, collection, TensorRTPhase.BUILD)

    def identity_of(self, gate: Gate, plugin: Any) -> dict[str, Any]:
        """Read the native attributes of the capabilities that have them."""
        parts = self._parts(gate, plugin)
        return {name: instruments.read(part, owner, name) for name, (part, owner) in parts.items()}

    def unassigned(self, gate: Gate, plugin: Any) -> list[str]:
        """Look which native attributes are not there."""
        parts = self._parts(gate, plugin)
        return [name for name, (part, owner) in parts.items() if not instruments.is_assigned(part, owner, name)]

    def assign_namespace(self, plugin: Any, namespace: str) -> None:
        """Refuse: nothing in TensorRT assigns the namespace of an IPluginV3."""
        raise NotImplementedError(f"{plugin} keeps its namespace: {namespace!r} cannot be assigned from outside")

    def num_outputs(self, gate: Gate, plugin: Any) -> int:
        """Read ``num_outputs`` of the build capability."""
        return v3.num_outputs(gate, self._build(gate, plugin))

    def output_types(self, gate: Gate, plugin: Any, input_types: Sequence[Any]) -> list[Any]:
        """Call ``get_output_data_types``."""
        build = self._build(gate, plugin)
        count = v3.num_outputs(gate, build)
        return v3.get_output_data_types(gate, build, input_types, count) or []

    def output_type(self, gate: Gate, plugin: Any, index: int, input_types: Sequence[Any]) -> Any:
        """Call ``get_output_data_types`` and take one of the answers; None where there is none."""
        types = self.output_types(gate, plugin, input_types)
        return types[index] if index < len(types) else None

    def output_shape(
        self,
        gate: Gate,
        plugin: Any,
        index: int,
        given: tuple[Sequence[Any], Sequence[Any]],
        builder: Any,
    ) -> Any:
        """Call ``get_output_shapes`` and take one of the answers; a scalar where there is none."""
        build = self._build(gate, plugin)
        count = v3.num_outputs(gate, build)
        shapes = v3.get_output_shapes(gate, build, *given, builder, count)
        return shapes[index] if shapes is not None and index < len(shapes) else DimsExprs()

    def supports(self, gate: Gate, plugin: Any, pos: int, in_out: Sequence[Bounds], num_inputs: int) -> bool:
        """Call ``supports_format_combination`` with dynamic descriptors."""
        build = self._build(gate, plugin)
        return v3.supports_format_combination(gate, build, pos, in_out, num_inputs)

    def configure(self, gate: Gate, plugin: Any, inputs: Sequence[Bounds], outputs: Sequence[Bounds]) -> list[int]:
        """Call ``configure_plugin`` and, as TensorRT does directly afterwards, ``get_valid_tactics``."""
        build = self._build(gate, plugin)
        if v3.configure_plugin(gate, build, inputs, outputs) != v3.SUCCESS:
            return []
        return v3.get_valid_tactics(gate, build) or []

    def workspace_size(self, gate: Gate, plugin: Any, inputs: Sequence[Bounds], outputs: Sequence[Bounds]) -> int:
        """Call ``get_workspace_size`` with dynamic descriptors."""
        return v3.get_workspace_size(gate, self._build(gate, plugin), inputs, outputs)

    def make_ready(self, gate: Gate, plugin: Any) -> Any:
        """Call ``attach_to_context``: a context runs the object that it returns, with the context's resources."""
        return v3.attach_to_context(gate, self._runtime(gate, plugin), new_resource_context())

    def prepare(
        self, gate: Gate, plugin: Any, inputs: Sequence[Bounds], outputs: Sequence[Bounds], tactic: int
    ) -> None:
        """Call ``set_tactic`` where no tactic was set yet, and ``on_shape_change``."""
        runtime = self._runtime(gate, plugin)
        is_new = gate.stage_of(plugin) in _NEW_IN_A_CONTEXT
        if is_new and v3.set_tactic(gate, runtime, tactic) != v3.SUCCESS:
            return
        described = ([bounds.desc for bounds in inputs], [bounds.desc for bounds in outputs])
        v3.on_shape_change(gate, runtime, *described)

    def enqueue(
        self,
        gate: Gate,
        plugin: Any,
        described: tuple[Sequence[Any], Sequence[Any]],
        addresses: tuple[Sequence[int], Sequence[int]],
        workspace: int,
        stream: int,
    ) -> int:
        """Call ``enqueue`` of the runtime capability."""
        return self.run(gate, self._runtime(gate, plugin), described, addresses, workspace, stream)

    def run(
        self,
        gate: Gate,
        running: Any,
        described: tuple[Sequence[Any], Sequence[Any]],
        addresses: tuple[Sequence[int], Sequence[int]],
        workspace: int,
        stream: int,
    ) -> int:
        """Call ``enqueue`` of a runtime capability that is known already."""
        return v3.enqueue(gate, running, *described, *addresses, workspace, stream)

    def what_builds(self, gate: Gate, plugin: Any) -> Any:
        """Return the build capability."""
        return self._build(gate, plugin)

    def what_runs(self, gate: Gate, plugin: Any) -> Any:
        """Return the runtime capability."""
        return self._runtime(gate, plugin)

    def is_ready(self, gate: Gate, plugin: Any) -> bool:
        """Return whether it is attached to a context."""
        return gate.stage_of(plugin) in _IN_A_CONTEXT

    def can_be_asked(self, gate: Gate, plugin: Any) -> bool:
        """Return whether it belongs to a build."""
        return gate.stage_of(plugin) not in _IN_AN_ENGINE

    def end_work(self, gate: Gate, plugin: Any) -> None:
        """Do nothing: only ``destroy`` ends the work of an IPluginV3."""

    def count_as_configured(self, gate: Gate, plugin: Any, num_inputs: int) -> None:
        """Do nothing: rules prepare what runs in a context."""

    def copied_inputs(
        self,
        gate: Gate,  # noqa: ARG002 - one signature for all interfaces
        plugin: Any,  # noqa: ARG002 - as above
        inputs: Sequence[Sequence[int]],  # noqa: ARG002 - as above
    ) -> frozenset[int]:
        """Return none: there is no batch but the tensors' own dimensions."""
        return frozenset()

    def save(self, gate: Gate, plugin: Any) -> list[SavedField]:
        """Call ``get_fields_to_serialize`` and copy the fields at once, as TensorRT does."""
        return list(v3.get_fields_to_serialize(gate, self._runtime(gate, plugin)) or ())

    def restore(self, gate: Gate, creator: Any, name: str, saved: Sequence[SavedField]) -> Any:
        """Call ``create_plugin`` for the runtime phase, with copies of the fields that end with the call."""
        with lent_fields(saved) as collection:
            return v3.create_plugin(gate, creator, name, collection, TensorRTPhase.RUNTIME)

    def clone(self, gate: Gate, plugin: Any) -> Any:
        """Call ``clone``."""
        return v3.clone(gate, plugin)

    def destroy(self, gate: Gate, plugin: Any) -> None:
        """Let the destructor call ``destroy``."""
        v3.destroy(gate, plugin)

    def add_to(self, network: Any, inputs: Sequence[Any], shape_inputs: Sequence[Any], plugin: Any) -> Any:
        """Call ``add_plugin_v3``."""
        return network.add_plugin_v3(inputs, shape_inputs, plugin)

    def _parts(self, gate: Gate, plugin: Any) -> dict[str, tuple[Any, type]]:
        core = self._capability(gate, plugin, PluginCapabilityType.CORE)
        parts: dict[str, tuple[Any, type]] = dict.fromkeys(self.identity[:-1], (core, IPluginV3OneCore))
        if self.can_be_asked(gate, plugin):
            parts["num_outputs"] = (self._build(gate, plugin), IPluginV3OneBuild)
        return parts

    def _build(self, gate: Gate, plugin: Any) -> Any:
        return self._capability(gate, plugin, PluginCapabilityType.BUILD)

    def _runtime(self, gate: Gate, plugin: Any) -> Any:
        return self._capability(gate, plugin, PluginCapabilityType.RUNTIME)

    def _capability(self, gate: Gate, plugin: Any, kind: PluginCapabilityType) -> Any:
        """Return a capability.

        Raises:
            CallbackFailedError: The plugin gave none: rules about capabilities say so.
        """
        before = len(gate.failures)
        part = v3.capability(gate, plugin, kind)
        if part is None:
            failure = gate.failures[before]
            where = f"{failure.target}.get_capability_interface({kind.name}), phase {failure.phase.value}"
            callback = f"get_capability_interface {self._circumstances(gate, plugin, failure.what)}".rstrip()
            raise CallbackFailedError(
                CallbackFailure(callback, failure.what, where, failure.becomes, failure.traceback)
            )
        return part

    def _circumstances(self, gate: Gate, plugin: Any, how: str) -> str:
        """Return what distinguishes the rule that reports a missing capability from the others."""
        if "which is no" in how:
            return "of another kind"
        if gate.stage_of(plugin) is Stage.LOADED:
            return "in the runtime phase"
        return "of a clone" if any(owned.target is plugin for owned in gate.owned) else ""


@contextlib.contextmanager
def lent_fields(saved: Sequence[SavedField]) -> Iterator[Any]:
    """Lend copies of stored fields; they end with the block."""
    collection = received([_field(each) for each in saved])
    try:
        yield collection
    finally:
        collection.free()


def _field(saved: SavedField) -> PluginField:
    """Return a field over a copy of stored data; the copy lives as long as the field."""
    field = PluginField(saved.name, bytearray(saved.data), saved.type)
    field.size = saved.length
    return field
