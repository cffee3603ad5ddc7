"""Find the uses of plugins in a recorded network, as `harness.child.onnx_models` finds them in a model's network."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from harness.child.onnx_models.points import Point, points_of, variables_of
from harness.child.onnx_models.uses import Use, use_inputs
from harness.config.onnx_dims import Range
from reference_runtime.builder.properties import settings_of
from reference_runtime.onnx.importing.fields import FieldData
from reference_runtime.plugin.attributes import field_of
from reference_runtime.plugin.definitions import PluginDef
from reference_runtime.registry.registry import find_creator, get_plugin_registry
from reference_runtime.shapes.tensor_facts import ValueFacts
from reference_runtime.values.refusals import Refused

if TYPE_CHECKING:
    from reference_runtime.instruments import Graph, Layer, Tensor


#: The name of a use whose layer has no name.
_UNNAMED = "program"


class Made(msgspec.Struct, frozen=True):
    """A plugin with its creator and fields; while it is referenced here, no other object can get its ``id``."""

    plugin: Any
    creator: Any
    fields: tuple[FieldData, ...]


class UnknownShapesError(Exception):
    """The shapes of a plugin's inputs in the network are not known; the argument says why."""


def uses_in(graph: Graph, config: Any, made: Callable[[Any], Made | None]) -> Iterator[Use]:
    """Yield how a network uses plugins, once for each profile that it is built with.

    ``made`` returns the recorded creator and fields of a plugin.

    Raises:
        Refused: The network is invalid.
        UnknownShapesError: A dynamic dimension has no profile.
    """
    layers = [layer for layer in graph.layers if layer.plugin is not None]
    if not layers:
        return
    profiles = [ranges.shapes for ranges in settings_of(config).profiles] or [{}]
    for profile in profiles:
        points = _points(graph, profile, layers)
        for layer in layers:
            creator, fields = _origin(layer, made)
            if creator is not None:
                name = _UNNAMED if layer.name.startswith("(") else layer.name
                yield Use(name, creator, fields, tuple(use_inputs(graph, layer, points)), tuple(points))


def _points(graph: Graph, profile: Any, layers: list[Layer]) -> list[Point]:
    """Return the points of a profile; if shapes behind the inputs cannot be computed, only those of the inputs."""
    ranges = {}
    for (tensor, axis), name in variables_of(graph).items():
        if tensor.name not in profile:
            raise UnknownShapesError(f"input {tensor.name!r} has dynamic dimensions and no profile")
        low, best, high = (shape[axis] for shape in profile[tensor.name])
        ranges[name] = Range(low, best, high)
    try:
        points, problems = points_of(graph, ranges)
    except Refused:
        if any(tensor not in graph.inputs for layer in layers for tensor in layer.operands):
            raise
        points, problems = [], []
    if problems:
        raise UnknownShapesError(f"the network does not go {problems[0]}")
    return points or [_corner(graph, ranges, pick) for pick in ("low", "best", "high")]


def _corner(graph: Graph, ranges: dict[str, Range], pick: str) -> Point:
    extents = {name: getattr(each, pick) for name, each in ranges.items()}
    names = variables_of(graph)

    def facts(tensor: Tensor) -> ValueFacts:
        dims = enumerate(tensor.dims or ())
        return ValueFacts(tuple(extents[names[tensor, axis]] if n < 0 else n for axis, n in dims))

    return Point(extents, {tensor: facts(tensor) for tensor in graph.inputs})


def _origin(layer: Layer, made: Callable[[Any], Made | None]) -> tuple[Any, tuple[Any, ...]]:
    """Return a plugin's creator and fields; if its creation was not recorded, a creator by name, and no fields."""
    definition = getattr(layer.plugin, "definition", None)
    if isinstance(definition, PluginDef):
        return definition.creator, tuple(_attributes(layer.plugin.attrs))
    recorded = made(layer.plugin)
    if recorded is not None:
        return recorded.creator, recorded.fields
    core = layer.plugin if layer.capabilities is None else layer.capabilities.core
    name = getattr(core, "plugin_name", None) or getattr(core, "plugin_type", None)
    key = (str(name), str(core.plugin_version), str(core.plugin_namespace))
    return find_creator(get_plugin_registry(), key), ()


def _attributes(values: dict[str, Any]) -> Iterator[FieldData]:
    """Yield the attributes of a decorated plugin as fields."""
    for name, value in values.items():
        field = field_of(name, value)
        yield FieldData(name, np.array(field.data).ravel(), field.type.name)
