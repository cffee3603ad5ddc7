"""One plugin object driven step by step on the device, in the order that TensorRT keeps, and closely watched."""

from __future__ import annotations

import contextlib
import dataclasses
from typing import TYPE_CHECKING, Any

import numpy as np

from harness.checks.calling import leniently, mishap_of, raise_for, strictly
from harness.checks.data import draw_inputs
from harness.checks.formats import Combination, default_combination
from harness.checks.oracle import reference_outputs
from harness.checks.shapes import allocatable, ask_output_dimensions, network_dims
from harness.finding import CallbackFailedError
from reference_runtime import formats, trampolines
from reference_runtime.backends.host import FaultKind
from reference_runtime.descriptions import NO_SCALE, Bounds, Description
from reference_runtime.errors import NeedsGpu
from reference_runtime.lifecycle import Call, Stage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import numpy.typing as npt

    from harness.case import Shape
    from harness.checks.shapes import Asked
    from harness.finding import Mishap
    from harness.subject import Subject
    from reference_runtime.backends.host import Access, Damage, Fault, HostBuffer, Recording


@dataclasses.dataclass(frozen=True)
class Run:
    """What one ``enqueue`` did.

    Attributes:
        shapes: The inputs' shapes.
        inputs: What the inputs held, as linear real-number data.
        outputs: What the outputs hold afterwards, as linear real-number data; what was not written is poison.
        raw_outputs: The outputs' bytes, padding included.
        changed_inputs: Indices of the inputs whose bytes changed.
        damage: Overwritten guard bands, by buffer label.
        faults: Misuses of device memory during the call.
        recording: Accesses, allocations and waits during the call.
        stream: The handle of the stream that was given.
        workspace: The bytes of workspace that were given.
        freed: Labels of the buffers that the plugin freed.
        mishap: What went wrong, where ``enqueue`` failed and the caller asked to see it.
    """

    shapes: tuple[Shape, ...]
    inputs: list[npt.NDArray[Any]]
    outputs: list[npt.NDArray[Any]]
    raw_outputs: list[bytes]
    changed_inputs: list[int]
    damage: list[tuple[str, Damage]]
    faults: list[Fault]
    recording: Recording
    stream: int
    workspace: int
    freed: list[str]
    mishap: Mishap | None = None

    @property
    def plugin_accesses(self) -> list[Access]:
        """The accesses that the plugin made, without those before and after it that bound them."""
        around = len(self.inputs) + len(self.outputs)
        return self.recording.accesses[around + 1 : len(self.recording.accesses) - len(self.outputs)]

    @property
    def stale_uses(self) -> list[str]:
        """Sentences about uses of memory that had been freed."""
        return _sentences(self.faults, FaultKind.USE_AFTER_FREE)

    @property
    def wrong_frees(self) -> list[str]:
        """Sentences about freeing what was given to the plugin, or what had been freed."""
        faults = _sentences(self.faults, FaultKind.DOUBLE_FREE, FaultKind.BAD_FREE)
        return [*(f"{label} was freed" for label in self.freed), *faults]

    def insist(self) -> Run:
        """Return the run; rules use it for a lenient run whose failure is not what they look for.

        Raises:
            CallbackFailedError: ``enqueue`` failed.
        """
        if self.mishap is not None:
            raise CallbackFailedError(self.mishap)
        return self

    def trespasses(self, label: str) -> list[str]:
        """Sentences about what was touched beside the buffers whose label begins so: ``workspace``, ``outputs``."""
        damage = [f"{name}: {hurt.nbytes} bytes {hurt.side} it" for name, hurt in self.damage if name.startswith(label)]
        beyond = [
            fault.sentence
            for fault in self.faults
            if fault.label.startswith(label) and fault.kind is not FaultKind.USE_AFTER_FREE
        ]
        return [*damage, *beyond]

    @property
    def races(self) -> list[str]:
        """Sentences about accesses that no stream, event or wait puts in order."""
        return [
            f"a {race.second.kind} on stream {race.second.stream:#x} does not wait for a {race.first.kind} on stream "
            f"{race.first.stream:#x}"
            for race in self.recording.races()
        ]


