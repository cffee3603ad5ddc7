"""Inject defects of the query for types and formats."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from harness.mutation.kind import Spot, operator
from harness.mutation.operators.phrases import is_refusal, names_in

if TYPE_CHECKING:
    from harness.mutation.anatomy import Function, Module
    from harness.mutation.change import Change

QUERY = "supports_format_combination"


def _queries(module: Module) -> Iterator[Function]:
    """Yield the format queries that receive all tensors."""
    yield from (each for each in module.functions(QUERY) if len(each.arguments) > 2)  # noqa: PLR2004 - as TensorRT has it


def _conditions(function: Function) -> Iterator[ast.BoolOp]:
    """Yield the conditions with several operands of ``and``."""
    for node in function.nodes:
        if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And):
            yield node


def _refusals(function: Function) -> Iterator[ast.If]:
    for each in function.statements:
        if isinstance(each, ast.If) and is_refusal(each):
            yield each


def _in_out_at_pos(function: Function) -> Iterator[ast.Subscript]:
    pos, in_out, *_ = function.arguments
    for node in function.nodes:
        if isinstance(node, ast.Subscript) and (_name(node.value), _name(node.slice)) == (in_out, pos):
            yield node


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else ""


@operator("FMT-012", "FMT-009", "ENQ-020")
def format_check_dropped(module: Module) -> Iterator[Change]:
    """Any layout is accepted, and computed as if it were linear."""
    for function in module.functions(QUERY, "supports_format"):
        for each in _refusals(function):
            yield module.change(function, module.dropped(each))
        for condition in _conditions(function):
            for part in condition.values:
                if "format" in names_in(part) or "TensorFormat" in names_in(part):
                    yield module.change(function, module.without(condition, part))


@operator("FMT-012", "FMT-009", "ENQ-020")
def format_check_dropped_for_outputs(module: Module) -> Iterator[Change]:
    """Any layout is accepted for outputs."""
    for function in _queries(module):
        pos, _, count = function.arguments[:3]
        for each in _refusals(function):
            text = f"{pos} < {count} and ({module.source(each.test)})"
            yield module.change(function, module.replaced(each.test, text))


@operator("FMT-012", "FMT-011", "FMT-009", spots=(Spot.SEVERAL_TYPES,))
def type_check_widened(module: Module) -> Iterator[Change]:
    """Any type is accepted, where there was a list of types."""
    for function in module.functions(QUERY, "supports_format"):
        for condition in _conditions(function):
            for part in condition.values:
                if isinstance(part, ast.Compare) and isinstance(part.ops[0], ast.In):
                    yield module.change(function, module.without(condition, part))


@operator("FMT-012", "FMT-018", "FMT-011", "ENQ-020", spots=(Spot.SEVERAL_TYPES,))
def types_need_not_agree(module: Module) -> Iterator[Change]:
    """Tensors of different types are accepted, where they had to agree."""
    for function in _queries(module):
        for condition in _conditions(function):
            for part in condition.values:
                if isinstance(part, ast.Compare) and isinstance(part.ops[0], ast.Eq) and "type" in names_in(part):
                    yield module.change(function, module.without(condition, part))


@operator("FMT-012", "FMT-018", "FMT-011", "ENQ-020", spots=(Spot.SEVERAL_TYPES,))
def types_need_not_agree_for_outputs(module: Module) -> Iterator[Change]:
    """The types of outputs may differ from the inputs' types, where they had to agree."""
    for function in _queries(module):
        pos, _, count = function.arguments[:3]
        for condition in _conditions(function):
            for part in condition.values:
                if isinstance(part, ast.Compare) and isinstance(part.ops[0], ast.Eq) and "type" in names_in(part):
                    text = f"({pos} >= {count} or {module.source(part)})"
                    yield module.change(function, module.replaced(part, text))


@operator("FMT-012", "FMT-004", "FMT-011", "FMT-009")
def pos_ignored(module: Module) -> Iterator[Change]:
    """The query looks at the first tensor instead of the tensor at ``pos``."""
    for function in _queries(module):
        for each in _in_out_at_pos(function):
            yield module.change(function, module.replaced(each, f"{function.arguments[1]}[0]"))


