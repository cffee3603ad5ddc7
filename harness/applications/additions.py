"""Find the plugins that an application added to its networks, mistakes in adding them, and their data."""

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
    """One plugin that was added; ``mixed_up`` says which inputs are in the wrong list, empty for none."""

    call: TracedCall
    facts: PluginFacts
    mixed_up: str = ""
    lacks_build: bool = False


class Kept(msgspec.Struct, frozen=True):
    """A plugin, the call before which it was looked at, and what it holds; empty for nothing."""

    name: Ref
    call: TracedCall
    holds: str


def of_version_2(trace: Trace) -> Iterator[Added]:
    """Each plugin that was added by ``add_plugin_v2``."""
    for call in trace.calls("add_plugin_v2"):
        yield Added(call, call.facts["addition"])


def of_version_3(trace: Trace) -> Iterator[Added]:
    """Each plugin that was added by ``add_plugin_v3``."""
    shape_answers = list(trace.callbacks("get_output_shapes"))
    for call in trace.calls("add_plugin_v3"):
        facts: PluginFacts = call.facts["addition"]
        asked = [each for each in call.callbacks if each.method == "get_capability_interface" and not each.error]
        builds = [each for each in asked if each.arguments and str(each.arguments[0]).endswith(".BUILD")]
        lacks_build = any(each.result is None for each in builds)  # the network asked for it meanwhile, and got none
        yield Added(call, facts, _mixed_up(call, facts, shape_answers), lacks_build)


def keeping(trace: Trace) -> Iterator[Kept]:
    """Each plugin that the application added to a network, at the first sight of something that it holds."""
    found: dict[Ref, Kept] = {}
    for call in trace.calls():
        for name, holds in call.facts.get("kept", {}).items():
            if name not in found or (holds and not found[name].holds):
                found[name] = Kept(name, call, holds)
    yield from found.values()


def _mixed_up(call: TracedCall, facts: PluginFacts, answers: list[Callback]) -> str:
    for tensor in facts.shape_inputs:
        if tensor.dtype not in _INTEGERS:
            return f"{tensor.name}, of type {tensor.dtype}, is among the shape inputs, whose values are dimensions"
    integers = [tensor for tensor in facts.inputs if tensor.dtype in _INTEGERS]
    values = [tensor.name for tensor in integers if tensor.dims is not None and len(tensor.dims) <= 1]
    if not values or facts.shape_inputs:
        return ""
    for answer in answers:
        given = answer.arguments[0] if answer.arguments else ()
        is_of_it = answer.receiver.kind == facts.plugin and answer.number > call.number
        if is_of_it and answer.error and len(given) == len(facts.inputs):
            return f"{', '.join(values)} is among the inputs, and {facts.plugin} misses a shape input: {answer.error}"
    return ""
