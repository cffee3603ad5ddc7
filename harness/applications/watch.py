"""Record an application's calls, their callbacks, and its accesses to device memory in a trace.

The records come from three observers, and share one numbering. ``call_observer`` shows the calls, the gate shows the
callbacks, and the device's recording shows accesses and allocations. An access during a call belongs to the call.
"""

from __future__ import annotations

import contextlib
import itertools
import sys
import threading
import traceback
import weakref
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from harness.applications import facts, network_facts
from harness.applications.lists import AgingList
from harness.applications.names import Names, is_discarded, site_of, site_of_method
from harness.applications.trace import EXECUTIONS, SYNCHRONOUS, Callback, Memory, Touch, Trace, TracedCall
from harness.process import flight_recorder
from reference_runtime import IExecutionContext
from reference_runtime.call_observer import is_inside, showing
from reference_runtime.devices.records import Access, Allocation, Recording
from reference_runtime.instruments import NeedsGpu, pybind11_object, text_of
from reference_runtime.registry.registry import own_plugins_asked_for

if TYPE_CHECKING:
    from reference_runtime.call_observer import ApplicationCall
    from reference_runtime.calling.gate.gate import CallOutcome, Event
    from reference_runtime.devices.host import HostDevice, HostEvent

#: The phase in the flight recorder for calls that the application makes.
CALLING = "the application's call"

_LISTS = ("all_creators", "all_creators_recursive", "plugin_creator_list")
_BUILDS = ("build_serialized_network", "build_serialized_network_to_stream", "build_engine_with_config")
_CHANGES = ("register_creator", "deregister_creator")
#: Callbacks that return plugins.
_MAKING = ("clone", "attach_to_context", "create_plugin", "deserialize_plugin")
#: Libraries whose tensors may be in memory of the host if there is no GPU.
_LIBRARIES = ("torch", "numba", "pycuda")
_ALLOCATING = ("reallocate_output", "reallocate_output_async", "notify_shape")
#: Classes of objects that a plugin must not keep: they must end before the plugin, or the plugin is a part of them.
_PARENTS = ("Builder", "IBuilderConfig", "INetworkDefinition", "Runtime", "ICudaEngine", "IExecutionContext")


