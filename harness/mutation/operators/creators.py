"""Inject defects of creators, and of the way they read fields."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from harness.mutation.anatomy import Role
from harness.mutation.kind import CASES, Spot, operator
from harness.mutation.operators.phrases import called, names_in, namespace_arguments

if TYPE_CHECKING:
    from harness.mutation.anatomy import Function, Module
    from harness.mutation.change import Change


def _creators(module: Module, *names: str) -> Iterator[Function]:
    yield from module.functions(*names, role=Role.CREATOR)


def _guards(module: Module) -> Iterator[tuple[Function, ast.If]]:
    for function in _creators(module):
        if function.name != "deserialize_plugin":
            yield from ((function, guard) for guard in function.guards)


@operator("CRE-011", "FUZ-013")
def field_type_unchecked(module: Module) -> Iterator[Change]:
    """A field of any type is read."""
    for function, guard in _guards(module):
        if "PluginFieldType" in names_in(guard.test):
            parts = guard.test.values if isinstance(guard.test, ast.BoolOp) else []
            for part in parts:
                if "PluginFieldType" in names_in(part) and isinstance(guard.test, ast.BoolOp):
                    yield module.change(function, module.without(guard.test, part))
            if not parts:
                yield module.change(function, module.dropped(guard))


@operator("CRE-005", "PFD-009", "FUZ-007")
def field_length_unchecked(module: Module) -> Iterator[Change]:
    """A field with any number of elements is read."""
    for function, guard in _guards(module):
        if isinstance(guard.test, ast.BoolOp):
            for part in guard.test.values:
                if "size" in names_in(part):
                    yield module.change(function, module.without(guard.test, part))


@operator("CRE-005", "FUZ-007", "FUZ-013")
def field_value_unchecked(module: Module) -> Iterator[Change]:
    """A field with an invalid value is accepted."""
    for function, guard in _guards(module):
        if "PluginFieldType" not in names_in(guard.test):
            yield module.change(function, module.dropped(guard))


@operator("CRE-005", "PFD-009", "FUZ-007")
def empty_field_indexed(module: Module) -> Iterator[Change]:
    """A field without elements is read like any other."""
    for function in _creators(module):
        for node in function.nodes:
            if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And):
                for part in node.values:
                    if "size" in names_in(part):
                        yield module.change(function, module.without(node, part))


@operator("ENQ-010", "CRE-002", "SER-008", spots=(Spot.FIELDS, Spot.REFERENCE))
def field_ignored(module: Module) -> Iterator[Change]:
    """An advertised field is not read."""
    for function in _creators(module, "create_plugin"):
        for node in function.nodes:
            if (
                isinstance(node, ast.Compare)
                and isinstance(node.comparators[0], ast.Constant)
                and "name" in names_in(node.left)
            ):
                yield module.change(function, module.replaced(node.comparators[0], '"no such field"'))


@operator("CRE-002", "FMT-008")
def field_not_advertised(module: Module) -> Iterator[Change]:
    """One of the fields that a creator reads is not advertised."""
    for function in _creators(module, "__init__"):
        for node in function.nodes:
            if isinstance(node, ast.Call) and called(node) == "PluginField":
                owner = next(
                    (each for each in function.nodes if isinstance(each, ast.List) and node in each.elts), None
                )
                if owner is not None:
                    left = ", ".join(module.source(each) for each in owner.elts if each is not node)
                    yield module.change(function, module.replaced(owner, f"[{left}]"))


@operator("CRE-002", "CRE-008", "SER-008", CASES)
def field_advertised_by_another_name(module: Module) -> Iterator[Change]:
    """The advertised name of a field differs from the name by which it is read."""
    for function in _creators(module, "__init__"):
        for node in function.nodes:
            if isinstance(node, ast.Call) and called(node) == "PluginField" and isinstance(node.args[0], ast.Constant):
                name = str(node.args[0].value)
                yield module.change(function, module.replaced(node.args[0], repr(name.upper())))


@operator("PFD-005", "CRE-003", "PFD-001")
def field_advertised_with_another_type(module: Module) -> Iterator[Change]:
    """A field is advertised with a type that Python cannot read back."""
    for function in _creators(module, "__init__"):
        for node in function.nodes:
            if isinstance(node, ast.Attribute) and node.attr in {"FLOAT32", "INT32"}:
                yield module.change(function, module.replaced(node, f"{module.source(node.value)}.FLOAT16"))


@operator("CRE-003")
def advertised_with_data(module: Module) -> Iterator[Change]:
    """A field is advertised with data."""
    for function in _creators(module, "__init__"):
        for node in function.nodes:
            if isinstance(node, ast.Call) and called(node) == "PluginField" and len(node.args) > 1:
                data = node.args[1]
                if isinstance(data, ast.Call) and len(data.args) > 1:
                    yield module.change(function, module.replaced(data.args[0], "[1]"))


@operator("PFD-011")
def field_advertised_twice(module: Module) -> Iterator[Change]:
    """A field is advertised twice."""
    for function in _creators(module, "__init__"):
        for node in function.nodes:
            if isinstance(node, ast.List) and node.elts and "PluginField" in names_in(node):
                texts = [module.source(each) for each in node.elts]
                yield module.change(function, module.replaced(node, f"[{', '.join([*texts, texts[0]])}]"))


@operator("CRE-001", "REG-001", "ID-002", "ID-001", CASES)
def creator_attribute_missing(module: Module) -> Iterator[Change]:
    """A creator lacks its name, version, namespace or fields."""
    for function in _creators(module, "__init__"):
        for name, node in (module.set_in_init(function.owner) if function.owner else {}).items():
            if name in {"name", "plugin_version", "plugin_namespace", "field_names"}:
                yield module.change(function, module.dropped(node))


@operator("CRE-004", "CRE-013")
def same_plugin_each_time(module: Module) -> Iterator[Change]:
    """The creator returns its first plugin each time."""
    for function in _creators(module, "create_plugin"):
        for statement, value in function.returns:
            text = f'if getattr(self, "_plugin", None) is None:\n    self._plugin = {module.source(value)}'
            yield module.change(function, module.replaced(statement, f"{text}\nreturn self._plugin"))


@operator("CRE-004", "CRE-013", "DST-006", "THR-009")
def plugins_kept_by_their_creator(module: Module) -> Iterator[Change]:
    """A creator keeps every plugin that it made."""
    for function in _creators(module, "create_plugin"):
        for statement, value in function.returns:
            text = f'made = {module.source(value)}\nself.__dict__.setdefault("_made", []).append(made)\nreturn made'
            yield module.change(function, module.replaced(statement, text))


@operator("ID-003", "SER-012", "ID-013")
def created_without_namespace(module: Module) -> Iterator[Change]:
    """A plugin lacks its creator's namespace."""
    for function in _creators(module, "create_plugin"):
        for call in (value for _, value in function.returns if isinstance(value, ast.Call)):
            for argument in namespace_arguments(call):
                yield module.change(function, module.replaced(argument, '""'))


