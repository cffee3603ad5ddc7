"""Call plugins for an implicit batch, and their ``IPluginCreator``, as TensorRT does.

Checks have tensors with the batch as first dimension, as for any other plugin. `trampolines.implicit_batch` passes the
shapes of one item to the plugin. These plugins are not configured for an execution: to prepare a plugin means to attach
it to a context.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from msgspec import structs

from harness.contract.interface import Interface
from harness.subject.callers.v2_dynamic import V2DynamicCaller
from reference_runtime.calling.lifecycle.table import Stage
from reference_runtime.calling.trampolines import implicit_batch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness.subject.callers.caller import Words
    from reference_runtime.calling.gate.gate import Gate
    from reference_runtime.values.descriptions import Bounds

_TO_INITIALIZE: Final = frozenset({Stage.CREATED, Stage.CONFIGURED, Stage.TERMINATED})
_TO_ATTACH: Final = frozenset({Stage.INITIALIZED, Stage.ATTACHED})
_ATTACHED: Final = frozenset({Stage.READY, Stage.RUNNING})


class ImplicitBatchCaller(V2DynamicCaller):
    """Calls the plugins of one of the three interfaces for an implicit batch."""

    batches = True
    calls = implicit_batch

    def __init__(self, interface: Interface) -> None:
        self.words: Words = structs.replace(
            V2DynamicCaller.words,
            base=interface.value,
            output_types="supports_format" if interface is Interface.V2 else "get_output_data_type",
            output_shapes="get_output_shape",
            prepare="initialize" if interface is Interface.V2 else "attach_to_context",
            formats="supports_format_combination" if interface is Interface.V2_IO_EXT else "supports_format",
            configure="configure_with_format" if interface is Interface.V2 else "configure_plugin",
            run="execute_async",
        )

    def workspace_size(self, gate: Gate, plugin: Any, inputs: Sequence[Bounds], outputs: Sequence[Bounds]) -> int:
        """Call ``get_workspace_size`` with the greatest batch of the bounds."""
        greatest = ([each.desc.sized(each.max) for each in tensors] for tensors in (inputs, outputs))
        return implicit_batch.get_workspace_size(gate, plugin, *greatest)

    def make_ready(self, gate: Gate, plugin: Any) -> Any:
        """Call ``initialize``, unless the object is initialized already."""
        if gate.stage_of(plugin) in _TO_INITIALIZE:
            implicit_batch.initialize(gate, plugin)
        return plugin

    def prepare(
        self,
        gate: Gate,
        plugin: Any,
        inputs: Sequence[Bounds],  # noqa: ARG002 - one signature for all interfaces
        outputs: Sequence[Bounds],  # noqa: ARG002 - as above
        tactic: int,  # noqa: ARG002 - as above
    ) -> None:
        """Call ``attach_to_context``, if TensorRT would; only builders configure these plugins."""
        if gate.stage_of(plugin) in _TO_ATTACH:
            implicit_batch.attach_to_context(gate, plugin)

    def end_work(self, gate: Gate, plugin: Any) -> None:
        """Call ``detach_from_context`` if the plugin is attached, and ``terminate`` if it is initialized."""
        if gate.stage_of(plugin) in _ATTACHED:
            implicit_batch.detach_from_context(gate, plugin)
        if gate.stage_of(plugin) is Stage.INITIALIZED:
            implicit_batch.terminate(gate, plugin)

    def count_as_configured(self, gate: Gate, plugin: Any, num_inputs: int) -> None:  # noqa: ARG002 - as above
        """Call ``attach_to_context``, if TensorRT would: it needs no dimensions."""
        if gate.stage_of(plugin) in _TO_ATTACH:
            implicit_batch.attach_to_context(gate, plugin)

    def copied_inputs(self, gate: Gate, plugin: Any, inputs: Sequence[Sequence[int]]) -> frozenset[int]:
        """Return the indices of the inputs with one item for the whole batch that the plugin cannot broadcast."""
        shared = implicit_batch.broadcasts([tuple(dims) for dims in inputs])
        return frozenset(
            place for place, one in enumerate(shared) if one and not implicit_batch.can_broadcast(gate, plugin, place)
        )
