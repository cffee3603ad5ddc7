"""Inject defects of caches: a key that is too coarse, or values that are never renewed."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from harness.mutation.kind import Spot, operator
from harness.mutation.operators.phrases import CONFIGURES, RUNS, called, is_of_version_3

if TYPE_CHECKING:
    from harness.mutation.anatomy import Function, Module
    from harness.mutation.change import Change

#: The rules that should report stale dimensions. ENQ-010 does if all tensors of a call share one table.
_STALE = ("CFG-009", "ENQ-009", "CFG-004", "FUZ-004", "ENQ-011", "ENQ-010")
_RUNNING = {*RUNS, "_array", "_tensor"}


def _shapes_read(module: Module) -> Iterator[tuple[Function, ast.Call, str]]:
    """Yield each read of a description's dimensions in an execution: function, ``tuple(desc.dims)``, ``desc.dims``."""
    for function in module.functions():
        if function.owner is not None and function.name in _RUNNING:
            for node in function.nodes:
                if isinstance(node, ast.Call) and called(node) == "tuple" and len(node.args) == 1:
                    dims = node.args[0]
                    if isinstance(dims, ast.Attribute) and dims.attr == "dims":
                        yield function, node, module.source(dims)


def _kept(module: Module, key: str, place: str = "self.__dict__") -> Iterator[Change]:
    for function, call, dims in _shapes_read(module):
        number = call.col_offset  # each place has its own table
        table = f'{place}.setdefault("_shapes_{call.lineno}_{number}", {{}})'
        text = f"{table}.setdefault({key.format(dims=dims)}, {module.source(call)})"
        yield module.change(function, module.replaced(call, text))


@operator(*_STALE, spots=(Spot.UNEVEN_EXTENTS, Spot.DYNAMIC))
def cached_by_volume(module: Module) -> Iterator[Change]:
    """The dimensions of a tensor are cached by the number of its elements."""
    yield from _kept(module, "trt.volume({dims})")


@operator(*_STALE, spots=(Spot.DYNAMIC,))
def cached_by_first_extent(module: Module) -> Iterator[Change]:
    """The dimensions of a tensor are cached by the first dimension."""
    yield from _kept(module, "tuple({dims})[:1]")


@operator(*_STALE, spots=(Spot.DYNAMIC,))
def cached_by_last_extent(module: Module) -> Iterator[Change]:
    """The dimensions of a tensor are cached by the last dimension."""
    yield from _kept(module, "tuple({dims})[-1:]")


@operator(*_STALE, spots=(Spot.UNEVEN_EXTENTS,))
def cached_by_sorted_extents(module: Module) -> Iterator[Change]:
    """The dimensions of a tensor are cached without their order."""
    yield from _kept(module, "tuple(sorted({dims}))")


@operator(*_STALE, spots=(Spot.DYNAMIC,))
def cached_by_rank(module: Module) -> Iterator[Change]:
    """The dimensions of a tensor are cached by their number."""
    yield from _kept(module, "len({dims})")


@operator("THR-009", "CLN-007", "CLN-015", *_STALE, spots=(Spot.UNEVEN_EXTENTS, Spot.DYNAMIC))
def cached_for_all_objects(module: Module) -> Iterator[Change]:
    """The dimensions of a tensor are cached in the module for all objects, by the number of its elements."""
    yield from _kept(module, "trt.volume({dims})", "globals()")


@operator("CFG-009", "ENQ-020", "ENQ-011", "FMT-012", spots=(Spot.SEVERAL_TYPES,))
def type_kept(module: Module) -> Iterator[Change]:
    """The type of the elements is that of the first execution."""
    for function in module.functions():
        for node in function.nodes:
            if function.owner is not None and isinstance(node, ast.Call) and called(node) == "nptype":
                text = f'self.__dict__.setdefault("_nptype_{node.lineno}_{node.col_offset}", {module.source(node)})'
                yield module.change(function, module.replaced(node, text))


@operator("CFG-015", *_STALE, spots=(Spot.DYNAMIC,))
def first_descriptions_kept(module: Module) -> Iterator[Change]:
    """All executions use the descriptions that the first execution received."""
    for function in module.functions("enqueue"):
        if function.owner is not None and len(function.arguments) > 1:
            names = [name for name in function.arguments if name in {"input_desc", "output_desc"}]
            lines = [f'{name} = self.__dict__.setdefault("_{name}", {name})' for name in names]
            if lines:
                yield module.change(function, module.begun(function, *lines))


@operator("CFG-015")
def descriptions_of_the_configuration_kept(module: Module) -> Iterator[Change]:
    """The next execution reads the descriptions that the configuration received."""
    for function in module.functions("configure_plugin", "on_shape_change"):
        runs = [each for each in module.functions("enqueue") if each.owner is function.owner and each.owner]
        for run in runs:
            if function.name == "on_shape_change" or not is_of_version_3(module, function):
                now = f"{run.arguments[0]}[0].dims"
                lines = (
                    f'kept = self.__dict__.get("_described", {run.arguments[0]})[0]',
                    f'if tuple(getattr(kept, "desc", kept).dims) != tuple({now}):\n    return',
                )
                keep = f"self._described = {function.arguments[0]}"
                yield module.change(function, module.begun(run, *lines), module.begun(function, keep))


@operator("ENQ-009", "CFG-004", "CFG-001", "CFG-014", "ENQ-021", spots=(Spot.DYNAMIC,))
def extents_of_the_configuration_used(module: Module) -> Iterator[Change]:
    """The execution uses the dimensions that the build was configured with."""
    for function in module.functions("configure_plugin"):
        owned = ((run, call) for run, call, _ in _shapes_read(module) if run.owner is function.owner)
        for run, call in owned:
            if run.name in RUNS and not is_of_version_3(module, function):
                keep = f"self._extents = tuple(getattr({function.arguments[0]}[0], 'max', {function.arguments[0]}[0]))"
                text = f'self.__dict__.get("_extents", {module.source(call)})'
                yield module.change(function, module.begun(function, keep), module.replaced(call, text))


@operator("CFG-001", "CFG-004", "CFG-009", "ENQ-020", spots=(Spot.DYNAMIC,))
def configured_once(module: Module) -> Iterator[Change]:
    """Only the first configuration has an effect."""
    for function in module.functions(*CONFIGURES):
        if function.owner is not None and function.body:
            text = 'if self.__dict__.get("_configured"):\n    return'
            yield module.change(function, module.begun(function, text, "self._configured = True"))
