"""Call an ``IPluginV3`` and its capabilities as TensorRT does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from harness.contract.finding import CallbackFailedError, CallbackFailure
from harness.subject.callers.caller import Caller, Words
from harness.subject.calling import Fault
from reference_runtime.calling.gate.records import FailureKind
from reference_runtime.calling.lifecycle.table import Stage
from reference_runtime.calling.trampolines import v3
from reference_runtime.interfaces.resources import new_resource_context
from reference_runtime.interfaces.v3 import IPluginV3OneBuild, IPluginV3OneCore
from reference_runtime.shapes.expressions import DimsExprs
from reference_runtime.values.enums import PluginCapabilityType

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reference_runtime.calling.gate.gate import Gate
    from reference_runtime.interfaces.saved_fields import SavedField
    from reference_runtime.values.descriptions import Bounds

_NEW_IN_A_CONTEXT = frozenset({Stage.ATTACHED, Stage.ATTACHED_IN_A_BUILD})
_IN_A_CONTEXT = _NEW_IN_A_CONTEXT | {Stage.ATTACHED_TACTIC_SET, Stage.RUNNING}
_IN_AN_ENGINE = _IN_A_CONTEXT | {Stage.LOADED}


class V3Caller(Caller):
    """Calls plugins of version 3, whose capabilities can be one object or several."""

    words = Words(
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
        restoring=Fault.IN_THE_RUNTIME_PHASE.of("create_plugin"),
    )
    identity: ClassVar[tuple[str, ...]] = ("plugin_name", "plugin_version", "plugin_namespace", "num_outputs")
    attaches = True
    has_tactics = True
    calls = v3

    def output_types(self, gate: Gate, plugin: Any, input_types: Sequence[Any]) -> list[Any]:
        """Call ``get_output_data_types``."""
        build = self.what_builds(gate, plugin)
        count = v3.num_outputs(gate, build)
        return v3.get_output_data_types(gate, build, input_types, count) or []

    def output_type(self, gate: Gate, plugin: Any, index: int, input_types: Sequence[Any]) -> Any:
        """Call ``get_output_data_types`` and take one of the answers; None if there is none for this index."""
        types = self.output_types(gate, plugin, input_types)
        return types[index] if index < len(types) else None

    def output_shape(
        self,
        gate: Gate,
        plugin: Any,
        index: int,
        known: tuple[Sequence[Any], Sequence[Any]],
        builder: Any,
    ) -> Any:
        """Call ``get_output_shapes`` and take one of the answers; a scalar if there is none for this index."""
        build = self.what_builds(gate, plugin)
        count = v3.num_outputs(gate, build)
        shapes = v3.get_output_shapes(gate, build, *known, builder, count)
        return shapes[index] if shapes is not None and index < len(shapes) else DimsExprs()

    def supports(self, gate: Gate, plugin: Any, pos: int, in_out: Sequence[Bounds], num_inputs: int) -> bool:
        """Call ``supports_format_combination`` with dynamic descriptors."""
        build = self.what_builds(gate, plugin)
        return v3.supports_format_combination(gate, build, pos, in_out, num_inputs)

    def configure(self, gate: Gate, plugin: Any, inputs: Sequence[Bounds], outputs: Sequence[Bounds]) -> list[int]:
        """Call ``configure_plugin`` and, as TensorRT does directly afterwards, ``get_valid_tactics``."""
        build = self.what_builds(gate, plugin)
        if v3.configure_plugin(gate, build, inputs, outputs) != v3.SUCCESS:
            return []
        return v3.get_valid_tactics(gate, build) or []

    def workspace_size(self, gate: Gate, plugin: Any, inputs: Sequence[Bounds], outputs: Sequence[Bounds]) -> int:
        """Call ``get_workspace_size`` with dynamic descriptors."""
        return v3.get_workspace_size(gate, self.what_builds(gate, plugin), inputs, outputs)

    def make_ready(self, gate: Gate, plugin: Any) -> Any:
        """Call ``attach_to_context`` with a new context's resources; return the object that the context runs."""
        return v3.attach_to_context(gate, self.what_runs(gate, plugin), new_resource_context())

    def prepare(
        self, gate: Gate, plugin: Any, inputs: Sequence[Bounds], outputs: Sequence[Bounds], tactic: int
    ) -> None:
        """Call ``set_tactic`` if no tactic was set yet, and then ``on_shape_change``."""
        runtime = self.what_runs(gate, plugin)
        is_new = gate.stage_of(plugin) in _NEW_IN_A_CONTEXT
        if is_new and v3.set_tactic(gate, runtime, tactic) != v3.SUCCESS:
            return
        described = ([bounds.desc for bounds in inputs], [bounds.desc for bounds in outputs])
        v3.on_shape_change(gate, runtime, *described)

    def what_builds(self, gate: Gate, plugin: Any) -> Any:
        """Return the build capability."""
        return self._capability(gate, plugin, PluginCapabilityType.BUILD)

    def what_runs(self, gate: Gate, plugin: Any) -> Any:
        """Return the runtime capability."""
        return self._capability(gate, plugin, PluginCapabilityType.RUNTIME)

    def is_ready(self, gate: Gate, plugin: Any) -> bool:
        """Return whether the object is attached to a context."""
        return gate.stage_of(plugin) in _IN_A_CONTEXT

    def can_be_asked(self, gate: Gate, plugin: Any) -> bool:
        """Return whether the object belongs to a build."""
        return gate.stage_of(plugin) not in _IN_AN_ENGINE

    def save(self, gate: Gate, plugin: Any) -> list[SavedField]:
        """Call ``get_fields_to_serialize`` and copy the fields at once, as TensorRT does."""
        return list(v3.get_fields_to_serialize(gate, self.what_runs(gate, plugin)) or ())

    def add_to(self, network: Any, inputs: Sequence[Any], shape_inputs: Sequence[Any], plugin: Any) -> Any:
        """Call ``add_plugin_v3``."""
        return network.add_plugin_v3(inputs, shape_inputs, plugin)

    def parts(self, gate: Gate, plugin: Any) -> dict[str, tuple[Any, type]]:
        """Return the capability that has each native attribute; in an engine, there is no ``num_outputs``."""
        core = self._capability(gate, plugin, PluginCapabilityType.CORE)
        parts: dict[str, tuple[Any, type]] = dict.fromkeys(self.identity[:-1], (core, IPluginV3OneCore))
        if self.can_be_asked(gate, plugin):
            parts["num_outputs"] = (self.what_builds(gate, plugin), IPluginV3OneBuild)
        return parts

    def _capability(self, gate: Gate, plugin: Any, kind: PluginCapabilityType) -> Any:
        """Return a capability.

        Raises:
            CallbackFailedError: The plugin returned none, which rules about capabilities report.
        """
        before = len(gate.failures)
        part = v3.capability(gate, plugin, kind)
        if part is None:
            failure = gate.failures[before]
            where = f"{failure.target}.get_capability_interface({kind.name}), phase {failure.phase.value}"
            is_first = not gate.has_returned(plugin, int(kind))
            fault = self._fault(gate, plugin, failure.kind) if is_first else Fault.REPEATED
            callback = failure.method if fault is None else fault.of(failure.method)
            raise CallbackFailedError(
                CallbackFailure(callback, failure.what, where, failure.becomes, failure.traceback)
            )
        return part

    def _fault(self, gate: Gate, plugin: Any, kind: FailureKind) -> Fault | None:
        """Return the fault by which one of several rules owns a missing capability; None for the usual rule."""
        if kind is FailureKind.RETURNED:
            return Fault.OF_ANOTHER_KIND
        if gate.stage_of(plugin) is Stage.LOADED:
            return Fault.IN_THE_RUNTIME_PHASE
        return Fault.OF_A_CLONE if any(owned.target is plugin for owned in gate.owned) else None
