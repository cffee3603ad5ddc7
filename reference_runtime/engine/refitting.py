"""Check, keep and apply new weights for an engine.

Theory. Only floating-point constants can be refitted: integer constants may have determined dimensions. A plan has no
names of weights, so weights have the name of their layer. Weights that were set stay in the application's memory, and
are read each time that the engine is refitted. Existing contexts use the new weights from their next execution on.
"""

from __future__ import annotations

import ctypes
from math import prod
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field
from msgspec.structs import replace

from reference_runtime.bound.bound_class import state
from reference_runtime.operations.constant import Constant
from reference_runtime.values.enums import DataType, TensorLocation
from reference_runtime.values.enums_layers import WeightsRole
from reference_runtime.values.formats import REAL_TYPES
from reference_runtime.values.refusals import Refused

if TYPE_CHECKING:
    from reference_runtime.engine.loading import LiveEngine, LiveLayer
    from reference_runtime.values.weights import Weights


class Refit(Struct):
    """An engine, and the weights that were set for it, by name, with the location of their memory."""

    engine: LiveEngine
    new_weights: dict[str, tuple[Weights, TensorLocation]] = field(default_factory=dict)

    @property
    def layers(self) -> dict[str, LiveLayer]:
        """The layers with weights that can be refitted, by name."""
        return {
            layer.plan.name: layer
            for layer in self.engine.layers
            if isinstance(layer.operation, Constant) and layer.operation.dtype in REAL_TYPES
        }

    def prototype(self, name: str) -> tuple[DataType, int]:
        """Return the type and the number of the weights of a name; the number is -1 for an unknown name."""
        layer = self.layers.get(name)
        return (DataType.FLOAT, -1) if layer is None else _prototype(layer)

    def give(self, name: str, weights: Weights, location: TensorLocation, role: Any = WeightsRole.CONSTANT) -> None:
        """Set weights, or refuse those that do not match the present ones."""
        layer = self.layers.get(name)
        if layer is None:
            raise Refused(f"no weights that can be refitted have the name {name!r}")
        if role not in {WeightsRole.CONSTANT, WeightsRole.ANY}:
            raise Refused(f"layer {name!r} is a constant, which has no weights of role {role.name}")
        kind, count = _prototype(layer)
        if weights.dtype != kind or weights.size != count:
            description = f"{weights.size} of type {weights.dtype.name}"
            raise Refused(f"{name!r} needs {count} weights of type {kind.name}, not {description}")
        self.new_weights[name] = (weights, location)

    def held(self, name: str) -> tuple[Weights, TensorLocation]:
        """Return the weights that were set, or refuse a name for which there are none."""
        if name not in self.new_weights:
            raise Refused(f"no weights were set for {name!r}")
        return self.new_weights[name]

    def apply(self, stream: int) -> None:
        """Let the engine use the weights that were set; those on the device are read in the order of ``stream``."""
        layers = self.layers
        for name, (weights, location) in self.new_weights.items():
            layer, data = layers[name], self._bytes(weights, location, stream)
            layer.operation = replace(_constant(layer), source=data)
            layer.plan = replace(layer.plan, payload=data)

    def _bytes(self, weights: Weights, location: TensorLocation, stream: int) -> bytes:
        address: int = state(weights)["address"]
        if location == TensorLocation.DEVICE:
            return self.engine.around.device.fetch(address, weights.nbytes, stream=stream)
        return ctypes.string_at(address, weights.nbytes)


def _constant(layer: LiveLayer) -> Constant:
    if not isinstance(layer.operation, Constant):
        raise Refused(f"layer {layer.plan.name!r} is no constant")
    return layer.operation


def _prototype(layer: LiveLayer) -> tuple[DataType, int]:
    constant = _constant(layer)
    return constant.dtype, prod(constant.dims)
