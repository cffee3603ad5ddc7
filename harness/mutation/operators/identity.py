"""Inject defects of a plugin's identity and of its capabilities."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from harness.mutation.kind import operator

if TYPE_CHECKING:
    from harness.mutation.anatomy import Function, Module
    from harness.mutation.change import Change


def _set(module: Module, *names: str) -> Iterator[tuple[Function, ast.Assign]]:
    for function in module.functions("__init__"):
        for name, node in (module.set_in_init(function.owner) if function.owner else {}).items():
            if name in names:
                yield function, node


@operator("ID-001", "ID-006")
def another_name(module: Module) -> Iterator[Change]:
    """A plugin's name differs from its creator's name."""
    for function, node in _set(module, "plugin_type", "plugin_name"):
        yield module.change(function, module.replaced(node.value, f'{module.source(node.value)} + "Plugin"'))


@operator("ID-002", "ID-006")
def another_version(module: Module) -> Iterator[Change]:
    """A plugin's version differs from its creator's version."""
    for function, node in _set(module, "plugin_version"):
        yield module.change(function, module.replaced(node.value, f'{module.source(node.value)} + "1"'))


@operator("ID-005", "ID-003", "ID-013", "ID-012")
def identity_not_assigned(module: Module) -> Iterator[Change]:
    """One of the attributes that identify a plugin to TensorRT is not assigned."""
    for function, node in _set(
        module, "plugin_type", "plugin_name", "plugin_version", "plugin_namespace", "num_outputs"
    ):
        yield module.change(function, module.dropped(node))


@operator("ID-003", "ID-014", "ID-013", "CLN-005")
def namespace_ignored(module: Module) -> Iterator[Change]:
    """A plugin has no namespace, although TensorRT set one."""
    for function, node in _set(module, "plugin_namespace"):
        yield module.change(function, module.replaced(node.value, '""'))


@operator("ID-011")
def version_is_a_number(module: Module) -> Iterator[Change]:
    """The version is assigned as a number."""
    for function, node in _set(module, "plugin_version"):
        yield module.change(function, module.replaced(node.value, f"int({module.source(node.value)})"))


@operator("ID-010")
def base_not_initialized(module: Module) -> Iterator[Change]:
    """``__init__`` does not call the ``__init__`` of one of TensorRT's base classes."""
    for function in module.functions("__init__"):
        for each in function.statements:
            if isinstance(each, ast.Expr) and isinstance(each.value, ast.Call) and "__init__" in module.source(each):
                yield module.change(function, module.dropped(each))


@operator("ID-006", "CFG-011")
def identity_changes_when_it_runs(module: Module) -> Iterator[Change]:
    """A plugin's version changes when it has run."""
    for function in module.functions("enqueue", "execute_async"):
        if function.owner is not None and "plugin_version" in module.set_in_init(function.owner):
            yield module.change(function, module.begun(function, 'self.plugin_version = "run"'))


@operator("ID-009")
def tensorrt_attribute_shadowed(module: Module) -> Iterator[Change]:
    """A plugin defines attributes that TensorRT answers itself."""
    for function in module.functions("clone"):
        text = "tensorrt_version = api_language = property(lambda self: None)\n"  # each interface has one of the two
        yield module.change(function, module.before(function.node, text))


@operator("REG-002", "REG-006", "CRE-001")
def registered_in_another_namespace(module: Module) -> Iterator[Change]:
    """A creator is registered in a namespace that it does not state."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "register_creator":
            yield module.change_of_module(module.replaced(node.args[1], '"elsewhere"'))


@operator("CAP-004", "CAP-007")
def capability_made_anew(module: Module) -> Iterator[Change]:
    """A second query of a capability returns a different object."""
    for function in module.functions("get_capability_interface"):
        for _, value in function.returns:
            text = (
                "self.clone()"
                if isinstance(value, ast.Name)
                else "type(self).get_capability_interface(self.clone(), type)"
            )
            yield module.change(function, module.replaced(value, text))


@operator("CAP-002", "CAP-001")
def runtime_capability_missing(module: Module) -> Iterator[Change]:
    """A plugin has no RUNTIME capability."""
    for function in module.functions("get_capability_interface"):
        kind = function.arguments[0]
        text = f"if {kind} == trt.PluginCapabilityType.RUNTIME:\n    return None"
        yield module.change(function, module.begun(function, text))


@operator("CAP-007", "CAP-004")
def capability_asked_for_too_often(module: Module) -> Iterator[Change]:
    """A plugin returns its capabilities at most nine times."""
    for function in module.functions("get_capability_interface"):
        lines = ('self._asked = self.__dict__.get("_asked", 0) + 1', "if self._asked > 9:\n    return None")
        yield module.change(function, module.begun(function, *lines))
