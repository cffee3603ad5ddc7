"""The child's first steps: take over what the parent handed down, import the user's module, say how it went."""

from __future__ import annotations

import dataclasses
import json
import os
import sys
from typing import TYPE_CHECKING, NoReturn

from harness import blackbox, capture, exchange, mishaps, processes, stack, user_module, worker
from harness.blackbox import Blackbox
from harness.capture import Ends
from harness.exchange import ChildSettings, Reply
from harness.measurement import Measurement
from harness.worker import Office
from harness.zygote import Zygote, leave

if TYPE_CHECKING:
    from types import ModuleType


def main() -> NoReturn:
    """Live as the child of the process that handed the descriptors in the last argument down."""
    handed = json.loads(sys.argv.pop())
    try:
        processes.die_with_parent(handed["parent"])
        processes.adopt_orphans()
        leave_no_trace_in_path()
        sys.breakpointhook = _refuse_breakpoint
        _live(channel=processes.private(handed["channel"]), box=_box(handed["box"]), ends=_ends(handed))
    finally:
        worker.give_up()


def _live(channel: int, box: Blackbox, ends: Ends) -> NoReturn:
    settings = ChildSettings.from_plain(exchange.receive(channel))
    processes.bound(settings.memory)
    judging, settings = _loaded(settings, channel, box)
    office = Office(judging, settings, box)
    threads = processes.has_threads()
    exchange.send(channel, Reply({"name": settings.module, "threads": threads}).to_plain())
    if not threads:
        Zygote(channel, office).serve()
    capture.divert_log(ends)
    worker.work(exchange.receive(channel), office, channel, Measurement(settings.coverage))
    leave()


def _loaded(settings: ChildSettings, channel: int, box: Blackbox) -> tuple[ModuleType, ChildSettings]:
    """Import the user's module; if that fails, say so and end."""
    myself = os.getpid()
    measured = Measurement(settings.coverage)
    try:
        return user_module.bring_in(settings)
    except BaseException as error:  # noqa: BLE001 - SystemExit too is a failed import
        exchange.send(channel, _failed(error, box).to_plain())
        os._exit(0)
    finally:
        if os.getpid() != myself:  # the module forked, and its copy came here: nobody waits for it
            os._exit(0)
        measured.save()
        processes.c_library().fflush(None)


def _failed(error: BaseException, box: Blackbox) -> Reply:
    answer = mishaps.of_escape(error, box.trail())
    found = not isinstance(error, user_module.ModuleMissingError)
    return Reply({"found": found}, dataclasses.replace(answer, reason=answer.reason or str(error)))


def _box(descriptor: int) -> Blackbox:
    box = Blackbox.on(descriptor)
    os.close(descriptor)
    box.take_over()
    blackbox.install(box)
    return box


def _ends(handed: dict[str, int]) -> Ends:
    others = {name: processes.private(handed[name]) for name in ("log", "warnings", "stack")}
    ends = Ends(stdout=1, stderr=2, **others)
    stack.arm(ends.stack)
    capture.divert_warnings(ends)
    return ends


def leave_no_trace_in_path() -> None:
    """Search our own folder last, where the parent had it searched first, and not the working directory."""
    ours = sys.path.pop(0)
    if sys.path[:1] == [""]:
        del sys.path[0]
    if ours not in sys.path:
        sys.path.append(ours)


def _refuse_breakpoint(*_: object, **__: object) -> NoReturn:
    raise RuntimeError("breakpoint() in a child process has no terminal: run with --plugin-isolation=none")
