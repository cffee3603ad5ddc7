"""Values of shape inputs as in TensorRT 8.6: the context copies them, in contrast to later versions.

The copy is in memory of the host, and its address becomes the address of the tensor.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from reference_runtime.bound.bound_class import state
from reference_runtime.devices.base import ALIGNMENT
from reference_runtime.levels.v8_6 import profiles
from reference_runtime.values.refusals import Refused

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

_KEPT = "_shape_values"


def keep(context: Any, name: str, values: Sequence[int]) -> None:
    """Copy the values of a shape input, or raise `Refused`."""
    engine = context.engine
    if not profiles.is_shape_input(engine, name):
        raise Refused(f"{name} is no shape input")
    shape = tuple(context.get_tensor_shape(name))
    if len(values) != math.prod(shape):
        raise Refused(f"{name} has {math.prod(shape)} values, not {len(values)}")
    least, _, greatest = engine.get_tensor_profile_values(profiles.profile_of(context), name)
    if not all(low <= value <= high for low, value, high in zip(least, values, greatest, strict=True)):
        raise Refused(f"{name}: {list(values)} is not within {list(least)} and {list(greatest)} of the profile")
    copy = _aligned(np.asarray(values, np.int32))
    if not context.set_tensor_address(name, copy.ctypes.data):
        raise Refused(f"{name}: its values cannot be used")
    state(context).setdefault(_KEPT, {})[name] = copy


def kept(context: Any, name: str) -> list[int] | None:
    """Return the values of a shape input, or None if none were set."""
    copy = state(context).get(_KEPT, {}).get(name)
    return None if copy is None else [int(value) for value in copy]


def address(context: Any, name: str) -> int:
    """Return the address of the copied values of a shape input; 0 if none were set."""
    copy = state(context).get(_KEPT, {}).get(name)
    return 0 if copy is None else int(copy.ctypes.data)


def forget(context: Any) -> None:
    """Drop all values: they have to be set again for another profile."""
    state(context).pop(_KEPT, None)


def _aligned(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return a copy whose address is aligned as device memory is."""
    room = np.zeros(values.nbytes + ALIGNMENT, np.uint8)
    start = -room.ctypes.data % ALIGNMENT
    copy = room[start : start + values.nbytes].view(values.dtype)
    copy[:] = values
    return copy
