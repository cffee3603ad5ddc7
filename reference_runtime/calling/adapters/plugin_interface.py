"""What networks, builders, engines and contexts do with a plugin, whatever its interface: the contract of the adapters.

Theory. A plugin is cloned, asked for its identity, types, shapes, aliases and formats, started, saved and destroyed. An
adapter makes each step with the callbacks of its interface, through the gate. What is asked is one of the plugin's
`Capabilities`; a plugin of version 2 is all of them itself. What is written out here holds where an interface does not
have the step. How a layer is timed, and how a context runs a copy, differs so much that builder and context have a
function for each adapter, in a table.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from reference_runtime.calling.adapters.output_shapes import OutputShape
    from reference_runtime.calling.gate.gate import Gate
    from reference_runtime.calling.trampolines.capabilities import Capabilities
    from reference_runtime.interfaces.saved_fields import SavedField
    from reference_runtime.shapes.tensor_facts import ValueFacts
    from reference_runtime.values.descriptions import Bounds, Description, Extents
    from reference_runtime.values.enums import DataType, TensorFormat
    from reference_runtime.values.enums_layers import LayerType

    Tensors = tuple[Sequence[Description], Sequence[Description]]
    """Inputs and outputs."""

__all__ = ["PluginInterface", "Saved"]


@dataclass(frozen=True)
class Saved:
    """What a plugin wants to be made from again: bytes in version 2, fields in version 3."""

    payload: bytes = b""
    fields: tuple[SavedField, ...] = ()


class PluginInterface(Protocol):
    """How TensorRT deals with the plugins of one interface."""

    kind: LayerType
    """What a layer with such a plugin is."""
    learns_types: bool = False
    """Whether types come before shapes, and ranks with them, because a plugin remembers them."""
    repeats_types: bool = False
    """Whether a builder asks its copy for the types of outputs once more."""
    shows_profile: bool = False
    """Whether a plugin is shown the bounds of a profile when it is asked for formats."""
    attaches: bool = False
    """Whether a context runs what the plugin attaches to it; else it runs a clone."""
    has_workspace: bool = True
    """Whether a plugin is given a workspace when it runs."""

    def name_of(self, plugin: Any) -> str:
        """Return the name of the interface as TensorRT has it."""
        ...

    def refuse_inputs(
        self, plugin: Any, shapes: Callable[[], Sequence[Extents]], *, implicit_batch: bool, shape_inputs: int
    ) -> None:
        """Raise `Refused` where a plugin cannot be given these inputs; ``shapes`` works theirs out."""
        return

    def clone(self, gate: Gate, plugin: Any) -> Any:
        """Return a copy that TensorRT owns, or None."""
        ...

    def destroy(self, gate: Gate, plugin: Any) -> None:
        """Let one owner go of the plugin."""
        ...

    def capabilities(self, gate: Gate, plugin: Any, *, build: bool) -> Capabilities | None:
        """Return what is asked in a phase; None where a part is missing."""
        ...

    def identity(self, gate: Gate, capabilities: Capabilities) -> Iterator[tuple[str, str | None]]:
        """Yield the names and values of what an engine looks for in the registry: type or name, version, namespace."""
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
        """Return the extents of all outputs as expressions, or None; an extent of -1 is shown as a symbol."""
        ...

    def aliases(self, gate: Gate, capabilities: Capabilities, count: int) -> tuple[int, ...]:
        """Return for each output the input whose memory it shares, or -1."""
        return (-1,) * count

    def format_limit(self, gate: Gate, capabilities: Capabilities) -> int:
        """Return after how many accepted combinations TensorRT stops asking."""
        ...

    def listed_formats(
        self, gate: Gate, capabilities: Capabilities, bounds: Sequence[Bounds], num_inputs: int
    ) -> list[tuple[tuple[DataType, TensorFormat], ...]] | None:
        """Return the combinations of a plugin that lists them itself; None for one that is asked by positions."""
        return None

    def supports(
        self,
        gate: Gate,
        capabilities: Capabilities,
        settled: Sequence[Description],
        bounds: Sequence[Bounds],
        num_inputs: int,
    ) -> bool:
        """Ask about the last of the ``settled`` tensors; ``bounds`` has all tensors, as the network has them."""
        ...

    def workspace_at_start(self, gate: Gate, plugin: Any, greatest: Callable[[], Tensors]) -> int:
        """Return the workspace that a plugin wants when its engine starts up; 0 where it is not asked then."""
        return 0

    def metadata(self, gate: Gate, capabilities: Capabilities) -> str | None:
        """Return what the plugin says of itself to who inspects an engine."""
        return None

    def saved(self, gate: Gate, capabilities: Capabilities, layer: str, most: int) -> Saved:
        """Return what the plugin serializes; `Refused` for more than ``most`` bytes and for what nothing can hold."""
        ...

    def start(self, gate: Gate, plugin: Any, layer: str, namespace: str, chosen: Sequence[Description]) -> None:
        """Get an engine's plugin ready to run ``layer`` on tensors that are ``chosen``, or raise `Refused`."""
        return

    def terminate(self, gate: Gate, plugin: Any) -> None:
        """Undo `start`."""
        return
