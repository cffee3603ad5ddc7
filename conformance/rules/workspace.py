"""WSP: scratch memory, ``get_workspace_size`` and the ``workspace`` that ``enqueue`` is given."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

from msgspec import structs

from conformance.prerequisites import CONFIGURES, REPEATS, RUNS
from conformance.sources import plugins
from harness.checks.formats.choices import case_combinations, chosen_combinations
from harness.checks.formats.formats import accepted_combinations
from harness.checks.formats.recorded_answers import RecordedAnswers
from harness.checks.observation.host_fallback import ACCESSES, hand_over
from harness.checks.observation.resource_use import device_allocations
from harness.checks.observation.telling import shown
from harness.checks.observation.tracking import lasting_growth
from harness.checks.observation.watching import OutcomeLog, observing
from harness.checks.observation.whole_number import whole_number
from harness.checks.running.driver import Driver, fresh_driver
from harness.checks.running.runs import LENIENT, deviation, usual_run
from harness.checks.sampling.sampling import (
    at_one_shape,
    best_shapes,
    corner_shapes,
    is_dynamic,
    sample_shapes,
    shapes_at,
    vast_shapes,
)
from harness.contract.finding import CallbackFailedError, Finding, NotApplicable, NotRun, Violation, check
from harness.contract.rule import CONFIGURED, IMPLICIT_BATCH, VERSION_3, Severity, rule
from harness.subject.calling import attempt, strictly

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from harness.checks.running.driver import Run
    from harness.checks.sampling.sampling import Shapes
    from harness.contract.finding import CallbackFailure
    from harness.subject.subject import Subject

METHOD = "get_workspace_size"
#: Interfaces that are asked for their workspace.
ASKED = CONFIGURED | IMPLICIT_BATCH
#: More bytes than any device has: the address space of a process ends there.
_TOO_MUCH = 1 << 47
#: What scratch memory may happen to hold: zeros, ones in every bit, and two patterns of neither.
CONTENTS = (0x00, 0xFF, 0x7E, 0x3B)


@rule("WSP-001", level=1, source=plugins.WORKSPACE_SIZE, interfaces=ASKED, requires=CONFIGURES)
def size_is_a_whole_number_of_bytes(subject: Subject) -> Iterator[Finding]:
    """The workspace size is a non-negative integer, in bytes, for large tensors as for small ones.

    The bindings turn any other value into 0, or cut its fraction off, without a message. A product in 32 bits is
    negative from 2 GiB on, and small again from 4 GiB on. No device has 2**47 bytes.
    """
    log = OutcomeLog(METHOD)
    driver = Driver(subject, subject.create()).configure_for_build()
    for shapes in sample_shapes(subject.case, 2):
        with observing(subject.gate, log):
            attempt(METHOD, lambda: driver.workspace_size(shapes))
        _, outcome = log.calls.pop()
        if outcome.missing:
            raise NotApplicable(f"{METHOD} is not overridden: the plugin needs no workspace")
        if outcome.error is not None:
            continue
        yield check(
            _is_size(outcome.value),
            lambda: Violation(
                what=f"{METHOD} returned {shown(outcome.value)}, a {type(outcome.value).__name__}",
                where=f"input shapes {list(shapes)}",
                expected="an int of at least 0 and less than 2**47",
                observed=f"{shown(outcome.value)}; the bindings cut a fraction off, and use 0 if it is no number",
                fix="Return an int: the number of bytes, rounded up.",
            ),
        )
    yield from _no_overflow(driver)


def _no_memory(subject: Subject) -> contextlib.AbstractContextManager[None]:
    """Let allocations of a query fail where the device can do that: they may be as large as the tensors."""
    return contextlib.nullcontext() if subject.device.is_asynchronous else subject.device.shortage.after(0)


def _no_overflow(driver: Driver) -> Iterator[Finding]:
    """Yield a finding for each problem whose size does not fit into 32 bits, until the plugin refuses one."""
    if driver.caller.batches:
        return
    growing_shapes = [shapes_at(driver.subject.case, 2), *vast_shapes(driver.subject.case)]
    least = 0
    for shapes in growing_shapes:
        log = OutcomeLog(METHOD)
        with observing(driver.gate, log), _no_memory(driver.subject):
            attempt(METHOD, lambda: driver.workspace_size(shapes))
        size = whole_number(log.calls[-1][1].value) if log.calls else None
        if size is None:
            return  # the plugin refuses such large tensors
        yield check(
            size >= least,
            lambda: Violation(
                what=f"{METHOD} returned {size}, less than for a smaller problem",
                where=f"input shapes {list(shapes)}",
                expected=f"at least the {least} bytes that it returned for smaller dimensions",
                observed=f"{size} bytes, as after an overflow of 32 bits",
                fix="Compute the size in Python integers or in 64 bits.",
            ),
        )
        least = size


@rule("WSP-002", source=plugins.WORKSPACE_ENOUGH, interfaces=CONFIGURED, requires=REPEATS)
def size_is_enough_for_smaller_problems(subject: Subject) -> Iterator[Finding]:
    """The workspace size for some shapes is enough for these shapes and for all smaller ones.

    TensorRT asks for the largest shapes of the profile, and gives that many bytes to every shape that runs.
    """
    largest = shapes_at(subject.case, 2)
    if not subject.case.allows(largest):
        raise NotRun("the largest shapes of the profile are not legal together")
    smaller = [shapes for shapes in sample_shapes(subject.case, 3) if shapes != largest]
    if not smaller:
        raise NotApplicable("the case has one shape only")
    driver = Driver(subject, subject.create()).configure_for_build()
    largest_size = driver.workspace_size(largest)
    driver.initialize()
    conditions = structs.replace(LENIENT, workspace=largest_size)
    for shapes in smaller:
        size = driver.configure(shapes).workspace_size(shapes)
        run = driver.enqueue(shapes, conditions=conditions)
        trespasses = run.trespasses("workspace")
        if run.failure is not None and not trespasses and size <= largest_size:
            raise CallbackFailedError(run.failure)
        yield check(
            size <= largest_size and not trespasses,
            lambda: Violation(
                what=f"a smaller problem needs more workspace than the {largest_size} bytes of the largest",
                where=f"input shapes {list(shapes)}; the largest are {list(largest)}",
                expected=f"at most {largest_size} bytes are needed",
                observed=f"{METHOD} says {size} bytes{''.join(f'; {each}' for each in trespasses)}",
                fix="Compute the size from the descriptors of get_workspace_size, without state of configure_plugin. "
                "Make it an upper bound for all smaller dimensions, with rounding.",
            ),
        )
    hand_over(subject, ACCESSES)


@rule("WSP-003", source=plugins.WORKSPACE_DERIVED, interfaces=CONFIGURED, requires=RUNS)
def enqueue_stays_inside_the_workspace(subject: Subject) -> Iterator[Finding]:
    """``enqueue`` stays inside the workspace that the plugin asked for.

    The memory behind it belongs to other layers.
    """
    driver = fresh_driver(subject)
    for shapes in _shapes_with_workspace(driver):
        run = usual_run(subject, shapes)
        trespasses = run.trespasses("workspace")
        yield check(
            not trespasses,
            lambda: Violation(
                what=f"{METHOD} asked for {run.workspace} bytes, and enqueue accessed memory after them",
                where=f"input shapes {list(shapes)}, a workspace of {run.workspace} bytes",
                expected=f"accesses within the {run.workspace} bytes that {METHOD} asked for",
                observed="; ".join(trespasses),
                fix=f"Return from {METHOD} all bytes that enqueue uses: elements times their size in bytes.",
            ),
        )
    hand_over(subject, ACCESSES)


@rule("WSP-009", level=1, source=plugins.WORKSPACE_OF_A_BATCH, interfaces=IMPLICIT_BATCH, requires=RUNS)
def size_covers_every_batch(subject: Subject) -> Iterator[Finding]:
    """The workspace size for the maximum batch is enough for every batch, and ``execute_async`` stays inside it.

    An engine asks once, when it starts. The memory behind the workspace belongs to other layers.
    """
    for combination in case_combinations(subject, each=1):
        for shapes in sample_shapes(subject.case, subject.sampled(3), seed=subject.seed):
            driver = fresh_driver(subject, combination)
            size = driver.workspace_size(shapes)
            run = driver.run(shapes, conditions=structs.replace(LENIENT, workspace=size))
            trespasses = run.trespasses("workspace")
            again = driver.workspace_size(shapes)
            yield check(
                not trespasses and again == size,
                lambda: Violation(
                    what=f"the {size} bytes of workspace for the greatest batch are not enough",
                    where=f"{combination}, inputs {list(shapes)}",
                    expected=f"accesses within {size} bytes, and the same answer afterwards",
                    observed="; ".join(trespasses) or f"{METHOD} says {again} bytes afterwards",
                    fix=f"Compute in {METHOD} only from max_batch_size and the configured shapes.",
                ),
            )


@rule("WSP-005", source=plugins.WORKSPACE_QUERY, interfaces=ASKED, requires=RUNS)
def asking_for_the_size_changes_nothing(subject: Subject) -> Iterator[Finding]:
    """``get_workspace_size`` has no side effects and can be repeated, also during execution.

    TensorRT may ask at any time, for shapes that never run. The query takes no device memory, not from a
    pool either, and keeps no host memory.
    """
    shapes, others = best_shapes(subject.case), sample_shapes(subject.case, 1)
    driver = fresh_driver(subject).configure(shapes)
    expected_run = usual_run(subject, shapes).insist()
    first = driver.workspace_size(shapes)
    allocated: list[list[str]] = []
    for other in others:
        allocated.append(_allocations(subject, lambda: driver.workspace_size(other)))
        yield check(not allocated[-1], lambda: _side_effect(other, f"it {allocated[-1][0]}"))
        again = driver.workspace_size(shapes)
        yield check(
            again == first,
            lambda: _side_effect(other, f"for {list(shapes)} it says {again} bytes afterwards, and said {first}"),
        )
    if not any(allocated):
        grown = lasting_growth(subject, lambda: _ask_about(driver, others), rounds=2, calls=2)
        yield check(not grown, lambda: _side_effect(others[-1], f"asked again and again, it keeps {', '.join(grown)}"))
    conditions = structs.replace(LENIENT, workspace=first)
    for asked_driver, other in ((driver, others[-1]), (driver.another().configure(shapes), others[0])):
        asked_driver.workspace_size(other)
        unlike = deviation(asked_driver, asked_driver.enqueue(shapes, conditions=conditions), expected_run)
        yield check(not unlike, lambda: _side_effect(other, f"enqueue with {list(shapes)} afterwards: {unlike}"))


@rule("WSP-006", source=plugins.WORKSPACE_DERIVED, interfaces=ASKED, requires=RUNS)
def no_workspace_is_used_where_none_was_asked(subject: Subject) -> Iterator[Finding]:
    """``enqueue`` does not use the workspace pointer if the workspace has 0 bytes.

    TensorRT gives no memory if the plugin asked for none, and the pointer may be null.
    """
    driver = fresh_driver(subject)
    with_workspace = _shapes_with_workspace(driver, needed=False)
    without = [shapes for shapes in sample_shapes(subject.case, 1) if shapes not in with_workspace]
    if not without:
        raise NotApplicable("the plugin asks for workspace at every shape")
    for shapes in without:
        driver = driver.another()
        plenty = driver.run(shapes, conditions=structs.replace(LENIENT, workspace=1 << 16))
        unlike = "" if plenty.failure else deviation(driver, usual_run(subject, shapes), plenty)
        yield check(
            not unlike,
            lambda: Violation(
                what="enqueue uses a workspace, but the plugin asked for none",
                where=f"input shapes {list(shapes)}, a workspace of 0 bytes at the null address",
                expected="the outputs that it computes with a workspace",
                observed=unlike,
                fix=f"Return from {METHOD} the bytes that enqueue uses, or use no workspace.",
            ),
        )


@rule("WSP-007", level=1, source=plugins.WORKSPACE_NOEXCEPT, interfaces=ASKED, requires=CONFIGURES, owns={METHOD})
def size_is_answered_for_every_configuration(subject: Subject) -> Iterator[Finding]:
    """``get_workspace_size`` does not raise.

    The bindings turn an exception into a size of 0, so ``enqueue`` gets no workspace.
    """
    for combination in accepted_combinations(RecordedAnswers(subject), most=subject.sampled(16)):
        driver = Driver(subject, subject.create(), combination).configure_for_build()
        for phase in ("after configuration for the build", "after initialize and configuration for this shape"):
            for shapes in sample_shapes(subject.case, subject.sampled(3)):
                if "initialize" in phase:
                    driver.configure(shapes)
                failure = attempt(METHOD, lambda: driver.workspace_size(shapes))
                where = f"{combination}, input shapes {list(shapes)}, {phase}"
                yield check(failure is None, lambda: _not_answered(where, failure))
            if "initialize" not in phase:
                failure = attempt(METHOD, lambda: _asked_for_the_profile(driver))
                yield check(failure is None, lambda: _not_answered(f"{combination}, the profile's dimensions", failure))
                driver.initialize()


def _not_answered(where: str, failure: CallbackFailure | None) -> Violation:
    return Violation(
        what=f"{METHOD} {failure.how if failure else ''}",
        where=where,
        expected="a number of bytes for every accepted combination and shape, and for dimensions of -1",
        observed=f"it {failure.how}; {failure.becomes}" if failure else "",
        fix="Return a size for every type, format and shape that the plugin accepts; use max if desc.dims holds -1.",
    )


@rule("WSP-008", source=plugins.WORKSPACE_SCRATCH, interfaces=ASKED, requires=REPEATS)
def workspace_holds_nothing(subject: Subject) -> Iterator[Finding]:
    """``enqueue`` expects nothing in the workspace: its first content is arbitrary in every call.

    Between two calls other layers use the same memory.
    """
    driver = fresh_driver(subject)
    for shapes in _shapes_with_workspace(driver):
        driver = driver.another()
        runs = [_two_runs(driver, shapes, content) for content in CONTENTS]
        for number, calls in enumerate(zip(*runs, strict=True), start=1):
            unlike = next(filter(None, (deviation(driver, run, calls[0]) for run in calls)), "")
            yield check(
                not unlike,
                lambda: Violation(
                    what="the result depends on what the workspace held before",
                    where=f"call {number} with input shapes {list(shapes)}, the workspace filled with "
                    f"{', '.join(f'{content:#04x}' for content in CONTENTS)} in turn",
                    expected="the same outputs with any first content",
                    observed=unlike,
                    fix="Write every byte of the workspace before you read it, in every call.",
                ),
            )


@rule(
    "WSP-010",
    source=plugins.WORKSPACE_SCRATCH,
    severity=Severity.WARNING,
    interfaces=ASKED,
    requires=REPEATS,
)
def scratch_memory_comes_from_the_workspace(subject: Subject) -> Iterator[Finding]:
    """``enqueue`` takes scratch memory from the workspace, and allocates none.

    An allocation waits for the device, and TensorRT cannot count that memory. The rule does not judge memory of an
    array library's pool, which keeps it after the first call. Buffers that grow once to the largest shape are also
    accepted.
    """
    driver = fresh_driver(subject)
    for shapes in corner_shapes(subject.case):
        driver.run(shapes)
    for shapes in corner_shapes(subject.case):
        allocations = device_allocations(driver.run(shapes).recording)
        yield check(
            not allocations,
            lambda: Violation(
                what=f"enqueue {allocations[0]}",
                where=f"second call with input shapes {list(shapes)}, others in between",
                expected="no allocation after every shape has run once",
                observed="; ".join(allocations),
                fix=f"Ask for the memory in {METHOD}, and use the workspace argument of enqueue.",
            ),
        )


def _is_size(value: Any) -> bool:
    size = whole_number(value)
    return size is not None and type(value) is not bool and 0 <= size < _TOO_MUCH


def _ask_about(driver: Driver, shapes: Iterable[Shapes]) -> None:
    for each in shapes:
        driver.workspace_size(each)


def _allocations(subject: Subject, ask: Callable[[], object]) -> list[str]:
    """Return in words what a question takes of the device's memory."""
    with subject.device.recording() as recording:
        ask()
    return device_allocations(recording, pooled=True)


