"""CTX: what an application does with execution contexts: profiles, shapes, and the members that it calls.

What concerns memory and streams is in `contexts_memory`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.sources import applications as sources
from harness.applications import profiles, shapes
from harness.applications.old_names import is_of_bindings
from harness.contract.finding import Finding, Violation, check
from harness.contract.rule import APPLICATIONS, Severity, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.applications.application import Application

_EXECUTES_NOTHING = "the application executes no context"


@rule("CTX-001", level=1, source=sources.PROFILE_FIRST, interfaces=APPLICATIONS)
def profile_is_chosen_before_the_shapes(application: Application) -> Iterator[Finding]:
    """The application chooses the optimization profile before it sets input shapes.

    A switch to another profile forgets every shape, so the next execution lacks the shapes that were set before.
    """
    for switch in application.occasions(shapes.switches(application.trace), "the application chooses no profile"):
        yield check(
            not switch.lost,
            lambda: Violation(
                what=f"the application set shapes for {', '.join(switch.lost)}, and then chose profile {switch.index}",
                where=f"{switch.call.site}, {switch.call.shown}",
                expected="the profile first, then the shapes",
                observed="the switch forgets the shapes, and the next execution lacks them",
                fix="Call set_optimization_profile_async before set_input_shape.",
            ),
        )


@rule("CTX-002", level=1, source=sources.PROFILE_SHAPES, interfaces=APPLICATIONS, requires={"CTX-001"})
def shapes_are_set_again_for_another_profile(application: Application) -> Iterator[Finding]:
    """After a change of the profile the application sets the shape of every dynamic input again before it executes.

    TensorRT forgets the shapes together with the profile that they were set for.
    """
    after = (each for each in shapes.executions(application.trace) if each.switch is not None and each.switch.moves)
    for execution in application.occasions(after, "no execution follows a change of the profile"):
        yield check(
            not execution.lost,
            lambda: Violation(
                what=f"an execution followed a change of the profile without a shape for {', '.join(execution.lost)}",
                where=f"{execution.call.site}, {execution.call.shown}",
                expected=f"set_input_shape for each of {', '.join(execution.call.context.dynamic)} after the change",
                observed=f"shapes that were set before the change{_at(execution.switch)} are forgotten",
                fix="Set the shapes of all dynamic inputs again after each change of the profile.",
            ),
        )


@rule("CTX-003", level=1, source=sources.SHAPES_SET, interfaces=APPLICATIONS, requires={"CTX-001", "CTX-002"})
def all_shapes_are_set_before_an_execution(application: Application) -> Iterator[Finding]:
    """Before an execution every dynamic input has a shape, and every shape input on the host has an address.

    Otherwise ``execute_async_v3`` returns False, and raises nothing. ``infer_shapes`` returns the names of the inputs
    that lack a shape or an address.
    """
    for execution in application.occasions(shapes.executions(application.trace), _EXECUTES_NOTHING):
        yield check(
            not execution.unset,
            lambda: Violation(
                what=f"an execution began without a shape or value for {', '.join(execution.unset)}",
                where=f"{execution.call.site}, {execution.call.shown}",
                expected="infer_shapes() returns an empty list before the execution",
                observed=f"{', '.join(execution.unset)} never set since the profile was chosen; the execution fails",
                fix="Call set_input_shape for each dynamic input, and set_tensor_address for each shape input.",
            ),
        )


@rule("CTX-004", level=1, source=sources.SHAPE_IN_PROFILE, interfaces=APPLICATIONS)
def refused_shapes_are_not_run(application: Application) -> Iterator[Finding]:
    """If ``set_input_shape`` returns False, the application does not execute the context with the old shape.

    A refused shape changes nothing in the context: the next execution computes for the old shape.
    """
    for setting in application.occasions(shapes.settings(application.trace), "the application sets no shape"):
        yield check(
            setting.used_by is None or not setting.call.facts.get("is_discarded"),
            lambda: Violation(
                what=f"set_input_shape refused the shape of {setting.name}, and the application executed the context",
                where=f"{setting.call.site}, {setting.call.shown}",
                expected="the application checks the result, and does not execute after False",
                observed=f"False, then {setting.used_by.shown if setting.used_by else ''} in "
                f"{setting.used_by.site if setting.used_by else ''}",
                fix="Check what set_input_shape returns, and refuse the request or build a profile that allows it.",
            ),
        )


@rule("CTX-012", level=1, source=sources.UNKNOWN_EXTENTS, interfaces=APPLICATIONS)
def unknown_extents_are_no_sizes(application: Application) -> Iterator[Finding]:
    """An output with a data-dependent dimension has an output allocator, or memory for its maximum size.

    The dimension is -1 until the execution has computed it. ``get_max_output_size`` returns the maximum size.
    """
    unknown = (
        (call, output)
        for call in application.trace.executions
        for output in call.context.outputs
        if output.dims is not None and -1 in output.dims and (output.address or output.allocator)
    )
    for call, output in application.occasions(unknown, "no executed output has a data-dependent dimension"):
        room = output.room.nbytes if output.room is not None else 0
        yield check(
            output.allocator is not None or (output.nbytes is not None and room >= output.nbytes),
            lambda: Violation(
                what=f"{output.name} has the shape {output.dims}, and its memory has {room} bytes",
                where=f"{call.site}, {call.shown}",
                expected=f"an output allocator for {output.name}, or the {output.nbytes} bytes of get_max_output_size",
                observed="the application took -1 as a size; the dimension is unknown before the execution",
                fix="Call set_output_allocator for outputs with a -1 in their shape after all input shapes are set.",
            ),
        )


@rule("CTX-013", level=1, source=sources.SHAPES_TOGETHER, severity=Severity.WARNING, interfaces=APPLICATIONS)
def shapes_that_clash_are_noticed(application: Application) -> Iterator[Finding]:
    """The application asks whether its shapes go together before it executes.

    Each shape can be valid, and their combination invalid. ``infer_shapes`` and ``get_tensor_shape`` of an output
    show it; the execution would fail.
    """
    looked = (
        each
        for each in shapes.executions(application.trace)
        if each.call.context.clash or (each.is_new and each.query is not None)
    )
    for execution in application.occasions(looked, "the application's shapes always go together, and it does not ask"):
        clash = execution.call.context.clash
        yield check(
            not clash,
            lambda: Violation(
                what="a context was executed with shapes that do not go together",
                where=f"{execution.call.site}, {execution.call.shown}",
                expected="the application reads infer_shapes() or the shapes of the outputs before the execution",
                observed=f"{'asked, and ignored' if execution.query else 'not asked'}: {clash}",
                fix="Call infer_shapes() once all shapes are set, and refuse the request if it raises.",
            ),
        )


@rule("CTX-016", level=1, source=sources.PROFILE_INDEX, interfaces=APPLICATIONS)
def profile_is_one_of_the_engines(application: Application) -> Iterator[Finding]:
    """A profile index is at least 0 and less than ``num_optimization_profiles``.

    TensorRT refuses any other index, and the profile stays as it was.
    """
    for switch in application.occasions(shapes.switches(application.trace), "the application chooses no profile"):
        count = switch.call.context.profiles
        yield check(
            0 <= switch.index < count,
            lambda: Violation(
                what=f"the application chose profile {switch.index}, but the engine has {count}",
                where=f"{switch.call.site}, {switch.call.shown}",
                expected=f"0 to {count - 1}",
                observed=switch.call.error or "the profile stays as it was",
                fix="Use the index that add_optimization_profile returned; profiles count from 0.",
            ),
        )


@rule("CTX-017", level=1, source=sources.MAX_OUTPUT_SIZE, severity=Severity.WARNING, interfaces=APPLICATIONS)
def greatest_size_is_asked_with_shapes(application: Application) -> Iterator[Finding]:
    """The application calls ``get_max_output_size`` after it sets profile and shapes.

    Before, the answer is -1, which is no size. An earlier call is no defect if the application calls again.
    """
    calls = application.trace.calls("get_max_output_size")
    last = {(call.target, call.arguments.get("name")): call for call in calls}
    for call in application.occasions(iter(last.values()), "the application does not call get_max_output_size"):
        yield check(
            call.result != -1,
            lambda: Violation(
                what=f"get_max_output_size({call.arguments.get('name')!r}) was -1, and was not asked again",
                where=f"{call.site}, {call.shown}",
                expected="a call after the shapes of all inputs were set",
                observed=f"-1: {', '.join(call.context.missing) or call.arguments.get('name')} not known then",
                fix="Choose the profile and set the shapes first, then ask for the size.",
            ),
        )


@rule("CTX-018", level=1, source=sources.PROFILE_BOUNDS, interfaces=APPLICATIONS)
def profiles_are_in_order(application: Application) -> Iterator[Finding]:
    """A profile has ``min <= opt <= max`` of one rank, and the network's own dimensions where those are fixed.

    ``add_optimization_profile`` refuses another order with -1, and a build fails for a profile that does not fit.
    """
    statements = profiles.statements(application.trace)
    for statement in application.occasions(statements, "the application makes no profile"):
        yield check(
            not statement.wrong,
            lambda: Violation(
                what=statement.wrong,
                where=f"{statement.call.site}, {statement.call.shown}",
                expected="min <= opt <= max, each of the input's rank, and equal to its fixed dimensions",
                observed=statement.observed,
                fix="Correct the three shapes of the profile, and check the result of add_optimization_profile.",
            ),
        )


@rule("CTX-019", level=1, source=sources.HOST_VALUES, severity=Severity.WARNING, interfaces=APPLICATIONS)
def host_values_stay_until_they_are_read(application: Application) -> Iterator[Finding]:
    """The values of a shape input on the host do not change between the query for shapes and the execution.

    TensorRT keeps the address and reads the values anew each time. Memory that was allocated for the old values
    does not fit the new values.
    """
    valued = ((execution, *value) for execution in shapes.executions(application.trace) for value in execution.values)
    for execution, name, before, now in application.occasions(
        valued, "the application has no shape input on the host, or asks for no shapes"
    ):
        yield check(
            before == now,
            lambda: Violation(
                what=f"the values of {name} were {list(before)} when shapes were asked for, {list(now)} when it ran",
                where=f"{execution.call.site}, {execution.call.shown}",
                expected="the application neither changes nor frees the memory between the two",
                observed=f"other values at the same address since {execution.query.site if execution.query else ''}",
                fix="Keep the array alive and unchanged until the execution, or ask for the shapes again.",
            ),
        )


@rule("CTX-020", level=1, source=sources.BINDING_INDICES, interfaces=APPLICATIONS)
def tensors_are_named_not_numbered(application: Application) -> Iterator[Finding]:
    """The application addresses tensors by name: TensorRT 10 has no methods for binding numbers.

    Only TensorRT 8.6 has ``set_binding_shape``, ``get_binding_shape``, ``set_shape_input``, ``execute_async_v2`` and
    similar members. In later versions they raise AttributeError.
    """
    ending = application.ending
    is_old = is_of_bindings(ending.owner, ending.attribute)
    named = application.trace.calls("set_input_shape", "set_tensor_address", "execute_async_v3")
    if not is_old:
        for _ in application.occasions(named, "the application uses no context"):
            yield Finding()
        return
    yield Finding(
        Violation(
            what=f"{ending.owner}.{ending.attribute} exists only in TensorRT 8.6",
            where=str(ending.site),
            expected="set_input_shape, set_tensor_address, get_tensor_shape, execute_async_v3, by names of tensors",
            observed=ending.error,
            fix="Use names of tensors in place of numbers; the migration guide lists each replacement.",
        )
    )


def _at(switch: shapes.Switch | None) -> str:
    return "" if switch is None else f" in {switch.call.site}"
