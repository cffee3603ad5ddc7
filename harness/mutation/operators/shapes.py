"""Inject defects of a plugin's answers about its outputs' shapes."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from harness.mutation.kind import Spot, operator
from harness.mutation.operators.phrases import calls, names_in

if TYPE_CHECKING:
    from harness.mutation.anatomy import Function, Module
    from harness.mutation.change import Change

_SHAPES = ("get_output_dimensions", "get_output_shapes")
_OPERATIONS = {
    "SUM": ("MAX", "SUB", "PROD"),
    "SUB": ("SUM",),
    "PROD": ("SUM",),
    "FLOOR_DIV": ("CEIL_DIV",),
    "CEIL_DIV": ("FLOOR_DIV",),
    "MAX": ("MIN",),
    "MIN": ("MAX",),
}
_DIFFERENT = (Spot.UNEVEN_EXTENTS, Spot.DIFFERENT_INPUTS, Spot.DYNAMIC)


def _shapes(module: Module) -> Iterator[Function]:
    """Yield the callbacks that state shapes, and their helpers with a parameter ``expr_builder``."""
    yield from module.functions(*_SHAPES)
    for function in module.functions():
        if function.name not in _SHAPES and function.owner and "expr_builder" in function.arguments:
            yield function


def _inputs(function: Function) -> str:
    return next((each for each in function.arguments if each == "inputs"), "")


def _extents(function: Function) -> Iterator[ast.Subscript]:
    """Yield the expressions that read a dimension of an input: ``inputs[0][1]``."""
    whole = list(_whole_inputs(function))
    for node in function.nodes:
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load) and node.value in whole:
            yield node


def _whole_inputs(function: Function) -> Iterator[ast.Subscript]:
    """Yield the expressions that name an input: ``inputs[0]``."""
    for node in function.nodes:
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id == _inputs(function):
            yield node


@operator("SHP-008", "SHP-010", "FUZ-001", "SHP-011", spots=_DIFFERENT)
def shape_operation_changed(module: Module) -> Iterator[Change]:
    """A dimension is computed by another operation."""
    for function in _shapes(module):
        for node in function.nodes:
            if (
                isinstance(node, ast.Attribute)
                and node.attr in _OPERATIONS
                and "DimensionOperation" in module.source(node)
            ):
                for other in _OPERATIONS[node.attr]:
                    yield module.change(function, module.replaced(node, f"{module.source(node.value)}.{other}"))


@operator("SHP-008", "FUZ-001", spots=(Spot.DYNAMIC,))
def extent_fixed(module: Module) -> Iterator[Change]:
    """A dimension is a constant, although it depends on a dimension of an input."""
    for function in _shapes(module):
        for node in _extents(function):
            if "expr_builder" in function.arguments:
                yield module.change(function, module.replaced(node, "expr_builder.constant(13)"))


@operator("SHP-008", "FUZ-001", spots=(Spot.UNEVEN_EXTENTS,))
def extent_of_another_axis(module: Module) -> Iterator[Change]:
    """A dimension comes from the wrong axis."""
    for function in _shapes(module):
        for node in _extents(function):
            text = f"{module.source(node.value)}[({module.source(node.slice)}) - 1]"
            yield module.change(function, module.replaced(node, text))


@operator("SHP-008", "FUZ-001", spots=(Spot.UNEVEN_EXTENTS,))
def result_on_another_axis(module: Module) -> Iterator[Change]:
    """A dimension is assigned to the wrong axis."""
    for function in _shapes(module):
        for each in function.statements:
            if isinstance(each, ast.Assign) and isinstance(each.targets[0], ast.Subscript):
                axis = each.targets[0].slice
                yield module.change(function, module.replaced(axis, f"({module.source(axis)}) - 1"))


@operator("SHP-008", "FUZ-001", spots=(Spot.DIFFERENT_INPUTS,))
def shape_of_another_input(module: Module) -> Iterator[Change]:
    """A shape or a dimension comes from the wrong input."""
    for function in _shapes(module):
        inputs = list(_whole_inputs(function))
        indices = {module.source(each.slice) for each in inputs}
        for node in inputs:
            for other in sorted(indices - {module.source(node.slice)}):
                yield module.change(function, module.replaced(node.slice, other))


@operator("SHP-008", "FUZ-001", spots=(Spot.FIELDS,))
def extent_not_computed(module: Module) -> Iterator[Change]:
    """A dimension is copied from the input, although it must be computed."""
    for function in _shapes(module):
        for each in function.statements:
            if isinstance(each, ast.Assign) and isinstance(each.targets[0], ast.Subscript):
                yield module.change(function, module.dropped(each))


@operator("SHP-005", "SHP-003")
def extent_is_a_number(module: Module) -> Iterator[Change]:
    """A dimension is a Python number, not an expression."""
    for function in _shapes(module):
        for each in function.statements:
            if isinstance(each, ast.Assign) and isinstance(each.targets[0], ast.Subscript):
                yield module.change(function, module.replaced(each.value, "2"))


@operator("SHP-013", "SHP-006")
def passed_shape_changed(module: Module) -> Iterator[Change]:
    """The passed shape is changed and returned, in place of a copy."""
    for function in _shapes(module):
        changes = any(isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store) for node in function.nodes)
        for call in calls(function, "DimsExprs") if changes else ():
            if len(call.args) == 1 and isinstance(call.args[0], ast.Subscript):
                yield module.change(function, module.replaced(call, module.source(call.args[0])))


@operator("SHP-004", "FUZ-001")
def builder_kept(module: Module) -> Iterator[Change]:
    """The expression builder of the first call is kept, and used in later calls."""
    for function in module.functions(*_SHAPES):
        if function.owner is not None and "expr_builder" in function.arguments:
            text = 'expr_builder = self.__dict__.setdefault("_builder", expr_builder)'
            yield module.change(function, module.begun(function, text))


@operator("SHP-006", "SHP-004")
def shape_kept(module: Module) -> Iterator[Change]:
    """The first shapes are returned for all inputs."""
    for function in module.functions(*_SHAPES):
        key = function.arguments[0] if function.name == "get_output_dimensions" else "0"
        for _, value in function.returns:
            if function.owner is not None and not isinstance(value, ast.Constant):
                text = f'self.__dict__.setdefault("_dims", {{}}).setdefault({key}, {module.source(value)})'
                yield module.change(function, module.replaced(value, text))


@operator("SHP-024")
def shape_inputs_unchecked(module: Module) -> Iterator[Change]:
    """Shape inputs are read without a check of their number."""
    for function in _shapes(module):
        for guard in function.guards:
            if "shape_inputs" in names_in(guard.test):
                yield module.change(function, module.dropped(guard))


@operator("SHP-018", "SHP-021", "SHP-008")
def size_bound_halved(module: Module) -> Iterator[Change]:
    """The upper bound of a data-dependent size is half of its greatest value."""
    for function in _shapes(module):
        for call in calls(function, "declare_size_tensor"):
            bound = call.args[-1]
            half = f"FLOOR_DIV, {module.source(bound)}, expr_builder.constant(2)"
            text = f"expr_builder.operation(trt.DimensionOperation.{half})"
            if "expr_builder" in function.arguments:
                yield module.change(function, module.replaced(bound, text))


@operator("SHP-016", "SHP-015")
def size_of_another_output(module: Module) -> Iterator[Change]:
    """A data-dependent size is declared in the wrong output."""
    for function in _shapes(module):
        for call in calls(function, "declare_size_tensor"):
            yield module.change(function, module.replaced(call.args[0], f"({module.source(call.args[0])}) + 1"))


@operator("V2L-001", "V2L-002", "SHP-008")
def implicit_shape_with_batch(module: Module) -> Iterator[Change]:
    """A shape without the batch is returned with one more dimension for it."""
    for function in module.functions("get_output_shape"):
        for _, value in function.returns:
            if not isinstance(value, ast.Constant):
                shape = module.source(value.body if isinstance(value, ast.IfExp) else value)
                yield module.change(function, module.replaced(value, f"trt.Dims((1, *({shape})))"))