def _side_effect(shapes: Shapes, observed: str) -> Violation:
    return Violation(
        what=f"{METHOD} has a side effect",
        where=f"an object that is ready to run, asked for {list(shapes)}",
        expected="the query computes from its arguments, and changes nothing",
        observed=observed,
        fix="Compute the size from the arguments alone; acquire and store nothing in the query.",
    )


def _shapes_with_workspace(driver: Driver, *, needed: bool = True) -> list[Shapes]:
    """Return the sample shapes at which the plugin asks for workspace.

    Raises:
        NotApplicable: There are none, and they are needed.
    """
    shapes_with_workspace = [
        each for each in sample_shapes(driver.subject.case, 1) if driver.configure(each).workspace_size(each)
    ]
    if needed and not shapes_with_workspace:
        raise NotApplicable("the plugin asks for no workspace")
    return shapes_with_workspace


def _two_runs(driver: Driver, shapes: Shapes, content: int) -> list[Run]:
    """Configure once and run twice: the second call may count on data of the first."""
    driver.configure(shapes)
    return [driver.enqueue(shapes, conditions=LENIENT, before=_fill(content)) for _ in range(2)]


def _fill(content: int) -> Callable[[dict[str, Any]], None]:
    def fill(buffers: dict[str, Any]) -> None:
        buffers["workspace"].fill(content)

    return fill