@dataclasses.dataclass(frozen=True)
class Surroundings:
    """What a plugin cannot count on and a rule may vary from call to call.

    Attributes:
        poison: Byte that outputs and workspace are filled with before the call.
        workspace: Bytes of workspace to give; None for what ``get_workspace_size`` says.
        null_when_empty: Whether empty tensors have the null address.
        null_workspace: Whether a workspace of 0 bytes has the null address.
        lenient: Whether a failing ``enqueue`` is put into the run instead of stopping the rule.
        scale: The ``scale`` of descriptors whose type has none.
    """

    poison: int = 0xCD
    workspace: int | None = None
    null_when_empty: bool = True
    null_workspace: bool = True
    lenient: bool = False
    scale: float = NO_SCALE


PLAIN = Surroundings()
_LENIENT = Surroundings(lenient=True)


class Bench:
    """Drives one plugin object; each method is one step of its life and refuses an illegal one."""

    def __init__(self, subject: Subject, plugin: Any, combination: Combination | None = None) -> None:
        self.subject = subject
        self.plugin = plugin
        self.gate = subject.gate
        if combination is None:
            combination = default_combination(subject)
        self.combination = combination
        self._expressions: list[Asked] | None = None

    # -- the life of the object, in order -------------------------------------------------------------------

    def configure_for_build(self) -> Bench:
        """Configure for the whole profile, before ``initialize``: -1 for dynamic extents, bounds in min and max."""
        ranges, dims = self._profile(), network_dims(self.subject)
        for low, best, high in ranges[len(dims) :]:
            dims.append(tuple(a if a == b == c else -1 for a, b, c in zip(low, best, high, strict=True)))
        bounds = [
            Bounds(self._describe(place, extents), *corners)
            for place, (extents, corners) in enumerate(zip(dims, ranges, strict=True))
        ]
        count = len(self.combination.inputs)
        return self._configure(bounds[:count], bounds[count:])

    def initialize(self) -> Bench:
        """Initialize the plugin.

        Raises:
            CallbackFailedError: ``initialize`` raised.
        """
        with strictly(self.gate):
            trampolines.initialize(self.gate, self.plugin)
        return self

    def configure(self, shapes: Sequence[Shape]) -> Bench:
        """Configure for concrete shapes (execution phase)."""
        inputs, outputs = self.descriptions(shapes)
        return self._configure([_exact(desc) for desc in inputs], [_exact(desc) for desc in outputs])

    def configure_in_profile(self, shapes: Sequence[Shape]) -> Bench:
        """Configure for concrete shapes, with the bounds of the profile: no document says what they are then."""
        inputs, outputs = self.descriptions(shapes)
        bounds = self._profile()
        return self._configure(
            [Bounds(desc, *ranges) for desc, ranges in zip(inputs, bounds, strict=False)],
            [Bounds(desc, *ranges) for desc, ranges in zip(outputs, bounds[len(inputs) :], strict=True)],
        )

    def take_for_configured(self) -> Bench:
        """Let the object count as configured without configuring it: what a clone was born with must be enough.

        The lifecycle and the bindings' count of inputs are kept for each object, and the newborn's are lent to it.
        """
        self.gate.advance(self.plugin, Call.CONFIGURE_PLUGIN)
        self.gate.count_inputs(self.plugin, len(self.combination.inputs))
        return self

    def workspace_size(self, shapes: Sequence[Shape]) -> int:
        """Return the workspace size in bytes that the plugin asks for at the given shapes."""
        inputs, outputs = self.descriptions(shapes)
        with strictly(self.gate):
            return int(trampolines.get_workspace_size(self.gate, self.plugin, inputs, outputs))

    def enqueue(
        self,
        shapes: Sequence[Shape],
        arrays: Sequence[npt.NDArray[Any]] | None = None,
        surroundings: Surroundings = PLAIN,
        *,
        before: Callable[[dict[str, HostBuffer]], None] | None = None,
    ) -> Run:
        """Run ``enqueue`` on fresh buffers and return what it did.

        Args:
            shapes: The inputs' shapes, which the plugin has been configured for.
            arrays: The inputs' data; drawn for the case unless given.
            surroundings: What is varied around the call.
            before: Called with the buffers by label just before the call.
        """
        shapes = tuple(tuple(shape) for shape in shapes)
        if arrays is None:
            arrays = self.draw(shapes)
        inputs, outputs = self.descriptions(shapes, surroundings.scale)
        size = self.workspace_size(shapes) if surroundings.workspace is None else surroundings.workspace
        with self._buffers(inputs, outputs, arrays, size, surroundings) as buffers:
            if before is not None:
                before(buffers.by_label)
            return self._enqueue(shapes, (inputs, outputs), buffers, surroundings)

    def enqueue_elsewhere(self, shapes: Sequence[Shape], moved: tuple[str, ...]) -> Run:
        """Run ``enqueue`` twice, the second time with other memory for what ``moved`` names, and return that run.

        ``moved`` holds beginnings of labels: ``inputs``, ``outputs``, ``workspace``. The memory that they had is freed
        between the calls. A failure of the second call is put into the run.
        """
        shapes = tuple(tuple(shape) for shape in shapes)
        described = self.descriptions(shapes)
        size = self.workspace_size(shapes)
        with contextlib.ExitStack() as stack:
            first, second = (
                stack.enter_context(self._buffers(*described, self.draw(shapes, salt), size, PLAIN))
                for salt in ("first", "second")
            )
            self._enqueue(shapes, described, first, PLAIN)
            return self._enqueue(shapes, described, first.moved(second, moved), _LENIENT)

    def repeat(self, shapes: Sequence[Shape]) -> Callable[[], None]:
        """Return a function that calls ``enqueue`` on the same buffers each time, and keeps nothing of it."""
        shapes = tuple(tuple(shape) for shape in shapes)
        inputs, outputs = self.descriptions(shapes)
        size = self.workspace_size(shapes)
        buffers = self._allocate(inputs, outputs, self.draw(shapes), size, PLAIN)
        stream = self.subject.device.new_stream().handle

        def again() -> None:
            with strictly(self.gate):
                self._call((inputs, outputs), buffers, PLAIN, stream)

        return again

    def terminate(self) -> Bench:
        """Terminate the plugin."""
        with strictly(self.gate):
            trampolines.terminate(self.gate, self.plugin)
        return self

    def destroy(self) -> None:
        """Destroy the plugin; nothing may be called afterwards."""
        with strictly(self.gate):
            trampolines.destroy(self.gate, self.plugin)

    def end(self) -> None:
        """Bring the plugin's life to its end, from wherever it is: terminate where that is due, then destroy."""
        if self.gate.stage_of(self.plugin) in {Stage.INITIALIZED, Stage.READY}:
            self.terminate()
        self.destroy()

    # -- shortcuts ------------------------------------------------------------------------------------------

    def prepare(self) -> Bench:
        """Bring a fresh plugin to where an engine would have it: configured for the build, then initialized."""
        return self.configure_for_build().initialize()

    def make_ready(self) -> Bench:
        """Prepare the plugin unless it is initialized, or was born so, as clones of initialized ones are."""
        if self.gate.stage_of(self.plugin) in {Stage.CREATED, Stage.CONFIGURED, Stage.TERMINATED}:
            self.prepare()
        return self

    def run(
        self,
        shapes: Sequence[Shape],
        arrays: Sequence[npt.NDArray[Any]] | None = None,
        surroundings: Surroundings = PLAIN,
    ) -> Run:
        """Configure for the shapes and enqueue."""
        return self.configure(shapes).enqueue(shapes, arrays, surroundings)

    def of(self, plugin: Any) -> Bench:
        """Return a bench for another object that is used in the same way."""
        other = Bench(self.subject, plugin, self.combination)
        other._expressions = self._expressions
        return other

    def another(self) -> Bench:
        """Return a bench for a new plugin that is used in the same way, configured for the build and initialized."""
        return self.of(self.subject.create()).prepare()

    def clone(self) -> Bench:
        """Return a bench for a clone of the plugin."""
        return self.of(self.subject.clone(self.plugin))

    # -- descriptions and data ------------------------------------------------------------------------------

    @property
    def input_types(self) -> list[str]:
        """The inputs' types, as a case names them."""
        return [self.subject.type_name(dtype) for dtype, _ in self.combination.inputs]

    @property
    def output_types(self) -> list[str]:
        """The outputs' types, as a case names them."""
        return [self.subject.type_name(dtype) for dtype, _ in self.combination.outputs]

    def draw(self, shapes: Sequence[Shape], salt: str = "") -> list[npt.NDArray[Any]]:
        """Return input data for the shapes, the same each time; another ``salt`` gives other data."""
        return draw_inputs(self.subject.case, shapes, self.input_types, seed=self.subject.seed, salt=salt)

    def descriptions(
        self, shapes: Sequence[Shape], scale: float = NO_SCALE
    ) -> tuple[list[Description], list[Description]]:
        """Return what describes inputs and outputs at concrete shapes."""
        ins = [self._describe(index, shape, scale) for index, shape in enumerate(shapes)]
        outs = self._output_shapes(shapes)
        return ins, [self._describe(len(ins) + index, shape, scale) for index, shape in enumerate(outs)]

    # -- internals ------------------------------------------------------------------------------------------

    def _configure(self, inputs: list[Bounds], outputs: list[Bounds]) -> Bench:
        with strictly(self.gate):
            trampolines.configure_plugin(self.gate, self.plugin, inputs, outputs)
        return self

    def _profile(self) -> list[tuple[Shape, Shape, Shape]]:
        """Return the least, best and greatest shape of every input and output."""
        inputs = [entry.profile for entry in self.subject.case.inputs]
        low, best, high = (self._output_shapes([profile[corner] for profile in inputs]) for corner in range(3))
        return [*inputs, *zip(low, best, high, strict=True)]

    def _output_shapes(self, shapes: Sequence[Shape]) -> list[Shape]:
        if self._expressions is None:
            self._expressions = self._ask_for_expressions()
        return [allocatable(asked, shapes) for asked in self._expressions]

    def _ask_for_expressions(self) -> list[Asked]:
        """Ask the user's plugin, as a network does once; for what TensorRT made of it, the network has the answer."""
        memory, plugin = self.subject.memory, self.plugin
        is_tensorrts = any(owned.target is plugin for owned in self.gate.owned)
        if not is_tensorrts or "output expressions" not in memory:
            indices = range(len(self.combination.outputs))
            memory["output expressions"] = [ask_output_dimensions(self.subject, plugin, index) for index in indices]
        known: list[Asked] = memory["output expressions"]
        return known

    def _describe(self, position: int, dims: Sequence[int], scale: float = NO_SCALE) -> Description:
        dtype, layout = self.combination.forms[position]
        if dtype == self.subject.trt.DataType.INT8:
            scale = self._int8_scale(position)
        return Description(tuple(dims), dtype, layout, scale)

    def _int8_scale(self, position: int) -> float:
        inputs = self.subject.case.inputs
        scales = [entry.scale for entry in inputs if entry.scale is not None]
        if position < len(inputs) and inputs[position].scale is not None:
            return float(inputs[position].scale or 1.0)
        return float(scales[0]) if scales else 1.0

    @contextlib.contextmanager
    def _buffers(
        self,
        inputs: list[Description],
        outputs: list[Description],
        arrays: Sequence[npt.NDArray[Any]],
        workspace: int,
        surroundings: Surroundings,
    ) -> Iterator[_Buffers]:
        buffers = self._allocate(inputs, outputs, arrays, workspace, surroundings)
        try:
            yield buffers
        finally:
            for buffer in buffers.by_label.values():
                if not buffer.freed:
                    buffer.free()

    def _allocate(
        self,
        inputs: list[Description],
        outputs: list[Description],
        arrays: Sequence[npt.NDArray[Any]],
        workspace: int,
        surroundings: Surroundings,
    ) -> _Buffers:
        device = self.subject.device
        buffers = _Buffers(
            [device.allocate(formats.nbytes(desc), label=f"inputs[{i}]") for i, desc in enumerate(inputs)],
            [device.allocate(formats.nbytes(desc), label=f"outputs[{i}]") for i, desc in enumerate(outputs)],
            device.allocate(workspace, label="workspace"),
        )
        for buffer, array, desc in zip(buffers.inputs, arrays, inputs, strict=True):
            buffer.write(formats.to_device(array, desc))
        for buffer in (*buffers.outputs, buffers.workspace):
            buffer.fill(surroundings.poison)
        return buffers

    def _enqueue(
        self,
        shapes: tuple[Shape, ...],
        descriptions: tuple[list[Description], list[Description]],
        buffers: _Buffers,
        surroundings: Surroundings,
    ) -> Run:
        device, (ins, outs) = self.subject.device, descriptions
        stream = device.new_stream()
        faults = len(device.faults)
        given = [_bytes(buffer) for buffer in buffers.inputs]
        with leniently(self.gate) as failures, device.recording() as recording:
            for buffer in (*buffers.inputs, *buffers.outputs, buffers.workspace):
                device.note(buffer.address, buffer.nbytes, "write", stream.handle)  # what was put there came late
            self._call(descriptions, buffers, surroundings, stream.handle)
            for buffer in buffers.outputs:
                device.note(buffer.address, buffer.nbytes, "read", stream.handle)  # as the next layer would
        stream.synchronize()
        if failures and (not surroundings.lenient or isinstance(failures[0].error, NeedsGpu)):
            raise_for(failures[0])
        raw = [_bytes(buffer) for buffer in buffers.outputs]
        return Run(
            shapes=shapes,
            inputs=[formats.from_device(data, desc) for data, desc in zip(given, ins, strict=True)],
            outputs=[formats.from_device(data, desc) for data, desc in zip(raw, outs, strict=True)],
            raw_outputs=raw,
            changed_inputs=[
                i for i, (b, data) in enumerate(zip(buffers.inputs, given, strict=True)) if _changed(b, data)
            ],
            damage=[(label, hurt) for label, buffer in buffers.by_label.items() for hurt in buffer.damage()],
            faults=device.faults[faults:],
            recording=recording,
            stream=stream.handle,
            workspace=buffers.workspace.nbytes,
            freed=[label for label, buffer in buffers.by_label.items() if buffer.freed],
            mishap=mishap_of(failures[0]) if failures else None,
        )

    def _call(
        self,
        descriptions: tuple[list[Description], list[Description]],
        buffers: _Buffers,
        surroundings: Surroundings,
        stream: int,
    ) -> None:
        trampolines.enqueue(
            self.gate,
            self.plugin,
            *descriptions,
            [_address(buffer, null=surroundings.null_when_empty) for buffer in buffers.inputs],
            [_address(buffer, null=surroundings.null_when_empty) for buffer in buffers.outputs],
            _address(buffers.workspace, null=surroundings.null_workspace),
            stream,
        )


