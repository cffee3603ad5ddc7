"""Runtimes that break REF-001 to REF-016: each puts a wrong function in the place of one of the runtime's.

They keep everything else, so that a check that catches one has seen the very obligation. Long: one function for each.
"""

from __future__ import annotations

from msgspec.structs import replace

from reference_runtime.application import allocators
from reference_runtime.builder import copies, formats, tactics_v3, work
from reference_runtime.builder.layer_timing import LayerTiming
from reference_runtime.builder.layers import v2 as layers_v2
from reference_runtime.builder.layers import v3 as layers_v3
from reference_runtime.calling.adapters import creators
from reference_runtime.calling.adapters.version_2 import Version2
from reference_runtime.calling.adapters.version_3 import Version3, Version3Copy
from reference_runtime.calling.gate.gate import Phase
from reference_runtime.calling.gate.scheduler import Scheduler
from reference_runtime.calling.lifecycle.table import Call
from reference_runtime.calling.lifecycle.v3 import V3
from reference_runtime.calling.trampolines import v2, v3
from reference_runtime.engine.context import live_context
from reference_runtime.engine.context.context import IExecutionContext
from reference_runtime.engine.context.shapes import ContextShapes
from reference_runtime.interfaces.field_collections import PluginField
from reference_runtime.interfaces.resources import new_resource_context
from reference_runtime.registry.shared_resources import SharedResources
from reference_runtime.shapes import expression_nodes
from reference_runtime.values import formats as layouts
from reference_runtime.values import precision
from reference_runtime.values.enums import DataType, TensorFormat
from reference_runtime.values.refusals import Refused
from tests.support.runtime.recording_v3 import RecorderV3


def later_entries_are_valid(patch):
    def supports(_self, gate, capabilities, settled, bounds, num_inputs):
        in_out = [*settled, *[settled[-1]] * (len(bounds) - len(settled))]
        return v2.supports_format_combination(gate, capabilities.build, len(settled) - 1, in_out, num_inputs)

    patch.setattr(Version2, "supports", supports)


def later_entries_of_version_3_are_valid(patch):
    def supports(_self, gate, capabilities, settled, bounds, num_inputs):
        in_out = [replace(each, desc=desc) for desc, each in zip(settled, bounds, strict=False)]
        in_out += [in_out[-1]] * (len(bounds) - len(in_out))
        return v3.supports_format_combination(gate, capabilities.build, len(settled) - 1, in_out, num_inputs)

    patch.setattr(Version3, "supports", supports)


def the_limit_does_not_count(patch):
    search = formats.accepted_combinations
    patch.setattr(formats, "accepted_combinations", lambda *given, limit=0: search(*given, limit=limit + 20))


def _configured(patch, interface, change, phase):
    right = interface.configure_plugin

    def configure(gate, plugin, inputs, outputs):
        if gate.phase is phase:
            inputs, outputs = ([change(tensor) for tensor in side] for side in (inputs, outputs))
        return right(gate, plugin, inputs, outputs)

    patch.setattr(interface, "configure_plugin", configure)


def _with_best_extents(bounds):
    return replace(bounds, desc=bounds.desc.sized(bounds.opt))


def best_extents_in_the_build_phase(patch):
    _configured(patch, v2, _with_best_extents, Phase.CONFIGURATION)


def best_extents_in_the_build_phase_of_version_3(patch):
    _configured(patch, v3, _with_best_extents, Phase.CONFIGURATION)


def bounds_of_the_first_profile_for_all(patch):
    patch.setattr(
        LayerTiming, "profiles", property(lambda self: [[self.points[0].ranges[one] for one in self.tensors]] * 2)
    )


def configuring_when_a_shape_is_set(patch):
    right = IExecutionContext.set_input_shape
    seen = []
    configure = v2.configure_plugin

    def remembering(gate, plugin, inputs, outputs):
        seen.append((gate, plugin, inputs, outputs))
        configure(gate, plugin, inputs, outputs)

    def set_input_shape(self, name, shape):
        if seen and seen[-1][0].phase is not Phase.DESTRUCTION and seen[-1][0].owned[-1].phase is Phase.CONTEXT:
            gate, _, inputs, outputs = seen[-1]
            configure(gate, gate.owned[-1].target, inputs, outputs)
        return right(self, name, shape)

    patch.setattr(v2, "configure_plugin", remembering)
    patch.setattr(IExecutionContext, "set_input_shape", set_input_shape)


