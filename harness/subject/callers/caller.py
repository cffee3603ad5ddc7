"""Call plugins in steps that all interfaces have in common: the base class of the callers.

Theory. Checks drive a plugin through a life that has the same steps for every interface. The plugin is created. It is
asked for types, shapes and formats, configured for the build, and asked for its workspace. Then it is made ready,
prepared for actual dimensions and run. It can be saved, restored and copied, and is destroyed. A `Caller` takes each
step with the callbacks of its interface, through the gate. `Words` has the names of these callbacks. The gate records
failures; a caller never judges.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec

from reference_runtime import instruments
from reference_runtime.calling.adapters.creators import created, restored

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

    from reference_runtime.calling.gate.gate import Gate
    from reference_runtime.values.descriptions import Bounds


class Words(msgspec.Struct, frozen=True):
    """Hold one interface's names of the classes, attributes and callbacks that every interface has.

    Attributes:
        base: The class that plugins derive from.
        creator: The class that creators derive from.
        creation: The parameters of ``create_plugin``.
        type: The attribute that holds the plugin's name.
        output_types: The callback that returns the types of the outputs.
        output_shapes: The callback that returns the shapes of the outputs.
        prepare: The callback that prepares an object for actual dimensions.
        ready: The callback that makes an object ready to be prepared.
        ready_state: The word for the state of an object after ``ready``.
        save: The callback that returns the data to store.
        restore: The callback that makes a plugin from stored data.
        restoring: The name under which rules own failures of ``restore``; it differs from that of ``create_plugin``.
        formats: The callback about types and formats.
        configure: The callback that configures a plugin for the build.
        run: The callback that runs the plugin.
    """

    base: str
    creator: str
    creation: tuple[str, ...]
    type: str
    output_types: str
    output_shapes: str
    prepare: str
    ready: str
    ready_state: str
    save: str
    restore: str
    restoring: str
    formats: str = "supports_format_combination"
    configure: str = "configure_plugin"
    run: str = "enqueue"


class Caller(ABC):
    """Calls the plugins of one interface; a plugin is one object, unless a subclass asks it for its capabilities."""

    words: Words
    """The interface's names for the callbacks that all interfaces have."""
    calls: ModuleType
    """The functions that call the interface's callbacks."""
    identity: ClassVar[tuple[str, ...]] = ("plugin_type", "plugin_version", "plugin_namespace", "num_outputs")
    """The native attributes that every plugin has to assign."""
    attaches: ClassVar[bool] = False
    """Whether `make_ready` returns a new object, which belongs to a context; only that object is run."""
    has_tactics: ClassVar[bool] = False
    """Whether plugins advertise tactics, and TensorRT sets one."""
    batches: ClassVar[bool] = False
    """Whether plugins get shapes without the batch, which is the first dimension of every tensor."""

    def create(self, gate: Gate, creator: Any, name: str, collection: Any) -> Any:
        """Return the plugin that a creator makes for a network, or None."""
        return created(gate, creator, name, collection)

    def restore(self, gate: Gate, creator: Any, name: str, saved: Any) -> Any:
        """Return the plugin that a creator makes from stored data, or None."""
        return restored(gate, creator, name, saved)

    @abstractmethod
    def parts(self, gate: Gate, plugin: Any) -> dict[str, tuple[Any, type]]:
        """Return for each native attribute the object that has it, and the class that defines it."""

    def identity_of(self, gate: Gate, plugin: Any) -> dict[str, Any]:
        """Return the native attributes as C++ reads them; None or -1 for an attribute that was never assigned."""
        return {name: instruments.read(part, owner, name) for name, (part, owner) in self.parts(gate, plugin).items()}

    def unassigned(self, gate: Gate, plugin: Any) -> list[str]:
        """Return the native attributes that were never assigned."""
        parts = self.parts(gate, plugin)
        return [name for name, (part, owner) in parts.items() if not instruments.is_assigned(part, owner, name)]

    def assign_namespace(self, plugin: Any, namespace: str) -> None:
        """Assign the namespace as C++ does, past all Python code."""
        raise NotImplementedError(f"nothing in TensorRT assigns {namespace!r} to {plugin}")

    def what_builds(self, gate: Gate, plugin: Any) -> Any:  # noqa: ARG002 - one signature for all interfaces
        """Return the object whose build callbacks are called."""
        return plugin

    def what_runs(self, gate: Gate, plugin: Any) -> Any:  # noqa: ARG002 - as above
        """Return the object whose ``enqueue`` is called."""
        return plugin

    def num_outputs(self, gate: Gate, plugin: Any) -> int:
        """Return the number of outputs; if it was never assigned, -1, and the gate records a failure."""
        return int(self.calls.num_outputs(gate, self.what_builds(gate, plugin)))

    @abstractmethod
    def output_types(self, gate: Gate, plugin: Any, input_types: Sequence[Any]) -> list[Any]:
        """Return the types of all outputs."""

    @abstractmethod
    def output_type(self, gate: Gate, plugin: Any, index: int, input_types: Sequence[Any]) -> Any:
        """Return the type of one output; None if there is no type for this index."""

    @abstractmethod
    def output_shape(
        self,
        gate: Gate,
        plugin: Any,
        index: int,
        known: tuple[Sequence[Any], Sequence[Any]],
        builder: Any,
    ) -> Any:
        """Return the ``DimsExprs`` of one output; those of a scalar if there is no shape for this index.

        ``known`` are the dimensions of the data inputs and the values of the shape inputs, as expressions. They and
        ``builder`` must be made for this call alone.
        """

    @abstractmethod
    def supports(self, gate: Gate, plugin: Any, pos: int, in_out: Sequence[Bounds], num_inputs: int) -> bool:
        """Return whether the plugin takes the tensor at ``pos``."""

    @abstractmethod
    def configure(self, gate: Gate, plugin: Any, inputs: Sequence[Bounds], outputs: Sequence[Bounds]) -> list[int]:
        """Configure the plugin for the build; return the tactics that it then advertises."""

    @abstractmethod
    def workspace_size(self, gate: Gate, plugin: Any, inputs: Sequence[Bounds], outputs: Sequence[Bounds]) -> int:
        """Return the bytes of workspace that the plugin asks for."""

    @abstractmethod
    def make_ready(self, gate: Gate, plugin: Any) -> Any:
        """Make the plugin ready to be prepared and run; return the ready object, which may be a new object."""

    @abstractmethod
    def prepare(
        self, gate: Gate, plugin: Any, inputs: Sequence[Bounds], outputs: Sequence[Bounds], tactic: int
    ) -> None:
        """Prepare the plugin for actual dimensions; set the tactic, if none was set before."""

    def enqueue(
        self,
        gate: Gate,
        plugin: Any,
        described: tuple[Sequence[Any], Sequence[Any]],
        addresses: tuple[Sequence[int], Sequence[int]],
        workspace: int,
        stream: int,
    ) -> int:
        """Run the plugin; 0 is success."""
        return self.run(gate, self.what_runs(gate, plugin), described, addresses, workspace, stream)

    def run(
        self,
        gate: Gate,
        running: Any,
        described: tuple[Sequence[Any], Sequence[Any]],
        addresses: tuple[Sequence[int], Sequence[int]],
        workspace: int,
        stream: int,
    ) -> int:
        """Run an object that `what_runs` has returned: an engine asks for it only once. 0 is success."""
        return int(self.calls.enqueue(gate, running, *described, *addresses, workspace, stream))

    @abstractmethod
    def is_ready(self, gate: Gate, plugin: Any) -> bool:
        """Return whether an object is ready already."""

    def can_be_asked(self, gate: Gate, plugin: Any) -> bool:  # noqa: ARG002 - one signature for all interfaces
        """Return whether the object has the callbacks that only builders call."""
        return True

    def end_work(self, gate: Gate, plugin: Any) -> None:  # noqa: B027 - other interfaces only need ``destroy``
        """Call the callbacks that undo `make_ready` and `prepare`, if the interface has any."""

    def count_as_configured(self, gate: Gate, plugin: Any, num_inputs: int) -> None:  # noqa: B027 - as above
        """Let an object count as prepared, although it was not configured for actual dimensions."""

    def copied_inputs(
        self,
        gate: Gate,  # noqa: ARG002 - one signature for all interfaces
        plugin: Any,  # noqa: ARG002 - as above
        inputs: Sequence[Sequence[int]],  # noqa: ARG002 - as above
    ) -> frozenset[int]:
        """Return the indices of the inputs that TensorRT copies for each item of a batch.

        ``inputs`` are the shapes of the inputs in the network, without the batch.
        """
        return frozenset()

    @abstractmethod
    def save(self, gate: Gate, plugin: Any) -> Any:
        """Return the data that TensorRT stores for the plugin, as a value that can be compared."""

    def clone(self, gate: Gate, plugin: Any) -> Any:
        """Return a copy of the plugin, or None."""
        return self.calls.clone(gate, plugin)

    def destroy(self, gate: Gate, plugin: Any) -> None:
        """Destroy the plugin."""
        self.calls.destroy(gate, plugin)

    @abstractmethod
    def add_to(self, network: Any, inputs: Sequence[Any], shape_inputs: Sequence[Any], plugin: Any) -> Any:
        """Add a layer with the plugin to a network, as an application does; return the layer, or None."""
