"""The methods of INetworkDefinition that mark tensors and weights: as outputs, for debugging, for refitting.

A mark that cannot be set is reported to the application as an error.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from reference_runtime.bound.bound_class import state
from reference_runtime.bound.conversions import instance, string
from reference_runtime.bound.overloads import Overload, bound
from reference_runtime.network.graph.graph import graph_of
from reference_runtime.network.layers.tensors import ITensor, tensor_of
from reference_runtime.values.enums import DataType
from reference_runtime.values.refusals import Refused, warn
from reference_runtime.values.weights import Weights

if TYPE_CHECKING:
    from reference_runtime.network.graph.graph import Graph
    from reference_runtime.network.graph.graph_parts import Tensor

_TENSOR: Final = instance(ITensor)
_WITH_TENSOR: Final = "(self: INetworkDefinition, tensor: ITensor)"
_WITH_NAME: Final = "(self: INetworkDefinition, name: str)"
_VALUES: Final = frozenset({DataType.INT32, DataType.INT64, DataType.BOOL, DataType.FLOAT})


@bound(Overload(f"{_WITH_TENSOR} -> None", _TENSOR))
def mark_output(self: object, tensor: ITensor) -> None:
    """Make a tensor an output of the network; report an error for an input, an output, or another network's tensor."""
    graph, graph_tensor = graph_of(self), tensor_of(tensor)
    if graph_tensor.is_input or graph_tensor.is_output or graph_tensor not in graph.producers:
        why = f"{graph_tensor.name} is an input, an output already, or of another network"
        graph.complain("INetworkDefinition::markOutput", Refused(why))
        return
    graph_tensor.is_output = True
    graph.outputs.append(graph_tensor)
    graph.version += 1


@bound(Overload(f"{_WITH_TENSOR} -> None", _TENSOR))
def unmark_output(self: object, tensor: ITensor) -> None:
    """Undo ``mark_output``, if the tensor was marked."""
    graph, graph_tensor = graph_of(self), tensor_of(tensor)
    if graph_tensor.is_output:
        graph_tensor.is_output = False
        graph.outputs.remove(graph_tensor)
        graph.version += 1


@bound(Overload(f"{_WITH_TENSOR} -> bool", _TENSOR))
def mark_output_for_shapes(self: object, tensor: ITensor) -> bool:
    """Let the application query a tensor's values before an execution; False if that is impossible."""
    graph, graph_tensor = graph_of(self), tensor_of(tensor)
    why = _no_shape_output(graph, graph_tensor)
    if why is not None:
        graph.complain("INetworkDefinition::markOutputForShapes", Refused(f"{graph_tensor.name} {why}"))
        return False
    graph_tensor.is_shape_output = True
    graph.shape_outputs.append(graph_tensor)
    graph.version += 1
    return True


def _no_shape_output(graph: Graph, tensor: Tensor) -> str | None:
    if tensor not in graph.producers:
        return "is a tensor of another network"
    if tensor.is_input or tensor.is_output or tensor.is_shape_output:
        return "is an input, or an output already"
    if tensor.dtype not in _VALUES:
        return f"has type {tensor.dtype.name}; a shape tensor has INT32, INT64, BOOL or FLOAT"
    facts = graph.facts(tensor)
    if facts is not None and len(facts.dims) > 1:
        return f"has {len(facts.dims)} dimensions; a shape tensor has at most one"
    return None


@bound(Overload(f"{_WITH_TENSOR} -> bool", _TENSOR))
def unmark_output_for_shapes(self: object, tensor: ITensor) -> bool:
    """Undo ``mark_output_for_shapes``; False if the tensor was not marked."""
    graph, graph_tensor = graph_of(self), tensor_of(tensor)
    if not graph_tensor.is_shape_output or graph_tensor not in graph.producers:
        return False
    graph_tensor.is_shape_output = False
    graph.shape_outputs.remove(graph_tensor)
    graph.version += 1
    return True


