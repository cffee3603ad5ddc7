"""Checks that one layer of a plan fits itself and its tensors; and makes its rule for a run."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from reference_runtime import operations
from reference_runtime.interfaces.field import size_in_bytes
from reference_runtime.plan.records import PLUGIN_V2, PLUGIN_V3
from reference_runtime.plan.refusing import unless_refused
from reference_runtime.shapes import expression_nodes
from reference_runtime.shapes.shape_rules import OperationRule, ShapeRule
from reference_runtime.values import formats
from reference_runtime.values.checked_json import require
from reference_runtime.values.enums import DataType, TensorFormat
from reference_runtime.values.enums_layers import LayerType

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reference_runtime.operations import Operation
    from reference_runtime.plan.records import KernelPlan, LayerPlan, PluginPlan, TensorPlan
    from reference_runtime.shapes.shape_rules import ExtentRule
    from reference_runtime.values.descriptions import Description

__all__ = ["check_layer", "operation_of", "rule_of"]

_SIZE_TYPES = (DataType.INT32, DataType.INT64)


def rule_of(layer: LayerPlan) -> ExtentRule[int]:
    """Return how a layer's outputs follow from its inputs, ready to be evaluated."""
    if layer.plugin is None:
        return OperationRule(layer.name, layer.inputs, layer.outputs, operation_of(layer))
    shapes = [[expression_nodes.from_plain(plain) for plain in shape] for shape in layer.plugin.shapes]
    return ShapeRule(layer.name, layer.inputs, layer.outputs, shapes, layer.plugin.shape_inputs)


def operation_of(layer: LayerPlan) -> Operation:
    """Return the operation of a layer that runs no plugin, or raise `PlanError`."""
    require(layer.kind in LayerType.__members__, f"{layer.name!r} is of kind {layer.kind!r}, which does not exist")
    return operations.from_plain(LayerType.__members__[layer.kind], layer.operation, layer.payload)


def check_layer(layer: LayerPlan, tensors: Sequence[TensorPlan], ready: set[int]) -> None:
    """Raise `PlanError` for a layer that does not fit; ``ready`` are the tensors that are there before it runs."""
    name, new = repr(layer.name), set(layer.outputs)
    require(ready.issuperset(layer.needed), f"{name} reads what is not there yet")
    require(len(new) == len(layer.outputs) and not new & ready, f"{name} writes what is there already")
    require(max(new, default=0) < len(tensors), f"{name} writes a tensor that does not exist")
    require(bool(new), f"{name} writes nothing")
    stored = [tensors[place].desc for place in layer.tensors]
    _check_shapes(layer, stored)
    for desc, here in zip(layer.chosen, stored, strict=True):
        convertible = desc.type == here.type or {desc.type, here.type}.issubset(formats.REAL_TYPES)
        require(convertible, f"{name} wants {desc.type} where there is {here.type}")
    if layer.plugin is None:
        _check_operation(layer)
    else:
        _check_plugin(layer, layer.plugin, tensors)


def _check_shapes(layer: LayerPlan, stored: Sequence[Description]) -> None:
    """Check that a layer wants its tensors in the shapes that they have; a plugin may want an item copied."""
    count = len(layer.inputs)
    batched = layer.kind == PLUGIN_V2 and any(here.dims[:1] == (-1,) for here in stored[:count])
    require(len(layer.chosen) == len(stored), f"{layer.name!r} does not fit its tensors")
    for place, (desc, here) in enumerate(zip(layer.chosen, stored, strict=True)):
        copied = batched and place < count and here.dims[:1] == (1,)
        fits = desc.dims == here.dims or (copied and desc.dims == (-1, *here.dims[1:]))
        require(fits, f"{layer.name!r} does not fit its tensors")


def _check_operation(layer: LayerPlan) -> None:
    name = repr(layer.name)
    require(layer.kind not in (PLUGIN_V2, PLUGIN_V3), f"{name} has no plugin")
    require(not layer.workspace and not layer.fields, f"{name} is no plugin, and has a workspace or fields")
    require(layer.kernel is None, f"{name} is no plugin, and has a kernel")
    require(
        all(desc.format == TensorFormat.LINEAR for desc in layer.chosen), f"{name} wants tensors that are not linear"
    )
    operation, count = operation_of(layer), len(layer.inputs)
    require(operations.takes(operation, count), f"{name} has {count} inputs, which are not those that it names")
    types = unless_refused(lambda: operation.types([desc.type for desc in layer.chosen[:count]]))
    require(types == tuple(desc.type for desc in layer.chosen[count:]), f"{name} gives the types {types}")


