"""Count the costs of a call beyond its time: device memory, files, compilation and processes."""

from __future__ import annotations

import contextlib
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from harness.subject.subject import Subject
    from reference_runtime.devices.host import Recording

#: What Python reports of itself (``sys.addaudithook``), and what a reader calls it.
_EVENTS = {
    "open": "opens {}",
    "compile": "compiles Python code",
    "subprocess.Popen": "starts the process {}",
    "os.posix_spawn": "starts the process {}",
    "ctypes.dlopen": "loads the library {}",
}
#: What is work as well, where nothing is to be done but to copy.
_WORK = {
    "os.listdir": "looks into the folder {}",
    "os.scandir": "looks into the folder {}",
    "socket.connect": "connects to {1}",
}


def costs_of(subject: Subject, work: Callable[[], object]) -> dict[str, str]:
    """Do the work and return its costs: for each kind, the first cost in words."""
    with _listening() as heard, subject.device.recording() as recording:
        work()
    costs = dict(reversed(heard))
    allocated = device_allocations(recording)
    return {"allocation": allocated[0], **costs} if allocated else costs


def lasting_costs(subject: Subject, work: Callable[[], object], *, warm_up: int = 2, calls: int = 4) -> list[str]:
    """Return the costs that each of several calls has.

    Costs of the first calls alone are left out: they may have prepared something for all later calls.
    """
    for _ in range(warm_up):
        work()
    costs = [costs_of(subject, work) for _ in range(calls)]
    return [sentence for kind, sentence in costs[0].items() if all(kind in each for each in costs)]


def lasting_work(subject: Subject, work: Callable[[], object], *, warm_up: int = 2, calls: int = 4) -> list[str]:
    """Return the costs that each call has, for calls that should only copy values.

    Work on the device and looks into folders count as well.
    """
    for _ in range(warm_up):
        work()
    costs = [_work_of(subject, work) for _ in range(calls)]
    return [sentence for kind, sentence in costs[0].items() if all(kind in each for each in costs)]


def _work_of(subject: Subject, work: Callable[[], object]) -> dict[str, str]:
    with _listening(_WORK) as heard, subject.device.recording() as recording:
        costs = costs_of(subject, work)
    if recording.accesses:
        costs["device"] = f"works on {recording.accesses[0].nbytes} bytes of device memory"
    return {**costs, **dict(reversed(heard))}


def device_allocations(recording: Recording, *, pooled: bool = False) -> list[str]:
    """Return in words what the plugin allocated on the device.

    Memory that an array library takes from its pool is left out unless it is wanted. After the first call, the pool has
    the memory already.
    """
    return [
        f"allocates {each.nbytes} bytes of device memory"
        for each in recording.allocations
        if each.owner == "plugin" and (pooled or each.source != "pool") and not each.freed
    ]


_HEARERS: list[tuple[dict[str, str], list[tuple[str, str]]]] = []


@contextlib.contextmanager
def _listening(events: dict[str, str] = _EVENTS) -> Iterator[list[tuple[str, str]]]:
    if not _Hook.installed:
        sys.addaudithook(_hear)
        _Hook.installed = True
    heard: list[tuple[str, str]] = []
    hearer = events, heard
    _HEARERS.append(hearer)
    try:
        yield heard
    finally:
        _HEARERS.remove(hearer)


def _hear(event: str, arguments: tuple[Any, ...]) -> None:
    for events, heard in _HEARERS:
        if event in events:
            heard.append((event, events[event].format(*arguments, "")))


class _Hook:
    """A flag that this process has the audit hook, which Python cannot remove."""

    installed = False
