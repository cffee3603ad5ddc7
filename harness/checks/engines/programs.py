"""Run programs of an application: networks, engines and contexts in any legal order.

Theory. A program is plain data: ``{"schedule": 0, "shapes": [...], "program": [[verb, number, ...], ...]}``. A step
names an object by its number among its kind, and shapes by their index in ``shapes``. After the last step, all
remaining contexts run once more, concurrently. Then everything is destroyed, children first. Engines have two profiles:
the case's, and the smallest profile that includes the first two shapes. No document fixes the order of some callbacks.
While engines run, the seed in ``schedule`` decides it. Builds always use schedule 0, because no document says which
objects they time. Hypothesis makes failing programs smaller. So a program may have a step that is illegal for an
application: it stops the rule as NOT-RUN.

The module is long because it has a method for each verb.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

import msgspec

from harness.checks.engines.bindings import Bindings, execute, new_bindings, set_shapes
from harness.checks.engines.error_log import ErrorLog
from harness.checks.engines.networks import add_profile, bare_configuration, fill_network, has_own_profiles, new_network
from harness.checks.formats.aliasing import aliases_of
from harness.checks.formats.choices import network_types
from harness.checks.running.buffers import contents
from harness.checks.running.single_run import PLAIN
from harness.checks.sampling.data import draw_inputs
from harness.checks.sampling.sampling import drawn_shapes
from harness.contract.finding import NotRun
from harness.protocol.program_shapes import PROFILES, first_shapes
from harness.subject.calling import raise_for
from reference_runtime.calling.gate.gate import Phase
from reference_runtime.calling.gate.scheduler import scheduling
from reference_runtime.devices.records import Recording
from reference_runtime.instruments import NativeCrash, close

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    import numpy.typing as npt

    from harness.checks.sampling.sampling import Shapes
    from harness.subject.subject import Subject
    from reference_runtime.calling.gate.gate import CallOutcome, Event
    from reference_runtime.devices.host import HostStream
    from reference_runtime.values.descriptions import Description

#: The most contexts of an engine at once, if each context needs its own profile.
_CONTEXTS = 4
_EXECUTING = ("enqueue", "execute_async")
_MAKING = ("clone", "attach_to_context", "create_plugin", "deserialize_plugin")


class ProgramExecution(msgspec.Struct):
    """One execution of a context.

    Attributes:
        where: The step of the program and the input shapes, in words.
        shapes: The inputs' shapes; those of shape inputs are their values.
        inputs: The inputs as linear arrays.
        outputs: The outputs as linear arrays; empty until the execution has ended.
    """

    where: str
    shapes: Shapes
    inputs: list[npt.NDArray[Any]]
    outputs: list[npt.NDArray[Any]] = msgspec.field(default_factory=list)


class Story(msgspec.Struct):
    """The record of one run of a program.

    Attributes:
        executions: Every execution, in the order in which they began.
        races: Sentences about accesses that no stream and no wait puts in order.
        trespasses: Sentences about accesses to memory that the plugin must not access.
        again: Sentences about callbacks that must return a new object and returned an earlier object.
        types: The sets of input and output types in calls of ``enqueue``.
    """

    executions: list[ProgramExecution] = msgspec.field(default_factory=list)
    races: list[str] = msgspec.field(default_factory=list)
    trespasses: list[str] = msgspec.field(default_factory=list)
    again: list[str] = msgspec.field(default_factory=list)
    types: set[tuple[Any, ...]] = msgspec.field(default_factory=set)


def lived(subject: Subject, program: Mapping[str, Any]) -> Story:
    """Run a program to its end, and return the record.

    Raises:
        NotRun: A step is illegal for an application, or TensorRT does not go on.
        CallbackFailedError: A callback failed.
    """
    story, faults = Story(), len(subject.device.faults)
    watch = _Watch(subject, story)
    subject.gate.observers.append(watch)
    try:
        with contextlib.ExitStack() as ends:
            with subject.device.recording() as watch.recording:
                _Application(subject, program, story, ends).live(program["program"])
            story.races = [str(race) for race in watch.recording.races() if race.first.number not in watch.uploaded]
    finally:
        subject.gate.observers.remove(watch)
    story.trespasses += [fault.sentence for fault in subject.device.faults[faults:]]
    return story


class _Watch:
    """Observes the types in ``enqueue``, objects that are returned twice, and accesses outside of executions.

    ``uploaded`` has the numbers of the accesses that a plugin makes while it is created, built, loaded or attached.
    TensorRT allocates memory and waits after them, so they race with no execution.
    """

    def __init__(self, subject: Subject, story: Story) -> None:
        self._gate = subject.gate
        self._story = story
        self.recording = Recording()
        self.uploaded: set[int] = set()
        self._begun = 0

    def before(self, event: Event) -> None:
        self._begun = len(self.recording.accesses)
        if event.method == "enqueue" and event.phase is Phase.EXECUTION:
            inputs, outputs = event.arguments[:2]
            self._story.types.add(tuple(desc.type for desc in (*inputs, *outputs)))

    def after(self, event: Event, outcome: CallOutcome) -> None:
        if event.method not in _EXECUTING and event.phase is not Phase.EXECUTION:
            self.uploaded.update(access.number for access in self.recording.accesses[self._begun :])
        if event.method in _MAKING and outcome.value is not None and self._gate.is_handed_out_again(outcome.value):
            self._story.again.append(f"{event.target}.{event.method} returned {self._gate.name_of(outcome.value)}")


class _Network(msgspec.Struct):
    builder: Any
    network: Any
    plugin: Any


class _Pending(msgspec.Struct):
    """An execution whose stream has not been synchronized yet.

    Attributes:
        execution: The record of the execution.
        bindings: The memory that it uses.
        decided: The tensors' descriptions with data-dependent dimensions.
        before: The bytes of the inputs that share no memory with outputs, by name.
        stream: The name of its stream.
    """

    execution: ProgramExecution
    bindings: Bindings
    decided: dict[str, Description]
    before: dict[str, bytes]
    stream: Any


class _Context(msgspec.Struct):
    context: Any
    engine: int
    shapes: int
    set_shapes: int | None = None
    """The index of the shapes that the context has; ``shapes`` is that of the shapes to run next."""
    bindings: Bindings | None = None
    """Memory for these shapes that can be used again."""
    pending: list[_Pending] = msgspec.field(default_factory=list)


class _Application:
    """An application with its engines and contexts; each step of a program is a method."""

    def __init__(self, subject: Subject, program: Mapping[str, Any], story: Story, ends: contextlib.ExitStack) -> None:
        self._subject = subject
        self._shapes = program["shapes"]
        self._story = story
        self._trt = subject.trt
        self._logger = ErrorLog()
        with scheduling(int(program["schedule"])):
            self._runtime = self._trt.Runtime(self._logger)
        self._types = network_types(subject)
        self._networks: dict[int, _Network] = {}
        self._plans: dict[int, bytes] = {}
        self._engines: dict[int, Any] = {}
        self._contexts: dict[int, _Context] = {}
        self._streams: dict[Any, HostStream] = {}
        self._made = dict.fromkeys(("network", "plan", "engine", "context"), 0)
        self._runs = 0
        self._step = ""
        self._verbs: dict[str, Callable[..., None]] = {
            "network": self._network,
            "build": self._build,
            "deserialize": self._deserialize,
            "serialize": self._serialize,
            "context": self._context,
            "profile": self._profile,
            "move": self._move,
            "run": self._run,
            "launch": self._launch,
            "wait": self._wait,
            "destroy": self._destroy,
        }
        ends.callback(self._end)

    def live(self, program: list[list[Any]]) -> None:
        """Take every step, run all remaining contexts once more, and destroy everything."""
        for number, (verb, *arguments) in enumerate(program, 1):
            if verb not in self._verbs:
                raise NotRun(f"an application has no verb {verb!r}")
            with self._stepping(f"step {number}, {' '.join(map(str, (verb, *arguments)))}"):
                self._verbs[verb](*arguments)
        for number in self._contexts:
            with self._stepping(f"at the end, context {number} runs once more"):
                self._enqueue(number, self._stream_of(number))
        for stream in list(self._streams):
            self._wait(stream)
        with self._stepping("at the end of all"):
            self._end()

    @contextlib.contextmanager
    def _stepping(self, where: str) -> Iterator[None]:
        """Name the current step ``where``, and raise the first failure of a callback in the block."""
        self._step, failures = where, self._subject.gate.failures
        before = len(failures)
        yield
        if len(failures) > before:
            raise_for(failures[before])

    # -- the verbs ------------------------------------------------------------------------------------------

    def _network(self) -> None:
        subject, plugin = self._subject, self._subject.create()
        with scheduling(0):
            builder = self._trt.Builder(self._logger)
        made = _Network(builder, new_network(subject, builder), plugin)
        self._networks[self._number("network")] = made
        with self._stopped_by_a_crash():
            filled = fill_network(subject, made.network, plugin, self._types)
        if not filled:
            self._stop(self._logger.nothing_made("layer"))

    def _build(self, network: int) -> None:
        made = self._living(self._networks, network)
        config = bare_configuration(self._subject, made.builder, self._types)
        whole = [entry.profile for entry in self._subject.case.inputs]
        part = []  # the smallest profile that includes the first two shapes; its optimum is the first
        for one, other in zip(self._legal(0), self._legal(1), strict=True):
            pairs = list(zip(one, other, strict=True))
            part.append((tuple(map(min, pairs)), one, tuple(map(max, pairs))))
        for _ in range(self._copies):
            add_profile(self._subject, made.builder, config, whole)
            add_profile(self._subject, made.builder, config, part)
        with self._stopped_by_a_crash():
            plan = made.builder.build_serialized_network(made.network, config)
        self._add_plan(plan)

    @contextlib.contextmanager
    def _stopped_by_a_crash(self) -> Iterator[None]:
        """Stop the program if a plugin's answer in the block would crash TensorRT."""
        try:
            yield
        except NativeCrash as crash:
            self._stop(str(crash))

    def _serialize(self, engine: int) -> None:
        self._add_plan(self._living(self._engines, engine).serialize())

    def _deserialize(self, plan: int) -> None:
        engine = self._runtime.deserialize_cuda_engine(self._living(self._plans, plan))
        if engine is None:
            self._stop(self._logger.nothing_made("engine"))
        self._engines[self._number("engine")] = engine

    def _context(self, engine: int, profile: int) -> None:
        context = self._living(self._engines, engine).create_execution_context()
        if context is None:
            self._stop(self._logger.nothing_made("context"))
        number = self._number("context")
        self._contexts[number] = _Context(context, engine, first_shapes(number, profile, len(self._shapes)))
        if context.active_optimization_profile != profile:
            self._profile(number, profile)

    def _profile(self, context: int, profile: int) -> None:
        known = self._idle(context)
        stream = self._subject.device.new_stream()
        try:
            known.context.set_optimization_profile_async(self._free_profile(known, profile), stream.handle)
        except RuntimeError:
            self._stop("TensorRT did not take the profile")
        stream.synchronize()
        known.set_shapes, known.shapes = None, first_shapes(context, profile, len(self._shapes))
        self._forget_memory(known)

    def _move(self, context: int) -> None:
        self._forget_memory(self._living(self._contexts, context))

    def _run(self, context: int, shapes: int) -> None:
        stream = self._stream_of(context)
        self._launch(context, shapes, stream)
        self._wait(stream)

    def _launch(self, context: int, shapes: int, stream: Any) -> None:
        if self._stream_of(context) != stream and self._contexts[context].pending:
            self._stop("the context is at work on another stream")
        self._contexts[context].shapes = shapes
        self._enqueue(context, stream)

    def _wait(self, stream: Any) -> None:
        if stream not in self._streams:
            self._stop("there is no work on this stream")
        self._streams[stream].synchronize()
        for known in self._contexts.values():
            over = [each for each in known.pending if each.stream == stream]
            known.pending = [each for each in known.pending if each.stream != stream]
            for each in over:
                self._look(each)
                if each.bindings is not known.bindings:
                    each.bindings.free()

    def _destroy(self, kind: str, number: int) -> None:
        if kind == "context":
            known = self._idle(number)
            del self._contexts[number]
            close(known.context)
            self._forget_memory(known)
        elif kind == "engine":
            if any(known.engine == number for known in self._contexts.values()):
                self._stop("contexts are destroyed before their engine")
            self._living(self._engines, number)
            close(self._engines.pop(number))
        elif kind == "network":
            self._living(self._networks, number)
            self._end_network(self._networks.pop(number))
        else:
            self._stop(f"there is no {kind!r} to destroy")

    # -- helpers --------------------------------------------------------------------------------------------

    def _stream_of(self, context: int) -> Any:
        """Return the name of the stream on which a context is executed, or else of the context's own stream."""
        pending = self._living(self._contexts, context).pending
        return pending[0].stream if pending else f"of context {context}"

    def _enqueue(self, context: int, stream: Any) -> None:
        known = self._contexts[context]
        shapes = self._legal(known.shapes)
        if known.set_shapes != known.shapes:
            self._forget_memory(known)
            if not set_shapes(self._subject, known.context, shapes):
                self._stop("the shapes are outside the profile")
            known.set_shapes = known.shapes
        if known.bindings is None or any(each.bindings is known.bindings for each in known.pending):
            known.bindings = new_bindings(self._subject, known.context, shapes)
        known.pending.append(self._executed(context, known.bindings, shapes, stream))

    def _executed(self, number: int, bindings: Bindings, shapes: Shapes, stream: Any) -> _Pending:
        subject, device = self._subject, self._subject.device
        handle = self._streams.setdefault(stream, device.new_stream()).handle
        self._runs += 1
        arrays = draw_inputs(subject.case, shapes, self._types.inputs, seed=subject.seed, salt=str(self._runs))
        for name in bindings.outputs:
            bindings.buffers[name].fill(PLAIN.poison)
        bindings.write(arrays)
        before = {name: contents(buffer) for name, buffer in bindings.apart.items()}
        self._note(bindings, "write", handle)
        succeeded, decided = execute(subject, self._contexts[number].context, bindings, handle)
        self._note(bindings, "read", handle)
        execution = ProgramExecution(f"{self._step}; input shapes {[list(each) for each in shapes]}", shapes, arrays)
        self._story.executions.append(execution)
        if not succeeded and not subject.gate.failures and not subject.device.faults:
            self._stop("TensorRT did not execute")
        return _Pending(execution, bindings, decided, before, stream)

    def _note(self, bindings: Bindings, kind: Any, stream: int) -> None:
        """Record accesses by the application: it writes inputs before an execution, and reads outputs after it."""
        names = set(bindings.tensors).difference(bindings.outputs) if kind == "write" else bindings.outputs
        for name in names:
            buffer = bindings.buffers[name]
            self._subject.device.note(buffer.address, buffer.nbytes, kind, stream)

    def _look(self, pending: _Pending) -> None:
        execution, bindings = pending.execution, pending.bindings
        execution.outputs = bindings.read(pending.decided)
        for name, buffer in bindings.buffers.items():
            hurts = [f"{name}, {hurt.nbytes} bytes {hurt.side} it" for hurt in buffer.damage()]
            self._story.trespasses += [f"{execution.where}: {hurt}" for hurt in hurts]
        for name, held in pending.before.items():
            if contents(bindings.buffers[name]) != held and not self._is_worked_in(name):
                self._story.trespasses.append(f"{execution.where}: {name}, which is no output, was written")

    def _is_worked_in(self, name: str) -> bool:
        """Return whether an input shares its memory with an output, so that the plugin may write to it."""
        return name in {f"input_{source}" for source in aliases_of(self._subject).values()}

    @property
    def _copies(self) -> int:
        """Return the number of copies of each profile in an engine: in TensorRT 8.6 each context needs its own."""
        return _CONTEXTS if has_own_profiles(self._subject) else 1

    def _free_profile(self, known: _Context, profile: int) -> int:
        """Return the number of a copy of the profile that no other context of the engine uses."""
        if self._copies == 1:
            return profile
        others = [each for each in self._contexts.values() if each.engine == known.engine and each is not known]
        taken = {each.context.active_optimization_profile for each in others}
        return next(i for i in range(profile, profile + PROFILES * (_CONTEXTS + 1), PROFILES) if i not in taken)

    def _legal(self, number: int) -> Shapes:
        if not 0 <= number < len(self._shapes):
            self._stop(f"there are no shapes {number}")
        return drawn_shapes(self._subject.case, self._shapes[number])

    def _number(self, kind: str) -> int:
        self._made[kind] += 1
        return self._made[kind] - 1

    def _add_plan(self, data: Any) -> None:
        if data is None:
            self._stop(self._logger.nothing_made("plan"))
        self._plans[self._number("plan")] = bytes(data)

    def _living(self, things: dict[int, Any], number: int) -> Any:
        if number not in things:
            self._stop("this object does not exist any more, or not yet")
        return things[number]

    def _idle(self, context: int) -> _Context:
        known: _Context = self._living(self._contexts, context)
        if known.pending:
            self._stop("the context is still being executed")
        return known

    def _forget_memory(self, known: _Context) -> None:
        """Free the memory of a context. If an execution still uses it, it is freed when that has ended."""
        if known.bindings is not None and not any(each.bindings is known.bindings for each in known.pending):
            known.bindings.free()
        known.bindings = None

    def _stop(self, why: str) -> Any:
        """Stop the rule, with the last failure of a callback if there is one, otherwise as NOT-RUN."""
        for failure in self._subject.gate.failures[-1:]:
            raise_for(failure)
        raise NotRun(f"{self._step}: {why}")

    def _end_network(self, made: _Network) -> None:
        close(made.network)
        close(made.builder)
        self._subject.caller.destroy(self._subject.gate, made.plugin)

    def _end(self) -> None:
        """Destroy all remaining objects, children first."""
        while self._contexts:
            _, known = self._contexts.popitem()
            close(known.context)
            for bindings in (known.bindings, *(each.bindings for each in known.pending)):
                if bindings is not None:
                    bindings.free()
        while self._engines:
            close(self._engines.popitem()[1])
        while self._networks:
            self._end_network(self._networks.popitem()[1])
