"""A shortcut for an execution that repeats the previous one: one plugin, and nothing to compute or copy.

Theory. If the application has set nothing new, no observer is on the gate and no memory is lent, an execution is only
the call of ``enqueue``. Its lists are made for each call. Its descriptors are expensive to make, so they are reused as
long as the plugin cannot notice. Their reference counts are compared after each call, which shows whether one was kept;
a descriptor that is read or assigned puts itself on a list, which counts as one more reference. Only then are they
examined, and replaced if they were kept or changed. So a plugin that keeps or changes its arguments does not affect the
next call, as in the bindings, which make everything anew.

A failure is handled as in every call: the trampoline gets the outcome as if the gate had just made the call.

The calling function is generated for the present number of tensors, because writing a list out is the fastest way to
make one.
"""

from __future__ import annotations

import functools
import sys
from typing import TYPE_CHECKING, Any, Final

from reference_runtime.bound.bound_class import state
from reference_runtime.bound.overloads import is_bound_function
from reference_runtime.calling.gate.gate import Phase
from reference_runtime.calling.gate.records import CallOutcome
from reference_runtime.engine.context.layer_runs import PluginRun
from reference_runtime.values.dims import values
from reference_runtime.values.enums import TensorLocation
from reference_runtime.values.refusals import Reason, Refused

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from reference_runtime.calling.gate.gate import Gate
    from reference_runtime.engine.context.execution import RunningContext
    from reference_runtime.values.descriptions import Description
    from reference_runtime.values.descriptors import PluginTensorDesc

__all__ = ["NoShortcut", "Shortcut", "no_shortcut"]

_STRIKES: Final = 8
"""How often a plugin may keep or change what it was given before no shortcut is looked for any more."""

_SOURCE: Final = """
def make(plugin, observers, stream, failed, settle, {arguments}):
    taken = False
    {unknown}
    def call(given):
        nonlocal taken
        if given is not stream and (type(given) is not int or given != stream) or taken or observers:
            raise NoShortcut
        taken = True
        try:
            plugin.enqueue({lists}, 0, stream)
        except BaseException as error:
            taken = False
            return failed(error)
        taken = False
        if {kept}:
            settle()
        return True
    def expect():
        {ours}
        {counted}
    return call, expect, lambda: taken
"""

WATCH: Final = "_watch"
"""The key under which a descriptor that is handed out again holds the list that it puts itself on."""


class NoShortcut(Exception):  # noqa: N818 - it only says to take the long way
    """The shortcut cannot be used, and nothing was done."""


def no_shortcut(_stream: object) -> bool:
    """Raise `NoShortcut`."""
    raise NoShortcut


class Shortcut:
    """The shortcut of one context: ``call`` takes it, or raises `NoShortcut`."""

    __slots__ = ("_calm", "_strikes", "call", "is_taken")

    def __init__(self) -> None:
        self.call: Callable[[int], bool] = no_shortcut
        self.is_taken: Callable[[], bool] = bool
        """Says whether it is in use: the plugin is being called."""
        self._calm: tuple[int, ...] = ()
        self._strikes = 0

    def close(self) -> None:
        """Note that a setting changed: the next execution takes the long path."""
        self.call = no_shortcut
        self._calm = ()

    def leave(self) -> None:
        """Note that an execution takes the long path: until it is over, so does every other."""
        self.call = no_shortcut

    def look(self, context: RunningContext, stream: int) -> None:
        """Open it, if two executions in a row were the same and had little to do."""
        calm = (context.shapes.stamp, context.moves, stream)
        if calm != self._calm:
            self._calm = calm
            return
        run = _only_plugin(context)
        if run is not None and self._strikes < _STRIKES:
            addresses = [context.addresses.get(place, 0) for place in run.layer.plan.tensors]
            self.call, self.is_taken = _calling(run, context.engine.around.gate, addresses, stream, self._give_up)

    def _give_up(self) -> None:
        self._strikes += 1
        self.close()


def _only_plugin(context: RunningContext) -> PluginRun | None:
    """Return the context's plugin if nothing else runs, or None."""
    run = context.runs[0] if len(context.runs) == 1 else None
    plan = context.engine.plan
    busy = context.output_allocators or context.shown or context.input_consumed or plan.traits.aux_streams
    if not isinstance(run, PluginRun) or not run.is_plain or busy or not run.copy.can_be_repeated:
        return None
    if any(tensor.location == TensorLocation.HOST for tensor in plan.io):
        return None
    count = len(run.layer.plan.inputs), len(run.layer.plan.outputs)
    return run if run.copy.has_workspace and run.copy.counts(count) == count else None


