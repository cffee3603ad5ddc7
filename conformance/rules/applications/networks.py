"""NET and ALI: how an application puts plugins into networks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.sources import applications as sources
from harness.applications import additions, results
from harness.contract.finding import Finding, Violation, check
from harness.contract.rule import APPLICATIONS, Severity, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.applications.application import Application

_LAYER = frozenset(
    {
        "get_input",
        "get_output",
        "get_output_type",
        "metadata",
        "name",
        "num_inputs",
        "num_outputs",
        "plugin",
        "precision",
        "set_output_type",
        "type",
    }
)


@rule("NET-001", level=1, source=sources.WILDCARDS, interfaces=APPLICATIONS)
def wildcards_go_with_dynamic_plugins(application: Application) -> Iterator[Finding]:
    """A plugin whose inputs have dimensions of -1 is an IPluginV2DynamicExt or an IPluginV3.

    The older interfaces state their shapes in numbers, so the network refuses the layer.
    """
    dynamic = (each for each in additions.of_version_2(application.trace) if each.facts.wildcards)
    for added in application.occasions(dynamic, "no plugin of version 2 has an input with dynamic dimensions"):
        yield check(
            added.facts.is_dynamic,
            lambda: Violation(
                what=f"a {added.facts.plugin}, which has fixed shapes only, was given inputs of dynamic shapes",
                where=f"{added.call.site}, {added.call.shown}",
                expected="an IPluginV2DynamicExt or IPluginV3",
                observed=f"dimensions of -1 in {', '.join(added.facts.wildcards)}",
                fix="Derive the plugin from IPluginV3, or give every input its full shape.",
            ),
        )


@rule("NET-002", level=1, source=sources.SHAPE_INPUTS, interfaces=APPLICATIONS)
def shape_inputs_are_a_list_of_their_own(application: Application) -> Iterator[Finding]:
    """``add_plugin_v3`` gets data inputs in its first list, and inputs whose values decide shapes in its second.

    An input in the wrong list reaches the plugin as an argument of the wrong kind.
    """
    for added in application.occasions(additions.of_version_3(application.trace), "the application adds no IPluginV3"):
        yield check(
            not added.mixed_up,
            lambda: Violation(
                what=added.mixed_up,
                where=f"{added.call.site}, {added.call.shown}",
                expected="add_plugin_v3(inputs=[data...], shape_inputs=[values that decide shapes...], plugin)",
                observed=added.mixed_up,
                fix="Pass in shape_inputs what get_output_shapes reads as values, and the other tensors in inputs.",
            ),
        )


@rule("NET-003", level=1, source=sources.LAYER_RESULT, severity=Severity.WARNING, interfaces=APPLICATIONS)
def refused_layers_are_noticed(application: Application) -> Iterator[Finding]:
    """The application checks the layer for None before it uses it.

    TensorRT returns None for a layer that it refuses.
    """
    nothings = results.nothings(application, results.ADDITIONS, _LAYER)
    for nothing in application.occasions(nothings, "no plugin layer is refused"):
        yield check(
            not nothing.ended,
            lambda: Violation(
                what=f"{nothing.call.member} returned None, and the application used it as a layer",
                where=f"{nothing.call.site}, {nothing.call.shown}",
                expected="the application checks the result, and names the refused plugin in an error",
                observed=nothing.ended,
                fix="Check the layer for None before you use its outputs; TensorRT's log has the reason.",
            ),
        )


@rule("NET-007", level=1, source=sources.INT32_INPUTS, severity=Severity.WARNING, interfaces=APPLICATIONS)
def plugins_of_version_2_have_no_int32_inputs(application: Application) -> Iterator[Finding]:
    """``add_plugin_v2`` gets no INT32 input.

    One header says that INT32 inputs are not valid, another says that they are.
    """
    for added in application.occasions(
        additions.of_version_2(application.trace), "the application adds no plugin of version 2"
    ):
        names = [tensor.name for tensor in added.facts.inputs if tensor.dtype == "INT32"]
        yield check(
            not names,
            lambda: Violation(
                what=f"{', '.join(names)} of type INT32 given to {added.facts.plugin} by add_plugin_v2",
                where=f"{added.call.site}, {added.call.shown}",
                expected="inputs of other types, or an IPluginV3",
                observed="INT32, which addPluginV2's comment does not allow",
                fix="Make the plugin an IPluginV3, or test the engine with each version of TensorRT that it is for.",
            ),
        )


@rule("NET-008", level=1, source=sources.BUILD_PHASE, interfaces=APPLICATIONS)
def plugins_for_the_runtime_are_not_built(application: Application) -> Iterator[Finding]:
    """A plugin that is added to a network has the BUILD capability: it was not made for the runtime phase.

    ``create_plugin`` with ``TensorRTPhase.RUNTIME`` may return an object without the build capability.
    """
    for added in application.occasions(additions.of_version_3(application.trace), "the application adds no IPluginV3"):
        yield check(
            not added.lacks_build,
            lambda: Violation(
                what=f"a {added.facts.plugin} without the build capability was added to a network",
                where=f"{added.call.site}, {added.call.shown}",
                expected="create_plugin(name, fields, trt.TensorRTPhase.BUILD)",
                observed="get_capability_interface(BUILD) gave None, and the layer is refused",
                fix="Create plugins for a network with trt.TensorRTPhase.BUILD.",
            ),
        )


@rule("ALI-008", level=1, source=sources.ALIASED_BY_ONE, severity=Severity.WARNING, interfaces=APPLICATIONS)
def one_plugin_writes_to_a_tensor_in_place(application: Application) -> Iterator[Finding]:
    """At most one plugin of a network aliases a tensor.

    Two plugins that change one tensor may change different copies of it.
    """
    tensors_in_place = (
        (call, aliased) for call in application.trace.calls() for aliased in call.facts.get("aliases", ())
    )
    for call, aliased in application.occasions(
        tensors_in_place, "no plugin of the application's networks works in place"
    ):
        yield check(
            len(aliased.layers) == 1,
            lambda: Violation(
                what=f"{len(aliased.layers)} plugins work in place on {aliased.tensor}",
                where=f"{call.site}, {call.shown}",
                expected="one layer that aliases a tensor",
                observed=f"layers {', '.join(aliased.layers)}",
                fix="Connect the second layer to the output of the first, or to a copy of the tensor.",
            ),
        )