def _check_plugin(layer: LayerPlan, plugin: PluginPlan, tensors: Sequence[TensorPlan]) -> None:
    name = repr(layer.name)
    require(layer.kind in (PLUGIN_V2, PLUGIN_V3), f"{name} is of kind {layer.kind!r}, and has a plugin")
    require(layer.operation is None, f"{name} has a plugin and an operation")
    require(len(plugin.shapes) == len(plugin.aliases) == len(layer.outputs), f"{name} has wrong shapes")
    if layer.kind == PLUGIN_V2:
        plain = not layer.fields and not plugin.shape_inputs and not plugin.sizes and not plugin.tactic
        require(plain and set(plugin.aliases) <= {-1} and plugin.metadata is None, f"{name} is of version 2")
    for field in layer.fields:
        expected = size_in_bytes(field.type, field.length)
        require(expected in (None, len(field.data)), f"field {field.name!r} of {name} has {len(field.data)} bytes")
    if layer.kernel is not None:
        _check_kernel(layer, layer.kernel, tensors)
    _check_aliases(layer, plugin)
    _check_leaves(layer, plugin, tensors)


def _check_kernel(layer: LayerPlan, kernel: KernelPlan, tensors: Sequence[TensorPlan]) -> None:
    name = repr(layer.name)
    require(layer.kind == PLUGIN_V3 and not layer.fields and not layer.workspace, f"{name} has a kernel and a plugin")
    ranks = [len(tensors[place].desc.dims) for place in layer.inputs]
    for plain in (*kernel.launch, *kernel.arguments):
        for node in expression_nodes.in_order(expression_nodes.from_plain(plain)):
            match node:
                case expression_nodes.Extent(tensor, axis):
                    there = tensor < len(ranks) and axis < ranks[tensor]
                case expression_nodes.Constant() | expression_nodes.Operation():
                    there = True
                case _:
                    there = False
            require(there, f"the kernel of {name} is launched by what is not there")


def _check_aliases(layer: LayerPlan, plugin: PluginPlan) -> None:
    shared = [source for source in plugin.aliases if source >= 0]
    fits = len(set(shared)) == len(shared) and max(shared, default=-1) < len(layer.inputs)
    require(fits, f"{layer.name!r} shares memory that it has not")
    outputs = layer.chosen[len(layer.inputs) :]
    for desc, source in zip(outputs, plugin.aliases, strict=True):
        same = source < 0 or (desc.type, desc.format) == (layer.chosen[source].type, layer.chosen[source].format)
        require(same, f"{layer.name!r} shares memory between different types or formats")


def _check_leaves(layer: LayerPlan, plugin: PluginPlan, tensors: Sequence[TensorPlan]) -> None:
    """Check that expressions refer to existing extents of inputs, values of shape inputs, and size tensors."""
    ranks = [len(tensors[place].desc.dims) for place in layer.inputs]
    counts = [prod(max(extent, 0) for extent in tensors[place].desc.dims) for place in plugin.shape_inputs]
    sizes: set[int] = set()
    for shape in plugin.shapes:
        for plain in shape:
            for node in expression_nodes.in_order(expression_nodes.from_plain(plain)):
                match node:
                    case expression_nodes.Extent(tensor, axis):
                        there = tensor < len(ranks) and axis < ranks[tensor]
                    case expression_nodes.Value(tensor, index):
                        there = tensor < len(counts) and index < counts[tensor]
                    case expression_nodes.Size(output):
                        sizes.add(output)
                        there = output < len(layer.outputs)
                    case _:
                        there = True
                require(there, f"{layer.name!r} has a shape that rests on what is not there")
    require(plugin.sizes == tuple(sorted(sizes)), f"{layer.name!r} has wrong size tensors")
    for output in plugin.sizes:
        desc = layer.chosen[len(layer.inputs) + output]
        require(not desc.dims and desc.type in _SIZE_TYPES, f"{layer.name!r} has a size tensor that is no number")
