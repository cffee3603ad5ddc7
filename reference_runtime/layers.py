"""ILayer and IPluginV2Layer: what an application sees of a plugin layer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference_runtime.conversions import instance, int32, string
from reference_runtime.enums_layers import LayerType
from reference_runtime.native import attribute, made, pybind11_object, state
from reference_runtime.refusals import Refused, complain
from reference_runtime.signatures import Overload, accessor, bound
from reference_runtime.tensors import ITensor, bound_tensor, tensor_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reference_runtime.enums import DataType
    from reference_runtime.graph import Graph, Layer, Tensor

__all__ = ["ILayer", "IPluginV2Layer", "bound_layer"]

_INDEX = "index: typing.SupportsInt"


def _layer(layer: ILayer) -> Layer:
    found: Layer = state(layer)["_layer"]
    return found


def bound_layer(graph: Graph, network: object, layer: Layer) -> ILayer:
    """Return the one Python object of a layer; it keeps ``network`` alive, as in the original."""
    known = graph.bound.get(layer)
    if known is not None:
        return known  # type: ignore[no-any-return]
    new = graph.bound[layer] = made(IPluginV2Layer, _graph=graph, _network=network, _layer=layer)
    return new


def _nth(layer: ILayer, tensors: Sequence[Tensor], index: int) -> ITensor | None:
    if not 0 <= index < len(tensors):
        return None
    return bound_tensor(state(layer)["_graph"], state(layer)["_network"], tensors[index])


class ILayer(pybind11_object, bound=True):
    """A layer of a network definition."""

    name = accessor(
        "(self: ILayer, arg0: str) -> None",
        lambda self: _layer(self).name,
        lambda self, name: setattr(_layer(self), "name", name),
        string,
    )
    type = attribute(lambda _self: LayerType.PLUGIN_V2)
    num_inputs = attribute(lambda self: len(_layer(self).inputs))
    num_outputs = attribute(lambda self: len(_layer(self).outputs))

    @bound(Overload(f"(self: ILayer, {_INDEX}) -> ITensor", int32))
    def get_input(self, index: int) -> ITensor | None:
        """Return an input, or None where there is no such one."""
        return _nth(self, _layer(self).inputs, index)

    @bound(Overload(f"(self: ILayer, {_INDEX}) -> ITensor", int32))
    def get_output(self, index: int) -> ITensor | None:
        """Return an output, or None where there is no such one."""
        return _nth(self, _layer(self).outputs, index)

    @bound(Overload(f"(self: ILayer, {_INDEX}) -> DataType", int32))
    def get_output_type(self, index: int) -> DataType | None:
        """Return the type of an output."""
        output = self.get_output(index)
        return None if output is None else tensor_of(output).dtype

    @bound(Overload(f"(self: ILayer, {_INDEX}, tensor: ITensor) -> None", int32, instance(ITensor)))
    def set_input(self, index: int, tensor: ITensor) -> None:
        """Put another tensor in the place of an input."""
        inputs = _layer(self).inputs
        if 0 <= index < len(inputs):
            inputs[index] = tensor_of(tensor)
        else:
            why = f"{_layer(self).name} has {len(inputs)} inputs; there is no input {index}"
            complain(state(self)["_graph"].logger, "ILayer::setInput", Refused(why))


class IPluginV2Layer(ILayer, bound=True):
    """A layer made of an IPluginV2."""

    plugin = attribute(lambda self: _layer(self).plugin)
