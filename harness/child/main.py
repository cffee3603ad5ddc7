"""Begin a child: take over the descriptors from the parent, import the user's module, and report the outcome."""

from __future__ import annotations

import contextlib
import dataclasses
import gc
import json
import os
import sys
from typing import TYPE_CHECKING, Any, NoReturn

from harness.child import task, user_module
from harness.child.fork_server import ForkServer, leave
from harness.child.handed import recorder, sections
from harness.child.integrity import from_source
from harness.child.integrity.judging_code import judging_code
from harness.child.task import ChildState
from harness.contract import described_rules, own_names
from harness.contract.catalogue import CatalogueError
from harness.process import failures, guard, linux, output_capture, own_clock
from harness.process.coverage import Measurement
from harness.process.handover import Delivery, InterferenceError
from harness.protocol import messages
from harness.protocol.messages import ChildSettings, Reply

if TYPE_CHECKING:
    from collections.abc import Callable

    from harness.child.task import Judge
    from harness.process.flight_recorder import FlightRecorder
    from harness.process.output_capture import Ends


def the_judge() -> Judge:
    """Import and return the module that judges plugins."""
    from harness.child import judge  # noqa: PLC0415 - the API level must be fixed before

    return judge


def main(load_judge: Callable[[], Judge] = the_judge) -> NoReturn:
    """Run as a child; the last command-line argument holds the parent's id and the inherited descriptors as JSON."""
    handed = json.loads(sys.argv.pop())
    try:
        linux.die_with_parent(handed["parent"])
        guard.post()
        linux.adopt_orphans()
        own_names.leave_no_trace_in_path()
        sys.breakpointhook = _refuse_breakpoint
        _live(load_judge, channel=linux.private(handed["channel"]), box=recorder(handed["box"]), ends=sections(handed))
    finally:
        task.give_up()


def _live(load_judge: Callable[[], Judge], channel: int, box: FlightRecorder, ends: Ends) -> NoReturn:
    settings = ChildSettings.from_plain(messages.receive(channel))
    linux.bound(settings.memory)
    delivery = Delivery(channel, box)
    state = _loaded(settings, load_judge, delivery)
    threads = own_clock.has_threads()
    delivery.hand_in(Reply({"name": state.settings.module, "threads": threads}).to_plain())
    if not threads:
        ForkServer(delivery, state).serve()
    output_capture.divert_log(ends)
    with contextlib.suppress(messages.ExchangeError):  # the parent needs this process no longer
        _work_without_forks(messages.receive(channel), state, delivery)
    leave()


def _work_without_forks(first: dict[str, Any], state: ChildState, delivery: Delivery) -> None:
    from harness.child.process_state import ProcessState  # noqa: PLC0415 - it needs the runtime at its level

    settings = state.settings
    process = ProcessState(settings.module, settings.device)
    task.work_on(first, state, delivery, Measurement(settings.coverage), process)


def _loaded(settings: ChildSettings, load_judge: Callable[[], Judge], delivery: Delivery) -> ChildState:
    """Import the user's module and return the child's state; if that fails, report it and end this process."""
    myself = os.getpid()
    measured = Measurement(settings.coverage)
    try:
        settings = user_module.in_its_folder(settings)
        judge = user_module.load_the_judge(settings, load_judge)
        if settings.describes_rules:
            delivery.hand_in(Reply(_rules(judge)).to_plain())
            delivery.box.take_over()
        insist = judging_code(judge.rules())
        from_source.install()
        gc.enable()
        brought_in = user_module.bring_in(settings, judge)
        insist(None)
        return ChildState(judge, brought_in, delivery.box, insist)
    except BaseException as error:  # noqa: BLE001 - SystemExit too is a failed import
        delivery.hand_in(_failed(error, delivery.box).to_plain())
        os._exit(0)
    finally:
        if os.getpid() != myself:  # the module forked while it was imported: this is the fork, which must end
            os._exit(0)
        measured.save()
        linux.c_library().fflush(None)


def _rules(judge: Judge) -> dict[str, Any]:
    """Return the descriptions of the installed rules, or the error in the rules."""
    try:
        return {"rules": described_rules.described(judge.rules().values())}
    except CatalogueError as error:
        return {"error": str(error)}


def _failed(error: BaseException, box: FlightRecorder) -> Reply:
    is_interference = isinstance(error, InterferenceError)
    answer = (failures.of_interference if is_interference else failures.of_escape)(error, box.trail())
    is_there = not isinstance(error, user_module.ModuleMissingError)
    return Reply({"found": is_there}, dataclasses.replace(answer, reason=answer.reason or str(error)))


def _refuse_breakpoint(*_: object, **__: object) -> NoReturn:
    raise RuntimeError("breakpoint() in a child process has no terminal: run with --plugin-isolation=none")
