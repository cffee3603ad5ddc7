"""Follow the shapes of each context: shapes that are set, shapes that a switch of the profile discards, queries."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import structs

from harness.applications.trace import EXECUTIONS

if TYPE_CHECKING:
    from harness.applications.references import Ref
    from harness.applications.trace import Trace, TracedCall

#: Calls that set a shape, and the argument that names the input.
_SETTERS = {"set_input_shape": "name", "set_binding_shape": "binding"}
_SWITCHES = ("set_optimization_profile_async", "active_optimization_profile =")
#: Calls whose result shows whether the shapes fit together.
QUERIES = (
    "infer_shapes",
    "get_tensor_shape",
    "get_tensor_strides",
    "get_max_output_size",
    "update_device_memory_size_for_shapes",
    "get_binding_shape",
    "get_strides",
    "get_shape",
    "all_binding_shapes_specified",
    "all_shape_inputs_specified",
)


class Switch(msgspec.Struct, frozen=True):
    """One choice of a profile.

    Attributes:
        call: The call.
        index: The profile that was chosen.
        lost: The inputs whose shapes were set before the switch without any use, and are missing in the next execution.
        moves: Whether the profile differs from the previous profile.
    """

    call: TracedCall
    index: int
    lost: tuple[str, ...]
    moves: bool


class Setting(msgspec.Struct, frozen=True):
    """One call that sets a shape; if it was refused, ``used_by`` is the next execution, which ran without the shape."""

    call: TracedCall
    name: str
    used_by: TracedCall | None


class ObservedExecution(msgspec.Struct, frozen=True):
    """One execution, with the state of its context's shapes.

    Attributes:
        call: The call.
        switch: The last switch of the profile since the previous execution; None if there was none.
        lost: The inputs without a shape that had one, which was used, before a switch of the profile.
        unset: The inputs that lack a shape or an address for another reason, without those whose shape was refused.
        is_new: Whether shapes were set since the previous execution.
        query: The last query of shapes, if no shape and no shape input's address was set after it; else None.
        values: For each shape input on the host, its name, its values at the query, and its values now.
    """

    call: TracedCall
    switch: Switch | None
    lost: tuple[str, ...]
    unset: tuple[str, ...]
    is_new: bool
    query: TracedCall | None
    values: tuple[tuple[str, tuple[int, ...], tuple[int, ...]], ...]


def switches(trace: Trace) -> Iterator[Switch]:
    """Yield every choice of a profile."""
    for context in trace.contexts():
        yield from _Life(trace, context).switches


def settings(trace: Trace) -> Iterator[Setting]:
    """Yield every call that sets a shape, including refused calls."""
    for context in trace.contexts():
        yield from _Life(trace, context).settings.values()


def executions(trace: Trace) -> Iterator[ObservedExecution]:
    """Yield every execution, including refused executions."""
    for context in trace.contexts():
        yield from _Life(trace, context).executions


class _Life:
    """The shapes of one context, from its first call to its last."""

    def __init__(self, trace: Trace, context: Ref) -> None:
        self.switches: list[Switch] = []
        self.executions: list[ObservedExecution] = []
        self.settings: dict[int, Setting] = {}
        self._set: set[str] = set()
        self._had: set[str] = set()
        self._unused: set[str] = set()
        self._refused: dict[str, TracedCall] = {}
        self._is_used = False
        self._is_new = False
        self._switch: int | None = None
        self._asked: TracedCall | None = None
        for call in trace.on(context):
            self._see(call)

    def _see(self, call: TracedCall) -> None:
        if call.member in _SETTERS:
            self._see_setting(call)
        elif call.member in _SWITCHES:
            self._see_switch(call)
        elif call.member in EXECUTIONS:
            self._see_execution(call)
        elif call.member in QUERIES:
            self._is_used = True
            self._asked = call
        elif call.member == "set_tensor_address":
            tensor = call.context.tensor(call.arguments.get("name"))
            if tensor is not None and tensor.is_host:
                self._asked = None

    def _see_setting(self, call: TracedCall) -> None:
        name = _name(call)
        self.settings[call.number] = Setting(call, name, None)
        self._asked = None
        if call.done:
            self._set.add(name)
            self._unused.discard(name)
            self._refused.pop(name, None)
            self._is_used, self._is_new = False, True
        else:
            self._refused[name] = call

    def _see_switch(self, call: TracedCall) -> None:
        argument: Any = call.arguments.get("profile_index", next(iter(call.arguments.values()), -1))
        index = argument if isinstance(argument, int) else -1
        moves = not call.error and index != call.context.profile
        self.switches.append(Switch(call, index, (), moves))
        if moves:
            (self._had if self._is_used else self._unused).update(self._set)
            self._set.clear()
            self._switch, self._is_used = len(self.switches) - 1, False

    def _see_execution(self, call: TracedCall) -> None:
        missing = [name for name in call.context.missing if name not in self._refused]
        lost = tuple(name for name in missing if name in self._had)
        unused = tuple(name for name in missing if name in self._unused and name not in lost)
        unset = tuple(name for name in missing if name not in {*lost, *unused})
        if self._switch is not None and unused:
            self.switches[self._switch] = structs.replace(self.switches[self._switch], lost=unused)
        switch = None if self._switch is None else self.switches[self._switch]
        context_of_query = self._asked.context if self._asked is not None else None
        values = tuple(
            (tensor.name, before.values, tensor.values)
            for tensor in (call.context.inputs if context_of_query is not None else ())
            if context_of_query is not None and (before := context_of_query.tensor(tensor.name)) is not None
            if before.values is not None and tensor.values is not None
        )
        self.executions.append(ObservedExecution(call, switch, lost, unset, self._is_new, self._asked, values))
        for name, refused in self._refused.items():
            self.settings[refused.number] = Setting(refused, name, call)
        self._refused.clear()
        self._is_used, self._is_new, self._switch = True, False, None


def _name(call: TracedCall) -> str:
    key = _SETTERS[call.member]
    value: Any = call.arguments.get(key)
    if key == "name":
        return str(value)
    tensors = call.context.tensors
    return tensors[value % len(tensors)].name if isinstance(value, int) and tensors else str(value)
