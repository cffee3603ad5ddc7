"""The content of a plan, as values: tensors, layers, plugins, profiles, and the engine's own properties."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct, field

from reference_runtime.values.enums import TensorIOMode, TensorLocation
from reference_runtime.values.enums_building import EngineCapability, HardwareCompatibilityLevel, ProfilingVerbosity

if TYPE_CHECKING:
    from reference_runtime.interfaces.saved_fields import SavedField
    from reference_runtime.values.descriptions import Description, Range

PLUGIN_V2: Final = "PLUGIN_V2"
PLUGIN_V3: Final = "PLUGIN_V3"

ValueRange = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]
"""The minimum, optimum and maximum values of a shape tensor."""


class TensorPlan(Struct, frozen=True):
    """A tensor of the engine; the ``mode`` of a tensor between layers is `NONE`.

    A tensor whose values decide shapes is on the host, even if it is between layers. ``debug`` marks a tensor that a
    debug listener may see.
    """

    name: str
    mode: TensorIOMode
    desc: Description
    location: TensorLocation = TensorLocation.DEVICE
    debug: bool = False


class PluginPlan(Struct, frozen=True):
    """The data of a plugin layer beside its tensors.

    ``shapes`` has for each output the expressions of its dimensions, as JSON data. They use the dimensions of the
    inputs, the values of the ``shape_inputs`` (indices of tensors) and the size tensors. ``sizes`` lists the outputs
    that are size tensors. ``aliases`` has for each output the input whose memory it shares, or -1.
    """

    type: str
    version: str
    namespace: str
    shapes: tuple[tuple[Any, ...], ...]
    shape_inputs: tuple[int, ...] = ()
    tactic: int = 0
    aliases: tuple[int, ...] = ()
    sizes: tuple[int, ...] = ()
    metadata: str | None = None


class KernelPlan(Struct, frozen=True):
    """A kernel that was compiled when the engine was built.

    ``launch`` has the dimensions of grid and blocks and the bytes of shared memory. ``arguments`` has the kernel's
    arguments between the addresses of inputs and of outputs. Both are expressions in the dimensions of the inputs, as
    JSON data.
    """

    name: str
    image: bytes
    launch: tuple[Any, ...]
    arguments: tuple[Any, ...] = ()


class LayerPlan(Struct, frozen=True):
    """One layer.

    ``kind`` is the name of a `LayerType`. ``inputs`` and ``outputs`` are indices of tensors. ``chosen`` describes these
    tensors, inputs first, as the layer gets them: if the engine's tensor differs, the engine reformats. A plugin layer
    has a ``plugin``; any other layer has an ``operation``, as JSON data. ``payload`` is the data that a plugin of
    version 2 serialized, or the weights of an operation. ``fields`` are the fields that a plugin of version 3
    serialized. If there is a ``kernel``, it runs in place of the plugin.
    """

    name: str
    kind: str
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    chosen: tuple[Description, ...]
    workspace: int = 0
    plugin: PluginPlan | None = None
    operation: Any = None
    payload: bytes = b""
    fields: tuple[SavedField, ...] = ()
    kernel: KernelPlan | None = None
    metadata: str = ""

    @property
    def tensors(self) -> tuple[int, ...]:
        """The indices of the inputs and outputs, without shape inputs."""
        return (*self.inputs, *self.outputs)

    @property
    def needed(self) -> tuple[int, ...]:
        """The indices of all tensors that the layer reads, shape inputs last."""
        return self.inputs if self.plugin is None else (*self.inputs, *self.plugin.shape_inputs)


class ProfilePlan(Struct, frozen=True):
    """One optimization profile: for each input the bounds of its dimensions and, for a shape input, of its values."""

    ranges: tuple[Range, ...]
    values: tuple[ValueRange | None, ...] = ()


class Traits(Struct, frozen=True):
    """The engine's own properties."""

    profiling_verbosity: ProfilingVerbosity = ProfilingVerbosity.LAYER_NAMES_ONLY
    capability: EngineCapability = EngineCapability.STANDARD
    hardware_compatibility: HardwareCompatibilityLevel = HardwareCompatibilityLevel.NONE
    tactic_sources: int = 0
    aux_streams: int = 0
    refittable: bool = False
    max_batch: int = 0
    """The maximum batch size of a network with an implicit batch; 0 for an explicit batch."""


class Plan(Struct, frozen=True, dict=True):
    """The content of an engine; ``tensors`` has the inputs, then the outputs, then the tensors between layers."""

    name: str
    tensors: tuple[TensorPlan, ...]
    layers: tuple[LayerPlan, ...]
    profiles: tuple[ProfilePlan, ...]
    traits: Traits = field(default_factory=Traits)

    @cached_property
    def inputs(self) -> tuple[TensorPlan, ...]:
        """The tensors that the application fills."""
        return tuple(tensor for tensor in self.tensors if tensor.mode == TensorIOMode.INPUT)

    @cached_property
    def io(self) -> tuple[TensorPlan, ...]:
        """The tensors that the application sees, in the order of ``get_tensor_name``."""
        return tuple(tensor for tensor in self.tensors if tensor.mode != TensorIOMode.NONE)
