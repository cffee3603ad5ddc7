"""The profile and shapes that an application sets in a context, and the dimensions and values that follow."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any

import numpy as np

from reference_runtime.shapes.shape_rules import bounded
from reference_runtime.shapes.tensor_facts import UNKNOWN, ValueFacts
from reference_runtime.values import formats
from reference_runtime.values.enums import TensorIOMode, TensorLocation
from reference_runtime.values.refusals import Refused

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt

    from reference_runtime.engine.loading import LiveEngine
    from reference_runtime.plan import TensorPlan
    from reference_runtime.shapes.tensor_facts import Values
    from reference_runtime.values.descriptions import Description, Extents, Range


def host_array(desc: Description, address: int) -> npt.NDArray[Any]:
    """Return a copy of a tensor in the memory of the host."""
    return np.array(formats.from_device(ctypes.string_at(address, formats.nbytes(desc)), desc))


class ContextShapes:
    """The shapes of one context; ``stamp`` changes with the profile, a shape, and a value that shapes depend on.

    The values of shape inputs stay in the application's memory, and are read at every use.
    """

    def __init__(self, engine: LiveEngine) -> None:
        self._engine = engine
        self._tensors = engine.plan.tensors
        self._inputs = engine.plan.inputs
        self._shapes: dict[int, Extents] = {}
        self._values: dict[int, Values] = {}
        self._known: tuple[int, list[ValueFacts]] | None = None
        self._places: tuple[int, ...] = ()
        self.profile = 0
        self.stamp = 1
        self.moves = 0
        """How often an input has moved from one execution to the next."""

    def set_profile(self, profile: int) -> None:
        """Choose another profile; every input with wildcards needs its shape again."""
        count = len(self._engine.plan.profiles)
        if not 0 <= profile < count:
            raise Refused(f"there is no optimization profile {profile}; the engine has {count}")
        if profile != self.profile:
            self.profile = profile
            self._shapes.clear()
            self.stamp += 1

    @property
    def ranges(self) -> Sequence[Range]:
        """The minimum, optimum and maximum dimensions of each input in the active profile."""
        return self._engine.plan.profiles[self.profile].ranges

    def set_shape(self, tensor: int, extents: Extents) -> None:
        """Set the shape of an input, or raise `Refused` if the network or the profile excludes it."""
        name, dims = self._tensors[tensor].name, self._tensors[tensor].desc.dims
        least, _, greatest = self.ranges[tensor]
        if len(extents) != len(dims):
            raise Refused(f"{name} has {len(dims)} dimensions, not the {len(extents)} of {list(extents)}")
        if any(fixed not in (UNKNOWN, extent) for fixed, extent in zip(dims, extents, strict=True)):
            why = (
                f"Static dimension mismatch while setting input shape for {name}. Set dimensions are {_shown(extents)}"
            )
            raise Refused(_failed("engineDims.d[i] == dims.d[i]", f"{why}. Expected dimensions are {_shown(dims)}."))
        if any(not low <= extent <= high for low, extent, high in zip(least, extents, greatest, strict=True)):
            why = f"Set dimension {_shown(extents)} for tensor {name} does not satisfy any optimization profiles"
            valid = f"Valid range for profile {self.profile}: {_shown(least)}..{_shown(greatest)}."
            raise Refused(_failed("satisfyProfile", f"{why}. {valid}"))
        if self._shapes.get(tensor) != extents:
            self._shapes[tensor] = extents
            self.stamp += 1

    def shape_so_far(self, tensor: int) -> Extents:
        """Return the shape of a tensor as far as it is known: as set, or as in the network."""
        return self._shapes.get(tensor, self._tensors[tensor].desc.dims)

    @property
    def missing_shapes(self) -> list[str]:
        """The names of the inputs whose shapes have to be set."""
        return [
            tensor.name
            for place, tensor in enumerate(self._inputs)
            if UNKNOWN in tensor.desc.dims and place not in self._shapes
        ]

    def missing_values(self, addresses: Mapping[int, int]) -> list[str]:
        """Return the names of the shape inputs whose addresses have to be set."""
        return [
            tensor.name for place, tensor in enumerate(self._inputs) if _on_host(tensor) and not addresses.get(place)
        ]

    def missing(self, addresses: Mapping[int, int]) -> list[str]:
        """Return the names of all inputs whose shapes or values are not known."""
        names = {*self.missing_shapes, *self.missing_values(addresses)}
        return [tensor.name for tensor in self._inputs if tensor.name in names]

    def facts(self, addresses: Mapping[int, int]) -> list[ValueFacts]:
        """Return the dimensions and known values of every tensor, or raise `Refused` if the inputs do not match."""
        self._look_at_values(addresses)
        if self._known is None or self._known[0] != self.stamp:
            inputs = {
                place: ValueFacts(self.shape_so_far(place), self._values.get(place))
                for place in range(len(self._inputs))
            }
            facts_by_place = bounded(self._engine.rules, inputs)
            self._known = (self.stamp, [facts_by_place[place] for place in range(len(self._tensors))])
        return self._known[1]

    def look_at_places(self, addresses: Mapping[int, int]) -> None:
        """Count a move if the address of an input has changed since the last execution."""
        places = tuple(addresses.get(place, 0) for place in range(len(self._inputs)))
        if places != self._places:
            self._places = places
            self.moves += 1

    def _look_at_values(self, addresses: Mapping[int, int]) -> None:
        for place, tensor in enumerate(self._inputs):
            if not _on_host(tensor):
                continue
            values = self._values_at(place, tensor, addresses.get(place, 0))
            if self._values.get(place) != values:
                self.stamp += 1
                if values is None:
                    del self._values[place]
                else:
                    self._values[place] = values

    def _values_at(self, place: int, tensor: TensorPlan, address: int) -> Values | None:
        desc = tensor.desc.sized(self.shape_so_far(place))
        if not address or UNKNOWN in desc.dims:
            return None
        if self._engine.around.device.is_address(address):
            raise Refused(f"{tensor.name} is a tensor on the host, and its address is in device memory")
        values = tuple(int(value) for value in host_array(desc, address).reshape(-1))
        self._check_values(place, tensor, values)
        return values

    def _check_values(self, place: int, tensor: TensorPlan, values: tuple[int, ...]) -> None:
        bounds = self._engine.plan.profiles[self.profile].values
        allowed = bounds[place] if place < len(bounds) else None
        if allowed is None or len(allowed[0]) != len(values):
            return
        least, _, greatest = allowed
        if any(not low <= value <= high for low, value, high in zip(least, values, greatest, strict=True)):
            why = f"{tensor.name}: the values {list(values)} are not within {list(least)} and {list(greatest)}"
            raise Refused(f"{why} of profile {self.profile}")


def not_specified(names: Sequence[str]) -> Refused:
    """Return the refusal of an execution for which shapes are missing, in TensorRT's words."""
    why = f"Following input tensors' dimensions are not specified: {', '.join(names)}."
    return Refused(_failed("inputDimensionSpecified && inputShapesSpecified", f"Not all shapes are specified. {why}"))


def no_address(tensor: TensorPlan) -> Refused:
    """Return the refusal of an execution for which the address of a tensor is missing, in TensorRT's words."""
    place = "mContext.profileObliviousBindings.at(profileObliviousIndex)"
    if tensor.mode == TensorIOMode.INPUT:
        why = f"Address is not set for input tensor {tensor.name}. Call setInputTensorAddress or setTensorAddress"
        return Refused(_failed(f"{place} != nullptr", f"{why} before enqueue/execute."))
    why = f"Neither address or allocator is set for output tensor {tensor.name}. Call setOutputTensorAddress,"
    condition = f"{place} || getPtrOrNull(mOutputAllocators, profileObliviousIndex)"
    return Refused(_failed(condition, f"{why} setTensorAddress or setOutputAllocator before enqueue/execute."))


def _failed(condition: str, why: str) -> str:
    return f"Parameter check failed, condition: {condition}. {why}"


def _shown(extents: Extents) -> str:
    return f"[{','.join(map(str, extents))}]"


def _on_host(tensor: TensorPlan) -> bool:
    return bool(tensor.location == TensorLocation.HOST)
