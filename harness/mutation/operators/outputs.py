"""Inject defects of a plugin's answers about its outputs: their number, types and aliases."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from harness.mutation.kind import Spot, operator
from harness.mutation.operators.phrases import names_in

if TYPE_CHECKING:
    from harness.mutation.anatomy import Function, Module
    from harness.mutation.change import Change

_TYPES = ("get_output_datatype", "get_output_data_types")


def _input_types(function: Function) -> Iterator[ast.Subscript]:
    """Yield the expressions in returned values that read an input's type: ``input_types[0]``."""
    types = function.arguments[-1] if function.arguments else ""
    for _, value in function.returns:
        for node in (each for each in ast.walk(value) if isinstance(each, ast.Subscript)):
            if isinstance(node.value, ast.Name) and node.value.id == types:
                yield node


@operator("OUT-004", "OUT-010", "FMT-018", "ENQ-020", "OUT-001", spots=(Spot.SEVERAL_TYPES,))
def output_type_of_another_input(module: Module) -> Iterator[Change]:
    """An output is reported with the type of the wrong input."""
    for function in module.functions(*_TYPES):
        for node in _input_types(function):
            if isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, int):
                yield module.change(function, module.replaced(node.slice, str(node.slice.value + 1)))


@operator("OUT-004", "FMT-018", "ENQ-010", spots=(Spot.SEVERAL_TYPES,))
def output_type_fixed(module: Module) -> Iterator[Change]:
    """An output is reported as FLOAT for all types of inputs."""
    for function in module.functions(*_TYPES):
        for node in _input_types(function):
            yield module.change(function, module.replaced(node, "trt.DataType.FLOAT"))


@operator("OUT-009", "OUT-001", "OUT-010")
def output_type_is_a_number(module: Module) -> Iterator[Change]:
    """The type of an output is reported as a number."""
    for function in module.functions(*_TYPES):
        for node in _input_types(function):
            yield module.change(function, module.replaced(node, f"int({module.source(node)})"))


@operator("OUT-003", "OUT-005", "OUT-002", "OUT-008", "OUT-004", spots=(Spot.SEVERAL_TYPES,))
def output_type_unchecked(module: Module) -> Iterator[Change]:
    """The type of an output is that of the input, for any index and any type."""
    for function in module.functions(*_TYPES):
        for each in function.statements:
            if isinstance(each, ast.If) and not each.orelse and isinstance(each.body[0], ast.Return):
                yield module.change(function, module.dropped(each))
                if isinstance(each.test, ast.BoolOp):
                    for part in each.test.values:
                        yield module.change(function, module.without(each.test, part))


@operator("OUT-007", spots=(Spot.SEVERAL_TYPES,))
def output_type_kept(module: Module) -> Iterator[Change]:
    """The type of an output is always the type that was reported first."""
    for function in module.functions(*_TYPES):
        for _, value in function.returns:
            if function.owner is not None and any(node in ast.walk(value) for node in _input_types(function)):
                text = f'self.__dict__.setdefault("_type", {module.source(value)})'
                yield module.change(function, module.replaced(value, text))


@operator("OUT-001", "ID-008", "SHP-001", "SHP-002", "OUT-010")
def one_output_too_many(module: Module) -> Iterator[Change]:
    """The plugin reports one output too many."""
    yield from _outputs(module, "{} + 1")


@operator("OUT-001", "ID-008", "ID-007", "SHP-001", "SHP-002")
def one_output_too_few(module: Module) -> Iterator[Change]:
    """The plugin reports one output too few."""
    yield from _outputs(module, "{} - 1")


def _outputs(module: Module, form: str) -> Iterator[Change]:
    for function in module.functions("__init__"):
        node = module.set_in_init(function.owner).get("num_outputs") if function.owner else None
        if node is not None:
            yield module.change(function, module.replaced(node.value, form.format(module.source(node.value))))


@operator("ALI-001", "ALI-009", "ALI-004")
def alias_of_no_input(module: Module) -> Iterator[Change]:
    """An output is declared to alias an input that does not exist."""
    for function in module.functions("get_aliased_input"):
        for _, value in function.returns:
            yield module.change(function, module.replaced(value, "7"))


@operator("ALI-004", "ALI-001", "ALI-005")
def alias_of_another_input(module: Module) -> Iterator[Change]:
    """An output is declared to alias the wrong input."""
    for function in module.functions("get_aliased_input"):
        for _, value in function.returns:
            yield module.change(function, module.replaced(value, f"({module.source(value)}) + 1"))


@operator("ALI-003")
def alias_only_once(module: Module) -> Iterator[Change]:
    """An output is declared to alias an input only the first time that TensorRT asks."""
    for function in module.functions("get_aliased_input"):
        for statement, value in function.returns:
            seen = 'seen, self._asked = self.__dict__.get("_asked", False), True'
            text = f"{seen}\nreturn -1 if seen else {module.source(value)}"
            yield module.change(function, module.replaced(statement, text))


@operator("ALI-006", "ALI-005", "ALI-007", "ENQ-010")
def copy_for_no_alias_dropped(module: Module) -> Iterator[Change]:
    """An input is not copied to the output if the output has separate memory."""
    for function in module.functions("enqueue"):
        if any(module.functions("get_aliased_input")):
            for each in function.statements:
                if isinstance(each, ast.If) and {"inputs", "outputs"} <= names_in(each.test) and len(each.body) == 1:
                    yield module.change(function, module.dropped(each))
