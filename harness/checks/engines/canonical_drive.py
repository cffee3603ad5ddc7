"""Drive one plugin through network, build, plan, engine and contexts, as an application would.

Some rules judge the calls of this drive. A run before all rules finds callbacks that end the process.
"""

from __future__ import annotations

import contextlib
import enum
from typing import TYPE_CHECKING, Any, NoReturn

import msgspec

from harness.checks.engines.bindings import execute, new_bindings, set_shapes
from harness.checks.engines.error_log import ErrorLog
from harness.checks.engines.networks import CONTEXTS, configuration_of, fill_network, new_network
from harness.checks.formats.choices import network_types
from harness.checks.sampling.data import draw_inputs
from harness.checks.sampling.sampling import best_shapes, other_shapes
from harness.contract.finding import NotRun
from harness.subject.calling import stop_for_want_of_a_gpu
from reference_runtime.calling.gate.scheduler import scheduling
from reference_runtime.devices.host import DeviceFault
from reference_runtime.instruments import NativeCrash, close

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt

    from harness.cases.case import Shape
    from harness.checks.formats.choices import NetworkTypes
    from harness.subject.subject import Subject
    from reference_runtime.calling.gate.gate import CallOutcome, Event, Observer


class Original(enum.Enum):
    """The moment at which the application destroys the plugin object that it added to the network."""

    ONCE_THE_ENGINE_IS_BUILT = enum.auto()
    LAST_OF_ALL = enum.auto()


class DriveExecution(msgspec.Struct, frozen=True):
    """One execution of the engine in one of its contexts.

    Attributes:
        context: The number of the context.
        shapes: The inputs' shapes; those of shape inputs are their values.
        inputs: The inputs as linear arrays.
        outputs: The outputs as linear arrays; None if ``execute_async_v3`` returned False.
    """

    context: int
    shapes: tuple[Shape, ...]
    inputs: list[npt.NDArray[Any]]
    outputs: list[npt.NDArray[Any]] | None


class Drive(msgspec.Struct):
    """The record of one drive, which is also the observer that makes it.

    Attributes:
        events: Every callback in order, with its outcome.
        executions: Every execution in order.
        stopped: The step at which TensorRT stopped; empty if the drive was completed.
    """

    events: list[tuple[Event, CallOutcome]] = msgspec.field(default_factory=list)
    executions: list[DriveExecution] = msgspec.field(default_factory=list)
    stopped: str = ""

    def before(self, event: Event) -> None:
        """Do nothing: the callback is recorded with its outcome."""

    def after(self, event: Event, outcome: CallOutcome) -> None:
        """Record the callback."""
        self.events.append((event, outcome))


class _Stopped(Exception):  # noqa: N818 - it never leaves this module
    """TensorRT does not go on."""


def drive(
    subject: Subject,
    *,
    observers: Sequence[Observer] = (),
    types: NetworkTypes | None = None,
    original: Original = Original.ONCE_THE_ENGINE_IS_BUILT,
) -> Drive:
    """Drive a new plugin through its whole life, and return the record.

    Two contexts run interleaved: the first at shapes A, the second at B, then the first at B and A. A failure of a
    callback stops the drive only if TensorRT stops.

    Args:
        subject: The plugin under test.
        observers: Further observers of the callbacks.
        types: The types of the network; by default those of the first combination that the plugin accepts.
        original: The moment at which the plugin that was added to the network is destroyed.
    """
    types = types or network_types(subject)
    seen = Drive()
    watching = [seen, *observers]
    subject.gate.observers.extend(watching)
    try:
        with scheduling(subject.seed), contextlib.ExitStack() as ends:
            _live(subject, seen, types, original, ends)
    except (_Stopped, DeviceFault, NativeCrash) as stop:
        seen.stopped = str(stop)
    finally:
        for observer in watching:
            subject.gate.observers.remove(observer)
    return seen


def completed(
    subject: Subject,
    *,
    observers: Sequence[Observer] = (),
    original: Original = Original.ONCE_THE_ENGINE_IS_BUILT,
) -> Drive:
    """Drive a new plugin as :func:`drive` does, and return the record of a completed drive.

    Raises:
        NotRun: TensorRT stopped; other rules report the reason.
    """
    seen = drive(subject, observers=observers, original=original)
    if seen.stopped:
        _give_up(subject, f"the engine does not run: {seen.stopped}")
    return seen


