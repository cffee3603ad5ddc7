"""What a call costs beyond its time: device memory, files, compilation and processes, counted as they happen."""

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


def costs_of(subject: Subject, work: Callable[[], object]) -> dict[str, str]:
    """Do the work and return what it cost: for each kind of cost, the first one in words."""
    with _listening() as heard, subject.device.recording() as recording:
        work()
    costs = dict(reversed(heard))
    allocated = device_allocations(recording)
    return {"allocation": allocated[0], **costs} if allocated else costs


def lasting_costs(subject: Subject, work: Callable[[], object], *, warm_up: int = 2, calls: int = 4) -> list[str]:
    """Return what every one of several calls costs.

    What only the first ones cost is left out: they may have prepared something for all others.
    """
    for _ in range(warm_up):
        work()
    costs = [costs_of(subject, work) for _ in range(calls)]
    return [sentence for kind, sentence in costs[0].items() if all(kind in each for each in costs)]


def device_allocations(recording: Recording) -> list[str]:
    """Return in words what the plugin allocated on the device.

    What an array library takes from its pool is left out: after the first time, it has the memory already.
    """
    return [
        f"allocates {each.nbytes} bytes of device memory"
        for each in recording.allocations
        if each.owner == "plugin" and each.source != "pool" and not each.freed
    ]


_HEARERS: list[list[tuple[str, str]]] = []


@contextlib.contextmanager
def _listening() -> Iterator[list[tuple[str, str]]]:
    if not _Hook.installed:
        sys.addaudithook(_hear)
        _Hook.installed = True
    heard: list[tuple[str, str]] = []
    _HEARERS.append(heard)
    try:
        yield heard
    finally:
        _HEARERS.remove(heard)


def _hear(event: str, arguments: tuple[Any, ...]) -> None:
    if _HEARERS and event in _EVENTS:
        sentence = _EVENTS[event].format(arguments[0] if arguments else "")
        for heard in _HEARERS:
            heard.append((event, sentence))


class _Hook:
    """Whether this process has the hook already; Python cannot remove one."""

    installed = False
