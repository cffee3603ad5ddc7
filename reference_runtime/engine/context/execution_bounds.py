"""The arguments of an execution-phase ``configure_plugin``, from a builder that times a plugin and from a context."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference_runtime.values.descriptions import Bounds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reference_runtime.calling.gate.scheduler import Scheduler
    from reference_runtime.values.descriptions import Description, Range


def execution_bounds(scheduler: Scheduler, concrete: Sequence[Description], ranges: Sequence[Range]) -> list[Bounds]:
    """Return the descriptions of an execution, with bounds.

    The dimensions are those of the execution. No document states the bounds: they are those of the profile, or the same
    dimensions again.
    """
    exact = scheduler.choose("bounds in the execution phase", [False, True])
    return [
        Bounds(desc, *((desc.dims,) * 3 if exact else bounds)) for desc, bounds in zip(concrete, ranges, strict=True)
    ]
