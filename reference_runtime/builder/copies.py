"""The builder's copies of a network's plugins: made for a build, and gone after it or with the builder."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from reference_runtime.builder.work import Copy
from reference_runtime.calling.gate.gate import Phase
from reference_runtime.calling.trampolines import v3
from reference_runtime.calling.trampolines.of_version_2 import trampolines_of
from reference_runtime.interfaces.v3 import IPluginV3
from reference_runtime.values.refusals import Refused

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from reference_runtime.calling.gate.gate import Gate
    from reference_runtime.network.graph.graph import Graph
    from reference_runtime.network.graph.graph_parts import Layer

__all__ = ["copies", "destroy"]


@contextmanager
def copies(graph: Graph, layers: Sequence[Layer], keep: Callable[[list[Any]], None]) -> Iterator[dict[Layer, Copy]]:
    """Clone the plugins of layers, and let go of the clones in the end: destroyed, or handed to ``keep``."""
    gate = graph.gate
    made: dict[Layer, Copy] = {}
    plugins: list[Any] = []
    try:
        with gate.during(Phase.ANALYSIS):
            for layer in layers:
                if layer.plugin is not None:
                    plugins.append(_clone(gate, layer))
                    made[layer] = _completed(gate, layer, plugins[-1])
        yield made
    finally:
        going = graph.scheduler.order("builder copies go", plugins)
        if graph.scheduler.choose("builder copies live as long as the builder", [False, True]):
            keep(going)
        else:
            with gate.during(Phase.DESTRUCTION):
                for plugin in going:
                    destroy(gate, plugin)


def destroy(gate: Gate, plugin: Any) -> None:
    """Let go of a plugin of either version."""
    interface = v3 if isinstance(plugin, IPluginV3) else trampolines_of(plugin)
    interface.destroy(gate, plugin)


def _clone(gate: Gate, layer: Layer) -> Any:
    interface = v3 if layer.interface == "v3" else trampolines_of(layer.plugin)
    plugin = interface.clone(gate, layer.plugin)
    if plugin is None:
        raise Refused(f"{layer.name}: the plugin could not be cloned for the builder")
    return plugin


def _completed(gate: Gate, layer: Layer, plugin: Any) -> Copy:
    if layer.interface != "v3":
        return Copy(plugin)
    capabilities = v3.capabilities(gate, plugin, build=True)
    if capabilities is None:
        raise Refused(f"{layer.name}: the builder's copy of the plugin lacks a capability that the original has")
    return Copy(plugin, capabilities)
