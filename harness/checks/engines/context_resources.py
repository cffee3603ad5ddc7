"""Attach plugins to contexts whose allocators and error recorders record each use.

Theory. Each context has a separate ``IPluginResourceContext`` with an allocator and a recorder, which it lends to its
plugin. Each use of them is recorded with the plugin object that is called at that time. Only one object is called at a
time, so that object made the use.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import msgspec

from harness.checks.running.driver import Driver
from harness.checks.running.single_run import LENIENT
from harness.checks.sampling.sampling import best_shapes, other_shapes
from harness.contract.finding import CallbackFailedError, NotApplicable
from harness.subject.calling import leniently, stop_for_want_of_a_gpu, strictly
from reference_runtime import instruments
from reference_runtime.application.allocators import IGpuAllocator
from reference_runtime.application.error_recorder import IErrorRecorder
from reference_runtime.calling.trampolines import v3
from reference_runtime.interfaces.resources import IPluginResourceContext

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.checks.running.driver import Run
    from harness.subject.subject import Subject
    from reference_runtime.calling.gate.gate import Failure
    from reference_runtime.devices.host import HostBuffer, HostDevice
    from reference_runtime.values.enums import ErrorCodeTRT

SOURCE = "the plugin that both were attached from"
CONTEXTS = ("the first context's plugin", "the second context's plugin")


class Use(msgspec.Struct, frozen=True):
    """One use of an object that a context lends.

    Attributes:
        of: The context that lends the object, by the name of its plugin in ``CONTEXTS``.
        by: The plugin object that used it: a name in ``CONTEXTS``, or ``SOURCE``.
        what: The property or method: ``gpu_allocator.allocate``.
        ended: Whether the context was destroyed before.
    """

    of: str
    by: str
    what: str
    ended: bool


class LentAllocator(IGpuAllocator):
    """An allocator of device memory, which records the memory that was not given back.

    A ``short`` allocator never has memory.
    """

    def __init__(self, lent: Lent, device: HostDevice, *, short: bool) -> None:
        super().__init__()
        self._lent = lent
        self._device = device
        self._short = short
        self.allocated: list[HostBuffer] = []
        self.not_ours = 0
        """How often ``deallocate`` was called for memory that this allocator had not allocated, or had freed."""

    def allocate(self, size: int, alignment: int, flags: int) -> int:  # noqa: ARG002 - TensorRT's parameters
        """Return the address of new memory; 0 if the allocator is ``short``."""
        self._lent.note("gpu_allocator.allocate")
        if self._short:
            return 0
        self.allocated.append(self._device.allocate(size, label="memory of the context's allocator"))
        return self.allocated[-1].address

    def allocate_async(self, size: int, alignment: int, flags: int, stream: int) -> int:  # noqa: ARG002
        """Return the address of new memory as :meth:`allocate` does; the stream is ignored."""
        return self.allocate(size, alignment, flags)

    def reallocate(self, address: int, alignment: int, new_size: int) -> int:  # noqa: ARG002
        """Return 0, as an allocator may that cannot resize memory."""
        self._lent.note("gpu_allocator.reallocate")
        return 0

    def deallocate(self, memory: int) -> bool:
        """Free memory; return False if this allocator did not allocate it, or has freed it already. Accept 0."""
        self._lent.note("gpu_allocator.deallocate")
        buffer = next((each for each in self.allocated if each.address == memory and memory), None)
        if buffer is None:
            self.not_ours += bool(memory)
            return not memory
        self.allocated.remove(buffer)
        if not buffer.freed:
            buffer.free()
        return True

    def deallocate_async(self, memory: int, stream: int) -> bool:  # noqa: ARG002 - TensorRT's parameters
        """Free memory as :meth:`deallocate` does; the stream is ignored."""
        return self.deallocate(memory)


class LentRecorder(IErrorRecorder):
    """A recorder of errors without a limit."""

    def __init__(self, lent: Lent) -> None:
        super().__init__()
        self._lent = lent
        self._errors: list[tuple[ErrorCodeTRT, str]] = []

    def get_num_errors(self) -> int:
        """Return the number of errors."""
        return len(self._errors)

    def get_error_code(self, index: int) -> ErrorCodeTRT:
        """Return the code of an error."""
        return self._errors[index][0]

    def get_error_desc(self, index: int) -> str:
        """Return the text of an error."""
        return self._errors[index][1]

    def has_overflowed(self) -> bool:
        """Return False: no error is lost."""
        return False

    def clear(self) -> None:
        """Delete the errors."""
        self._errors.clear()

    def report_error(self, code: ErrorCodeTRT, text: str | None) -> bool:
        """Record an error, and return True."""
        self._lent.note("error_recorder.report_error")
        self._errors.append((code, text or ""))
        return True


class Lent(IPluginResourceContext):
    """The resource context that an execution context lends to the plugin."""

    def __init__(self) -> None:
        raise TypeError("contexts are made by `lent_to`")

    @property
    def gpu_allocator(self) -> LentAllocator | None:
        """The allocator of the context."""
        self.note("gpu_allocator")
        return self.allocator

    @property
    def error_recorder(self) -> LentRecorder | None:
        """The recorder of the context."""
        self.note("error_recorder")
        return self.recorder

    allocator: LentAllocator | None
    recorder: LentRecorder | None
    lender: Lender
    of: str
    ended: bool

    def note(self, what: str) -> None:
        """Record a use of this context, with the plugin object that is being called."""
        self.lender.uses.append(Use(self.of, self.lender.at_work, what, self.ended))


class Lender:
    """Makes the resource contexts, and records their uses.

    Attributes:
        uses: Every use, in order.
        at_work: The plugin object that is being called.
    """

    def __init__(self, device: HostDevice) -> None:
        self.uses: list[Use] = []
        self.at_work = SOURCE
        self._device = device

    @contextlib.contextmanager
    def at(self, who: str) -> Iterator[None]:
        """Record uses in the block as uses by ``who``."""
        before, self.at_work = self.at_work, who
        try:
            yield
        finally:
            self.at_work = before

    def lend(self, of: str, *, allocator: bool = True, recorder: bool = True, short: bool = False) -> Lent:
        """Return a new resource context named ``of``. An allocator that is ``short`` has no memory."""
        lent = instruments.made(Lent)
        lent.lender, lent.of, lent.ended = self, of, False
        lent.allocator = LentAllocator(lent, self._device, short=short) if allocator else None
        lent.recorder = LentRecorder(lent) if recorder else None
        return lent


class TwoContexts(msgspec.Struct):
    """The record of two contexts that run in turn and are destroyed one after the other.

    Attributes:
        driver: A driver of the object that both plugins were attached from.
        uses: Every use of the objects that the contexts lend.
        runs: Four runs: the first context, the second, the first again, and the second after the first's destruction.
        kept: By context, the bytes of its allocator that its plugin had not freed when it was destroyed.
        misgiven: By context, how often its allocator had to free memory that it had not allocated.
    """

    driver: Driver
    uses: list[Use]
    runs: list[Run]
    kept: dict[str, int]
    misgiven: dict[str, int]

    @property
    def allocated(self) -> bool:
        """Return whether the plugin allocated memory from either allocator."""
        return any(use.what == "gpu_allocator.allocate" for use in self.uses)


def two_contexts(subject: Subject) -> TwoContexts:
    """Attach a plugin to two contexts, run them in turn at two shapes, and destroy them one after the other.

    Raises:
        NotApplicable: The plugin does not use the objects that contexts lend.
        CallbackFailedError: A callback failed.
    """
    lender = Lender(subject.device)
    source = Driver(subject, subject.create()).configure_for_build()
    lent = [lender.lend(name) for name in CONTEXTS]
    seen = TwoContexts(source, lender.uses, [], {}, {})
    drivers = []
    for each in lent:
        with lender.at(each.of):
            drivers.append(attached(source, each))
    subject.serialize(source.plugin)
    subject.clone(source.plugin)
    _run_in_turn(seen, lender, drivers)
    for each, driver in zip(lent, drivers, strict=True):
        with lender.at(each.of):
            if seen.kept:
                seen.runs.append(driver.run(seen.runs[1].shapes, conditions=LENIENT))
            _destroy(driver)
        _end(seen, each)
    _destroy(source)
    if not lender.uses:
        raise NotApplicable("the plugin does not use what contexts lend")
    return seen


def _run_in_turn(seen: TwoContexts, lender: Lender, drivers: list[Driver]) -> None:
    """Configure each context for its own shapes; then run the first, the second, and the first again."""
    case, seed = seen.driver.subject.case, seen.driver.subject.seed
    best = best_shapes(case)
    shapes = (best, other_shapes(case, best, seed=seed))
    for place in (0, 1):
        with lender.at(CONTEXTS[place]):
            drivers[place].configure(shapes[place])
    for place in (0, 1, 0):
        with lender.at(CONTEXTS[place]):
            seen.runs.append(drivers[place].enqueue(shapes[place], conditions=LENIENT))


def attached(source: Driver, lent: Lent) -> Driver:
    """Attach the driver's plugin to a context that lends ``lent``, and return a driver of the new object.

    Raises:
        CallbackFailedError: ``attach_to_context`` failed.
    """
    with strictly(source.gate):
        runtime = source.caller.what_runs(source.gate, source.plugin)
        plugin = v3.attach_to_context(source.gate, runtime, lent)
    driver = source.of(plugin)
    driver.source = source.plugin
    return driver


def attempts_with(
    subject: Subject, *, allocator: bool = True, recorder: bool = True, short: bool = False
) -> tuple[list[Failure], Lender]:
    """Attach a plugin to a context without some of its objects, run it, and return the failures and the uses."""
    lender = Lender(subject.device)
    source = Driver(subject, subject.create()).configure_for_build()
    lent = lender.lend(CONTEXTS[0], allocator=allocator, recorder=recorder, short=short)
    with leniently(subject.gate) as failures, contextlib.suppress(CallbackFailedError), lender.at(CONTEXTS[0]):
        driver = attached(source, lent)
        driver.run(best_shapes(subject.case), conditions=LENIENT)
        _destroy(driver)
    for failure in failures:
        stop_for_want_of_a_gpu(failure)
    return failures, lender


def _end(seen: TwoContexts, lent: Lent) -> None:
    """Record the memory of a context's allocator that is not freed, and mark the context as destroyed."""
    allocator = lent.allocator
    seen.kept[lent.of] = sum(buffer.nbytes for buffer in allocator.allocated) if allocator else 0
    seen.misgiven[lent.of] = allocator.not_ours if allocator else 0
    lent.ended = True


def _destroy(driver: Driver) -> None:
    """Destroy the driver's object; other rules report a failure of ``destroy``."""
    driver.caller.destroy(driver.gate, driver.plugin)
