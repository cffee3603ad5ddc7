"""Call a decorated plugin (``tensorrt.plugin``) as TensorRT does: as an ``IPluginV3`` with the quick capabilities.

Theory. TensorRT wraps the user's functions in objects, which remember earlier calls. TensorRT asks for types, then
shapes, then format combinations, then tactics. So each call here comes after the calls that TensorRT would have made
before. One callback returns a list of all combinations, for all tensors at once. Whether the first tensors of a
combination are accepted is looked up in that list. The other inputs have the types of the case, since the list may
depend on the types of all inputs.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, ClassVar

from msgspec import structs

from harness.contract.finding import NotRun
from harness.subject.callers.caller import Words
from harness.subject.callers.v3 import V3Caller
from harness.subject.calling import Fault
from harness.subject.creators import definition_of
from reference_runtime import instruments
from reference_runtime.calling.adapters.creators import created
from reference_runtime.calling.gate.records import CallOutcome, FailureKind
from reference_runtime.calling.lifecycle.table import Stage
from reference_runtime.calling.trampolines import quick, v3
from reference_runtime.calling.trampolines.v3 import Capabilities
from reference_runtime.devices.current import current_device
from reference_runtime.instruments import output_expressions_v3, text_of
from reference_runtime.interfaces.quick import IPluginV3QuickCore
from reference_runtime.shapes.expressions import DimsExprs
from reference_runtime.shapes.shape_rules import ShapeRule, known
from reference_runtime.shapes.tensor_facts import ValueFacts
from reference_runtime.values.descriptions import Bounds, Description
from reference_runtime.values.enums import QuickPluginCreationRequest, TensorFormat, TensorRTPhase
from reference_runtime.values.refusals import Refused

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reference_runtime.calling.gate.gate import Gate
    from reference_runtime.instruments import KernelPlan
    from reference_runtime.interfaces.saved_fields import SavedField

_CORNERS = 3


@dataclasses.dataclass(frozen=True)
class DecoratedCaller(V3Caller):
    """Calls decorated plugins; ``network`` are the inputs of the case as a network has them.

    If a plugin can run in Python and be compiled ahead of time, ``compiled`` chooses the latter.
    """

    network: tuple[Bounds, ...]
    compiled: bool = False
    words = Words(
        base="tensorrt.plugin.register",
        creator="tensorrt.plugin.register",
        creation=("name", "namespace", "fc", "phase", "quickPluginType"),
        type="plugin_id",
        output_types="register",
        output_shapes="register",
        prepare="set_tactic",
        ready="clone",
        ready_state="cloned",
        save="get_fields_to_serialize",
        restore="create_plugin",
        restoring=Fault.IN_THE_RUNTIME_PHASE.of("create_plugin"),
    )
    identity: ClassVar[tuple[str, ...]] = ("plugin_name", "plugin_version", "plugin_namespace")

    def create(self, gate: Gate, creator: Any, name: str, collection: Any) -> Any:
        """Call ``create_plugin`` for the build phase."""
        request = QuickPluginCreationRequest.PREFER_AOT if self.compiled else QuickPluginCreationRequest.PREFER_JIT
        return created(gate, creator, name, collection, TensorRTPhase.BUILD, request)

    def parts(self, gate: Gate, plugin: Any) -> dict[str, tuple[Any, type]]:  # noqa: ARG002 - one signature for all
        """Return the plugin for all native attributes."""
        return dict.fromkeys(self.identity, (plugin, IPluginV3QuickCore))

    def output_types(self, gate: Gate, plugin: Any, input_types: Sequence[Any]) -> list[Any]:
        """Call ``get_output_data_types`` with the ranks of the case."""
        build = self.what_builds(gate, plugin)
        count = v3.num_outputs(gate, build)
        ranks = [len(bounds.desc.dims) for bounds in self.network]
        return v3.get_output_data_types(gate, build, input_types, count, ranks) or []

    def output_shape(
        self,
        gate: Gate,
        plugin: Any,
        index: int,
        known: tuple[Sequence[Any], Sequence[Any]],
        builder: Any,
    ) -> Any:
        """Call ``get_output_data_types``, then ``get_output_shapes``, and take one of the answers."""
        if not self.output_types(gate, plugin, [bounds.desc.type for bounds in self.network]):
            return DimsExprs()
        return super().output_shape(gate, plugin, index, known, builder)

    def supports(self, gate: Gate, plugin: Any, pos: int, in_out: Sequence[Bounds], num_inputs: int) -> bool:
        """Return whether a combination that the plugin supports begins with the tensors up to ``pos``."""
        settled = tuple((bounds.desc.type, bounds.desc.format) for bounds in in_out[: pos + 1])
        inputs = [*in_out[: min(pos + 1, num_inputs)], *self.network[pos + 1 :]]
        return any(way[: pos + 1] == settled for way in self.offered(gate, plugin, inputs))

    def offered(self, gate: Gate, plugin: Any, inputs: Sequence[Bounds]) -> list[tuple[tuple[Any, Any], ...]]:
        """Call ``get_supported_format_combinations`` after the callbacks before it; empty if a callback fails."""
        tensors = self.tensors(gate, plugin, inputs)
        if tensors is None:
            return []
        build = self.what_builds(gate, plugin)
        return quick.supported_combinations(gate, build, tensors, len(inputs)) or []

    def tensors(self, gate: Gate, plugin: Any, inputs: Sequence[Bounds] | None = None) -> list[Bounds] | None:
        """Call the callbacks about types and shapes; return the bounds of all tensors, or None if a callback fails.

        By default, ``inputs`` are those of the case's network.
        """
        inputs = self.network if inputs is None else inputs
        if not self.output_types(gate, plugin, [bounds.desc.type for bounds in inputs]):
            return None
        build = self.what_builds(gate, plugin)
        count = v3.num_outputs(gate, build)
        capabilities = Capabilities(plugin, build, build, build)
        answers = output_expressions_v3(gate, capabilities, [bounds.desc.dims for bounds in inputs], (), count)
        if answers is None or any(answer.problem is not None for answer in answers):
            return None
        shapes = [answer.nodes for answer in answers]
        return [*inputs, *_outputs(ShapeRule("", range(len(inputs)), range(count), shapes), inputs)]

    def configure(self, gate: Gate, plugin: Any, inputs: Sequence[Bounds], outputs: Sequence[Bounds]) -> list[int]:
        """Call ``get_supported_format_combinations``, ``configure_plugin`` and ``get_valid_tactics``."""
        self.offered(gate, plugin, inputs)
        return super().configure(gate, plugin, inputs, outputs)

    def what_runs(self, gate: Gate, plugin: Any) -> Any:
        """Return the runtime capability; for a plugin that is compiled ahead of time, the build capability."""
        return self.what_builds(gate, plugin) if v3.is_compiled(plugin) else super().what_runs(gate, plugin)

    def run(
        self,
        gate: Gate,
        running: Any,
        described: tuple[Sequence[Any], Sequence[Any]],
        addresses: tuple[Sequence[int], Sequence[int]],
        workspace: int,
        stream: int,
    ) -> int:
        """Call ``enqueue``, or launch the kernel that the plugin compiles for its tactic."""
        if not v3.is_compiled(running):
            return super().run(gate, running, described, addresses, workspace, stream)
        descs, used = [*described[0], *described[1]], [*addresses[0], *addresses[1]]
        kernel = self.kernel(gate, running, descs)
        if kernel is None:
            return v3.FAILURE
        try:
            instruments.launch(current_device(), kernel, descs, used, len(described[0]), stream=stream)
        except Exception as error:  # noqa: BLE001 - what a launch raises is for the rules to report
            what = f"raised {type(error).__name__}: {text_of(error)}"
            becomes = "the execution fails, and TensorRT gives no reason"
            gate.fail(running, "enqueue", FailureKind.RAISED, what, becomes, outcome=CallOutcome.raised(error))
            return v3.FAILURE
        return v3.SUCCESS

    def kernel(self, gate: Gate, plugin: Any, descs: Sequence[Description]) -> KernelPlan | None:
        """Return the kernel that the plugin compiles for the case's network, with the types and formats of ``descs``.

        None if a callback fails.
        """
        corners = [(bounds.min, bounds.opt, bounds.max) for bounds in self.network]
        inputs = [
            Bounds(desc.sized(known.desc.dims), *ranges)
            for desc, known, ranges in zip(descs, self.network, corners, strict=False)
        ]
        tensors = self.tensors(gate, plugin, inputs)
        if tensors is None:
            return None
        in_out = [
            structs.replace(bounds, desc=desc.sized(bounds.desc.dims))
            for bounds, desc in zip(tensors, descs, strict=True)
        ]
        return instruments.compiled(gate, plugin, in_out, len(inputs))

    def make_ready(self, gate: Gate, plugin: Any) -> Any:
        """Call ``clone``: a context runs the object that it returns."""
        return v3.clone(gate, plugin)

    def prepare(
        self,
        gate: Gate,
        plugin: Any,
        inputs: Sequence[Bounds],  # noqa: ARG002 - one signature for all interfaces
        outputs: Sequence[Bounds],  # noqa: ARG002
        tactic: int,
    ) -> None:
        """Call ``set_tactic``, if no tactic was set yet; decorated plugins need no other preparation."""
        if gate.stage_of(plugin) in {Stage.ATTACHED, Stage.CONFIGURED}:
            v3.set_tactic(gate, self.what_runs(gate, plugin), tactic)

    def is_ready(self, gate: Gate, plugin: Any) -> bool:
        """Return whether the object is a clone for a context or, ahead of time, ready to be compiled."""
        stage = gate.stage_of(plugin)
        if v3.is_compiled(plugin):
            is_clone = any(owned.target is plugin for owned in gate.owned)
            return stage is Stage.TACTIC_SET or (stage is Stage.CONFIGURED and is_clone)
        return stage in {Stage.ATTACHED, Stage.RUNNING}

    def can_be_asked(self, gate: Gate, plugin: Any) -> bool:
        """Return whether the object belongs to a build."""
        return gate.stage_of(plugin) not in {Stage.LOADED, Stage.ATTACHED, Stage.RUNNING}

    def save(self, gate: Gate, plugin: Any) -> list[SavedField]:
        """Call ``get_fields_to_serialize``; for plugins compiled ahead of time, only the kernel is saved."""
        return [] if v3.is_compiled(plugin) else super().save(gate, plugin)

    def restore(self, gate: Gate, creator: Any, name: str, saved: Any) -> Any:
        """Call ``create_plugin`` for the runtime phase.

        Raises:
            NotRun: The plugin is only compiled ahead of time, so an engine has its kernel and no plugin.
        """
        definition = definition_of(creator)
        if definition is not None and definition.impl_func is None:
            raise NotRun("it is compiled ahead of time: an engine has its kernel, and no plugin is loaded")
        return super().restore(gate, creator, name, saved)


def _outputs(rule: ShapeRule[int], inputs: Sequence[Bounds]) -> list[Bounds]:
    """Return the bounds of a network's outputs; those that cannot be calculated are the dimensions, with -1."""
    corners = [[getattr(bounds, corner) for bounds in inputs] for corner in ("min", "opt", "max")]
    dims = [known(shape) for shape in rule.shapes]
    try:
        ranges = [
            [facts.bound for facts in rule.infer([ValueFacts(extents) for extents in corner])] for corner in corners
        ]
    except Refused:
        ranges = [dims] * _CORNERS
    # The types of the outputs are not chosen yet. Any type will do, since only the dimensions are used.
    kind = inputs[0].desc.type
    return [
        Bounds(Description(extents, kind, TensorFormat.LINEAR), *(each[place] for each in ranges))
        for place, extents in enumerate(dims)
    ]
