"""Inject defects of the execution: streams, memory, dimensions, and results."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from harness.mutation.kind import Spot, operator
from harness.mutation.operators.phrases import RUNS, calls, is_early_end, names_in

if TYPE_CHECKING:
    from harness.mutation.anatomy import Function, Module
    from harness.mutation.change import Change


#: Names in a test whether a tensor has elements.
_NUMBERS: Final = {"volume", "count", "nbytes", "prod", "size"}


def _runs(module: Module) -> Iterator[Function]:
    """Yield the methods that run a plugin."""
    yield from (each for each in module.functions(*RUNS) if each.owner is not None)


def _streams(function: Function) -> Iterator[ast.With]:
    for each in function.statements:
        if isinstance(each, ast.With) and "ExternalStream" in names_in(each.items[0].context_expr):
            yield each


def _work(module: Module) -> Iterator[tuple[Function, ast.stmt]]:
    """Yield the statements that start work on the device: calls without a result, and assignments to array parts."""
    for function in module.functions():
        if function.owner is not None and any(_streams(function)):
            for block in _streams(function):
                for each in ast.walk(block):
                    stores = isinstance(each, ast.Assign) and isinstance(each.targets[0], ast.Subscript)
                    if stores or (isinstance(each, ast.Expr) and isinstance(each.value, ast.Call)):
                        yield function, each  # type: ignore[misc] # both kinds are statements


def _descriptors(function: Function) -> list[str]:
    return [each for each in function.arguments if each in {"input_desc", "output_desc"}]


@operator("ENQ-003")
def stream_not_used(module: Module) -> Iterator[Change]:
    """The work goes to the default stream."""
    for function in module.functions():
        for each in _streams(function):
            if each.items[0].optional_vars is None:
                yield module.change(function, module.unwrapped(each))


@operator("ENQ-003")
def stream_of_its_own(module: Module) -> Iterator[Change]:
    """The work goes to a stream that the plugin creates, without a synchronization."""
    for function in module.functions():
        for each in _streams(function):
            call = each.items[0].context_expr
            yield module.change(function, module.replaced(call, "cp.cuda.Stream(non_blocking=True)"))


@operator("ENQ-012", spots=(Spot.EMPTY,))
def empty_tensors_not_handled(module: Module) -> Iterator[Change]:
    """Tensors without elements are treated like any others."""
    for function in module.functions():
        for each in function.statements:
            if isinstance(each, ast.If) and is_early_end(each) and names_in(each.test) & _NUMBERS:
                yield module.change(function, module.dropped(each))


@operator("ENQ-005", "ENQ-010", "SHP-019", "TAC-013", "FMT-012", spots=(Spot.REFERENCE,))
def work_left_out(module: Module) -> Iterator[Change]:
    """One of the steps of the computation is left out."""
    for function, each in _work(module):
        yield module.change(function, module.dropped(each))


@operator("ENQ-005", "ENQ-010", "FUZ-003", spots=(Spot.DYNAMIC,))
def output_left_as_it_is_for_one_row(module: Module) -> Iterator[Change]:
    """The result is not computed if the first input has one row."""
    for function in _runs(module):
        for name in _descriptors(function)[:1]:
            text = f"if len({name}[0].dims) and {name}[0].dims[0] == 1:\n    return"
            yield module.change(function, module.begun(function, text))


@operator("ENQ-005", "ENQ-011", "ENQ-007")
def repeated_call_skipped(module: Module) -> Iterator[Change]:
    """An execution with the same addresses and dimensions as the last execution does nothing."""
    for function in _runs(module):
        names = [name for name in function.arguments if name in {"inputs", "outputs"}]
        extents = "".join(f", *(tuple(each.dims) for each in {name})" for name in _descriptors(function)[:1])
        key = f"({', '.join(f'tuple({name})' for name in names)}{extents})"
        text = f'now = {key}\nif self.__dict__.get("_last") == now:\n    return'
        yield module.change(function, module.begun(function, *text.split("\n", 1), "self._last = now"))


@operator("ENQ-013", "ENQ-014")
def execution_waits(module: Module) -> Iterator[Change]:
    """The execution waits for the device at its end."""
    for function in _runs(module):
        for each in _streams(function):
            last = each.body[-1]
            yield module.change(function, module.after(last, "cp.cuda.get_current_stream().synchronize()"))


@operator("ENQ-014", "WSP-010")
def execution_takes_memory(module: Module) -> Iterator[Change]:
    """Each execution takes device memory from CUDA and gives it back."""
    for function in _runs(module):
        for each in _streams(function):
            yield module.change(
                function, module.before(each.body[0], "cp.cuda.runtime.free(cp.cuda.runtime.malloc(4096))")
            )


@operator("ENQ-017", "ENQ-014", "WSP-010")
def memory_kept_by_each_execution(module: Module) -> Iterator[Change]:
    """Each execution takes device memory and keeps it."""
    for function in _runs(module):
        for each in _streams(function):
            text = 'self.__dict__.setdefault("_kept", []).append(cp.empty(256, np.uint8))'
            yield module.change(function, module.before(each.body[0], text))


@operator("ENQ-017")
def host_memory_kept_by_each_execution(module: Module) -> Iterator[Change]:
    """Each execution keeps a kilobyte on the host."""
    for function in _runs(module):
        text = 'self.__dict__.setdefault("_log", []).append(bytearray(1024))'
        yield module.change(function, module.begun(function, text))


@operator("ENQ-002", "V2L-011")
def status_returned(module: Module) -> Iterator[Change]:
    """The execution returns an unexpected status, or a status of failure."""
    for function in _runs(module):
        last = function.body[-1]
        if function.name == "enqueue":
            yield module.change(function, module.after(last, "return 0"))
        else:
            for _, value in function.returns:
                yield module.change(function, module.replaced(value, "1"))


@operator("ENQ-007", "FUZ-009", "CLN-015")
def addresses_kept(module: Module) -> Iterator[Change]:
    """All executions use the addresses of the first execution."""
    for function in _runs(module):
        for name in ("inputs", "outputs"):
            if name in function.arguments:
                text = f'{name} = self.__dict__.setdefault("_{name}", list({name}))'
                yield module.change(function, module.begun(function, text))


@operator("ENQ-020", "FMT-012", spots=(Spot.SEVERAL_TYPES,))
def type_assumed(module: Module) -> Iterator[Change]:
    """Elements are read as FLOAT, even if the description has another type."""
    for function in module.functions():
        for call in calls(function, "nptype"):
            yield module.change(function, module.replaced(call, "np.float32"))


@operator("ENQ-004", "ALI-007")
def input_written(module: Module) -> Iterator[Change]:
    """An input is overwritten with a result."""
    for function, each in _work(module):
        call = each.value if isinstance(each, ast.Expr) else None
        if isinstance(call, ast.Call) and call.args and isinstance(call.args[0], ast.Name):
            for keyword in call.keywords:
                first = call.args[0].id
                if _is_workspace(module, function, first):
                    continue
                if keyword.arg == "out" and isinstance(keyword.value, ast.Name) and keyword.value.id != first:
                    text = f'cp.copyto({first}, {keyword.value.id}, casting="unsafe")'
                    yield module.change(function, module.after(each, text))


def _is_workspace(module: Module, function: Function, name: str) -> bool:
    """Return whether a name is an array in the workspace only, which an execution may overwrite."""
    sources = [
        module.source(node.value)
        for node in function.nodes
        if isinstance(node, ast.Assign) and any(isinstance(each, ast.Name) and each.id == name for each in node.targets)
    ]
    return any("workspace" in source and "inputs" not in source for source in sources)


@operator("ENQ-018")
def address_list_changed(module: Module) -> Iterator[Change]:
    """The addresses in the list of outputs are overwritten with 0."""
    for function in _runs(module):
        last = function.body[-1]
        if "outputs" in function.arguments and not isinstance(last, ast.Return):
            yield module.change(function, module.after(last, "outputs[:] = [0 for _ in outputs]"))


@operator("ENQ-019")
def random_state_set(module: Module) -> Iterator[Change]:
    """The execution seeds NumPy's global random state."""
    for function in _runs(module):
        yield module.change(function, module.begun(function, "np.random.seed(0)"))


