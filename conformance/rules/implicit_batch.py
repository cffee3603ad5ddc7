"""V2L: the implicit-batch interfaces IPluginV2, IPluginV2Ext and IPluginV2IOExt."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import structs

from conformance.prerequisites import RUNS
from conformance.sources import plugins
from harness.checks.observation.host_fallback import ACCESSES, hand_over
from harness.checks.observation.telling import shown
from harness.checks.observation.tracking import growth_since, holdings
from harness.checks.observation.watching import OutcomeLog, observing
from harness.checks.observation.whole_number import whole_number
from harness.checks.running.driver import DEFAULT_TACTIC, Driver, fresh_driver
from harness.checks.running.runs import LENIENT, deviation
from harness.checks.sampling.oracle import reference_outputs
from harness.checks.sampling.sampling import best_shapes, corner_shapes, sample_shapes
from harness.checks.shapes.shapes import output_indices
from harness.checks.shapes.sharing import (
    Sharing,
    broadcasts_output,
    detach,
    item_shape,
    own_methods,
    reads_one_item,
    sharings,
)
from harness.contract.finding import Finding, NotApplicable, NotRun, Violation, check
from harness.contract.language import PYTHON
from harness.contract.rule import BROADCASTING, IMPLICIT_BATCH, Interface, Severity, rule
from harness.subject.calling import Fault, leniently, stop_for_want_of_a_gpu, strictly

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.checks.running.driver import Run
    from harness.subject.subject import Subject

COUNTED = frozenset({"ID-007"})
#: The methods that TensorRT never calls on plugins of an interface, because another method replaces them.
OBSOLETE = {
    Interface.V2_EXT: ("configure_with_format",),
    Interface.V2_IO_EXT: ("configure_with_format", "supports_format"),
    Interface.V2_DYNAMIC: ("configure_with_format", "supports_format", "get_output_shape", "execute_async"),
}


@rule("V2L-001", level=1, source=plugins.ITEM_SHAPE, interfaces=IMPLICIT_BATCH, requires=COUNTED | {"SHP-002"})
def output_shapes_are_those_of_one_item(subject: Subject) -> Iterator[Finding]:
    """``get_output_shape`` returns the shape of one item, without the batch.

    TensorRT adds the batch, also in networks with an explicit batch.
    """
    if subject.case.reference is None:
        raise NotRun("the case has no reference that shows the rank of the outputs")
    driver = Driver(subject, subject.create())
    for shapes in corner_shapes(subject.case):
        expected_outputs = reference_outputs(subject.case, shapes, driver.tensors.draw(shapes))
        for index, array in zip(output_indices(subject, driver.plugin), expected_outputs, strict=False):
            item = item_shape(subject, driver.plugin, index)
            yield check(
                item is not None and len(item) == array.ndim - 1,
                lambda: Violation(
                    what=f"get_output_shape({index}) returned {list(item or ())}",
                    where=f"inputs {[list(shape[1:]) for shape in shapes]}, each without the batch",
                    expected=f"{array.ndim - 1} dimensions, those of one item: the output is {list(array.shape)}",
                    observed=f"{len(item or ())} dimensions, to which TensorRT adds the batch",
                    fix="Return the shape of one item; input_shapes do not have the batch either.",
                ),
            )


@rule("V2L-002", level=1, source=plugins.ITEM_SHAPE_BAD_INDEX, interfaces=IMPLICIT_BATCH, requires=COUNTED)
def missing_outputs_have_no_shape(subject: Subject) -> Iterator[Finding]:
    """``get_output_shape`` returns None for an index that no output has.

    None means the invalid shape. TensorRT takes an exception as the invalid shape, too.
    """
    plugin = subject.create()
    count = len(output_indices(subject, plugin))
    for index in (-1, count):
        shape = item_shape(subject, plugin, index)
        yield check(
            shape is None,
            lambda: Violation(
                what=f"get_output_shape({index}) returned {list(shape or ())}",
                where=f"a plugin with {count} outputs",
                expected="None, which means Dims of -1 dimensions",
                observed=f"the shape {list(shape or ())} of an output that does not exist",
                fix="Return None for an index outside of 0 to num_outputs - 1.",
            ),
        )


@rule(
    "V2L-003",
    level=1,
    source=plugins.BROADCAST_READ,
    interfaces=BROADCASTING,
    requires=RUNS | {"ENQ-010", "V2L-004", "V2L-005"},
    owns={"can_broadcast_input_across_batch"},
)
def a_shared_item_gives_what_its_copies_give(subject: Subject) -> Iterator[Finding]:
    """A plugin that can broadcast an input across the batch reads one item for the whole batch.

    The result is the same as with one copy for each element of the batch. If the plugin says that it cannot broadcast,
    TensorRT makes the copies.
    """
    for sharing in _sharings(subject):
        for shapes in sample_shapes(sharing.shared.case, 1):
            driver = fresh_driver(sharing.shared)
            run = driver.run(shapes, conditions=LENIENT)
            run_of_copies = _of_copies(sharing, driver, run)
            unlike = deviation(fresh_driver(sharing.batched), _spread(run, run_of_copies), run_of_copies)
            yield check(
                not unlike,
                lambda: Violation(
                    what=f"the outputs for one shared item of inputs[{sharing.place}] differ from those for its copies",
                    where=f"can_broadcast_input_across_batch({sharing.place}) is True; inputs {list(shapes)}",
                    expected="the outputs for one copy for each element of the batch",
                    observed=unlike,
                    fix="Use its single item for each element of the batch, or return False from the query.",
                ),
            )


@rule(
    "V2L-004",
    level=1,
    source=plugins.BROADCAST_SEMANTIC,
    interfaces=BROADCASTING,
    requires=COUNTED,
    owns={"is_output_broadcast_across_batch"},
)
def broadcast_outputs_do_not_depend_on_copies(subject: Subject) -> Iterator[Finding]:
    """``is_output_broadcast_across_batch`` depends on ``input_is_broadcasted``, not on which inputs TensorRT copies.

    Whether an output is broadcast is a property of the operation. The rule compares the answers where
    ``can_broadcast_input_across_batch`` returns True and where it returns False.
    """
    count = len(subject.case.data_inputs)
    for flags in ([False] * count, [True] * count, *([i == j for j in range(count)] for i in range(count))):
        for index in output_indices(subject, subject.create()):
            answers = [_broadcast_where(subject, index, flags, copied=copied) for copied in (True, False)]
            yield check(
                answers[0] == answers[1],
                lambda: Violation(
                    what="is_output_broadcast_across_batch depends on can_broadcast_input_across_batch",
                    where=f"output {index}, input_is_broadcasted={flags}",
                    expected="one answer for copied and for shared inputs",
                    observed=f"{answers[0]} for copied inputs, {answers[1]} for shared inputs",
                    fix="Answer from output_index and input_is_broadcasted alone.",
                ),
            )


@rule(
    "V2L-005", level=1, source=plugins.BROADCAST_CONFIGURED, interfaces={Interface.V2_EXT}, requires=RUNS | {"ENQ-010"}
)
def what_is_broadcast_is_one_item(subject: Subject) -> Iterator[Finding]:
    """To the plugin, a tensor that ``configure_plugin`` flags as broadcast is a batch of one.

    The memory after its one item belongs to other tensors.
    """
    for sharing in _sharings(subject):
        for shapes in sample_shapes(sharing.shared.case, 1):
            run = fresh_driver(sharing.shared).run(shapes, conditions=LENIENT)
            beyond = [*run.trespasses("inputs"), *run.trespasses("outputs")]
            yield check(
                not beyond,
                lambda: Violation(
                    what="execute_async accessed memory behind the single item of a broadcast tensor",
                    where=f"inputs {list(shapes)}, inputs[{sharing.place}] flagged in input_is_broadcasted",
                    expected="only its one item, for any batch_size",
                    observed="; ".join(beyond),
                    fix="Store input_is_broadcasted and output_is_broadcasted, and use one item of these tensors.",
                ),
            )
    hand_over(subject, ACCESSES)


@rule(
    "V2L-006",
    level=1,
    source=plugins.BROADCAST_BAD_INDEX,
    severity=Severity.WARNING,
    interfaces=BROADCASTING,
)
def missing_inputs_are_not_broadcast(subject: Subject) -> Iterator[Finding]:
    """``can_broadcast_input_across_batch`` returns False for an index that no input has.

    A plugin that returns True for any index does not check which inputs it can broadcast.
    """
    plugin, count = subject.create(), len(subject.case.data_inputs)
    for index in (-1, count):
        answer = reads_one_item(subject, plugin, index)
        yield check(
            not answer,
            lambda: Violation(
                what=f"can_broadcast_input_across_batch({index}) returned True",
                where=f"a plugin with {count} inputs in this case",
                expected="False",
                observed="True",
                fix="Return True only for inputs that the plugin has.",
            ),
        )


@rule(
    "V2L-007",
    languages=PYTHON,
    level=1,
    source=plugins.OBSOLETE_METHODS,
    severity=Severity.WARNING,
    interfaces=frozenset(OBSOLETE),
)
def obsolete_methods_are_not_overridden(subject: Subject) -> Iterator[Finding]:
    """The plugin does not override methods that its interface has replaced.

    TensorRT never calls them: ``configure_with_format`` from IPluginV2Ext on, and ``supports_format`` if a query by
    position exists. In IPluginV2DynamicExt these are the methods with fixed shapes and batch sizes.
    """
    own = own_methods(subject.create())
    for name in OBSOLETE[subject.interface]:
        yield check(
            name not in own,
            lambda: Violation(
                what=f"{own[name]} overrides {name}",
                where=f"class {own[name]}, an {subject.interface.value}",
                expected="a method that TensorRT calls",
                observed=f"TensorRT never calls {name} of this plugin",
                fix=f"Move the code of {name} to the method that replaces it in this interface, and remove {name}.",
            ),
        )


@rule(
    "V2L-008",
    level=1,
    source=plugins.CONTEXT_DETACHED,
    interfaces=BROADCASTING,
    requires=RUNS,
    owns={"detach_from_context"},
)
def what_is_attached_is_detached(subject: Subject) -> Iterator[Finding]:
    """``detach_from_context`` releases what ``attach_to_context`` acquired, and the plugin can be attached again.

    A context lends its resources only while it exists.
    """
    shapes = best_shapes(subject.case)
    driver = fresh_driver(subject)
    expected_run = driver.run(shapes)
    _detached(driver)
    before = holdings(subject)
    for _ in range(3):
        driver.configure(shapes)  # this attaches the plugin, too
        _detached(driver)
    grown = growth_since(before, subject)
    unlike = deviation(driver, driver.run(shapes, conditions=LENIENT), expected_run)
    yield check(
        not grown and not unlike,
        lambda: Violation(
            what="a plugin that was detached and attached again differs",
            where="attach_to_context, detach_from_context, three times; then attach_to_context and execute_async",
            expected="the plugin holds as much as before, and gives the same outputs",
            observed=", ".join([*(f"it holds {each} more" for each in grown), *([unlike] if unlike else [])]),
            fix="Release in detach_from_context what attach_to_context acquires, and acquire it anew each time.",
        ),
    )


@rule("V2L-009", level=1, source=plugins.CONTEXT_HANDLES, interfaces=BROADCASTING, owns={"attach_to_context"})
def null_handles_are_accepted(subject: Subject) -> Iterator[Finding]:
    """``attach_to_context`` accepts None for the handles of cuDNN and cuBLAS, and for the allocator.

    TensorRT 10 passes them only on request, and TensorRT 11 never.
    """
    driver = Driver(subject, subject.create()).configure_for_build().initialize()
    with leniently(subject.gate) as failures:
        subject.caller.prepare(subject.gate, driver.plugin, (), (), DEFAULT_TACTIC)
    mine = [failure for failure in failures if failure.method == "attach_to_context"]
    if mine:
        stop_for_want_of_a_gpu(mine[0])
    yield check(
        not mine,
        lambda: Violation(
            what=f"attach_to_context {mine[0].what}",
            where="attach_to_context(None, None, None)",
            expected="attach_to_context returns without handles",
            observed=f"it {mine[0].what}; TensorRT does not notice, and runs a plugin that is not attached",
            fix="Make handles in the plugin if it needs the libraries and gets None.",
        ),
    )


@rule(
    "V2L-011",
    level=1,
    source=plugins.EXECUTE_STATUS,
    interfaces=IMPLICIT_BATCH,
    requires=RUNS,
    owns={Fault.STATUS.of("execute_async")},
)
def execution_returns_zero(subject: Subject) -> Iterator[Finding]:
    """``execute_async`` returns 0 for success.

    TensorRT takes any other result as a failure, and ends the execution.
    """
    log = OutcomeLog("execute_async")
    driver = fresh_driver(subject)
    for shapes in corner_shapes(subject.case):
        with observing(subject.gate, log):
            driver.run(shapes, conditions=LENIENT)
        _, outcome = log.calls.pop()
        if outcome.error is not None or outcome.missing:
            continue  # the rule about results reports it
        yield check(
            whole_number(outcome.value) == 0,
            lambda: Violation(
                what=f"execute_async returned {shown(outcome.value)}",
                where=f"input shapes {list(shapes)}",
                expected="0",
                observed=f"{shown(outcome.value)}, which TensorRT takes as a failure",
                fix="Return 0 on success; raise, or return another number, on failure.",
            ),
        )


def _sharings(subject: Subject) -> Iterator[Sharing]:
    """Yield the inputs that the plugin can broadcast, each with a network that broadcasts it and one that does not."""
    has_sharing = False
    for sharing in sharings(subject):
        with strictly(subject.gate):
            reads = reads_one_item(subject, subject.create(), sharing.place)
        if reads:
            has_sharing = True
            yield sharing
    if not has_sharing:
        raise NotApplicable("the plugin broadcasts no input beside another input that has a batch")


def _of_copies(sharing: Sharing, driver: Driver, run: Run) -> Run:
    """Return the run of a new plugin on the same data, with the item repeated for the batch."""
    batch = max(len(array) for array in run.inputs)
    arrays = [np.repeat(array, batch // len(array), axis=0) for array in run.inputs]
    shapes = [tuple(array.shape) for array in arrays]
    return fresh_driver(sharing.batched, driver.combination).run(shapes, arrays)


def _spread(run: Run, run_of_copies: Run) -> Run:
    """Return a run in which outputs of one item are repeated to the shape of ``run_of_copies``."""
    pairs = zip(run.outputs, run_of_copies.outputs, strict=True)
    outputs = [np.broadcast_to(one, all_.shape) if len(one) == 1 else one for one, all_ in pairs]
    return structs.replace(run, outputs=outputs)


def _broadcast_where(subject: Subject, index: int, flags: list[bool], *, copied: bool) -> bool:
    """Return the plugin's answer whether an output is broadcast, for inputs that TensorRT copies or does not copy."""
    plugin: Any = subject.create()
    try:
        plugin.can_broadcast_input_across_batch = lambda _index: not copied
    except AttributeError as error:
        raise NotRun(f"the plugin's answers cannot be changed: {error}") from error
    with strictly(subject.gate):
        return broadcasts_output(subject, plugin, index, flags)


def _detached(driver: Driver) -> None:
    with strictly(driver.gate):
        detach(driver.subject, driver.plugin)
