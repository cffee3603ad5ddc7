"""The tensors of one execution: their current dimensions, addresses and contents."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any

import numpy as np

from reference_runtime.engine.context.shapes import host_array
from reference_runtime.values import formats
from reference_runtime.values.enums import TensorIOMode, TensorLocation

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt

    from reference_runtime.devices.base import Device
    from reference_runtime.engine.activations import Activations
    from reference_runtime.engine.context.shapes import ContextShapes
    from reference_runtime.engine.loading import LiveEngine
    from reference_runtime.shapes.shape_rules import ExtentRule
    from reference_runtime.shapes.tensor_facts import ValueFacts
    from reference_runtime.values.descriptions import Description, Range


class ExecutionTensors:
    """The tensors of a plan while it runs; ``facts`` changes during the run if data determine a size."""

    def __init__(
        self,
        engine: LiveEngine,
        shapes: ContextShapes,
        memory: Activations,
        addresses: Mapping[int, int],
        facts: Sequence[ValueFacts],
        stream: int,
    ) -> None:
        self.device: Device = engine.around.device
        self.ranges: Mapping[int, Range] = engine.ranges[shapes.profile]
        self.stamp = shapes.stamp
        self.moves = shapes.moves
        self.memory = memory
        self.stream = stream
        self.facts = list(facts)
        self.host: dict[int, npt.NDArray[Any]] = {}
        self.addresses = dict(addresses)
        self.awaiting: dict[int, int] = {}
        """The present addresses of outputs whose size is not known yet."""
        self._plan = engine.plan
        self._homes = engine.demand.homes

    def read_host_inputs(self) -> None:
        """Read the inputs that are on the host."""
        for place, tensor in enumerate(self._plan.inputs):
            if tensor.location == TensorLocation.HOST:
                self.host[place] = host_array(self.stored(place), self.addresses[place])

    def stored(self, place: int) -> Description:
        """Return a tensor's description in the engine, with the current dimensions."""
        return self._plan.tensors[place].desc.sized(self.facts[place].dims)

    def is_on_host(self, place: int) -> bool:
        """Say whether a tensor is on the host."""
        return bool(self._plan.tensors[place].location == TensorLocation.HOST)

    def address(self, place: int) -> int:
        """Return a tensor's address on the device; 0 for one on the host."""
        home = self._homes[place]
        if home in self.awaiting:
            return self.awaiting[home]
        if self._plan.tensors[home].mode == TensorIOMode.NONE:
            return self.memory.address(("tensor", home, 0))
        return 0 if self.is_on_host(home) else self.addresses.get(home, 0)

    def facts_for(self, rule: ExtentRule[int]) -> list[ValueFacts]:
        """Return the facts that a layer's rule needs."""
        return [self.facts[place] for place in (*rule.inputs, *rule.shape_inputs)]

    def is_foreseen(self, place: int) -> bool:
        """Return whether a tensor is on the host and all its values were inferred before its layer runs."""
        values = self.facts[place].values
        return self.is_on_host(place) and values is not None and None not in values

    def foreseen(self, place: int) -> npt.NDArray[Any]:
        """Return the inferred values of a tensor as an array of int64."""
        return np.array(self.facts[place].values, np.int64).reshape(self.facts[place].dims)

    def read(self, place: int, desc: Description) -> npt.NDArray[Any]:
        """Return a tensor as an array; a tensor on the device is rounded to the type of ``desc``."""
        if self.is_on_host(place):
            return self.host[place]
        stored = self.stored(place)
        raw = self.device.fetch(self.address(place), formats.nbytes(stored), stream=self.stream)
        desc = desc.sized(stored.dims)
        return formats.from_device(raw if stored == desc else formats.convert(raw, stored, desc), desc)

    def write(self, place: int, desc: Description, data: npt.NDArray[Any]) -> None:
        """Store the result of a layer, which computed it in the type and format of ``desc``."""
        stored = self.stored(place)
        rounded = formats.to_device(data.reshape(stored.dims), desc.sized(stored.dims))
        raw = (
            rounded if desc.sized(stored.dims) == stored else formats.convert(rounded, desc.sized(stored.dims), stored)
        )
        if not self.is_on_host(place):
            self.device.store(self.address(place), raw, stream=self.stream)
            return
        self.host[place] = formats.from_device(raw, stored)
        if place in self.addresses and self._plan.tensors[place].mode == TensorIOMode.OUTPUT:
            ctypes.memmove(self.addresses[place], raw, len(raw))
