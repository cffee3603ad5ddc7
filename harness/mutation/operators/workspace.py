"""Inject defects of the workspace: its size and its use."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from harness.mutation.kind import Spot, operator
from harness.mutation.operators.phrases import called, calls, names_in

if TYPE_CHECKING:
    from harness.mutation.anatomy import Function, Module
    from harness.mutation.change import Change

_SIZES = ("WSP-003", "WSP-002", "WSP-004", "WSP-009")


def _sizes(module: Module) -> Iterator[tuple[Function, ast.Return, ast.expr]]:
    for function in module.functions("get_workspace_size"):
        for statement, value in function.returns:
            if not (isinstance(value, ast.Constant) and value.value == 0):
                yield function, statement, value


@operator(*_SIZES)
def workspace_halved(module: Module) -> Iterator[Change]:
    """The requested workspace is half of the needed size."""
    for function, _, value in _sizes(module):
        yield module.change(function, module.replaced(value, f"({module.source(value)}) // 2"))


@operator(*_SIZES)
def workspace_factor_dropped(module: Module) -> Iterator[Change]:
    """The size of the workspace lacks one of its factors, such as the bytes of an element."""
    for function, _, value in _sizes(module):
        for node in ast.walk(value):
            if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
                yield module.change(function, module.replaced(node, module.source(node.left)))
                yield module.change(function, module.replaced(node, module.source(node.right)))


@operator(*_SIZES, "TAC-013")  # TAC-013 runs each tactic with the requested workspace
def workspace_not_summed(module: Module) -> Iterator[Change]:
    """The workspace is computed by a maximum in place of a sum, or a minimum in place of a maximum."""
    for function in module.functions("get_workspace_size"):
        for call in calls(function, "sum", "max"):
            if isinstance(call.func, ast.Name) and len(call.args) == 1:
                other = "max" if called(call) == "sum" else "min"
                yield module.change(function, module.replaced(call.func, other))


@operator("WSP-002", "WSP-003", "WSP-004", "CFG-014", "CFG-002", spots=(Spot.DYNAMIC,))
def max_taken_for_opt(module: Module) -> Iterator[Change]:
    """The workspace is computed from the optimum or minimum of the profile, not from the maximum."""
    for function in module.functions():
        for node in function.nodes:
            if isinstance(node, ast.Attribute) and node.attr == "max" and not isinstance(node.value, ast.Name):
                for other in ("opt", "min"):
                    yield module.change(function, module.replaced(node, f"{module.source(node.value)}.{other}"))


@operator("WSP-004", "WSP-001", "WSP-002", "WSP-007", "CFG-002", spots=(Spot.DYNAMIC,))
def workspace_from_the_description(module: Module) -> Iterator[Change]:
    """The workspace is computed from ``desc.dims``, which may hold -1, in place of the maximum."""
    for function in module.functions("get_workspace_size"):
        for node in function.nodes:
            if isinstance(node, ast.Attribute) and node.attr == "max" and not isinstance(node.value, ast.Name):
                yield module.change(function, module.replaced(node, f"{module.source(node.value)}.desc.dims"))


@operator("WSP-001", "WSP-007", "WSP-004", spots=(Spot.DYNAMIC,))
def unknown_extents_counted(module: Module) -> Iterator[Change]:
    """Unknown dimensions count as -1 in the workspace."""
    for function in module.functions("get_workspace_size"):
        for call in calls(function, "max"):
            if len(call.args) == 2 and isinstance(call.args[1], ast.Constant):  # noqa: PLR2004 - a dimension and a bound
                yield module.change(function, module.replaced(call, module.source(call.args[0])))


@operator(*_SIZES, spots=(Spot.DYNAMIC,))
def workspace_fixed(module: Module) -> Iterator[Change]:
    """The same small workspace is requested for all dimensions."""
    for function, _, value in _sizes(module):
        yield module.change(function, module.replaced(value, "64"))


@operator("WSP-001", "WSP-007")
def workspace_is_a_fraction(module: Module) -> Iterator[Change]:
    """The size of the workspace is a float."""
    for function, _, value in _sizes(module):
        yield module.change(function, module.replaced(value, f"({module.source(value)}) * 1.0"))


@operator("WSP-007", "CFG-002", spots=(Spot.DYNAMIC,))
def unknown_extents_refused(module: Module) -> Iterator[Change]:
    """The query for the workspace raises if a dimension is unknown."""
    for function in module.functions("get_workspace_size"):
        if "inputs" in function.arguments:
            dims = "getattr(inputs[0], 'desc', inputs[0]).dims"
            text = f'if min({dims}, default=0) < 0:\n    raise ValueError("a dimension is not known")'
            yield module.change(function, module.begun(function, text))


@operator("WSP-005")
def workspace_query_counts(module: Module) -> Iterator[Change]:
    """The requested workspace grows with each query."""
    for function, statement, value in _sizes(module):
        count = 'self._asked = self.__dict__.get("_asked", 0) + 1'
        text = f"{count}\nreturn ({module.source(value)}) + 256 * self._asked"
        yield module.change(function, module.replaced(statement, text))


@operator("WSP-005", "WSP-010", "ENQ-017")
def workspace_query_takes_memory(module: Module) -> Iterator[Change]:
    """The query for the workspace takes device memory itself, and keeps it."""
    for function in module.functions("get_workspace_size"):
        text = 'self.__dict__.setdefault("_buffers", []).append(cp.empty(256, np.uint8))'
        yield module.change(function, module.begun(function, text))


@operator("WSP-010", "ENQ-014", "ENQ-017")
def workspace_not_used(module: Module) -> Iterator[Change]:
    """Each execution takes scratch memory from CUDA, although it has a workspace."""
    for function in module.functions("enqueue", "execute_async"):
        for call in calls(function, "_array"):
            if "workspace" in names_in(call) and len(call.args) > 2:  # noqa: PLR2004 - an address, a shape and a type
                shape, dtype = (module.source(each) for each in call.args[1:3])
                size = f"max(1, int(np.prod({shape})) * ({dtype}).itemsize)"
                text = f"self._array(cp.cuda.runtime.malloc({size}), {shape}, {dtype})"
                yield module.change(function, module.replaced(call, text))


@operator("WSP-008", "ENQ-011", "ENQ-010")
def workspace_taken_for_zeros(module: Module) -> Iterator[Change]:
    """The initial contents of the workspace are added to the result, as if they were zeros."""
    for function in module.functions("enqueue", "execute_async"):
        for each in function.statements:
            if (
                isinstance(each, ast.Assign)
                and isinstance(each.targets[0], ast.Name)
                and "workspace" in names_in(each.value)
            ):
                name = each.targets[0].id
                for call in calls(function, "greater", "multiply"):
                    if any(keyword.arg == "out" and names_in(keyword.value) == {name} for keyword in call.keywords):
                        text = f"cp.logical_or({name}, {module.source(call).replace(f', out={name}', '')}, out={name})"
                        yield module.change(function, module.replaced(call, text))
