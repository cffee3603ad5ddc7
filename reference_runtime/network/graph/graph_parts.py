"""The parts of a network, as the runtime holds it: tensors, and the layers between them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct, field

from reference_runtime.values import formats
from reference_runtime.values.enums import DataType, TensorFormat, TensorLocation
from reference_runtime.values.enums_layers import LayerType
from reference_runtime.values.refusals import Refused

if TYPE_CHECKING:
    from reference_runtime.calling.adapters.plugin_interface import PluginInterface
    from reference_runtime.calling.trampolines.capabilities import Capabilities
    from reference_runtime.operations import Operation
    from reference_runtime.values.descriptions import Extents

ANY_FORMAT: Final = sum(1 << int(member) for member in TensorFormat.__members__.values())
"""The default bits of ``ITensor.allowed_formats``."""
_NAME_BYTES: Final = 4096
"""NvInfer.h: a name must "be at most 4096 bytes including the terminator"."""


class Tensor(Struct, eq=False):
    """A tensor of the network; ``dims`` is None if its dimensions follow from a layer."""

    name: str
    dtype: DataType
    dims: Extents | None = None
    is_output: bool = False
    allowed_formats: int = ANY_FORMAT
    dynamic_range: tuple[float, float] | None = None
    dimension_names: dict[int, str] = field(default_factory=dict)
    is_shape_output: bool = False
    """Whether it was marked so that the application can ask for its values: ``mark_output_for_shapes``."""
    is_debug: bool = False
    type_is_set: bool = False
    location: TensorLocation = TensorLocation.DEVICE

    @property
    def is_input(self) -> bool:
        """Return whether the tensor is an input of the network."""
        return self.dims is not None

    @property
    def formats(self) -> list[TensorFormat] | None:
        """The formats that the application restricted the tensor to, or None."""
        if self.allowed_formats & ANY_FORMAT == ANY_FORMAT:
            return None
        return [name for name in formats.all_formats() if self.allowed_formats >> int(name) & 1]


class Layer(Struct, eq=False):
    """A layer: with the network's own copy of a plugin, or with an operation."""

    name: str
    inputs: list[Tensor]
    outputs: list[Tensor]
    kind: LayerType = LayerType.PLUGIN_V2
    plugin: Any = None
    interface: PluginInterface | None = None
    """The adapter of the plugin's interface."""
    capabilities: Capabilities | None = None
    """The objects of the plugin whose methods are called."""
    operation: Operation | None = None
    shape_inputs: list[Tensor] = field(default_factory=list)
    """The tensors that an IPluginV3 takes for their values."""
    plugin_types: tuple[DataType, ...] = ()
    """The types of the outputs as the plugin gave them."""
    metadata: str = ""
    precision: DataType | None = None
    num_ranks: int = 1

    @property
    def operands(self) -> list[Tensor]:
        """Every tensor that the layer reads: its inputs, then its shape inputs."""
        return [*self.inputs, *self.shape_inputs]


def refuse_long_name(name: str) -> None:
    """Refuse a name that is longer than TensorRT allows."""
    length = len(name.encode())
    if length >= _NAME_BYTES:
        why = f"a name has at most {_NAME_BYTES} bytes with its terminator, and that of {name[:20]!r}... has"
        raise Refused(f"{why} {length + 1}; give a shorter one")
