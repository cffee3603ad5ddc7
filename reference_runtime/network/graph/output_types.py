"""The types of a network's tensors: those of an operation's outputs, and the effects of a change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from reference_runtime.operations.cast import Identity
from reference_runtime.operations.kinds import FLOATS
from reference_runtime.operations.operation import require
from reference_runtime.values.enums import DataType
from reference_runtime.values.formats import REAL_TYPES
from reference_runtime.values.refusals import Refused

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from reference_runtime.network.graph.graph import Graph
    from reference_runtime.network.graph.graph_parts import Layer, Tensor
    from reference_runtime.operations import Operation

_FLOAT: Final = DataType.FLOAT


def output_types(graph: Graph, operation: Operation, inputs: Sequence[DataType]) -> tuple[DataType, ...]:
    """Return the types of an operation's outputs, or raise `Refused`.

    In a weakly typed network the builder chooses the precision. So floating-point operands of different types count as
    FLOAT.
    """
    return computed_types(operation, inputs, strongly_typed=graph.strongly_typed)[1]


def computed_types(
    operation: Operation, inputs: Sequence[DataType], *, strongly_typed: bool
) -> tuple[tuple[DataType, ...], tuple[DataType, ...]]:
    """Return the types in which an operation computes: of its inputs, then of its outputs.

    In a weakly typed network inputs of several floating-point types are converted to FLOAT.
    """
    taken = tuple(inputs)
    if not strongly_typed and len(FLOATS.intersection(taken)) > 1:
        taken = tuple(_FLOAT if dtype in FLOATS else dtype for dtype in taken)
    return taken, operation.types(taken)


def following(graph: Graph, changed: Mapping[Tensor, DataType]) -> dict[Tensor, DataType]:
    """Return all types that follow from ``changed``; raise `Refused` if an operation cannot take its new input types.

    A plugin's outputs keep their types here: the builder asks the plugin again.
    """
    dtypes = dict(changed)
    pending = [layer for tensor in changed for layer in graph.consumers(tensor)]
    while pending:
        layer = pending.pop()
        if layer.operation is None:
            continue
        types = output_types(graph, layer.operation, [dtypes.get(tensor, tensor.dtype) for tensor in layer.inputs])
        for tensor, dtype in zip(layer.outputs, types, strict=True):
            if not tensor.type_is_set and dtype != dtypes.get(tensor, tensor.dtype):
                dtypes[tensor] = dtype
                pending += graph.consumers(tensor)
    return dtypes


def retype(graph: Graph, changed: Mapping[Tensor, DataType]) -> None:
    """Give tensors and all that follow from them other types; if impossible, raise `Refused` and change nothing."""
    for tensor, dtype in following(graph, changed).items():
        tensor.dtype = dtype
    graph.changed(changed)


def change(graph: Graph, layer: Layer, operation: Operation, inputs: Sequence[Tensor]) -> None:
    """Give a layer an operation and inputs, and update all types that follow; raise `Refused` if that is impossible."""
    for tensor in inputs:
        if tensor not in graph.producers:
            raise Refused(f"{tensor.name} is a tensor of another network")
    types = output_types(graph, operation, [tensor.dtype for tensor in inputs])
    pairs = zip(layer.outputs, types, strict=True)
    retype(graph, {tensor: dtype for tensor, dtype in pairs if not tensor.type_is_set and tensor.dtype != dtype})
    graph.replace(layer, operation, inputs)


def fix_type(graph: Graph, output: Tensor, dtype: DataType) -> None:
    """Fix the type of an output of a weakly typed network, or raise `Refused`.

    An identity layer converts to the new type. Any other operation keeps its own type, and TensorRT converts the
    result. So both types must be among `REAL_TYPES`. A plugin is asked for the new type when the engine is built.
    """
    layer = graph.producers.get(output)
    if layer is not None and isinstance(layer.operation, Identity):
        change(graph, layer, replace(layer.operation, to_type=dtype), layer.inputs)
    elif layer is not None and layer.operation is not None and dtype != output.dtype:
        both = f"{output.dtype.name} and {dtype.name}"
        require({output.dtype, dtype}.issubset(REAL_TYPES), f"there is no conversion between {both}; add a cast layer")
    retype(graph, {output: dtype})
    output.type_is_set = True


def release_type(graph: Graph, layer: Layer, output: Tensor) -> None:
    """Let a layer decide the type of an output again, or raise `Refused`."""
    if isinstance(layer.operation, Identity):
        retype(graph, {output: layer.inputs[0].dtype})
        graph.replace(layer, replace(layer.operation, to_type=None), layer.inputs)
    elif layer.operation is not None:
        types = output_types(graph, layer.operation, [tensor.dtype for tensor in layer.inputs])
        retype(graph, {output: types[layer.outputs.index(output)]})
    else:
        retype(graph, {output: layer.plugin_types[layer.outputs.index(output)]})
    output.type_is_set = False
