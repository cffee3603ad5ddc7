"""Find a model's uses of plugins: their creators, fields, and the dimensions, types and values of their inputs.

The reference runtime's parser reads the model. So the operators before a plugin are taken into account, too.
"""

from __future__ import annotations

import pathlib
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from harness.checks.engines.error_log import ErrorLog
from harness.child.onnx_models.points import points_of, variables_of
from harness.config import onnx_dims as dims
from reference_runtime.builder.builder import Builder
from reference_runtime.instruments import Constant, OnnxMissing, graph_of, library
from reference_runtime.onnx.importing.creating import NOT_FOUND
from reference_runtime.onnx.parser import OnnxParser, imported
from reference_runtime.values.enums_building import NetworkDefinitionCreationFlag
from reference_runtime.values.refusals import Refused

if TYPE_CHECKING:
    from harness.child.onnx_models.points import Point
    from harness.config.onnx_dims import Range
    from reference_runtime.calling.gate.gate import Gate
    from reference_runtime.instruments import Graph, Layer, Tensor
    from reference_runtime.onnx.importing.fields import FieldData
    from reference_runtime.onnx.importing.importer import Importer

#: A longer constant is not used as the values of an input; random values are used.
_MOST_BYTES = 1 << 16


class ModelError(Exception):
    """A model cannot be used; the argument says why and what to do."""


class PluginRefusedError(Exception):
    """A plugin does not take a node's attributes or inputs; the argument says what it refused."""


class TensorUse(msgspec.Struct, frozen=True):
    """One input of a plugin in a model.

    Attributes:
        type: The name of its ``DataType``.
        shapes: Its dimensions at each point; for a shape input, its values.
        is_shape_input: Whether the plugin gets only its values, as expressions.
        dims: The dimensions of a shape input.
        constant: Its data as an array, if it is a constant of the model.
    """

    type: str
    shapes: tuple[tuple[int, ...], ...]
    is_shape_input: bool = False
    dims: tuple[int, ...] = ()
    constant: Any = None


class Use(msgspec.Struct, frozen=True):
    """One node that uses a plugin, and the points at which the shapes of its inputs are known."""

    node: str
    creator: Any
    fields: tuple[FieldData, ...]
    inputs: tuple[TensorUse, ...]
    points: tuple[Point, ...]


def uses_of(path: str, user_ranges: dict[str, Range], gate: Gate, modules_plugins: str) -> list[Use]:
    """Return how the model in a file uses plugins, in the order of its nodes.

    Args:
        path: The file of the model.
        user_ranges: The ranges of dynamic dimensions that the user has set.
        gate: The gate through which plugins are called.
        modules_plugins: The module's plugins as text, for a message.

    Raises:
        ModelError: The model cannot be read, or uses no plugin.
        PluginRefusedError: A plugin does not take a node's attributes or inputs.
    """
    try:
        library()
    except OnnxMissing as error:
        raise ModelError(f"--plugin-onnx={path}: {error}") from error
    graph, importer = _read(path, gate, modules_plugins)
    if not importer.uses:
        raise ModelError(
            f"--plugin-onnx={path}: no node of the model is a plugin; each is an operator that TensorRT imports itself"
        )
    ranges = dims.settled(variables_of(graph).values(), user_ranges)
    try:
        points, problems = points_of(graph, ranges)
    except Refused as refused:
        raise PluginRefusedError(f"{path}: {refused}") from refused
    if problems:
        now = ", ".join(f"{name}={each}" for name, each in ranges.items()) or "none is dynamic"
        raise ModelError(
            f"--plugin-onnx={path}: the model does not go {problems[0]}; give the dimensions that it is made for, with "
            f"{dims.OPTION}=NAME=MIN:OPT:MAX (now {now})"
        )
    uses = []
    for layer, use in importer.uses.items():
        inputs = tuple(use_inputs(graph, layer, points))
        uses.append(Use(importer.nodes[layer].name, use.creator, use.fields, inputs, tuple(points)))
    return uses


def use_inputs(graph: Graph, layer: Layer, points: Sequence[Point]) -> Iterator[TensorUse]:
    """Yield how a network uses the inputs of a plugin, shape inputs last."""
    yield from (_tensor_use(graph, tensor, points, is_shape=False) for tensor in layer.inputs)
    yield from (_tensor_use(graph, tensor, points, is_shape=True) for tensor in layer.shape_inputs)


def _read(path: str, gate: Gate, modules_plugins: str) -> tuple[Graph, Importer]:
    file = pathlib.Path(path)
    try:
        data = file.read_bytes()
    except OSError as error:
        raise ModelError(f"--plugin-onnx={path}: {error.strerror or error}") from error
    logger = ErrorLog()
    known = NetworkDefinitionCreationFlag.__members__  # TensorRT 8.6 has no strongly typed networks
    flag = known.get("STRONGLY_TYPED", known["EXPLICIT_BATCH"])
    network = Builder(logger).create_network(1 << int(flag))
    parser = OnnxParser(network, logger)
    before = len(gate.failures)
    if not parser.parse(data, str(file)):
        _raise(path, parser, [f"{each.method} {each.what}" for each in gate.failures[before:]], modules_plugins)
    importer = imported(parser)
    if importer is None:  # pragma: no cover - a parser that succeeded has imported something
        raise ModelError(f"--plugin-onnx={path}: the model was not imported")
    return graph_of(network), importer


def _raise(path: str, parser: OnnxParser, failures: Sequence[str], modules_plugins: str) -> None:
    """Raise the error that says why a model was not imported."""
    error = parser.get_error(0)
    if error.code().name == "MODEL_DESERIALIZE_FAILED":
        raise ModelError(f"--plugin-onnx={path}: it is no ONNX model, or a damaged one: {error.desc()}")
    if error.desc() == NOT_FOUND:
        node = f"node {error.node_name() or error.node()!r}"
        raise ModelError(
            f"--plugin-onnx={path}: {node} needs the plugin {error.node_operator()}, and no creator has that name, "
            f"version and namespace; found: {modules_plugins}. Name the module that registers it. Or give the node the "
            "attributes plugin_version and plugin_namespace: without them they are '1' and ''"
        )
    if failures:
        raise PluginRefusedError(f"{path}: {error}; {failures[0]}")
    raise ModelError(f"--plugin-onnx={path}: the model cannot be imported: {error}")


def _tensor_use(graph: Graph, tensor: Tensor, points: Sequence[Point], *, is_shape: bool) -> TensorUse:
    at_points = [point.facts[tensor] for point in points]
    if is_shape:
        values = [tuple(value for value in facts.values or () if value is not None) for facts in at_points]
        return TensorUse(tensor.dtype.name, tuple(values), is_shape_input=True, dims=at_points[0].dims)
    layer = graph.producers[tensor]
    constant = None
    if layer is not None and isinstance(layer.operation, Constant) and len(layer.operation.weights) <= _MOST_BYTES:
        (constant,) = layer.operation.run(())
    return TensorUse(tensor.dtype.name, tuple(facts.dims for facts in at_points), constant=constant)
