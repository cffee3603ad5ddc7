"""Operations of networks, builders, engines and contexts on a plugin of any interface: the contract of the adapters.

Theory. TensorRT clones a plugin, queries its identity, types, shapes, aliases and formats, starts, saves and destroys
it. An adapter takes each step with the callbacks of its interface, through the gate. Queries go to one of the plugin's
`Capabilities`. A plugin of version 2 is itself each capability. A method that returns a value here is the default for
interfaces without that step. Timing a layer is no step of the adapters, because it needs the builder's memory and
choices. The builder has a function for each kind of layer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from msgspec import Struct

from reference_runtime.calling.trampolines.capabilities import null_pointer
from reference_runtime.values.refusals import Reason, Refused

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from types import ModuleType

    from reference_runtime.calling.adapters.output_shapes import OutputShape
    from reference_runtime.calling.gate.gate import Gate
    from reference_runtime.calling.gate.scheduler import Scheduler
    from reference_runtime.calling.trampolines.capabilities import Capabilities
    from reference_runtime.interfaces.saved_fields import SavedField
    from reference_runtime.shapes.tensor_facts import ValueFacts
    from reference_runtime.values.descriptions import Bounds, Description, Extents, Range
    from reference_runtime.values.enums import DataType, TensorFormat
    from reference_runtime.values.enums_layers import LayerType

    Tensors = tuple[Sequence[Description], Sequence[Description]]
    """Inputs and outputs."""


class Saved(Struct, frozen=True):
    """A plugin's data for its reconstruction: bytes in version 2, fields in version 3."""

    payload: bytes = b""
    fields: tuple[SavedField, ...] = ()


class EnginePlugin(NamedTuple):
    """An engine's plugin, and the facts that a context needs to copy it."""

    gate: Gate
    scheduler: Scheduler
    layer: str
    plugin: Any
    capabilities: Capabilities
    tactic: int


class ContextCopy:
    """A context's copy of an engine's plugin; ``target`` is the object whose ``enqueue`` is called."""

    calls: ModuleType
    """The functions that call the interface's callbacks."""
    watches_addresses: bool = False
    """Whether ``prepare`` runs again when the address of an input has changed."""

    def __init__(self, source: EnginePlugin, target: Any) -> None:
        self.source = source
        self.target = target

    def prepare(self, descs: Sequence[Description], num_inputs: int, ranges: Sequence[Range]) -> None:
        """Pass the plugin the tensors of the next runs, as described in ``descs``, or raise `Refused`."""

    def enqueue(
        self, descs: Sequence[Description], addresses: Sequence[int], num_inputs: int, workspace: int, stream: int
    ) -> bool:
        """Run the plugin on tensors at ``addresses``, and return whether it succeeded."""
        n = num_inputs
        tensors = descs[:n], descs[n:], addresses[:n], addresses[n:]
        status = self.calls.enqueue(self.source.gate, self.target, *tensors, workspace, stream)
        return bool(status == self.calls.SUCCESS)

    def destroy(self) -> None:
        """Destroy ``target``."""
        self.calls.destroy(self.source.gate, self.target)


