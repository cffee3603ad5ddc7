"""The network as the runtime holds it: tensors, plugin layers, and the plugin objects that the network owns."""

from __future__ import annotations

import weakref
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from reference_runtime import formats, trampolines
from reference_runtime.enums import DataType, TensorFormat
from reference_runtime.gate import Phase

if TYPE_CHECKING:
    from collections.abc import Callable

    from reference_runtime.descriptions import Extents
    from reference_runtime.gate import Gate
    from reference_runtime.logger import ILogger
    from reference_runtime.scheduler import Scheduler

__all__ = ["ANY_FORMAT", "Graph", "Layer", "Tensor"]

ANY_FORMAT: Final = sum(1 << int(member) for member in TensorFormat.__members__.values())
"""The bits of ``ITensor.allowed_formats`` as long as nobody sets them."""


@dataclass(eq=False)
class Tensor:
    """A tensor of the network; ``dims`` is None for one whose extents follow from a layer."""

    name: str
    dtype: DataType
    dims: Extents | None = None
    is_output: bool = False
    allowed_formats: int = ANY_FORMAT
    dynamic_range: tuple[float, float] | None = None
    dimension_names: dict[int, str] = field(default_factory=dict)

    @property
    def is_input(self) -> bool:
        """Whether the application fills it."""
        return self.dims is not None

    @property
    def formats(self) -> list[TensorFormat] | None:
        """The formats that the application restricted it to, or None."""
        if self.allowed_formats & ANY_FORMAT == ANY_FORMAT:
            return None
        return [name for name in formats.all_formats() if self.allowed_formats >> int(name) & 1]


@dataclass(eq=False)
class Layer:
    """A plugin layer, with the network's own copy of the plugin."""

    name: str
    plugin: Any
    inputs: list[Tensor]
    outputs: list[Tensor]


class Graph:
    """A network's contents; ``infer`` returns the extents of every tensor, in whatever state the network is."""

    def __init__(
        self,
        *,
        flags: int,
        strongly_typed: bool,
        gate: Gate,
        scheduler: Scheduler,
        logger: ILogger,
        infer: Callable[[Graph], dict[Tensor, Extents]],
    ) -> None:
        self.name = "Unnamed Network 0"
        self.flags = flags
        self.strongly_typed = strongly_typed
        self.gate = gate
        self.scheduler = scheduler
        self.logger = logger
        self.infer = infer
        self.inputs: list[Tensor] = []
        self.layers: list[Layer] = []
        self.outputs: list[Tensor] = []
        self.bound: weakref.WeakValueDictionary[Tensor | Layer, Any] = weakref.WeakValueDictionary()
        """The Python objects of tensors and layers, so that each has one at a time."""
        self.closed = False

    @property
    def tensors(self) -> list[Tensor]:
        """Every tensor, in the order in which they came."""
        return [*self.inputs, *(tensor for layer in self.layers for tensor in layer.outputs)]

    def close(self) -> None:
        """Destroy the network's copies of its plugins."""
        with self.gate.during(Phase.DESTRUCTION):
            for layer in self.scheduler.order("network copies go", self.layers):
                trampolines.destroy(self.gate, layer.plugin)
        self.closed = True