@operator("ENQ-019")
def error_handling_set(module: Module) -> Iterator[Change]:
    """The execution changes NumPy's handling of floating-point errors for the whole process."""
    for function in _runs(module):
        yield module.change(function, module.begun(function, 'np.seterr(all="ignore")'))


@operator("ENQ-008")
def input_memory_freed(module: Module) -> Iterator[Change]:
    """The execution frees the memory of the first input."""
    for function in _runs(module):
        last = function.body[-1]
        if "inputs" in function.arguments and not isinstance(last, ast.Return):
            yield module.change(function, module.after(last, "cp.cuda.runtime.free(inputs[0])"))


@operator("ENQ-010", "FMT-012", "FUZ-006", spots=(Spot.SEVERAL_TYPES, Spot.REFERENCE))
def computed_in_half(module: Module) -> Iterator[Change]:
    """A factor or a parameter is rounded to FLOAT16 before it is used."""
    for function, each in _work(module):
        if isinstance(each, ast.Expr) and isinstance(each.value, ast.Call):
            for argument in each.value.args:
                if (
                    isinstance(argument, ast.Attribute)
                    and isinstance(argument.value, ast.Name)
                    and argument.value.id == "self"
                ):
                    yield module.change(
                        function, module.replaced(argument, f"float(np.float16({module.source(argument)}))")
                    )


