"""ITensor: an application's view of a tensor in a network, with the properties that it may set."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference_runtime.bound.bound_class import attribute, made, pybind11_object, state
from reference_runtime.bound.conversions import boolean, float32, instance, int32, integer, optional, sequence, string
from reference_runtime.bound.deprecations import deprecated
from reference_runtime.bound.overloads import Overload, accessor, bound
from reference_runtime.network.graph.graph_parts import ANY_FORMAT
from reference_runtime.network.graph.output_types import fix_type, retype
from reference_runtime.values.descriptions import as_dims, no_dims
from reference_runtime.values.dims import Dims, to_dims, values
from reference_runtime.values.enums import DataType, TensorLocation
from reference_runtime.values.refusals import Refused

if TYPE_CHECKING:
    from reference_runtime.network.graph.graph import Graph
    from reference_runtime.network.graph.graph_parts import Tensor


def _graph(tensor: ITensor) -> Graph:
    graph: Graph = state(tensor)["_graph"]
    return graph


def tensor_of(tensor: ITensor) -> Tensor:
    """Return the graph's tensor behind the Python object."""
    graph_tensor: Tensor = state(tensor)["_tensor"]
    return graph_tensor


def bound_tensor(graph: Graph, network: object, tensor: Tensor) -> ITensor:
    """Return the only Python object of a tensor; it keeps ``network`` alive, as in the genuine bindings."""
    known = graph.bound.get(tensor)
    if known is not None:
        return known  # type: ignore[no-any-return]
    new = graph.bound[tensor] = made(ITensor, _graph=graph, _network=network, _tensor=tensor)
    return new


def _refuse(tensor: ITensor, where: str, why: str) -> None:
    _graph(tensor).complain(f"ITensor::{where}", Refused(f"{tensor_of(tensor).name}: {why}"))


def _set_type(tensor: ITensor, dtype: DataType) -> None:
    graph, graph_tensor = _graph(tensor), tensor_of(tensor)
    if graph.strongly_typed and not graph_tensor.is_input:
        _refuse(tensor, "setType", "in a strongly typed network a layer decides the types of its outputs")
        return
    try:
        if graph_tensor.is_input:
            retype(graph, {graph_tensor: dtype})
        else:
            fix_type(graph, graph_tensor, dtype)
    except Refused as refused:
        _refuse(tensor, "setType", str(refused))


def _shape(tensor: ITensor) -> Dims:
    graph, graph_tensor = _graph(tensor), tensor_of(tensor)
    facts, problem = graph.facts(graph_tensor), graph.problem(graph_tensor)
    if facts is not None:
        return as_dims(facts.dims if graph.batch_limit is None else facts.dims[1:])
    if problem is None:
        return Dims()
    graph.complain("ITensor::getDimensions", problem)
    return no_dims()


def _set_shape(tensor: ITensor, shape: Dims) -> None:
    if tensor_of(tensor).is_input:
        batch = () if _graph(tensor).batch_limit is None else (tensor_of(tensor).dims or ())[:1]
        tensor_of(tensor).dims = (*batch, *values(shape))
        _graph(tensor).changed([tensor_of(tensor)])
    else:
        _refuse(tensor, "setDimensions", "only the shape of a network input can be set")


def _set_formats(tensor: ITensor, formats: int) -> None:
    if formats & ANY_FORMAT:
        tensor_of(tensor).allowed_formats = formats
    else:
        _refuse(tensor, "setAllowedFormats", f"{formats:#x} allows no format")


def _assign_range(tensor: ITensor, ends: list[float]) -> None:
    if len(ends) != 2:  # noqa: PLR2004 - a least and a greatest
        raise ValueError("Dynamic range must contain exactly 2 elements")
    if not _set_range(tensor, ends[0], ends[1]):
        raise ValueError("Error in set dynamic range")


def _set_range(tensor: ITensor, least: float, greatest: float) -> bool:
    if _graph(tensor).strongly_typed or not least < greatest:
        _refuse(tensor, "setDynamicRange", f"[{least}, {greatest}] is no range that this network can use")
        return False
    tensor_of(tensor).dynamic_range = (least, greatest)
    return True


@deprecated("Implicit batch dimensions support has been removed")
def _without_batch(*_tensor_and_value: object) -> bool:
    """Return False: without an implicit batch, no tensor is broadcast across a batch, and setting it does nothing."""
    return False


class ITensor(pybind11_object, bound=True):
    """A tensor in a network definition."""

    name = accessor(
        "(self: ITensor, arg0: str) -> None",
        lambda self: tensor_of(self).name,
        lambda self, name: _graph(self).rename(tensor_of(self), name, "ITensor::setName"),
        string,
    )
    dtype = accessor(
        "(self: ITensor, arg0: DataType) -> None",
        lambda self: tensor_of(self).dtype,
        _set_type,
        instance(DataType),
    )
    shape = accessor("(self: ITensor, arg0: Dims) -> None", _shape, _set_shape, to_dims)
    allowed_formats = accessor(
        "(self: ITensor, arg0: typing.SupportsInt) -> None",
        lambda self: tensor_of(self).allowed_formats,
        _set_formats,
        integer(32, signed=False),
    )
    dynamic_range = accessor(
        "(self: ITensor, arg0: collections.abc.Sequence[typing.SupportsFloat]) -> None",
        lambda self: tensor_of(self).dynamic_range,
        _assign_range,
        sequence(float32),
    )
    is_network_input = attribute(lambda self: tensor_of(self).is_input)
    is_network_output = attribute(lambda self: tensor_of(self).is_output)
    is_shape_tensor = attribute(lambda self: tensor_of(self) in _graph(self).needs.shape)
    is_execution_tensor = attribute(lambda self: tensor_of(self) in _graph(self).needs.execution)
    location = accessor(
        "(self: ITensor, arg0: TensorLocation) -> None",
        lambda self: tensor_of(self).location,
        lambda self, location: setattr(tensor_of(self), "location", location),
        instance(TensorLocation),
    )
    broadcast_across_batch = accessor("(self: ITensor, arg0: bool) -> None", _without_batch, _without_batch, boolean)

    @bound(Overload("(self: ITensor, min: typing.SupportsFloat, max: typing.SupportsFloat) -> bool", float32, float32))
    def set_dynamic_range(self, least: float, greatest: float) -> bool:
        """Set the range of the tensor's real numbers, for its INT8 scale; False, and an error, for an invalid range."""
        return _set_range(self, least, greatest)

    @bound(Overload("(self: ITensor) -> None"))
    def reset_dynamic_range(self) -> None:
        """Remove the dynamic range."""
        tensor_of(self).dynamic_range = None

    @bound(Overload("(self: ITensor, index: typing.SupportsInt, name: str) -> None", int32, optional(string)))
    def set_dimension_name(self, index: int, name: str | None) -> None:
        """Name a dimension; None removes the name."""
        names = tensor_of(self).dimension_names
        names.pop(index, None)
        if name:
            names[index] = name

    @bound(Overload("(self: ITensor, index: typing.SupportsInt) -> str", int32))
    def get_dimension_name(self, index: int) -> str | None:
        """Return a dimension's name, or None."""
        return tensor_of(self).dimension_names.get(index)