def plan_of(subject: Subject, types: NetworkTypes, decisions: Mapping[str, int]) -> bytes:
    """Build an engine with a new plugin, and return the plan; ``decisions`` are those of `scheduling` that are fixed.

    Raises:
        NotRun: The build fails; other rules report the reason.
    """
    plugin = subject.create()
    try:
        with scheduling(subject.seed, decisions):
            return _plan(subject, plugin, types)
    except (_Stopped, DeviceFault, NativeCrash) as stop:
        _give_up(subject, f"the engine is not built: {stop}")
    finally:
        subject.caller.destroy(subject.gate, plugin)


def _give_up(subject: Subject, why: str) -> NoReturn:
    """Stop the rule: because this machine lacks a package or a GPU, if a callback failed for that."""
    for failure in subject.gate.failures:
        stop_for_want_of_a_gpu(failure)
    raise NotRun(why)


def run_plan(subject: Subject, plan: bytes, type_names: Sequence[str]) -> Drive:
    """Load an engine and run it as a drive does, without a build before; record only the executions."""
    seen = Drive()
    try:
        with scheduling(subject.seed), contextlib.ExitStack() as ends:
            errors = ErrorLog()
            _run(subject, seen, _loaded(subject, plan, ends, errors), type_names, errors)
    except (_Stopped, DeviceFault, NativeCrash) as stop:
        seen.stopped = str(stop)
    return seen


def _live(subject: Subject, seen: Drive, types: NetworkTypes, original: Original, ends: contextlib.ExitStack) -> None:
    """Build an engine, deserialize and run it; ``ends`` destroys the objects, children first."""
    plugin, errors = subject.create(), ErrorLog()
    if original is Original.LAST_OF_ALL:
        ends.callback(subject.caller.destroy, subject.gate, plugin)
    engine = _loaded(subject, _plan(subject, plugin, types), ends, errors)
    if original is Original.ONCE_THE_ENGINE_IS_BUILT:
        subject.caller.destroy(subject.gate, plugin)
    _run(subject, seen, engine, types.inputs, errors)


def _loaded(subject: Subject, plan: bytes, ends: contextlib.ExitStack, errors: ErrorLog) -> Any:
    """Deserialize an engine; ``ends`` closes it."""
    engine = _existing(subject.trt.Runtime(errors).deserialize_cuda_engine(plan), "engine", errors)
    ends.callback(close, engine)
    return engine


def _run(subject: Subject, seen: Drive, engine: Any, type_names: Sequence[str], errors: ErrorLog) -> None:
    contexts = [_existing(engine.create_execution_context(), "context", errors) for _ in range(CONTEXTS)]
    for number, context in enumerate(contexts):
        if context.active_optimization_profile < 0:  # no two contexts may use profile 0
            stream = subject.device.new_stream()
            context.set_optimization_profile_async(number, stream.handle)
            stream.synchronize()
    first = best_shapes(subject.case)
    second = other_shapes(subject.case, first)
    for number, shapes in ((0, first), (1, second), (0, second), (0, first)):
        seen.executions.append(_execute(subject, contexts[number], number, shapes, type_names))


def _plan(subject: Subject, plugin: Any, types: NetworkTypes) -> bytes:
    """Build a one-layer network around the plugin and return the serialized engine."""
    errors = ErrorLog()
    with contextlib.ExitStack() as ends:
        builder = subject.trt.Builder(errors)
        ends.callback(close, builder)
        network = new_network(subject, builder)
        ends.callback(close, network)
        if not fill_network(subject, network, plugin, types):
            raise _Stopped(errors.nothing_made("layer"))
        config = configuration_of(subject, builder, types)
        return bytes(_existing(builder.build_serialized_network(network, config), "plan", errors))


def _existing(made: Any, what: str, errors: ErrorLog) -> Any:
    """Return an object that TensorRT made, or stop the drive if it made none; ``what`` names its kind."""
    if made is None:
        raise _Stopped(errors.nothing_made(what))
    return made


def _execute(
    subject: Subject, context: Any, number: int, shapes: tuple[Shape, ...], type_names: Sequence[str]
) -> DriveExecution:
    arrays = draw_inputs(subject.case, shapes, type_names, seed=subject.seed)
    set_shapes(subject, context, shapes)
    bindings = new_bindings(subject, context, shapes)
    bindings.write(arrays)
    stream = subject.device.new_stream()
    succeeded, decided = execute(subject, context, bindings, stream.handle)
    stream.synchronize()
    outputs = bindings.read(decided)
    bindings.free()
    return DriveExecution(number, shapes, arrays, outputs if succeeded else None)
