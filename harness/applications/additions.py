"""Find the plugins that an application added to its networks, mistakes in the calls, and objects that plugins keep."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from harness.applications.network_facts import PluginFacts
    from harness.applications.references import Ref
    from harness.applications.trace import Callback, Trace, TracedCall

_INTEGERS = ("INT32", "INT64")


class Added(msgspec.Struct, frozen=True):
    """One call that adds a plugin to a network.

    Attributes:
        call: The call.
        facts: The plugin and its inputs.
        mixed_up: Which input is in the wrong list, and why; empty if none is.
        lacks_build: Whether the plugin has no build capability.
    """

    call: TracedCall
    facts: PluginFacts
    mixed_up: str = ""
    lacks_build: bool = False


class Kept(msgspec.Struct, frozen=True):
    """A plugin, a call before which its attributes were inspected, and the attribute that keeps a forbidden object.

    ``holds`` is empty if no attribute does.
    """

    name: Ref
    call: TracedCall
    holds: str


def of_version_2(trace: Trace) -> Iterator[Added]:
    """Yield each plugin that was added by ``add_plugin_v2``."""
    for call in trace.calls("add_plugin_v2"):
        yield Added(call, call.facts["addition"])


def of_version_3(trace: Trace) -> Iterator[Added]:
    """Yield each plugin that was added by ``add_plugin_v3``."""
    shape_answers = list(trace.callbacks("get_output_shapes"))
    for call in trace.calls("add_plugin_v3"):
        facts: PluginFacts = call.facts["addition"]
        queries = [each for each in call.callbacks if each.method == "get_capability_interface" and not each.error]
        builds = [each for each in queries if each.arguments and str(each.arguments[0]).endswith(".BUILD")]
        lacks_build = any(each.result is None for each in builds)
        yield Added(call, facts, _mixed_up(call, facts, shape_answers), lacks_build)


def keeping(trace: Trace) -> Iterator[Kept]:
    """Yield each plugin once: at the first call that shows a forbidden object in it, or at the first call."""
    first: dict[Ref, Kept] = {}
    for call in trace.calls():
        for name, holds in call.facts.get("kept", {}).items():
            if name not in first or (holds and not first[name].holds):
                first[name] = Kept(name, call, holds)
    yield from first.values()


def _mixed_up(call: TracedCall, facts: PluginFacts, answers: list[Callback]) -> str:
    for tensor in facts.shape_inputs:
        if tensor.dtype not in _INTEGERS:
            return f"{tensor.name}, of type {tensor.dtype}, is among the shape inputs, whose values are dimensions"
    integers = [tensor for tensor in facts.inputs if tensor.dtype in _INTEGERS]
    values = [tensor.name for tensor in integers if tensor.dims is not None and len(tensor.dims) <= 1]
    if not values or facts.shape_inputs:
        return ""
    for answer in answers:
        first_argument = answer.arguments[0] if answer.arguments else ()
        is_of_it = answer.receiver.kind == facts.plugin and answer.number > call.number
        if is_of_it and answer.error and len(first_argument) == len(facts.inputs):
            return f"{', '.join(values)} is among the inputs, and {facts.plugin} misses a shape input: {answer.error}"
    return ""