@operator("ENQ-010", "ENQ-005", "TAC-013", spots=(Spot.REFERENCE, Spot.UNEVEN_EXTENTS))
def comparison_turned(module: Module) -> Iterator[Change]:
    """A comparison or a bound in the computation goes the other way."""
    turned = {
        "greater": "less",
        "less": "greater",
        "minimum": "maximum",
        "maximum": "minimum",
        "fmax": "fmin",
        "fmin": "fmax",
    }
    for function in module.functions():
        for call in calls(function, *turned):
            if isinstance(call.func, ast.Attribute):
                text = f"{module.source(call.func.value)}.{turned[call.func.attr]}"
                yield module.change(function, module.replaced(call.func, text))


@operator("ENQ-010", "ENQ-006", "ENQ-005", "WSP-003", "TAC-013", spots=(Spot.REFERENCE, Spot.UNEVEN_EXTENTS))
def slice_one_off(module: Module) -> Iterator[Change]:
    """A slice in the computation begins or ends one element off."""
    for function in module.functions():
        for node in function.nodes:
            if isinstance(node, ast.Slice) and any(_streams(function)):
                for bound in filter(None, (node.lower, node.upper)):
                    yield module.change(function, module.replaced(bound, f"({module.source(bound)}) - 1"))


@operator("ENQ-010", "ENQ-006", "TAC-013", spots=(Spot.REFERENCE, Spot.DIFFERENT_INPUTS))
def operands_swapped(module: Module) -> Iterator[Change]:
    """Two operands of a step are swapped, although their order matters."""
    for function in module.functions():
        for call in calls(function, "subtract", "divide", "take", "power"):
            if len(call.args) > 1:
                one, other = call.args[:2]
                edits = module.replaced(one, module.source(other)), module.replaced(other, module.source(one))
                yield module.change(function, *edits)


@operator("ENQ-010", "FUZ-007", "FUZ-013", spots=(Spot.FIELDS, Spot.REFERENCE))
def default_changed(module: Module) -> Iterator[Change]:
    """A number that the module defines, such as a default, is doubled."""
    for node in module.tree.body:
        if (
            isinstance(node, ast.Assign)
            and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, float)
        ):
            yield module.change_of_module(module.replaced(node.value, f"({module.source(node.value)}) * 2"))


@operator("ENQ-010", "SHP-008", "CFG-004", "CFG-008", "CFG-012", spots=(Spot.REFERENCE, Spot.SEVERAL_FIELDS))
def axis_changed(module: Module) -> Iterator[Change]:
    """A constant for an axis has the number of another axis."""
    for node in module.tree.body:
        if (
            isinstance(node, ast.Assign)
            and isinstance(node.value, ast.Constant)
            and "AXIS" in module.source(node.targets[0])
        ):
            yield module.change_of_module(module.replaced(node.value, f"{module.source(node.value)} - 1"))