@rule("WSP-004", source=plugins.WORKSPACE_BOUNDS, interfaces=VERSION_3, requires=CONFIGURES | {"WSP-007"})
def workspace_follows_from_the_bounds(subject: Subject) -> Iterator[Finding]:
    """``get_workspace_size`` computes from the maximum dimensions, since ``desc.dims`` may hold -1.

    The workspace must be enough for every shape of the profile, and an engine asks once.
    """
    if not is_dynamic(subject.case):
        raise NotApplicable("the case has no dynamic dimension")
    largest = shapes_at(subject.case, 2)
    if not subject.case.allows(largest):
        raise NotApplicable("the greatest dimensions of the case are not valid together")
    fixed = at_one_shape(subject, largest)
    for combination in chosen_combinations(subject):
        wild, exact = (_workspace_of(Driver(each, each.create(), combination)) for each in (subject, fixed))
        yield check(
            wild >= exact,
            lambda: Violation(
                what=f"{METHOD} returned {wild} for dynamic dimensions",
                where=f"{combination}, desc.dims with -1 and max of {list(largest)}",
                expected=f"at least the {exact} bytes that it returned for the same fixed dimensions",
                observed=f"{wild} bytes: enqueue has too little memory at the greatest shape",
                fix="Compute the size from max, not from opt or desc.dims.",
            ),
        )


def _workspace_of(driver: Driver) -> int:
    """Return what a plugin asks for when it is configured for the whole profile."""
    return _asked_for_the_profile(driver.configure_for_build())


def _asked_for_the_profile(driver: Driver) -> int:
    """Return what a plugin asks for that is configured for the whole profile, with -1 for dynamic dimensions."""
    with strictly(driver.gate):
        return driver.caller.workspace_size(driver.gate, driver.plugin, *driver.tensors.build_bounds())
