"""Lend execution contexts allocators and error recorders that note each use by a plugin.

Theory. Each context gets a separate ``IPluginResourceContext`` with an allocator and a recorder. Every use of them is
noted with the object at work. A drive calls one object at a time, so that object made the use.
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
    """Hold one use of an object that a context lends.

    Attributes:
        of: Whose it is.
        by: Who used it.
        what: What was used: ``gpu_allocator.allocate``.
        ended: Whether the context was gone by then.
    """

    of: str
    by: str
    what: str
    ended: bool


class LentAllocator(IGpuAllocator):
    """Gives device memory and counts it."""

    def __init__(self, lent: Lent, device: HostDevice, *, short: bool) -> None:
        super().__init__()
        self._lent = lent
        self._device = device
        self._short = short
        self.given: list[HostBuffer] = []
        self.not_ours = 0
        """How often it was given back what it never gave."""

    def allocate(self, size: int, alignment: int, flags: int) -> int:  # noqa: ARG002 - TensorRT's parameters
        """Give memory; 0 where it is short of it."""
        self._lent.note("gpu_allocator.allocate")
        if self._short:
            return 0
        self.given.append(self._device.allocate(size, label="memory of the context's allocator"))
        return self.given[-1].address

    def allocate_async(self, size: int, alignment: int, flags: int, stream: int) -> int:  # noqa: ARG002
        """Give memory in the order of a stream."""
        return self.allocate(size, alignment, flags)

    def reallocate(self, address: int, alignment: int, new_size: int) -> int:  # noqa: ARG002
        """Refuse, as an allocator may that cannot resize."""
        self._lent.note("gpu_allocator.reallocate")
        return 0

    def deallocate(self, memory: int) -> bool:
        """Take memory back; False if this allocator did not give it, or has taken it back already."""
        self._lent.note("gpu_allocator.deallocate")
        ours = [buffer for buffer in self.given if buffer.address == memory and memory]
        if not ours:
            self.not_ours += bool(memory)
            return not memory
        self.given.remove(ours[0])
        if not ours[0].freed:
            ours[0].free()
        return True

    def deallocate_async(self, memory: int, stream: int) -> bool:  # noqa: ARG002 - TensorRT's parameters
        """Take memory back in the order of a stream."""
        return self.deallocate(memory)


class LentRecorder(IErrorRecorder):
    """Keeps what is reported to it."""

    def __init__(self, lent: Lent) -> None:
        super().__init__()
        self._lent = lent
        self._errors: list[tuple[ErrorCodeTRT, str]] = []

    def get_num_errors(self) -> int:
        """Return how many there are."""
        return len(self._errors)

    def get_error_code(self, index: int) -> ErrorCodeTRT:
        """Return the code of one."""
        return self._errors[index][0]

    def get_error_desc(self, index: int) -> str:
        """Return the words of one."""
        return self._errors[index][1]

    def has_overflowed(self) -> bool:
        """Return that none was lost."""
        return False

    def clear(self) -> None:
        """Forget them."""
        self._errors.clear()

    def report_error(self, code: ErrorCodeTRT, text: str | None) -> bool:
        """Keep one."""
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
        """Note a use."""
        self.lender.uses.append(Use(self.of, self.lender.at_work, what, self.ended))


class Lender:
    """Lends to several contexts and knows who is at work."""

    def __init__(self, device: HostDevice) -> None:
        self.uses: list[Use] = []
        self.at_work = SOURCE
        self._device = device

    @contextlib.contextmanager
    def at(self, who: str) -> Iterator[None]:
        """Let ``who`` be at work within."""
        before, self.at_work = self.at_work, who
        try:
            yield
        finally:
            self.at_work = before

    def lend(self, of: str, *, allocator: bool = True, recorder: bool = True, short: bool = False) -> Lent:
        """Return the objects that a context lends; None replaces a missing object."""
        lent = instruments.made(Lent)
        lent.lender, lent.of, lent.ended = self, of, False
        lent.allocator = LentAllocator(lent, self._device, short=short) if allocator else None
        lent.recorder = LentRecorder(lent) if recorder else None
        return lent


class TwoContexts(msgspec.Struct):
    """Two contexts side by side, and the end of one after the other.

    Attributes:
        driver: The object that both were attached from.
        uses: Every use of the objects that they lend.
        runs: What each computed: the first, the second, the first again, and the second once the first was gone.
        kept: By context, the bytes that were not given back when its plugin was gone.
        misgiven: By context, how often its allocator was given what it had not given.
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
    """Attach a plugin to two contexts, run them in turn at two shapes, and end them one after the other.

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
    """Configure both for other shapes; then run the first, the second, and the first again."""
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
    """Return the driver of the plugin that is attached to a context that lends these objects.

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
    """Attach a plugin to a context that may lack something, run it there, and return what failed."""
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
    """Note what a context's allocator has not got back, and end the context."""
    allocator = lent.allocator
    seen.kept[lent.of] = sum(buffer.nbytes for buffer in allocator.given) if allocator else 0
    seen.misgiven[lent.of] = allocator.not_ours if allocator else 0
    lent.ended = True


def _destroy(driver: Driver) -> None:
    """Destroy the object itself; how that fails is for other rules to say."""
    driver.caller.destroy(driver.gate, driver.plugin)
