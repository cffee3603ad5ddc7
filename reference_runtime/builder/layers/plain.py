"""Build a layer without a plugin: its operation works on linear tensors, in the types of its computation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from reference_runtime.builder.formats import offers
from reference_runtime.network.graph.output_types import computed_types
from reference_runtime.plan import MAX_BLOB, LayerPlan
from reference_runtime.values import formats
from reference_runtime.values.precision import scale_of
from reference_runtime.values.refusals import Reason, Refused

if TYPE_CHECKING:
    from reference_runtime.builder.work import Work
    from reference_runtime.network.graph.graph_parts import Layer, Tensor
    from reference_runtime.values.descriptions import Description
    from reference_runtime.values.enums import DataType


def layer_plan(work: Work, layer: Layer) -> LayerPlan:
    """Return a layer as a plan records it, or raise `Refused`."""
    operation = layer.operation
    if operation is None:
        raise Refused(f"{layer.name}: the layer does nothing", Reason.NETWORK)
    if len(operation.weights) > MAX_BLOB:
        raise Refused(f"{layer.name}: {len(operation.weights)} bytes of weights are too many", Reason.SERIALIZATION)
    tensors = [*layer.inputs, *layer.outputs]
    own = [tensor.dtype for tensor in layer.inputs]
    input_types, output_types = computed_types(operation, own, strongly_typed=work.graph.strongly_typed)
    work.settle(tensors, [_stored(work, layer, tensor) for tensor in tensors])
    return LayerPlan(
        name=layer.name,
        kind=layer.kind.name,
        inputs=work.indices(layer.inputs),
        outputs=work.indices(layer.outputs),
        chosen=tuple(_computed(work, *pair) for pair in zip(tensors, (*input_types, *output_types), strict=True)),
        operation=operation.to_plain(),
        payload=operation.weights,
        metadata=layer.metadata,
    )


def _computed(work: Work, tensor: Tensor, dtype: DataType) -> Description:
    """Return a tensor in the type that the operation computes in; the engine converts it to the stored type."""
    return replace(work.default(tensor), type=dtype, scale=scale_of(dtype, tensor.dynamic_range))


def _stored(work: Work, layer: Layer, tensor: Tensor) -> Description:
    """Return the default layout of a tensor: linear, or as the application restricted it."""
    plain = work.default(tensor)
    if not formats.candidates(plain.dims, [plain.type], [plain.format]):
        why = f"{layer.name}: {tensor.name} is of {tensor.dtype}, whose elements do not fill bytes"
        raise Refused(f"{why}: this builder has no implementation", Reason.NO_IMPLEMENTATION)
    if tensor.formats is None:
        return plain
    offered = offers(tensor, plain.dims, (), strongly_typed=True)
    if not offered:
        raise Refused(f"{layer.name}: {tensor.name} has no layout among its allowed formats", Reason.NO_IMPLEMENTATION)
    return offered[0]
