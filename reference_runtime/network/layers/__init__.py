"""The Python classes of a network's layers, and the Python object of each layer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from reference_runtime.bound.bound_class import made
from reference_runtime.network.layers.computing import (
    IConstantLayer,
    IDequantizeLayer,
    IMatrixMultiplyLayer,
    IQuantizeLayer,
    IReduceLayer,
    ISoftMaxLayer,
)
from reference_runtime.network.layers.elementwise import (
    IActivationLayer,
    ICastLayer,
    IElementWiseLayer,
    IIdentityLayer,
    ISelectLayer,
    IUnaryLayer,
)
from reference_runtime.network.layers.layer import ILayer
from reference_runtime.network.layers.plugin_layers import IPluginV2Layer, IPluginV3Layer
from reference_runtime.network.layers.rearranging import (
    IConcatenationLayer,
    IGatherLayer,
    IShapeLayer,
    IShuffleLayer,
    ISliceLayer,
    ISqueezeLayer,
    IUnsqueezeLayer,
)
from reference_runtime.values.enums_layers import LayerType

if TYPE_CHECKING:
    from reference_runtime.network.graph.graph import Graph
    from reference_runtime.network.graph.graph_parts import Layer

__all__ = [
    "IActivationLayer",
    "ICastLayer",
    "IConcatenationLayer",
    "IConstantLayer",
    "IDequantizeLayer",
    "IElementWiseLayer",
    "IGatherLayer",
    "IIdentityLayer",
    "ILayer",
    "IMatrixMultiplyLayer",
    "IPluginV2Layer",
    "IPluginV3Layer",
    "IQuantizeLayer",
    "IReduceLayer",
    "ISelectLayer",
    "IShapeLayer",
    "IShuffleLayer",
    "ISliceLayer",
    "ISoftMaxLayer",
    "ISqueezeLayer",
    "IUnaryLayer",
    "IUnsqueezeLayer",
    "bound_layer",
    "plain_layer",
]

_CLASSES: Final[dict[Any, type[ILayer]]] = {
    LayerType.ACTIVATION: IActivationLayer,
    LayerType.CAST: ICastLayer,
    LayerType.CONCATENATION: IConcatenationLayer,
    LayerType.CONSTANT: IConstantLayer,
    LayerType.DEQUANTIZE: IDequantizeLayer,
    LayerType.ELEMENTWISE: IElementWiseLayer,
    LayerType.GATHER: IGatherLayer,
    LayerType.IDENTITY: IIdentityLayer,
    LayerType.MATRIX_MULTIPLY: IMatrixMultiplyLayer,
    LayerType.PLUGIN: ILayer,
    LayerType.PLUGIN_V2: IPluginV2Layer,
    LayerType.PLUGIN_V3: IPluginV3Layer,
    LayerType.QUANTIZE: IQuantizeLayer,
    LayerType.REDUCE: IReduceLayer,
    LayerType.SELECT: ISelectLayer,
    LayerType.SHAPE: IShapeLayer,
    LayerType.SHUFFLE: IShuffleLayer,
    LayerType.SLICE: ISliceLayer,
    LayerType.SOFTMAX: ISoftMaxLayer,
    LayerType.SQUEEZE: ISqueezeLayer,
    LayerType.UNARY: IUnaryLayer,
    LayerType.UNSQUEEZE: IUnsqueezeLayer,
}


def bound_layer(graph: Graph, network: object, layer: Layer) -> Any:
    """Return the only Python object of a layer's own class; it keeps ``network`` alive, as in the genuine bindings."""
    known = graph.bound.get(layer)
    if known is not None:
        return known
    new = graph.bound[layer] = made(_CLASSES[layer.kind], _graph=graph, _network=network, _layer=layer)
    return new


def plain_layer(graph: Graph, network: object, layer: Layer) -> ILayer:
    """Return a layer as `ILayer`, as the bindings do when an application looks up a layer by its number.

    Because the bindings do not show the class of the layer, tools assign ``layer.__class__`` by its type. After that a
    look-up returns a new object.
    """
    known = graph.looked_up.get(layer)
    if known is not None and type(known) is ILayer:
        return known
    new = graph.looked_up[layer] = made(ILayer, _graph=graph, _network=network, _layer=layer)
    return new
