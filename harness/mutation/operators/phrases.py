"""Find pieces of code in a source that several operators look for."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from harness.mutation.anatomy import NATIVE, is_own

if TYPE_CHECKING:
    from harness.mutation.anatomy import Function, Module

#: The callbacks of all interfaces that run a plugin.
RUNS = ("enqueue", "execute_async")
#: The callbacks of all interfaces that configure a plugin with shapes and types.
CONFIGURES = ("configure_plugin", "configure_with_format", "on_shape_change")


def parameter_arguments(call: ast.Call) -> Iterator[ast.expr]:
    """Yield the arguments of a call that are attributes of ``self``, without attributes of TensorRT."""
    for each in (*call.args, *(keyword.value for keyword in call.keywords)):
        if is_own(each) and isinstance(each, ast.Attribute) and each.attr not in NATIVE:
            yield each


def namespace_arguments(call: ast.Call) -> Iterator[ast.expr]:
    """Yield the arguments of a call that are the ``plugin_namespace`` of an object."""
    for each in (*call.args, *(keyword.value for keyword in call.keywords)):
        if isinstance(each, ast.Attribute) and each.attr == "plugin_namespace":
            yield each


def calls(function: Function, *names: str) -> Iterator[ast.Call]:
    """Yield the calls in a function whose called function or method has one of these names."""
    for node in function.nodes:
        if isinstance(node, ast.Call) and called(node) in names:
            yield node


def called(call: ast.Call) -> str:
    """Return the last part of the name of a called function."""
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def names_in(node: ast.AST) -> set[str]:
    """Return the names and attributes in an expression."""
    names = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
    return names | {each.attr for each in ast.walk(node) if isinstance(each, ast.Attribute)}


def is_refusal(node: ast.stmt) -> bool:
    """Return whether a statement refuses: ``return False``, or an ``if`` with only this statement."""
    if isinstance(node, ast.If):
        return not node.orelse and len(node.body) == 1 and is_refusal(node.body[0])
    return isinstance(node, ast.Return) and isinstance(node.value, ast.Constant) and node.value.value is False


def is_early_end(node: ast.stmt) -> bool:
    """Return whether a statement is an ``if`` that only returns, without a value or with a constant."""
    if not isinstance(node, ast.If) or node.orelse or len(node.body) != 1:
        return False
    (only,) = node.body
    return isinstance(only, ast.Return) and (only.value is None or isinstance(only.value, ast.Constant))


def changes_later(function: Function) -> bool:
    """Return whether the function's class has a method except ``__init__`` that sets the object's attributes."""
    owner = function.owner
    if owner is None:
        return False
    return any(
        is_own(target) and isinstance(target, ast.Attribute) and target.attr not in NATIVE
        for method in owner.body
        if isinstance(method, ast.FunctionDef) and method.name != "__init__"
        for node in ast.walk(method)
        if isinstance(node, ast.Assign)
        for target in node.targets
    )


def is_of_version_3(module: Module, function: Function) -> bool:
    """Return whether a callback's class is an IPluginV3, that is, has ``attach_to_context``."""
    return any(each.owner is function.owner for each in module.functions("attach_to_context"))
