"""CTX: what an application does with the memory, the streams and the results of execution contexts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.sources import applications as sources
from harness.applications import additions, results, streams
from harness.applications.loans import DEVICE_MEMORY, TENSOR, hazards, loans, of_hazard
from harness.applications.places import of_addresses, of_device_memory
from harness.contract.finding import Finding, Violation, check
from harness.contract.rule import APPLICATIONS, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.applications.application import Application

_EXECUTES_NOTHING = "the application executes no context"


@rule("CTX-006", level=1, source=sources.ADDRESSES, interfaces=APPLICATIONS)
def every_tensor_has_a_place(application: Application) -> Iterator[Finding]:
    """Every input has an address, every output an address or allocator, aligned to 256 bytes and large enough.

    Otherwise the execution fails, or it writes to memory of others. An address inside another buffer is the usual
    reason for a wrong alignment.
    """
    for place in application.occasions(of_addresses(application.trace), _EXECUTES_NOTHING):
        yield check(
            not place.wrong,
            lambda: Violation(
                what=f"{place.name}: {place.wrong}",
                where=f"{place.call.site}, {place.call.shown}",
                expected=place.expected,
                observed=place.wrong,
                fix="Give each tensor separate memory, as large as its shape, at a multiple of 256 bytes.",
            ),
        )


@rule("CTX-007", level=1, source=sources.MEMORY_IN_USE, interfaces=APPLICATIONS)
def memory_is_left_alone_while_it_is_used(application: Application) -> Iterator[Finding]:
    """The application does not free or write inputs and outputs, nor read outputs, before the execution is over.

    ``execute_async_v3`` returns at once. The stream, or for inputs the event of ``set_input_consumed_event``, shows
    when the work is done. Work that the application puts on the same stream comes afterwards anyway.
    """
    hazard_by_loan = hazards(application.trace, TENSOR)
    for loan in application.occasions(iter(loans(application.trace, TENSOR)), _EXECUTES_NOTHING):
        hazard = hazard_by_loan.get(loan)
        yield check(
            hazard is None,
            lambda: Violation(
                what=f"the memory of {loan.name} {hazard.what if hazard else ''}",
                where=of_hazard(loan, hazard),
                expected="the application waits for the stream first, or uses the memory in the stream's order",
                observed="both use the same bytes at the same time: the results are undefined",
                fix="Synchronize the execution's stream before you use its memory, and keep arrays alive until then.",
            ),
        )


@rule("CTX-008", level=1, source=sources.PROFILE_STREAM, interfaces=APPLICATIONS)
def execution_comes_after_the_change_of_profile(application: Application) -> Iterator[Finding]:
    """The stream of an execution waits for the stream on which the profile was changed.

    A change of the profile is work on a stream, like an execution. An execution that does not wait may overtake it.
    """
    for call in application.occasions(
        streams.after_a_switch(application.trace), "no execution follows a change of the profile"
    ):
        yield check(
            call.context.has_switched_before is True,
            lambda: Violation(
                what="an execution does not wait for the change of the profile, which is work on another stream",
                where=f"{call.site}, {call.shown}",
                expected="one stream for both, or a wait for the stream of the change",
                observed="the execution may overtake the change; TensorRT refuses it or computes something undefined",
                fix="Pass the stream of the execution to set_optimization_profile_async, or synchronize that stream.",
            ),
        )


@rule("CTX-009", level=1, source=sources.ONE_STREAM, interfaces=APPLICATIONS)
def a_context_runs_on_one_stream_at_a_time(application: Application) -> Iterator[Finding]:
    """The application does not execute a context while an execution of it on another stream or thread goes on.

    A context has one set of buffers between its layers. For work at the same time, each stream needs a context of
    its own.
    """
    for again in application.occasions(streams.repetitions(application.trace), "no context is executed twice"):
        yield check(
            not again.beside,
            lambda: Violation(
                what=f"{again.call.target} was executed while its execution in {again.earlier.site} may go on",
                where=f"{again.call.site}, {again.call.shown}",
                expected="one stream for a context, or a wait in between; a context for each stream",
                observed=again.beside,
                fix="Create one execution context for each stream or thread.",
            ),
        )


@rule("CTX-011", level=1, source=sources.AUX_STREAMS, interfaces=APPLICATIONS)
def auxiliary_streams_differ(application: Application) -> Iterator[Finding]:
    """Auxiliary streams differ from each other, and none is the default stream.

    Otherwise streams wait for each other for ever.
    """
    for call in application.occasions(
        application.trace.calls("set_aux_streams"), "the application sets no auxiliary streams"
    ):
        wrong = streams.wrong_with_aux_streams(call)
        yield check(
            not wrong,
            lambda: Violation(
                what=f"auxiliary streams: {wrong}",
                where=f"{call.site}, {call.shown}",
                expected="handles of different streams, none of them 0, 1 or 2",
                observed=wrong,
                fix="Create a stream for each auxiliary stream.",
            ),
        )


@rule("CTX-014", level=1, source=sources.EXECUTED, interfaces=APPLICATIONS)
def failed_executions_are_noticed(application: Application) -> Iterator[Finding]:
    """The application does not read the outputs of an execution that failed.

    Only the result of the call says that an execution failed, also if a plugin raised.
    """
    for failed in application.occasions(results.failures(application.trace), "no execution fails"):
        yield check(
            failed.read is None,
            lambda: Violation(
                what=f"the execution failed, and its output {failed.output} was read all the same",
                where=f"{failed.read.site if failed.read else ''}; the execution is {failed.call.site}, "
                f"{failed.call.shown}",
                expected="the application checks the result, and drops the request after False",
                observed=f"it returned {failed.call.result}, and memory was read that it did not write",
                fix="Check the result of execute_async_v3 before you use the outputs.",
            ),
        )


@rule("CTX-015", level=1, source=sources.DEVICE_MEMORY, interfaces=APPLICATIONS)
def device_memory_is_the_contexts_own(application: Application) -> Iterator[Finding]:
    """Device memory of a context is aligned and large enough, and nothing else uses it during an execution.

    Contexts may share memory one after the other, but not while one of them runs.
    """
    for place in application.occasions(of_device_memory(application.trace), "every context has its own device memory"):
        yield check(
            not place.wrong,
            lambda: Violation(
                what=f"device memory: {place.wrong}",
                where=f"{place.call.site}, {place.call.shown}",
                expected=place.expected,
                observed=place.wrong,
                fix="Allocate as many bytes as update_device_memory_size_for_shapes or device_memory_size_v2 returns, "
                "at a multiple of 256 bytes.",
            ),
        )
    hazard_by_loan = hazards(application.trace, DEVICE_MEMORY)
    for loan in loans(application.trace, DEVICE_MEMORY):
        hazard = hazard_by_loan.get(loan)
        yield check(
            hazard is None,
            lambda: Violation(
                what=f"the device memory of {loan.execution.target} {hazard.what if hazard else ''}",
                where=of_hazard(loan, hazard),
                expected="nothing else uses the memory until the stream is synchronized",
                observed="neither waits for the other",
                fix="Give each context its own memory, or let one context wait for the other.",
            ),
        )


@rule("CTX-021", level=1, source=sources.ENDS_FIRST, interfaces=APPLICATIONS)
def plugins_hold_none_of_their_owners(application: Application) -> Iterator[Finding]:
    """No plugin keeps a builder, network, configuration, engine, runtime or context.

    These objects must end in their order, children first. They own the plugin, so an object that the plugin keeps
    cannot end before the plugin.
    """
    plugins = additions.keeping(application.trace)
    for plugin in application.occasions(plugins, "the application adds no plugin to a network that it builds"):
        yield check(
            not plugin.holds,
            lambda: Violation(
                what=f"{plugin.name} keeps {plugin.holds}",
                where=f"{plugin.call.site}, {plugin.call.shown}",
                expected="a plugin keeps the values that it needs, and no object that owns it",
                observed=f"attribute {plugin.holds}: it cannot be destroyed before the plugin is",
                fix="Read the values that the plugin needs when it is made, and keep only those.",
            ),
        )
