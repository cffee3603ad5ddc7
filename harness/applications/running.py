"""Run an application once on a separate device and gate, and record every call."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import structs

from harness.applications.application import Application, ProgramEnd, RegistryFacts
from harness.applications.references import Site
from harness.applications.scripts import command_line
from harness.applications.watch import ProgramObserver
from harness.process import failures, flight_recorder, stack
from harness.protocol.requests import APPLICATION
from reference_runtime import levels
from reference_runtime.calling.gate.gate import Gate, watching
from reference_runtime.calling.gate.scheduler import scheduling
from reference_runtime.devices.current import use
from reference_runtime.devices.host import HostDevice
from reference_runtime.instruments import NeedsGpu
from reference_runtime.interfaces.creators import IPluginCreator
from reference_runtime.registry.registry import get_plugin_registry

if TYPE_CHECKING:
    from reference_runtime.calling.gate.gate import Observer
    from reference_runtime.calling.gate.records import Failure


class WatchError(RuntimeError):
    """The recording failed, which is never the application's fault; the argument is the traceback."""


def run(
    name: str,
    function: Callable[[], Any],
    *,
    file: str = "",
    arguments: Sequence[str] = (),
    seed: int = 0,
    addresses: Any = "opaque",
    observers: Iterable[Observer] = (),
) -> Application:
    """Call the function, and return the record of its run; an exception of the function becomes its ``ending``.

    Raises:
        WatchError: The recording failed.
    """
    device = HostDevice(addresses=addresses)
    watch = ProgramObserver(device)
    gate = Gate(observers=[*observers, watch.callbacks])
    file = getattr(getattr(function, "__code__", None), "co_filename", file)
    with command_line(file, arguments), watching(gate), use(device), scheduling(seed), watch.watching():
        ending = _ended(name, function, watch)
    if ending.error:
        ending = structs.replace(ending, hidden=_hidden(gate.failures))
    if watch.trouble:
        raise WatchError(watch.trouble)
    creators = get_plugin_registry().snapshot()
    version_2 = frozenset(key for key, creator in creators.items() if isinstance(creator, IPluginCreator))
    registry = RegistryFacts(version_2, frozenset(creators) - version_2)
    return Application(name, file, watch.trace, ending, registry, levels.applied(), watch.beyond)


def _ended(name: str, function: Callable[[], Any], watch: ProgramObserver) -> ProgramEnd:
    flight_recorder.record(name, APPLICATION, APPLICATION)
    try:
        function()
    except SystemExit as leaving:
        return ProgramEnd() if leaving.code in (None, 0) else _of(leaving)
    except Exception as error:  # noqa: BLE001 - any exception is an end of the application, which rules judge
        if isinstance(error, NeedsGpu):
            watch.beyond = watch.beyond or error.in_applications
        return _of(error)
    finally:
        flight_recorder.returned()
    return ProgramEnd()


def _hidden(callbacks: Sequence[Failure]) -> str:
    """Return the last error of a callback with its line; empty if no callback raised in the user's code."""
    for failure in reversed(callbacks):
        file, _, line = stack.raised_at(failure.error).rpartition(":") if failure.error else ("", "", "")
        if file:
            return f"{failure.method} {failure.what} ({Site(file, int(line))})"
    return ""


def _of(error: BaseException) -> ProgramEnd:
    frames = traceback.extract_tb(error.__traceback__)
    ours = ("/reference_runtime/", "/harness/")
    theirs = [frame for frame in frames if not any(folder in frame.filename for folder in ours)] or frames
    last = theirs[-1] if theirs else None
    looked_at = getattr(error, "obj", None) if isinstance(error, AttributeError) else None
    return ProgramEnd(
        error=failures.named(error),
        kind=type(error).__name__,
        site=None if last is None else Site(last.filename, last.lineno or 0),
        attribute=str(getattr(error, "name", "") or "") if isinstance(error, AttributeError) else "",
        owner=type(looked_at).__name__ if isinstance(error, AttributeError) else "",
        stack=stack.of_error(error),
    )