class ProgramObserver:
    """Records a run on a device.

    Attributes:
        trace: The recorded steps.
        names: The names of the application's objects.
        trouble: The traceback of an error in the recording itself; empty if there is none.
        beyond: Why a part of the run needs a GPU; empty if everything ran.
    """

    def __init__(self, device: HostDevice) -> None:
        self.trace = Trace()
        self.names = Names()
        self.trouble = ""
        self.beyond = ""
        self._device = device
        self._numbers = itertools.count(1)
        self._lock = threading.RLock()
        self._here = threading.local()
        self._probe = device.new_stream().handle
        self._marks: dict[int, tuple[TracedCall, HostEvent]] = {}
        self._running: dict[int, TracedCall] = {}
        self._plugins: list[weakref.ref[Any]] = []
        self._generation = 0

    @contextlib.contextmanager
    def watching(self) -> Iterator[None]:
        """Record while the block runs."""
        recording = Recording(accesses=_Forwarding(self.touched), allocations=_Forwarding(self.allocated))
        with showing(self), self._device.recording(recording):
            yield

    def number(self) -> int:
        """Return the number of the next step."""
        return next(self._numbers)

    # -- the application's calls ------------------------------------------------------------------------------

    def before(self, shown: ApplicationCall) -> None:
        """Record a call that is about to be made, with the facts about its target."""
        with self._no_trouble():
            self._before(shown)

    def after(self, shown: ApplicationCall) -> None:
        """Record the result or the error of a call."""
        if "call" in shown.notes:
            with self._no_trouble():
                self._after(shown, shown.notes["call"])

    @contextlib.contextmanager
    def _no_trouble(self) -> Iterator[None]:
        """Keep errors of the recording away from the application; note the first in ``trouble``."""
        try:
            yield
        except Exception:  # noqa: BLE001 - ``run`` raises WatchError at the end
            self.trouble = self.trouble or traceback.format_exc()

    def _before(self, shown: ApplicationCall) -> None:
        names = self.names
        arguments = {name: names.plain(value) for name, value in shown.arguments.items()}
        target = None if shown.target is None else names.of(shown.target)
        call = TracedCall(self.number(), site_of(), threading.get_ident(), shown.owner, shown.member, target, arguments)
        flight_recorder.record(str(target or "tensorrt"), call.member, CALLING)
        with self._lock:
            call.facts.update(self._facts(shown, call))
            self.trace.steps.append(call)
            self._running[call.number] = call
        self._here.call = call
        shown.notes["call"] = call

    def _after(self, shown: ApplicationCall, call: TracedCall) -> None:
        flight_recorder.returned()
        call.result = self.names.plain(shown.result)
        call.error = "" if shown.error is None else f"{type(shown.error).__name__}: {shown.error}"
        self._here.call = None
        with self._lock:
            self._running.pop(call.number, None)
            if call.member in EXECUTIONS:
                self._mark(call)
            if call.member in _CHANGES:
                self._generation += 1
            if call.member in _LISTS and isinstance(shown.result, list):
                shown.result = AgingList(shown.result, call, lambda: self._generation)

    def _facts(self, shown: ApplicationCall, call: TracedCall) -> dict[str, Any]:
        known: dict[str, Any] = {"generation": self._generation, "is_discarded": is_discarded()}
        if isinstance(shown.target, IExecutionContext):
            known["context"] = facts.of_context(shown.target, self.names, shown.arguments)
            self._look_for_strangers(known["context"])
        if call.owner == "PluginField":
            known["is_buffer"] = _is_buffer(shown.arguments.get("data"))
        if call.owner == "IPluginRegistry":
            known["own"] = own_plugins_asked_for()
        if call.member in EXECUTIONS:
            known |= self._concurrency(call)
            memory = known["context"].memory
            known["memory_room"] = None if memory is None else facts.room_at(memory[0])
        if call.member == "set_output_allocator":
            kind = type(shown.arguments.get("output_allocator"))
            known["overrides"] = tuple(name for name in _ALLOCATING if callable(getattr(kind, name, None)))
        if call.member in ("add_plugin_v2", "add_plugin_v3"):
            plugin = shown.arguments.get("plugin")
            known["addition"] = network_facts.of_addition(
                shown.target, shown.arguments.get("inputs"), shown.arguments.get("shape_inputs", ()), plugin
            )
            self._remember(plugin)
        if call.member in _BUILDS:
            network, config = shown.arguments.get("network"), shown.arguments.get("config")
            known["bounds"] = network_facts.bounds(network, config)
            known["aliases"] = network_facts.aliases(network)
        if call.member in (*_BUILDS, "create_execution_context", *EXECUTIONS):
            living = [plugin for plugin in (reference() for reference in self._plugins) if plugin is not None]
            known["kept"] = {self.names.of(plugin): _held(plugin, self.names) for plugin in living}
        return known

    def _look_for_strangers(self, known: facts.ContextFacts) -> None:
        """Note in ``beyond`` tensors in memory of a library that cannot use the host device."""
        library = next((name for name in _LIBRARIES if name in sys.modules), "")
        strange = [each.name for each in known.tensors if each.address and each.room is None and not each.is_host]
        if library and strange:
            self.beyond = self.beyond or f"{', '.join(strange)} are in memory of {library}, which only a GPU can reach"

    def _concurrency(self, call: TracedCall) -> dict[str, Any]:
        """Return the numbers of executions that may overlap with this execution.

        ``overlapping`` are earlier executions for which its stream does not wait. ``beside`` are calls that other
        threads are making now.
        """
        stream = call.stream
        overlapping = [
            other.number
            for other, mark in self._marks.values()
            if not (facts.is_stream(stream) and self._device.comes_after(stream, mark))
        ]
        beside = [other.number for other in self._running.values() if other.member in EXECUTIONS]
        return {"overlapping": tuple(overlapping), "beside": tuple(beside)}

    def _mark(self, call: TracedCall) -> None:
        if facts.is_stream(call.stream) and call.member not in SYNCHRONOUS:
            self._marks[call.number] = (call, self._device.mark(call.stream))
        for number, (_, mark) in list(self._marks.items()):
            if self._device.comes_after(self._probe, mark):
                del self._marks[number]

    # -- callbacks --------------------------------------------------------------------------------------------

    @property
    def callbacks(self) -> _Callbacks:
        """Return an observer for the gate."""
        return _Callbacks(self)

    def called_back(self, event: Event) -> Callback:
        """Record a callback that is about to be made."""
        site = site_of_method(event.receiver, event.method)
        arguments = tuple(self.names.plain(value) for value in event.arguments)
        callback = Callback(self.number(), site, self.names.of(event.receiver), event.method, arguments)
        call: TracedCall | None = getattr(self._here, "call", None)
        with self._lock:
            self.trace.steps.append(callback)
            if call is not None:
                call.callbacks.append(callback)
        return callback

    def came_back(self, callback: Callback, outcome: CallOutcome) -> None:
        """Record the result or the error of a callback."""
        value = outcome.value
        callback.result = self.names.plain(value)
        if isinstance(outcome.error, NeedsGpu):
            self.beyond = self.beyond or outcome.error.in_applications
        callback.error = "" if outcome.error is None else f"{type(outcome.error).__name__}: {text_of(outcome.error)}"
        callback.is_missing = outcome.missing
        if callback.method in _MAKING:
            self._remember(value)
        callback.facts |= {"type": type(value).__name__, "is_index": hasattr(type(value), "__index__")}
        if isinstance(value, int) and not isinstance(value, bool):
            callback.facts["room"] = facts.room_at(value)

    # -- the device's memory ----------------------------------------------------------------------------------

    def touched(self, access: Access) -> None:
        """Record an access to device memory: in the running call, or as a step of the application."""
        call: TracedCall | None = getattr(self._here, "call", None)
        touch = Touch(self.number(), site_of(), access)
        with self._lock:
            if call is not None:
                call.touches.append(touch)
            elif not is_inside():
                self.trace.steps.append(touch)

    def allocated(self, allocation: Allocation) -> None:
        """Record that device memory was allocated or freed."""
        with self._lock:
            pending = frozenset(
                number
                for number, (_, mark) in self._marks.items()
                if allocation.freed and not self._device.comes_after(self._probe, mark)
            )
            inside = getattr(self._here, "call", None)
            self.trace.steps.append(Memory(self.number(), site_of(), allocation, pending, inside))

    # -- plugins that keep what they must not -----------------------------------------------------------------

    def _remember(self, plugin: Any) -> None:
        if isinstance(plugin, pybind11_object) and all(known() is not plugin for known in self._plugins):
            self._plugins.append(weakref.ref(plugin))