def initializing_before_configuring(patch):
    right = layers_v2._cycle

    def cycle(timing, plugin, combination):
        with timing.gate.during(Phase.TIMING):
            v2.initialize(timing.gate, plugin)
            v2.terminate(timing.gate, plugin)
        right(timing, plugin, combination)

    patch.setattr(layers_v2, "_cycle", cycle)


def _shape_change_unless(patch, skipped):
    right = v3.on_shape_change
    told = []

    def on_shape_change(gate, runtime, inputs, outputs):
        told.append(gate.name_of(runtime))
        if gate.phase is Phase.EXECUTION and skipped(gate.name_of(runtime), told):
            gate.advance(runtime, Call.ON_SHAPE_CHANGE, V3)
            return v3.SUCCESS
        return right(gate, runtime, inputs, outputs)

    patch.setattr(v3, "on_shape_change", on_shape_change)


def no_shape_change_for_the_second_context(patch):
    contexts = []

    def skipped(name, _told):
        if name not in contexts:
            contexts.append(name)
        return contexts.index(name) > 0

    _shape_change_unless(patch, skipped)


def no_shape_change_when_an_input_moves(patch):
    patch.setattr(Version3Copy, "watches_addresses", False)


def tactics_before_configuration(patch):
    right = tactics_v3._configure

    def configure(timing, copy, described):
        v3.get_valid_tactics(timing.gate, copy.capabilities.build)
        return right(timing, copy, described)

    patch.setattr(tactics_v3, "_configure", configure)


def workspace_of_what_was_configured_before(patch):
    right, shown = v3.get_workspace_size, []

    def get_workspace_size(gate, build, inputs, outputs):
        shown.append((inputs, outputs))
        return right(gate, build, *shown[-2:][0])

    patch.setattr(v3, "get_workspace_size", get_workspace_size)


def the_first_tactic_alone_is_timed(patch):
    right = layers_v3._timed
    patch.setattr(
        layers_v3, "_timed", lambda work, layer, timing, offered, size: right(work, layer, timing, offered[:1], size)
    )


def the_default_tactic_is_not_set(patch):
    right = v3.set_tactic

    def set_tactic(gate, runtime, tactic):
        if tactic == 0:
            gate.advance(runtime, Call.SET_TACTIC, V3)
            return v3.SUCCESS
        return right(gate, runtime, tactic)

    patch.setattr(v3, "set_tactic", set_tactic)


def one_resource_context_for_all(patch):
    shared = new_resource_context()
    patch.setattr(live_context, "new_resource_context", lambda *_: shared)
    patch.setattr(live_context, "end_resource_context", lambda _: None)


def initializing_the_contexts_clone(patch):
    right = v2.clone

    def clone(gate, plugin):
        copy = right(gate, plugin)
        if gate.phase is Phase.CONTEXT:
            copy.initialize()
        return copy

    patch.setattr(v2, "clone", clone)


def live_fields_for_the_engine(patch):
    lent = {}
    right = RecorderV3.get_fields_to_serialize

    def get_fields_to_serialize(self):
        fields = right(self)
        lent.update(zip(("counts", "factor"), self.kept, strict=True))
        return fields

    patch.setattr(RecorderV3, "get_fields_to_serialize", get_fields_to_serialize)
    patch.setattr(creators, "_field", lambda saved: PluginField(saved.name, lent[saved.name], saved.type))


def builders_plugins_that_stay(patch):
    patch.setattr(copies, "destroy", lambda _gate, _kept: None)


def contexts_without_a_profile(patch):
    right = ContextShapes.__init__

    def start(self, engine):
        right(self, engine)
        self.profile = -1

    patch.setattr(ContextShapes, "__init__", start)


