"""Inject defects of the configuration: wrong refusals, and wrong side effects."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import TYPE_CHECKING

from harness.mutation.kind import Spot, operator
from harness.mutation.operators.phrases import CONFIGURES

if TYPE_CHECKING:
    from harness.mutation.anatomy import Module
    from harness.mutation.change import Change


@operator("CFG-002", "CFG-005", "CFG-012", spots=(Spot.DYNAMIC,))
def unknown_extents_not_configured(module: Module) -> Iterator[Change]:
    """The configuration for a build raises if a dimension is unknown."""
    for function in module.functions("configure_plugin"):
        first = function.arguments[0]
        text = f'if min({first}[0].desc.dims, default=0) < 0:\n    raise ValueError("a dimension is not known")'
        if len(function.arguments) == 2:  # noqa: PLR2004 - the implicit batch has more
            yield module.change(function, module.begun(function, text))


@operator("CFG-012", "CFG-005", spots=(Spot.SEVERAL_TYPES,))
def accepted_type_not_configured(module: Module) -> Iterator[Change]:
    """The configuration refuses a type that the format query accepts."""
    for function in module.functions("configure_plugin", "on_shape_change"):
        first = function.arguments[0]
        kind = f'getattr({first}[0], "desc", {first}[0]).type'
        text = f'if {kind} == trt.DataType.HALF:\n    raise ValueError("FLOAT only")'
        if len(function.arguments) == 2:  # noqa: PLR2004 - as above
            yield module.change(function, module.begun(function, text))


@operator("CFG-008", "CFG-004")
def same_shapes_refused(module: Module) -> Iterator[Change]:
    """``on_shape_change`` raises if the shapes are the same as before."""
    for function in module.functions("on_shape_change"):
        now = f"now = [tuple(each.dims) for each in {function.arguments[0]}]"
        check = 'if self.__dict__.get("_shapes") == now:\n    raise ValueError("nothing has changed")'
        yield module.change(function, module.begun(function, now, check, "self._shapes = now"))


@operator("CFG-010")
def shape_change_takes_memory(module: Module) -> Iterator[Change]:
    """Each change of shapes takes device memory from CUDA, and gives it back."""
    for function in module.functions("on_shape_change"):
        yield module.change(function, module.begun(function, "cp.cuda.runtime.free(cp.cuda.runtime.malloc(1024))"))


@operator("CFG-008", "CFG-010", "ENQ-017")
def shape_changes_kept(module: Module) -> Iterator[Change]:
    """Each change of shapes takes device memory, and keeps it."""
    for function in module.functions("on_shape_change"):
        text = 'self.__dict__.setdefault("_tables", []).append(cp.empty(1024, np.uint8))'
        yield module.change(function, module.begun(function, text))


@operator("CFG-015", "FMT-003")
def configuration_changes_descriptors(module: Module) -> Iterator[Change]:
    """The configuration changes the type in a description that it receives."""
    for function in module.functions("configure_plugin"):
        if len(function.arguments) == 2:  # noqa: PLR2004 - as above
            first = f"{function.arguments[1]}[0]"
            text = f"getattr({first}, 'desc', {first}).type = trt.DataType.INT8"
            yield module.change(function, module.begun(function, text))


@operator("CFG-011", "ID-008", "CFG-001")
def configuration_adds_an_output(module: Module) -> Iterator[Change]:
    """Each configuration increases the number of outputs."""
    for function in module.functions(*CONFIGURES):
        if function.owner is not None and "num_outputs" in module.set_in_init(function.owner):
            if function.name == "on_shape_change":
                continue  # TensorRT does not ask an engine's object for its outputs
            yield module.change(function, module.begun(function, "self.num_outputs += 1"))


@operator("CFG-004", "ENQ-010", "CFG-001")
def configuration_lost(module: Module) -> Iterator[Change]:
    """The configuration callback does nothing."""
    for function in module.functions(*CONFIGURES):
        if function.owner is not None and function.body:
            yield module.change(function, module.instead(function, "pass"))


@operator("CFG-004", "ENQ-010", "ENQ-006", "CFG-012")
def impossible_shapes_accepted(module: Module) -> Iterator[Change]:
    """Shapes that the plugin cannot compute are not refused any more."""
    for function in module.functions(*CONFIGURES):
        for guard in function.guards:
            yield module.change(function, module.dropped(guard))


@operator("CFG-007", "ENQ-021")
def configuration_needed(module: Module) -> Iterator[Change]:
    """The execution refuses to run on an object that was never configured for a build."""
    check = 'if not self.__dict__.get("_ready"):\n    raise RuntimeError("not configured")'
    for function in module.functions("configure_plugin"):
        runs = [each for each in module.functions("enqueue") if each.owner is function.owner and each.owner]
        attached = [each for each in module.functions("attach_to_context") if each.owner is function.owner]
        for run, attaching in itertools.product(runs, attached):
            for statement, value in attaching.returns:
                copy = f'made = {module.source(value)}\nmade._ready = self.__dict__.get("_ready", False)\nreturn made'
                edits = module.begun(function, "self._ready = True"), module.replaced(statement, copy)
                yield module.change(function, module.begun(run, check), *edits)