class _Callbacks:
    """An observer of the gate that passes each callback to the program observer."""

    def __init__(self, watch: ProgramObserver) -> None:
        self._watch = watch
        self._open: dict[int, Callback] = {}

    def before(self, event: Event) -> None:
        """Pass on a callback that is about to be made."""
        self._open[event.number] = self._watch.called_back(event)

    def after(self, event: Event, outcome: CallOutcome) -> None:
        """Pass on the result or the error of a callback."""
        self._watch.came_back(self._open.pop(event.number), outcome)


class _Forwarding(list[Any]):
    """A list that stays empty, and passes each appended record to a function."""

    def __init__(self, receive: Any) -> None:
        super().__init__()
        self._receive = receive

    def append(self, record: Any, /) -> None:
        self._receive(record)


def _is_buffer(data: Any) -> bool:
    try:
        memoryview(data)
    except TypeError:
        return False
    return True


def _held(plugin: Any, names: Names) -> str:
    """Return the attribute in which a plugin keeps a TensorRT object that it must not keep, or an empty text.

    An object that the application never used, such as an engine inside the plugin, is the plugin's own.
    """
    for name, value in getattr(plugin, "__dict__", {}).items():
        for each in value if isinstance(value, (list, tuple, set)) else [value]:
            is_parent = isinstance(each, pybind11_object) and str(type(each).__name__) in _PARENTS
            if is_parent and names.knows(each):
                return f"{name}, an {type(each).__name__!s}"
    return ""
