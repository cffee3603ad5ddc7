"""Find the costs of a call except time: device memory, opened files, compilation, processes, loaded libraries."""

from __future__ import annotations

import contextlib
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from harness.subject.subject import Subject
    from reference_runtime.devices.host import Recording

#: Python's audit events (``sys.addaudithook``) that count as costs, with their texts.
_EVENTS = {
    "open": "opens {}",
    "compile": "compiles Python code",
    "subprocess.Popen": "starts the process {}",
    "os.posix_spawn": "starts the process {}",
    "ctypes.dlopen": "loads the library {}",
}
#: Further audit events, which count for calls that should only copy values.
_WORK = {
    "os.listdir": "looks into the folder {}",
    "os.scandir": "looks into the folder {}",
    "socket.connect": "connects to {1}",
}
#: The number of calls that may prepare something, and of calls that must not have lasting costs.
_WARM_UP, _CALLS = 2, 4


def costs_of(subject: Subject, work: Callable[[], object]) -> dict[str, str]:
    """Do the work and return its costs: the first cost of each kind, in words."""
    with _listening() as events, subject.device.recording() as recording:
        work()
    costs = dict(reversed(events))
    allocated = device_allocations(recording)
    return {"allocation": allocated[0], **costs} if allocated else costs


def lasting_costs(subject: Subject, work: Callable[[], object]) -> list[str]:
    """Return the costs that each of several calls has, in the words of the first call.

    Calls before them do not count: they may prepare something for all later calls.
    """
    return _lasting(lambda: costs_of(subject, work), work)


def lasting_work(subject: Subject, work: Callable[[], object]) -> list[str]:
    """Return the costs as :func:`lasting_costs` does, for calls that should only copy values.

    Work on the device, connections and listings of folders count as well.
    """
    return _lasting(lambda: _work_of(subject, work), work)


def _lasting(costs_of_a_call: Callable[[], dict[str, str]], work: Callable[[], object]) -> list[str]:
    for _ in range(_WARM_UP):
        work()
    costs = [costs_of_a_call() for _ in range(_CALLS)]
    return [sentence for kind, sentence in costs[0].items() if all(kind in each for each in costs)]


def _work_of(subject: Subject, work: Callable[[], object]) -> dict[str, str]:
    with _listening(_WORK) as events, subject.device.recording() as recording:
        costs = costs_of(subject, work)
    if recording.accesses:
        costs["device"] = f"works on {recording.accesses[0].nbytes} bytes of device memory"
    return {**costs, **dict(reversed(events))}


def device_allocations(recording: Recording, *, pooled: bool = False) -> list[str]:
    """Return in words each allocation of device memory that the plugin has made and not freed.

    Allocations from the pool of an array library count only if ``pooled``: from the second call on they cost nothing.
    """
    return [
        f"allocates {each.nbytes} bytes of device memory"
        for each in recording.allocations
        if each.owner == "plugin" and (pooled or each.source != "pool") and not each.freed
    ]


#: The texts by event, and the list of events, of each block that listens.
_LISTENERS: list[tuple[dict[str, str], list[tuple[str, str]]]] = []


@contextlib.contextmanager
def _listening(texts: dict[str, str] = _EVENTS) -> Iterator[list[tuple[str, str]]]:
    """Give a list, to which each of the audit events in the block is appended with its text."""
    if not _Hook.installed:
        sys.addaudithook(_hear)
        _Hook.installed = True
    heard: list[tuple[str, str]] = []
    listener = texts, heard
    _LISTENERS.append(listener)
    try:
        yield heard
    finally:
        _LISTENERS.remove(listener)


def _hear(event: str, arguments: tuple[Any, ...]) -> None:
    for texts, heard in _LISTENERS:
        if event in texts:
            heard.append((event, texts[event].format(*arguments, "")))


class _Hook:
    """A flag: whether this process has the audit hook, which Python cannot remove."""

    installed = False