def _calling(
    run: PluginRun, gate: Gate, addresses: Sequence[int], stream: int, give_up: Callable[[], None]
) -> tuple[Callable[[int], bool], Callable[[], bool]]:
    """Return a function that runs the plugin on ``stream``, and one that says whether it is running.

    ``give_up`` closes the shortcut for later executions.
    """
    descriptors = _Descriptors(run.wanted, give_up)
    handed = descriptors.handed

    def failed(error: BaseException) -> bool:
        descriptors.settle()
        _fail(run, gate, addresses, stream, error)
        return False

    count = len(run.layer.plan.inputs)
    make = _maker(count, len(handed) - count)
    call, expect, is_taken = make(
        run.copy.target, gate.observers, stream, failed, descriptors.settle, *handed, *addresses
    )
    expect()
    descriptors.begin()
    return call, is_taken


@functools.cache
def _maker(num_inputs: int, num_outputs: int) -> Any:
    """Return the function that makes the calling one, for so many tensors."""
    scope: dict[str, Any] = {"__name__": __name__, "NoShortcut": NoShortcut, "count": sys.getrefcount}
    text = _source(num_inputs, num_outputs)
    exec(compile(text, __file__, "exec"), scope)  # noqa: S102 - the text is ours alone; as `dataclasses` does
    return scope["make"]


def _source(num_inputs: int, num_outputs: int) -> str:
    count = num_inputs + num_outputs
    desc, address, known = ([f"{letter}{place}" for place in range(count)] for letter in "dak")
    inputs, outputs = slice(0, num_inputs), slice(num_inputs, count)
    pairs = list(zip(desc, known, strict=True))
    return _SOURCE.format(
        arguments=", ".join([*desc, *address]),
        lists=", ".join(f"[{', '.join(names[part])}]" for names in (desc, address) for part in (inputs, outputs)),
        kept=" or ".join(f"count({one}) != {expected}" for one, expected in pairs) or "False",
        unknown="; ".join(f"{expected} = 0" for expected in known) or "pass",
        ours=f"nonlocal {', '.join(known)}" if known else "pass",
        counted="; ".join(f"{expected} = count({one})" for one, expected in pairs) or "pass",
    )


class _Descriptors:
    """The reused descriptors, and whether they still can be reused."""

    def __init__(self, wanted: Sequence[Description], give_up: Callable[[], None]) -> None:
        self.handed = [desc.fresh() for desc in wanted]
        self._watched: list[PluginTensorDesc] = []
        self._give_up = give_up
        self._plain = [_plain(desc) for desc in self.handed]
        self._counts: list[tuple[int, int]] = []

    def begin(self) -> None:
        """Take the present numbers of references as the expected ones."""
        self._counts = self._count()
        for desc in self.handed:
            state(desc)[WATCH] = self._watched

    def settle(self) -> None:
        """Examine the descriptors after a call that left a trace: give up if one was kept or changed."""
        self._watched.clear()
        if [_plain(desc) for desc in self.handed] != self._plain or self._count() != self._counts:
            for desc in self.handed:
                del state(desc)[WATCH]
            self._give_up()

    def _count(self) -> list[tuple[int, int]]:
        return [(sys.getrefcount(desc), sys.getrefcount(state(desc)["dims"])) for desc in self.handed]


def _plain(desc: PluginTensorDesc) -> tuple[Any, ...]:
    held = state(desc)
    return (values(held["dims"]), held["type"], held["format"], held["scale"])


class _Replayed:
    """A gate whose call has been made already."""

    def __init__(self, gate: Gate, outcome: CallOutcome) -> None:
        self._gate, self._outcome = gate, outcome

    def call(self, *_made: object) -> CallOutcome:
        """Return the outcome of the call."""
        return self._outcome

    def __getattr__(self, name: str) -> Any:
        """Leave everything else to the gate."""
        return getattr(self._gate, name)


def _fail(run: PluginRun, gate: Gate, addresses: Sequence[int], stream: int, error: BaseException) -> None:
    """Print, record and refuse as the long path does."""
    method = getattr(run.copy.target, "enqueue", None)
    missing = method is None or is_bound_function(method)
    outcome = CallOutcome(missing=True) if missing else CallOutcome.raised(error)
    with gate.during(Phase.EXECUTION):
        replayed: Any = _Replayed(gate, outcome)
        run.copy.enqueue(run.wanted, addresses, len(run.layer.plan.inputs), (0, stream), gate=replayed)
    raise Refused(f"{run.layer.plan.name}: the plugin's enqueue failed", Reason.INTERNAL)
