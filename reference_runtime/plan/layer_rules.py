"""Make the shape rule and the operation of a plan's layer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference_runtime import operations
from reference_runtime.shapes import expression_nodes
from reference_runtime.shapes.shape_rules import OperationRule, ShapeRule
from reference_runtime.values.checked_json import require
from reference_runtime.values.enums_layers import LayerType

if TYPE_CHECKING:
    from reference_runtime.operations import Operation
    from reference_runtime.plan.records import LayerPlan
    from reference_runtime.shapes.shape_rules import ExtentRule


def rule_of(layer: LayerPlan) -> ExtentRule[int]:
    """Return the rule that computes the dimensions of a layer's outputs; raise `PlanError` for an unknown layer."""
    if layer.plugin is None:
        return OperationRule(layer.name, layer.inputs, layer.outputs, operation_of(layer))
    shapes = [[expression_nodes.from_plain(plain) for plain in shape] for shape in layer.plugin.shapes]
    return ShapeRule(layer.name, layer.inputs, layer.outputs, shapes, layer.plugin.shape_inputs)


def operation_of(layer: LayerPlan) -> Operation:
    """Return the operation of a layer that runs no plugin, or raise `PlanError`."""
    require(layer.kind in LayerType.__members__, f"{layer.name!r} is of kind {layer.kind!r}, which does not exist")
    return operations.from_plain(LayerType.__members__[layer.kind], layer.operation, layer.payload)
