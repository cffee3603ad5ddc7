"""End rules whose first part ran on a GPU; the host device, which sees every access, runs the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference_runtime.instruments import HostShowsMore

if TYPE_CHECKING:
    from harness.subject.subject import Subject

#: A GPU shows writes beside a buffer, by its guard bands, and no reads.
ACCESSES = "which bytes a kernel reads and writes"
#: A GPU's driver gives memory that was just freed to the next caller.
ADDRESSES = "what a plugin keeps for tensors at ever new addresses"
#: A GPU refuses to free memory twice; a stream or an event that is gone already it does not mind, or dies of.
FREES = "which streams and events are destroyed twice"


def hand_over(subject: Subject, what: str) -> None:
    """End a rule that has shown on a GPU all that a GPU shows; on the host device it continues.

    Raises:
        HostShowsMore: The device is a GPU.
    """
    if subject.device.is_asynchronous:
        raise HostShowsMore(what)
