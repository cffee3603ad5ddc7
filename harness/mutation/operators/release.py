"""Inject defects in the destruction of objects, in the release of their memory, and in shared resources."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from harness.mutation.anatomy import Role
from harness.mutation.kind import operator
from harness.mutation.operators.phrases import called, calls

if TYPE_CHECKING:
    from harness.mutation.anatomy import Module
    from harness.mutation.change import Change

_ENDS = ("terminate", "destroy", "detach_from_context")


@operator("INI-002", "DST-001", "RES-004", "DST-008", "V2L-008", "INI-003")
def nothing_released(module: Module) -> Iterator[Change]:
    """An object that ends releases none of its resources."""
    for function in module.functions(*_ENDS):
        if function.body:
            yield module.change(function, module.instead(function, "pass"))


@operator("INI-002", "DST-001", "RES-004", "DST-002", "V2L-008")
def one_thing_not_released(module: Module) -> Iterator[Change]:
    """An object that ends leaves out one of its cleanup steps."""
    for function in module.functions(*_ENDS):
        steps = [
            each
            for each in function.statements
            if isinstance(each, (ast.Expr, ast.Assign)) and each not in function.node.body[:1]
        ]
        for each in steps if len(steps) > 1 else ():
            yield module.change(function, module.dropped(each))


@operator("DST-002", "DST-003", "RES-004", "INI-005")
def released_again(module: Module) -> Iterator[Change]:
    """An object releases its resources at each call that ends it."""
    for function in module.functions(*_ENDS):
        for each in function.statements:
            if isinstance(each, ast.If) and not each.orelse:
                yield module.change(function, module.replaced(each.test, "True"))


@operator("DST-002", "DST-003", "INI-005")
def second_end_raises(module: Module) -> Iterator[Change]:
    """An object raises if it is ended a second time."""
    for function in module.functions(*_ENDS):
        text = 'if self.__dict__.get("_ended"):\n    raise RuntimeError("ended already")'
        yield module.change(function, module.begun(function, text, "self._ended = True"))


@operator("RES-002", "RES-001")
def resource_not_released(module: Module) -> Iterator[Change]:
    """A shared resource keeps its memory when it is released."""
    for function in module.functions("release", role=Role.RESOURCE):
        yield module.change(function, module.instead(function, "pass"))


@operator("RES-001", "RES-003")
def resource_is_its_own_clone(module: Module) -> Iterator[Change]:
    """A shared resource returns itself in place of a clone."""
    for function in module.functions("clone", role=Role.RESOURCE):
        for _, value in function.returns:
            lines = [module.replaced(value, "self")]
            yield module.change(function, *lines)


@operator("RES-003", "DST-001")
def resource_made_too_early(module: Module) -> Iterator[Change]:
    """A shared resource holds device memory when it is only offered."""
    for function in module.functions("__init__", role=Role.RESOURCE):
        for each in function.statements:
            if isinstance(each, ast.Assign) and isinstance(each.value, ast.Constant) and each.value.value is None:
                yield module.change(function, module.replaced(each.value, "cp.empty(16, np.float32)"))


@operator("RES-005", "RES-004")
def offered_resource_used(module: Module) -> Iterator[Change]:
    """A plugin uses the resource that it offers, and not the resource that it receives."""
    for function in module.functions():
        for call in calls(function, "acquire_plugin_resource"):
            offered = module.source(call.args[1])
            text = f"[offered := {offered}, {module.source(call.func)}({module.source(call.args[0])}, offered)][0]"
            yield module.change(function, module.replaced(call, text))


@operator("RES-005", "RES-004", "RES-006")
def resource_acquired_twice(module: Module) -> Iterator[Change]:
    """A plugin acquires its resource twice and releases it once."""
    for function in module.functions():
        for each in function.statements:
            if (
                isinstance(each, ast.Assign)
                and isinstance(each.value, ast.Call)
                and called(each.value) == "acquire_plugin_resource"
            ):
                yield module.change(function, module.after(each, module.source(each.value)))


@operator("RES-007")
def missing_resource_not_noticed(module: Module) -> Iterator[Change]:
    """A plugin goes on if it received no resource."""
    for function in module.functions("attach_to_context"):
        for guard in function.guards:
            yield module.change(function, module.dropped(guard))


@operator("RES-009", "RES-005", "ENQ-010")
def key_too_coarse(module: Module) -> Iterator[Change]:
    """All objects share one resource, although they have different values."""
    for owner, _ in module.classes.values():
        for method in owner.body:
            if isinstance(method, ast.FunctionDef) and "key" in method.name:
                for node in ast.walk(method):
                    if isinstance(node, ast.Return) and node.value is not None:
                        yield module.change_of_class(owner, module.replaced(node.value, '"key"'))


@operator("RES-008")
def release_status_taken_for_an_error(module: Module) -> Iterator[Change]:
    """The result of a resource's release is treated as an error."""
    for function in module.functions():
        for each in function.statements:
            if (
                isinstance(each, ast.Expr)
                and isinstance(each.value, ast.Call)
                and called(each.value) == "release_plugin_resource"
            ):
                text = f'if {module.source(each)}:\n    raise RuntimeError("not released")'
                yield module.change(function, module.replaced(each, text))


@operator("INI-003", "INI-002", "INI-008")
def initialized_once(module: Module) -> Iterator[Change]:
    """``initialize`` does nothing the second time, although the object was terminated in between."""
    for function in module.functions("initialize"):
        if function.body:
            text = 'if self.__dict__.get("_was_initialized"):\n    return'
            yield module.change(function, module.begun(function, text, "self._was_initialized = True"))
