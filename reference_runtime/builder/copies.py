"""The builder's copies of a network's plugins: cloned for a build, destroyed after it or with the builder."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeAlias

from reference_runtime.builder.work import Copy
from reference_runtime.calling.adapters.of_plugin import interface_of
from reference_runtime.calling.gate.gate import Phase

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from reference_runtime.calling.adapters.plugin_interface import PluginInterface
    from reference_runtime.calling.gate.gate import Gate
    from reference_runtime.network.graph.graph import Graph
    from reference_runtime.network.graph.graph_parts import Layer

Kept: TypeAlias = "tuple[PluginInterface, Any]"
"""A plugin, and the adapter of its interface."""


@contextmanager
def copies(graph: Graph, layers: Sequence[Layer], keep: Callable[[list[Kept]], None]) -> Iterator[dict[Layer, Copy]]:
    """Clone the plugins of layers, and release the clones in the end: destroy them, or pass them to ``keep``."""
    gate = graph.gate
    made: dict[Layer, Copy] = {}
    plugins: list[Kept] = []
    try:
        with gate.during(Phase.ANALYSIS):
            for layer in layers:
                if layer.interface is not None:
                    plugins.append(_clone(gate, layer, layer.interface))
                    made[layer] = _completed(graph, layer, plugins[-1])
            _clone_unused(graph, layers)
        yield made
    finally:
        going = graph.scheduler.order("builder copies go", plugins)
        if graph.scheduler.choose("builder copies live as long as the builder", [False, True]):
            keep(going)
        else:
            with gate.during(Phase.DESTRUCTION):
                for plugin in going:
                    destroy(gate, plugin)


def destroy(gate: Gate, kept: Kept) -> None:
    """Release a plugin."""
    interface, plugin = kept
    interface.destroy(gate, plugin)


def _clone(gate: Gate, layer: Layer, interface: PluginInterface, source: Any = None) -> Kept:
    plugin = interface.clone(gate, layer.plugin if source is None else source)
    if plugin is None:
        why = f"{layer.name}: the plugin could not be cloned for the builder"
        raise interface.no_copy(layer.plugin, "clone", why)
    return interface_of(plugin, layer.kind), plugin


def _clone_unused(graph: Graph, used: Collection[Layer]) -> None:
    """Clone each `IPluginV3` that no output depends on, and destroy the clone (observed on TensorRT-RTX 1.7.1)."""
    for layer in graph.layers:
        if layer.interface is not None and layer.interface.attaches and layer not in used:
            kept = _clone(graph.gate, layer, layer.interface)
            with graph.gate.during(Phase.DESTRUCTION):
                destroy(graph.gate, kept)


@contextmanager
def copy_for_a_profile(graph: Graph, layer: Layer, copy: Copy) -> Iterator[Copy]:
    """Clone the builder's copy of a plugin of version 3, and destroy the clone in the end."""
    gate = graph.gate
    with gate.during(Phase.CONFIGURATION):
        kept = _clone(gate, layer, copy.interface, copy.plugin)
    try:
        with gate.during(Phase.CONFIGURATION):
            made = _completed(graph, layer, kept)
        yield made
    finally:
        with gate.during(Phase.DESTRUCTION):
            destroy(gate, kept)


def _completed(graph: Graph, layer: Layer, kept: Kept) -> Copy:
    interface, plugin = kept
    capabilities = interface.capabilities(graph.gate, plugin, build=True)
    if capabilities is None:
        why = f"{layer.name}: the builder's copy of the plugin lacks a capability that the original has"
        raise interface.no_capabilities(plugin, why)
    capabilities.anew = graph.scheduler.choose("capabilities asked for before each use", [False, True])
    return Copy(interface, capabilities)
