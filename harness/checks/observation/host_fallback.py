"""End a rule that has judged all that a GPU shows. The rule then runs on the host device, which shows more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference_runtime.instruments import HostShowsMore

if TYPE_CHECKING:
    from harness.subject.subject import Subject

#: On a GPU, guard bands show writes outside of a buffer. Reads leave no trace.
ACCESSES = "which bytes a kernel reads and writes"
#: A GPU's driver reuses memory that was just freed, so addresses repeat.
ADDRESSES = "what a plugin keeps for tensors at ever new addresses"
#: A GPU's driver reports a second free of memory. For a stream or an event it reports no error, or crashes.
FREES = "which streams and events are destroyed twice"


def hand_over(subject: Subject, what: str) -> None:
    """End the rule if the device is a GPU; go on if it is the host device.

    ``what`` describes the rest, which only the host device shows.

    Raises:
        HostShowsMore: The device is a GPU.
    """
    if subject.device.is_asynchronous:
        raise HostShowsMore(what)