@operator("CRE-007", "PFD-004")
def field_data_not_copied(module: Module) -> Iterator[Change]:
    """A plugin keeps the memory of a field, which is freed when ``create_plugin`` returns."""
    for function in _creators(module):
        for node in function.nodes:
            if isinstance(node, ast.Call) and called(node) in {"array", "tolist", "copy"} and "data" in names_in(node):
                inner = next(
                    (each for each in ast.walk(node) if isinstance(each, ast.Attribute) and each.attr == "data"), None
                )
                if inner is not None:
                    yield module.change(function, module.replaced(node, module.source(inner)))


@operator("CRE-010")
def layer_name_decides(module: Module) -> Iterator[Change]:
    """A layer with a long name gets no plugin."""
    for function in _creators(module, "create_plugin"):
        text = f'if len({function.arguments[0]}) > 40:\n    raise ValueError("too long a name")'
        yield module.change(function, module.begun(function, text))


@operator("CRE-006", "FUZ-012")
def order_of_fields_decides(module: Module) -> Iterator[Change]:
    """Only the first of the passed fields is read."""
    for function in _creators(module, "create_plugin"):
        for each in function.statements:
            if isinstance(each, ast.For) and isinstance(each.iter, ast.Name) and each.iter.id == function.arguments[1]:
                text = f"[{each.iter.id}[at] for at in range(min(1, len({each.iter.id})))]"
                yield module.change(function, module.replaced(each.iter, text))


@operator("CRE-009")
def arguments_by_position_only(module: Module) -> Iterator[Change]:
    """The names of ``create_plugin``'s arguments are not the documented names."""
    for function in _creators(module, "create_plugin"):
        arguments = [each for each in function.node.args.args if each.arg == "name"]
        if arguments and not any(isinstance(n, ast.Name) and n.id == "name" for n in function.nodes):
            yield module.change(function, module.replaced(arguments[0], "layer"))


@operator("CRE-008", "CAP-002", "SER-008")
def runtime_phase_refused(module: Module) -> Iterator[Change]:
    """A creator makes plugins for a build only."""
    for function in _creators(module, "create_plugin"):
        if "phase" in function.arguments:
            text = 'if phase == trt.TensorRTPhase.RUNTIME:\n    raise ValueError("for a build only")'
            yield module.change(function, module.begun(function, text))
