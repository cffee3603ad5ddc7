"""Hold one input tensor: its dimensions, its profile, its types and its values."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from typing import Any

from harness.cases import validation
from harness.cases.validation import CaseError

MAX_DIMS = 8
#: The largest dimension that TensorRT has.
LARGEST = 2**31 - 1
#: Type names that a case may use, spelled as NumPy (and ml_dtypes) spell them.
TYPE_NAMES = ("float32", "float16", "bfloat16", "int8", "int32", "int64", "uint8", "bool")
#: Type names that a shape input may have, with the number of bits of a value.
_SHAPE_INPUT_BITS = {"int32": 32, "int64": 64}

Shape = tuple[int, ...]


@dataclasses.dataclass(frozen=True)
class Input:
    """One input tensor: its dimensions, its optimization profile, its types and the range of its values.

    Attributes:
        dims: An integer is a fixed dimension, a string names a dynamic one; equal names are equal dimensions.
            Without ``dims``, the dimensions where ``min`` and ``max`` differ are dynamic.
        min: The profile's smallest shape; without ``min``, ``opt`` and ``max`` the input is static.
        opt: The profile's optimal shape; the default is ``max``.
        max: The profile's largest shape.
        types: Types to try, as NumPy names; the run tries each combination of the inputs' types.
        values: ``(low, high)``, the range of generated values; or ``callable(rng, shape, dtype)``, which returns them.
        shape_input: Whether the tensor is a shape input (``IPluginV3`` only). Then ``dims`` are its fixed dimensions.
            ``min``, ``opt`` and ``max`` are its values in row-major order.
        scale: The INT8 scale of the tensor: real value = scale x stored value.
    """

    dims: tuple[int | str, ...] | None = None
    min: Shape | None = None
    opt: Shape | None = None
    max: Shape | None = None
    types: tuple[str, ...] = ("float32",)
    values: tuple[float, float] | Callable[..., Any] | None = None
    shape_input: bool = False
    scale: float | None = None

    def __post_init__(self) -> None:
        self._take_values()
        self._complete_profile()
        if self.shape_input:
            self._check_shape_input()
            return
        ranks = {len(shape) for shape in (self.dims, *self.profile) if shape is not None}
        if len(ranks) != 1:
            raise CaseError(f"dims, min, opt and max have different ranks: {sorted(ranks)}")
        if max(ranks) > MAX_DIMS:
            raise CaseError(f"rank {max(ranks)} is above TensorRT's limit of {MAX_DIMS}")
        for index, bounds in enumerate(zip(*self.profile, strict=True)):
            self._check_extent(index, bounds)

    @property
    def profile(self) -> tuple[Shape, Shape, Shape]:
        """The shapes ``(min, opt, max)``; for a shape input its values."""
        if self.min is None or self.opt is None or self.max is None:  # pragma: no cover - __post_init__ sets all
            raise CaseError("an input has no profile")
        return self.min, self.opt, self.max

    @property
    def names(self) -> tuple[str | None, ...]:
        """The name of each dimension; None for a dimension without a name, and for each value of a shape input."""
        if self.shape_input or self.dims is None:
            return (None,) * len(self.profile[0])
        return tuple(extent if isinstance(extent, str) else None for extent in self.dims)

    @property
    def network_dims(self) -> Shape:
        """The dimensions at network creation, -1 for a dynamic one."""
        low, _, high = self.profile
        if self.dims is not None:
            return tuple(-1 if isinstance(extent, str) else extent for extent in self.dims)
        return tuple(small if small == large else -1 for small, large in zip(low, high, strict=True))

    def _take_values(self) -> None:
        """Validate each attribute, and convert it to the type that the harness uses."""
        taken = {
            "dims": validation.extents("dims", self.dims),
            **{name: validation.whole_numbers(name, getattr(self, name)) for name in ("min", "opt", "max")},
            "types": validation.names("types", self.types, TYPE_NAMES),
            "values": validation.interval("values", self.values),
            "shape_input": validation.switch("shape_input", self.shape_input),
            "scale": validation.positive("scale", self.scale),
        }
        for name, value in taken.items():
            object.__setattr__(self, name, value)

    def _complete_profile(self) -> None:
        if self.max is None and self.min is None and self.opt is None and not self.shape_input:
            if self.dims is None or any(isinstance(extent, str) for extent in self.dims):
                raise CaseError(f"dims={self.dims} needs min, opt and max for its dynamic dimensions")
            for name in ("min", "opt", "max"):
                object.__setattr__(self, name, self.dims)
        if self.min is None or self.max is None:
            needed = "its values as min and max" if self.shape_input else "min and max, or neither and fixed dims"
            raise CaseError(f"a {'shape input' if self.shape_input else 'profile'} needs {needed}")
        if self.opt is None:
            object.__setattr__(self, "opt", self.max)
        if self.dims is None and self.shape_input:
            object.__setattr__(self, "dims", (len(self.min),))

    def _check_extent(self, index: int, bounds: tuple[int, ...]) -> None:
        low, best, high = bounds
        if not 0 <= low <= best <= high:
            raise CaseError(f"dimension {index} needs 0 <= min <= opt <= max, has {low}, {best}, {high}")
        fixed = self.dims[index] if self.dims is not None else None
        if isinstance(fixed, int) and not low == high == fixed:
            raise CaseError(f"dimension {index} is fixed at {fixed}, but the profile allows {low} to {high}")

    def _check_shape_input(self) -> None:
        if len(self.types) != 1 or self.types[0] not in _SHAPE_INPUT_BITS:
            raise CaseError(f"a shape input has one type, int32 or int64; types is {self.types}")
        if self.values is not None or self.scale is not None:
            raise CaseError("a shape input has its values from min, opt and max; leave out values and scale")
        self._check_own_dims()
        limit = 1 << (_SHAPE_INPUT_BITS[self.types[0]] - 1)
        for place, bounds in enumerate(zip(*self.profile, strict=True)):
            if not bounds[0] <= bounds[1] <= bounds[2]:
                raise CaseError(f"value {place} needs min <= opt <= max, has {', '.join(map(str, bounds))}")
            beyond = [value for value in bounds if not -limit <= value < limit]
            if beyond:
                raise CaseError(f"value {place} can be {beyond[0]}, which does not fit {self.types[0]}")

    def _check_own_dims(self) -> None:
        """Check that a shape input has fixed dimensions, and as many values as these dimensions have elements."""
        fixed = [extent for extent in self.dims or () if isinstance(extent, int) and extent >= 0]
        if len(fixed) != len(self.dims or ()):
            raise CaseError(f"dims={self.dims}: the dimensions of a shape input are fixed numbers")
        if len(fixed) > MAX_DIMS:
            raise CaseError(f"rank {len(fixed)} is above TensorRT's limit of {MAX_DIMS}")
        for name, values in zip(("min", "opt", "max"), self.profile, strict=True):
            if len(values) != math.prod(fixed):
                raise CaseError(
                    f"{name} has {len(values)} values, and a shape input with dims={self.dims} has {math.prod(fixed)}"
                )
