"""What running a layer takes, in a builder or a context: what the plugin is told, and how tensors are reformatted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference_runtime import formats
from reference_runtime.descriptions import Bounds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reference_runtime.backends.base import Device
    from reference_runtime.descriptions import Description, Range
    from reference_runtime.scheduler import Scheduler

__all__ = ["execution_bounds", "reformat"]


def execution_bounds(scheduler: Scheduler, concrete: Sequence[Description], ranges: Sequence[Range]) -> list[Bounds]:
    """Return what an execution-phase ``configure_plugin`` is told.

    The extents are those of the execution. What the bounds are then is stated nowhere: those of the profile, or the
    same extents again.
    """
    exact = scheduler.choose("bounds in the execution phase", [False, True])
    return [
        Bounds(desc, *((desc.dims,) * 3 if exact else bounds)) for desc, bounds in zip(concrete, ranges, strict=True)
    ]


def reformat(device: Device, source: tuple[Description, int], target: tuple[Description, int], *, stream: int) -> None:
    """Copy a tensor from one address to another, in another type and layout; work on ``stream``."""
    (given, here), (wanted, there) = source, target
    raw = device.fetch(here, formats.nbytes(given), stream=stream)
    device.store(there, formats.convert(raw, given, wanted), stream=stream)