class PluginInterface(Protocol):
    """TensorRT's operations on the plugins of one interface."""

    kind: LayerType
    """The kind of a layer with a plugin of this interface."""
    learns_types: bool = False
    """Whether types are asked for before shapes, with the ranks of the inputs, because a plugin remembers both."""
    answers_first: bool = False
    """Whether the network asks the application's object, before cloning it, for the types of outputs."""
    repeats_types: bool = False
    """Whether a builder asks its copy for the types of outputs once more."""
    shows_profile: bool = False
    """Whether a plugin gets the bounds of a profile in the queries for formats."""
    attaches: bool = False
    """Whether a context runs the object that ``attach_to_context`` returns; else it runs a clone."""
    repeats_fields: bool = False
    """Whether a builder may ask more than once for the data that it serializes."""
    dies_of_null: bool = False
    """Whether TensorRT uses the plugin's copies and capabilities without a check for a null pointer.

    The process dies if ``clone``, ``attach_to_context`` or ``get_capability_interface`` of an `IPluginV3` returns
    nothing (observed on TensorRT-RTX 1.7.1). For a missing BUILD capability the cause is a second deletion. TensorRT
    refuses and deletes the plugin, then Python frees it again. TensorRT checks the objects that plugins of version 2
    return.
    """

    def name_of(self, plugin: Any) -> str:
        """Return TensorRT's name of the interface."""
        ...

    def refuse_inputs(
        self, plugin: Any, shapes: Callable[[], Sequence[Extents]], *, implicit_batch: bool, shape_inputs: int
    ) -> None:
        """Raise `Refused` if a plugin cannot get these inputs; ``shapes`` computes their shapes."""
        return

    def clone(self, gate: Gate, plugin: Any) -> Any:
        """Return a copy that TensorRT owns, or None."""
        ...

    def destroy(self, gate: Gate, plugin: Any) -> None:
        """Release one owner's claim on the plugin."""
        ...

    def capabilities(self, gate: Gate, plugin: Any, *, build: bool) -> Capabilities | None:
        """Return the capabilities of the build or runtime phase; None if one is missing."""
        ...

    def identity(self, gate: Gate, capabilities: Capabilities) -> Iterator[tuple[str, str | None]]:
        """Yield the attributes that identify the creator, as name and value: type or name, version, namespace."""
        ...

    def num_outputs(self, gate: Gate, capabilities: Capabilities) -> int:
        """Return the number of outputs."""
        ...

    def output_types(
        self, gate: Gate, capabilities: Capabilities, types: Sequence[DataType], count: int, ranks: Sequence[int]
    ) -> Sequence[DataType] | None:
        """Return the types of all outputs for those of the inputs, or None."""
        ...

    def output_shapes(
        self,
        gate: Gate,
        capabilities: Capabilities,
        inputs: Sequence[Extents],
        shape_inputs: Sequence[ValueFacts],
        count: int,
    ) -> list[OutputShape] | None:
        """Return the dimensions of all outputs as expressions, or None; a -1 in ``inputs`` becomes a symbol."""
        ...

    def aliases(self, gate: Gate, capabilities: Capabilities, count: int) -> tuple[int, ...]:
        """Return for each output the input whose memory it shares, or -1."""
        return (-1,) * count

    def format_limit(self, gate: Gate, capabilities: Capabilities) -> int:
        """Return the number of accepted combinations after which TensorRT stops asking."""
        ...

    def listed_formats(
        self, gate: Gate, capabilities: Capabilities, bounds: Sequence[Bounds], num_inputs: int
    ) -> list[tuple[tuple[DataType, TensorFormat], ...]] | None:
        """Return all format combinations, or None if the interface has a query for each position instead."""
        return None

    def supports(
        self,
        gate: Gate,
        capabilities: Capabilities,
        settled: Sequence[Description],
        bounds: Sequence[Bounds],
        num_inputs: int,
    ) -> bool:
        """Return whether the plugin accepts the last ``settled`` tensor; ``bounds`` are those of all tensors."""
        ...

    def workspace_at_start(self, gate: Gate, plugin: Any, greatest: Callable[[], Tensors]) -> int:
        """Return the bytes of workspace that a plugin requests when its engine starts; 0 without a query for it."""
        return 0

    def metadata(self, gate: Gate, capabilities: Capabilities) -> str | None:
        """Return the plugin's metadata for engine inspectors."""
        return None

    def saved(self, gate: Gate, capabilities: Capabilities, layer: str, most: int) -> Saved:
        """Return the plugin's serialized data; raise `Refused` for more than ``most`` bytes and for unusable data."""
        ...

    def start(self, gate: Gate, plugin: Any, layer: str, namespace: str, chosen: Sequence[Description]) -> None:
        """Prepare an engine's plugin to run ``layer`` on ``chosen`` tensors, or raise `Refused`."""
        return

    def for_context(self, source: EnginePlugin, resources: object) -> ContextCopy:
        """Return a copy of an engine's plugin for a context, or raise `Refused` and leave no copy."""
        ...

    def terminate(self, gate: Gate, plugin: Any) -> None:
        """Undo `start`."""
        return

    def no_copy(self, plugin: Any, method: str, why: str, reason: Reason = Reason.INTERNAL) -> Exception:
        """Return the error for a missing copy: `Refused`, or `NativeCrash` if TensorRT uses the null pointer."""
        return null_pointer(plugin, method) if self.dies_of_null else Refused(why, reason)

    def no_capabilities(self, plugin: Any, why: str) -> Exception:
        """Return the error for a missing capability of the build phase."""
        return self.no_copy(plugin, "get_capability_interface", why, Reason.USAGE)

    def cloned(self, source: EnginePlugin) -> Any:
        """Return a clone for a context, or raise `Refused`."""
        clone = self.clone(source.gate, source.plugin)
        if clone is None:
            raise Refused(f"{source.layer}: the plugin could not be cloned for the context", Reason.INTERNAL)
        return clone