def truncating_division(patch):
    patch.setitem(expression_nodes.ARITHMETIC, "FLOOR_DIV", lambda one, other: int(one / other))


def a_configuration_that_fails_ends_the_build(patch):
    right = v2.configure_plugin

    def configure(gate, plugin, inputs, outputs):
        right(gate, plugin, inputs, outputs)
        if gate.failures:
            raise Refused("the plugin could not be configured")

    patch.setattr(v2, "configure_plugin", configure)


def failures_that_nobody_records(patch):
    patch.setattr("reference_runtime.calling.gate.gate.Gate.fail", lambda *_given, **_more: None)


def half_in_a_weakly_typed_network(patch):
    patch.setattr("reference_runtime.network.public.plugin_layers.canonical", lambda dtype: dtype)
    patch.setattr("reference_runtime.builder.analysis.canonical", lambda dtype: dtype)


def chw4_with_fp32(patch):
    right = layouts._LAYOUTS[TensorFormat.CHW4]
    patch.setitem(layouts._LAYOUTS, TensorFormat.CHW4, replace(right, types=right.types | {DataType.FLOAT}))


def layouts_without_padding(patch):
    right = layouts.to_device

    def to_device(array, desc):
        return right(array, desc)[: array.size * layouts.itemsize(desc.type)]

    patch.setattr(layouts, "to_device", to_device)


def cloning_on_every_acquire(patch):
    right = SharedResources.acquire

    def acquire(self, gate, key, resource):
        first = right(self, gate, key, resource)
        resource.clone()
        return first

    patch.setattr(SharedResources, "acquire", acquire)


def one_order_for_all_seeds(patch):
    patch.setattr(Scheduler, "_draw", lambda _self, _what, _below: 0)


def an_order_that_does_not_replay(patch):
    drawn = []

    def draw(_self, _what, below):
        drawn.append(below)
        return len(drawn) * 7 // 3 % below

    patch.setattr(Scheduler, "_draw", draw)


def no_scale_is_0(patch):
    def scale_of(dtype, dynamic_range):
        return precision.scale_of(dtype, dynamic_range) if dtype == DataType.INT8 else 0.0

    patch.setattr(formats, "scale_of", scale_of)
    patch.setattr(work, "scale_of", scale_of)


def requests_of_0_bytes(patch):
    right = allocators.reallocate_output

    def reallocate(gate, allocator, name, memory, _size, *more):
        return right(gate, allocator, name, memory, 0, *more)

    patch.setattr(allocators, "reallocate_output", reallocate)


def a_workspace_that_is_too_small(patch):
    right = v2.get_workspace_size
    patch.setattr(v2, "get_workspace_size", lambda *given: right(*given) - 32)


WRONG = {
    "REF-001": [later_entries_are_valid, later_entries_of_version_3_are_valid, the_limit_does_not_count],
    "REF-002": [
        best_extents_in_the_build_phase,
        best_extents_in_the_build_phase_of_version_3,
        bounds_of_the_first_profile_for_all,
    ],
    "REF-003": [configuring_when_a_shape_is_set, initializing_before_configuring],
    "REF-004": [no_shape_change_for_the_second_context, no_shape_change_when_an_input_moves],
    "REF-005": [
        tactics_before_configuration,
        workspace_of_what_was_configured_before,
        the_first_tactic_alone_is_timed,
        the_default_tactic_is_not_set,
    ],
    "REF-006": [one_resource_context_for_all, initializing_the_contexts_clone],
    "REF-007": [live_fields_for_the_engine, builders_plugins_that_stay],
    "REF-008": [contexts_without_a_profile],
    "REF-009": [truncating_division],
    "REF-010": [a_configuration_that_fails_ends_the_build, failures_that_nobody_records],
    "REF-011": [half_in_a_weakly_typed_network],
    "REF-012": [chw4_with_fp32, layouts_without_padding],
    "REF-013": [cloning_on_every_acquire],
    "REF-014": [one_order_for_all_seeds, an_order_that_does_not_replay],
    "REF-015": [no_scale_is_0],
    "REF-016": [requests_of_0_bytes, a_workspace_that_is_too_small],
}
