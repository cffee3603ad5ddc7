"""CTX: what an application does with execution contexts: profiles, shapes, and the members that it calls.

What concerns memory and streams is in `contexts_memory`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.sources import applications as sources
from harness.applications import profiles, shapes
from harness.applications.old_names import is_of_bindings
from harness.contract.finding import Finding, Violation, judged
from harness.contract.rule import APPLICATIONS, Severity, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.applications.application import Application

_EXECUTES_NOTHING = "the application executes no context"


@rule("CTX-001", level=1, source=sources.PROFILE_FIRST, interfaces=APPLICATIONS)
def profile_is_chosen_before_the_shapes(application: Application) -> Iterator[Finding]:
    """The optimization profile is chosen before input shapes are set.

    A switch to another profile forgets every shape. What was set before it is missing in the execution that follows.
    """
    for switch in application.occasions(shapes.switches(application.trace), "the application chooses no profile"):
        yield judged(
            not switch.lost,
            lambda: Violation(
                what=f"{', '.join(switch.lost)} had shapes set, and then profile {switch.index} was chosen",
                where=f"{switch.call.site}, {switch.call.shown}",
                expected="the profile first, then the shapes",
                observed="the switch forgets the shapes, and the execution that follows lacks them",
                fix="Call set_optimization_profile_async before set_input_shape.",
            ),
        )


@rule("CTX-002", level=1, source=sources.PROFILE_SHAPES, interfaces=APPLICATIONS, requires={"CTX-001"})
def shapes_are_set_again_for_another_profile(application: Application) -> Iterator[Finding]:
    """After a change of the profile every dynamic input gets its shape again before the next execution.

    TensorRT forgets the shapes with the profile that they were set for.
    """
    after = (each for each in shapes.executions(application.trace) if each.switch is not None and each.switch.moves)
    for execution in application.occasions(after, "no execution follows a change of the profile"):
        yield judged(
            not execution.lost,
            lambda: Violation(
                what=f"an execution followed a change of the profile without a shape for {', '.join(execution.lost)}",
                where=f"{execution.call.site}, {execution.call.shown}",
                expected=f"set_input_shape for each of {', '.join(execution.call.context.dynamic)} after the change",
                observed=f"shapes that were set before the change{_at(execution.switch)} are forgotten",
                fix="Set the shapes of all dynamic inputs again whenever the profile changes.",
            ),
        )


@rule("CTX-003", level=1, source=sources.SHAPES_SET, interfaces=APPLICATIONS, requires={"CTX-001", "CTX-002"})
def all_shapes_are_set_before_an_execution(application: Application) -> Iterator[Finding]:
    """Every dynamic input has a shape, and every shape input on the host an address, before an execution.

    ``infer_shapes`` returns the names of those that lack one. The execution fails, and says so in its result alone.
    """
    for execution in application.occasions(shapes.executions(application.trace), _EXECUTES_NOTHING):
        yield judged(
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
    """A shape fits the network and the profile, or the application looks at the result, which says that it does not.

    ``set_input_shape`` returns False and keeps the shape from before: an execution that follows computes something
    else than was asked for.
    """
    for setting in application.occasions(shapes.settings(application.trace), "the application sets no shape"):
        yield judged(
            setting.used_by is None or not setting.call.facts.get("is_discarded"),
            lambda: Violation(
                what=f"the shape of {setting.name} was refused, the result thrown away, and the context executed",
                where=f"{setting.call.site}, {setting.call.shown}",
                expected="the application looks at the result, and does not execute after False",
                observed=f"False, then {setting.used_by.shown if setting.used_by else ''} in "
                f"{setting.used_by.site if setting.used_by else ''}",
                fix="Check what set_input_shape returns, and refuse the request or build a profile that allows it.",
            ),
        )


@rule("CTX-012", level=1, source=sources.UNKNOWN_EXTENTS, interfaces=APPLICATIONS)
def unknown_extents_are_no_sizes(application: Application) -> Iterator[Finding]:
    """Where data decide an extent of an output, -1 is not taken for a size: it has an allocator or enough room.

    The size is known only while the execution runs. Memory of the greatest size, ``get_max_output_size``, will do too.
    """
    unknown = (
        (call, output)
        for call in application.trace.executions
        for output in call.context.outputs
        if output.dims is not None and -1 in output.dims and (output.address or output.allocator)
    )
    for call, output in application.occasions(unknown, "no output that it executes has an extent that data decide"):
        room = output.room.nbytes if output.room is not None else 0
        yield judged(
            output.allocator is not None or (output.nbytes is not None and room >= output.nbytes),
            lambda: Violation(
                what=f"{output.name} has the shape {output.dims}, and its memory has {room} bytes",
                where=f"{call.site}, {call.shown}",
                expected=f"an output allocator for {output.name}, or the {output.nbytes} bytes of get_max_output_size",
                observed="-1 stands for an extent that nobody knows before the execution; it was taken for a size",
                fix="Call set_output_allocator for outputs whose shape has a -1 although all input shapes are set.",
            ),
        )


@rule("CTX-013", level=1, source=sources.SHAPES_TOGETHER, severity=Severity.WARNING, interfaces=APPLICATIONS)
def shapes_that_clash_are_noticed(application: Application) -> Iterator[Finding]:
    """Whether shapes go together is asked before they are executed: each can be allowed, and their combination not.

    ``infer_shapes`` and ``get_tensor_shape`` of an output tell; the execution would fail.
    """
    looked = (
        each
        for each in shapes.executions(application.trace)
        if each.call.context.clash or (each.is_new and each.asked is not None)
    )
    for execution in application.occasions(looked, "its shapes always go together, and it does not ask"):
        clash = execution.call.context.clash
        yield judged(
            not clash,
            lambda: Violation(
                what="a context was executed with shapes that do not go together",
                where=f"{execution.call.site}, {execution.call.shown}",
                expected="infer_shapes() or the shapes of the outputs are looked at before the execution",
                observed=f"{'asked, and ignored' if execution.asked else 'not asked'}: {clash}",
                fix="Call infer_shapes() once all shapes are set, and refuse the request where it raises.",
            ),
        )


@rule("CTX-016", level=1, source=sources.PROFILE_INDEX, interfaces=APPLICATIONS)
def profile_is_one_of_the_engines(application: Application) -> Iterator[Finding]:
    """The number of a profile is at least 0 and less than ``num_optimization_profiles``.

    Another number changes nothing, and raises.
    """
    for switch in application.occasions(shapes.switches(application.trace), "the application chooses no profile"):
        count = switch.call.context.profiles
        yield judged(
            0 <= switch.index < count,
            lambda: Violation(
                what=f"profile {switch.index} was chosen, and the engine has {count}",
                where=f"{switch.call.site}, {switch.call.shown}",
                expected=f"0 to {count - 1}",
                observed=switch.call.error or "the profile stays as it was",
                fix="Profiles count from 0; take the number that add_optimization_profile returned.",
            ),
        )


@rule("CTX-017", level=1, source=sources.MAX_OUTPUT_SIZE, severity=Severity.WARNING, interfaces=APPLICATIONS)
def greatest_size_is_asked_with_shapes(application: Application) -> Iterator[Finding]:
    """``get_max_output_size`` is asked once profile and shapes are set; -1 is no number of bytes.

    Judged is the last answer for each output: who asks again once the shapes are set is right.
    """
    asked = application.trace.calls("get_max_output_size")
    last = {(call.target, call.arguments.get("name")): call for call in asked}
    for call in application.occasions(iter(last.values()), "the application does not ask for the greatest size"):
        yield judged(
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
    """A profile has ``min <= opt <= max`` of one rank, and the network's own extents where those are fixed.

    ``add_optimization_profile`` refuses another order with -1, and a build fails for a profile that does not fit.
    """
    found = profiles.statements(application.trace)
    for statement in application.occasions(found, "the application makes no profile"):
        yield judged(
            not statement.wrong,
            lambda: Violation(
                what=statement.wrong,
                where=f"{statement.call.site}, {statement.call.shown}",
                expected="min <= opt <= max, each of the input's rank, and equal to its fixed extents",
                observed=statement.observed,
                fix="Correct the three shapes of the profile, and look at what add_optimization_profile returns.",
            ),
        )


@rule("CTX-019", level=1, source=sources.HOST_VALUES, severity=Severity.WARNING, interfaces=APPLICATIONS)
def host_values_stay_until_they_are_read(application: Application) -> Iterator[Finding]:
    """The values of a shape input on the host stay what they were when shapes were asked for, until they are executed.

    TensorRT keeps the address and reads the values anew each time: what was allocated for the old values does not fit
    the new ones.
    """
    valued = ((execution, *value) for execution in shapes.executions(application.trace) for value in execution.values)
    for execution, name, before, now in application.occasions(
        valued, "it has no shape input on the host, or asks for no shapes"
    ):
        yield judged(
            before == now,
            lambda: Violation(
                what=f"the values of {name} were {list(before)} when shapes were asked for, {list(now)} when it ran",
                where=f"{execution.call.site}, {execution.call.shown}",
                expected="memory that is neither changed nor freed between the two",
                observed=f"other values at the same address since {execution.asked.site if execution.asked else ''}",
                fix="Keep the array alive and unchanged until the execution, or ask for the shapes again.",
            ),
        )


@rule("CTX-020", level=1, source=sources.BINDING_INDICES, interfaces=APPLICATIONS)
def tensors_are_named_not_numbered(application: Application) -> Iterator[Finding]:
    """No member that takes the number of a binding is used: TensorRT 10 has none of them.

    ``set_binding_shape``, ``get_binding_shape``, ``set_shape_input``, ``execute_async_v2`` and the like are of 8.6.
    """
    ending = application.ending
    is_old = is_of_bindings(ending.owner, ending.attribute)
    named = application.trace.calls("set_input_shape", "set_tensor_address", "execute_async_v3")
    if not is_old:
        for _ in application.occasions(named, "it uses no context"):
            yield Finding()
        return
    yield Finding(
        Violation(
            what=f"{ending.owner}.{ending.attribute} is of TensorRT 8.6",
            where=str(ending.site),
            expected="set_input_shape, set_tensor_address, get_tensor_shape, execute_async_v3, by names of tensors",
            observed=ending.error,
            fix="Name tensors where bindings were numbered; the migration guide lists what takes the place of each.",
        )
    )


def _at(switch: shapes.Switch | None) -> str:
    return "" if switch is None else f" in {switch.call.site}"