@operator("FMT-001", "FUZ-005")
def query_looks_ahead(module: Module) -> Iterator[Change]:
    """The query looks at the last tensor, which has no description yet."""
    for function in _queries(module):
        for each in _in_out_at_pos(function):
            yield module.change(function, module.replaced(each, f"{function.arguments[1]}[-1]"))


@operator("FMT-016", "FMT-012", "FMT-004")
def outputs_taken_for_inputs(module: Module) -> Iterator[Change]:
    """The number of inputs is one too great."""
    for function in _queries(module):
        count = function.arguments[2]
        for node in function.nodes:
            if isinstance(node, ast.Name) and node.id == count and isinstance(node.ctx, ast.Load):
                yield module.change(function, module.replaced(node, f"({count} + 1)"))


@operator("FMT-005")
def answer_is_no_bool(module: Module) -> Iterator[Change]:
    """The query answers with a number."""
    for function in module.functions(QUERY, "supports_format"):
        for _, value in function.returns:
            yield module.change(function, module.replaced(value, f"int({module.source(value)})"))


@operator("FMT-006")
def refusal_raises(module: Module) -> Iterator[Change]:
    """The query raises for an unsupported type or format."""
    for function in module.functions(QUERY, "supports_format"):
        for each in function.statements:
            if isinstance(each, ast.Return) and is_refusal(each):
                yield module.change(function, module.replaced(each, 'raise ValueError("not supported")'))


@operator("FMT-019", spots=(Spot.DYNAMIC, Spot.UNEVEN_EXTENTS))
def answer_depends_on_extents(module: Module) -> Iterator[Change]:
    """The answer also depends on the dimensions of the first tensor."""
    for function in _queries(module):
        in_out = function.arguments[1]
        for _, value in function.returns:
            if not isinstance(value, ast.Constant):
                dims = f'getattr({in_out}[0], "desc", {in_out}[0]).dims'
                text = f"({module.source(value)}) and not (len({dims}) and {dims}[0] == 1)"
                yield module.change(function, module.replaced(value, text))


@operator("FMT-002", "FUZ-005")
def answer_kept_by_position(module: Module) -> Iterator[Change]:
    """The first answer for a position is repeated for all later questions about it."""
    for function in _queries(module):
        pos = function.arguments[0]
        for _, value in function.returns:
            if function.owner is not None and not isinstance(value, ast.Constant):
                text = f'self.__dict__.setdefault("_answers", {{}}).setdefault({pos}, {module.source(value)})'
                yield module.change(function, module.replaced(value, text))


@operator("FMT-003", "FMT-001")
def query_changes_a_descriptor(module: Module) -> Iterator[Change]:
    """The query sets the type of the tensor that it is asked about."""
    for function in _queries(module):
        pos, in_out = function.arguments[:2]
        part = ".desc" if any(isinstance(n, ast.Attribute) and n.attr == "desc" for n in function.nodes) else ""
        text = f"{in_out}[{pos}]{part}.type = {in_out}[0]{part}.type"
        yield module.change(function, module.begun(function, text))


@operator("FMT-011", "FMT-012")
def bool_accepted(module: Module) -> Iterator[Change]:
    """BOOL is among the types that the plugin takes."""
    for node in module.tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Tuple) and "DataType" in names_in(node.value):
            first = module.source(node.value.elts[0])
            text = f"(*{module.source(node.value)}, {first.rpartition('.')[0]}.BOOL)"
            yield module.change_of_module(module.replaced(node.value, text))


@operator("FMT-007", "FMT-008", "FMT-017", "FMT-018", spots=(Spot.SEVERAL_TYPES,))
def type_left_out(module: Module) -> Iterator[Change]:
    """One of the types that the plugin takes is refused."""
    for node in module.tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Tuple) and "DataType" in names_in(node.value):
            for gone in node.value.elts:
                left = "".join(f"{module.source(each)}, " for each in node.value.elts if each is not gone)
                yield module.change_of_module(module.replaced(node.value, f"({left})"))


@operator("FMT-004", "FMT-007", "FMT-010")
def last_output_refused(module: Module) -> Iterator[Change]:
    """The query refuses every type and format of the last tensor."""
    for function in _queries(module):
        pos, in_out = function.arguments[:2]
        text = f"if {pos} == len({in_out}) - 1:\n    return False"
        yield module.change(function, module.begun(function, text))
