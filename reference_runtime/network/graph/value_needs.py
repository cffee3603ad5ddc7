"""Decide which tensors of a network are needed for their values, and which as data.

Theory. The host has to know the values of a *shape tensor* before any layer runs. The application marked it by
``mark_output_for_shapes``, or it is an operand that decides a dimension. Examples are a shuffle's second input, and a
shape input of a plugin. If the output of an operation is a shape tensor, its inputs are shape tensors, too. The shape
operation ends that chain, because it needs only the dimensions of its input; a constant has no inputs. The data of an
*execution tensor* are needed to compute an output. A tensor can be both, and neither if it is not used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from reference_runtime.values.enums_layers import LayerType

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from reference_runtime.network.graph.graph_parts import Layer, Tensor


class Needs(Struct, frozen=True):
    """The shape tensors and the execution tensors of a network."""

    shape: frozenset[Tensor]
    execution: frozenset[Tensor]


def needs_of(
    layers: Iterable[Layer],
    producers: Mapping[Tensor, Layer | None],
    outputs: Sequence[Tensor],
    shape_outputs: Sequence[Tensor],
) -> Needs:
    """Return the shape tensors and the execution tensors of a network."""
    deciding = list(shape_outputs)
    for layer in layers:
        if layer.operation is None:
            deciding += layer.shape_inputs
        else:
            deciding += [layer.inputs[place] for place in sorted(layer.operation.shape_operands)]
    shape = _upstream(producers, deciding, _values_needed)
    return Needs(shape, _upstream(producers, outputs, _data_needed))


def _values_needed(layer: Layer) -> Sequence[Tensor]:
    return () if layer.operation is None or layer.kind == LayerType.SHAPE else layer.inputs


def _data_needed(layer: Layer) -> Sequence[Tensor]:
    if layer.operation is None:
        return layer.inputs
    if layer.kind == LayerType.SHAPE:
        return ()
    hosted = layer.operation.shape_operands
    return [tensor for place, tensor in enumerate(layer.inputs) if place not in hosted]


def _upstream(
    producers: Mapping[Tensor, Layer | None], tensors: Iterable[Tensor], needed: Callable[[Layer], Sequence[Tensor]]
) -> frozenset[Tensor]:
    upstream: set[Tensor] = set()
    pending = list(tensors)
    while pending:
        tensor = pending.pop()
        if tensor in upstream:
            continue
        upstream.add(tensor)
        layer = producers.get(tensor)
        if layer is not None:
            pending += needed(layer)
    return frozenset(upstream)
