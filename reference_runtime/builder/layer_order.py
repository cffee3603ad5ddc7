"""Order the layers that a builder keeps: those that outputs depend on, each after its inputs."""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING

from reference_runtime.values.refusals import Reason, Refused

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from reference_runtime.network.graph.graph_parts import Layer, Tensor


def in_order(layers: Sequence[Layer], inputs: Iterable[Tensor], outputs: Iterable[Tensor]) -> list[Layer]:
    """Return the layers that ``outputs`` depend on, in the network's order, but each after the layers it reads from.

    A layer may read from a layer that was added later, since inputs can be replaced. A cycle of layers is refused.
    """
    sources = {tensor: place for place, layer in enumerate(layers) for tensor in layer.outputs}
    network_inputs = set(inputs)
    needed = _needed(layers, sources, outputs)
    waiting = {place: _sources(layers[place], sources, network_inputs) for place in needed}
    readers: dict[int, list[int]] = {place: [] for place in needed}
    for place, before in waiting.items():
        for source in before:
            readers[source].append(place)
    ready = [place for place, before in waiting.items() if not before]
    heapq.heapify(ready)
    ordered: list[Layer] = []
    while ready:
        place = heapq.heappop(ready)
        ordered.append(layers[place])
        for reader in readers[place]:
            waiting[reader].discard(place)
            if not waiting[reader]:
                heapq.heappush(ready, reader)
    if len(ordered) < len(needed):
        stuck = layers[min(place for place, before in waiting.items() if before)]
        raise Refused(f"{stuck.name}: an input comes from a later layer, which depends on it", Reason.NETWORK)
    return ordered


def _needed(layers: Sequence[Layer], sources: dict[Tensor, int], outputs: Iterable[Tensor]) -> set[int]:
    needed: set[int] = set()
    pending = [sources[tensor] for tensor in outputs if tensor in sources]
    while pending:
        place = pending.pop()
        if place not in needed:
            needed.add(place)
            pending += [sources[tensor] for tensor in layers[place].operands if tensor in sources]
    return needed


def _sources(layer: Layer, sources: dict[Tensor, int], network_inputs: Collection[Tensor]) -> set[int]:
    missing = [tensor.name for tensor in layer.operands if tensor not in sources and tensor not in network_inputs]
    if missing:
        why = f"{layer.name}: {', '.join(missing)} is the output of no layer and no input of the network"
        raise Refused(why, Reason.NETWORK)
    return {sources[tensor] for tensor in layer.operands if tensor in sources}