@dataclasses.dataclass(frozen=True)
class _Buffers:
    inputs: list[HostBuffer]
    outputs: list[HostBuffer]
    workspace: HostBuffer

    @property
    def by_label(self) -> dict[str, HostBuffer]:
        return {buffer.label: buffer for buffer in (*self.inputs, *self.outputs, self.workspace)}

    def moved(self, others: _Buffers, labels: tuple[str, ...]) -> _Buffers:
        """Return these buffers with the ``others`` in place of those whose labels begin so, or which are freed."""

        def chosen(mine: HostBuffer, other: HostBuffer) -> HostBuffer:
            if not mine.label.startswith(labels) and not mine.freed:
                return mine
            if not mine.freed:
                mine.free()
            return other

        return _Buffers(
            [chosen(*pair) for pair in zip(self.inputs, others.inputs, strict=True)],
            [chosen(*pair) for pair in zip(self.outputs, others.outputs, strict=True)],
            chosen(self.workspace, others.workspace),
        )


def fresh_bench(subject: Subject, combination: Combination | None = None) -> Bench:
    """Return a bench for a new plugin, configured for the build and initialized."""
    return Bench(subject, subject.create(), combination).prepare()


def oracle_outputs(subject: Subject, run: Run) -> list[npt.NDArray[Any]]:
    """Return what the case's reference computes from the run's inputs.

    Raises:
        NotRun: The case has no reference, or it failed.
    """
    return reference_outputs(subject.case, run.inputs)


def _sentences(faults: Sequence[Fault], *kinds: FaultKind) -> list[str]:
    return [fault.sentence for fault in faults if fault.kind in kinds]


def _exact(desc: Description) -> Bounds:
    return Bounds(desc, desc.dims, desc.dims, desc.dims)


def _address(buffer: HostBuffer, *, null: bool) -> int:
    return 0 if null and buffer.nbytes == 0 else buffer.address


def _changed(buffer: HostBuffer, data: bytes) -> bool:
    return not buffer.freed and _bytes(buffer) != data


def _bytes(buffer: HostBuffer) -> bytes:
    return bytes(buffer.nbytes) if buffer.freed else bytes(buffer.read(np.uint8, buffer.nbytes))