def _set_debug(network: object, tensor: ITensor, where: str, *, marked: bool) -> bool:
    graph, graph_tensor = graph_of(network), tensor_of(tensor)
    if graph_tensor not in graph.producers:
        graph.complain(f"INetworkDefinition::{where}", Refused(f"{graph_tensor.name} is a tensor of another network"))
        return False
    graph_tensor.is_debug = marked
    return True


@bound(Overload(f"{_WITH_TENSOR} -> bool", _TENSOR))
def mark_debug(self: object, tensor: ITensor) -> bool:
    """Let a debug listener see a tensor; False for one of another network."""
    return _set_debug(self, tensor, "markDebug", marked=True)


@bound(Overload(f"{_WITH_TENSOR} -> bool", _TENSOR))
def unmark_debug(self: object, tensor: ITensor) -> bool:
    """Let no debug listener see a tensor; False for one of another network."""
    return _set_debug(self, tensor, "unmarkDebug", marked=False)


@bound(Overload(f"{_WITH_TENSOR} -> bool", _TENSOR))
def is_debug_tensor(self: object, tensor: ITensor) -> bool:
    """Say whether a tensor was marked for debugging."""
    return tensor_of(tensor) in graph_of(self).producers and tensor_of(tensor).is_debug


@bound(Overload("(self: INetworkDefinition) -> bool"))
def mark_unfused_tensors_as_debug_tensors(self: object) -> bool:
    """Let a debug listener see every tensor that remains after fusion, which here is every tensor."""
    graph_of(self).unfused_debug = True
    return True


@bound(Overload("(self: INetworkDefinition) -> bool"))
def unmark_unfused_tensors_as_debug_tensors(self: object) -> bool:
    """Undo ``mark_unfused_tensors_as_debug_tensors``."""
    graph_of(self).unfused_debug = False
    return True


@bound(Overload(f"{_WITH_TENSOR} -> None", _TENSOR))
def remove_tensor(self: object, tensor: ITensor) -> None:
    """Remove an input that no layer uses from the network; any other tensor stays, with a warning."""
    graph, graph_tensor = graph_of(self), tensor_of(tensor)
    if graph_tensor in graph.producers and graph_tensor.is_input and not graph.consumers(graph_tensor):
        graph.remove_input(graph_tensor)
        return
    what = f"{graph_tensor.name} stays: it is the input or the output of a layer, or of another network"
    warn("INetworkDefinition::removeTensor", what, to=graph.logger)


@bound(Overload("(self: INetworkDefinition, weights: Weights, name: str) -> bool", instance(Weights), string))
def set_weights_name(self: object, weights: Weights, name: str) -> bool:
    """Name weights for refitting; False if the network does not use the weights, or if other weights have the name."""
    graph, held = graph_of(self), state(weights)
    key = (held["address"], held["count"])
    if key not in graph.weights or graph.weights_names.get(name, key) != key:
        why = f"the weights are not used by the network, or {name!r} names others"
        graph.complain("INetworkDefinition::setWeightsName", Refused(why))
        return False
    graph.weights_names[name] = key
    return True


def _set_refittable(network: object, name: str, where: str, *, marked: bool) -> bool:
    graph = graph_of(network)
    if name not in graph.weights_names:
        graph.complain(f"INetworkDefinition::{where}", Refused(f"no weights have the name {name!r}"))
        return False
    (graph.refittable.add if marked else graph.refittable.discard)(name)
    return True


@bound(Overload(f"{_WITH_NAME} -> bool", string))
def mark_weights_refittable(self: object, name: str) -> bool:
    """Let named weights be replaced in a built engine; False if no weights have that name."""
    return _set_refittable(self, name, "markWeightsRefittable", marked=True)


@bound(Overload(f"{_WITH_NAME} -> bool", string))
def unmark_weights_refittable(self: object, name: str) -> bool:
    """Undo ``mark_weights_refittable``; False if no weights have that name."""
    return _set_refittable(self, name, "unmarkWeightsRefittable", marked=False)


@bound(Overload(f"{_WITH_NAME} -> bool", string))
def are_weights_marked_refittable(self: object, name: str) -> bool:
    """Say whether named weights were marked as refittable."""
    return name in graph_of(self).refittable
