"""Inject defects in the data that a plugin stores, and in reading them."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator
from typing import TYPE_CHECKING

from harness.mutation.anatomy import Role, is_own
from harness.mutation.kind import Spot, operator
from harness.mutation.operators.phrases import called, calls, namespace_arguments, parameter_arguments

if TYPE_CHECKING:
    from harness.mutation.anatomy import Function, Module
    from harness.mutation.change import Change

_STORES = ("serialize", "get_fields_to_serialize")
#: The rules that should report a lost parameter: the creator refuses the data, or the restored plugin differs.
_LOST = ("SER-004", "SER-008", "CRE-008", "CRE-012")
_FIELDS = (Spot.FIELDS, Spot.SEVERAL_FIELDS)


def _stored_fields(module: Module) -> Iterator[tuple[Function, ast.List, ast.Call]]:
    for function in module.functions("get_fields_to_serialize"):
        for each in function.nodes:
            if isinstance(each, ast.List):
                for item in each.elts:
                    if isinstance(item, ast.Call) and called(item) == "PluginField":
                        yield function, each, item


@operator(*_LOST, spots=_FIELDS)
def field_not_serialized(module: Module) -> Iterator[Change]:
    """One of the fields is not stored."""
    for function, fields, gone in _stored_fields(module):
        left = ", ".join(module.source(each) for each in fields.elts if each is not gone)
        yield module.change(function, module.replaced(fields, f"[{left}]"))


@operator(*_LOST, "SER-014", spots=_FIELDS)
def parameter_not_serialized(module: Module) -> Iterator[Change]:
    """An empty value is stored in place of one of the parameters."""
    for function in module.functions(*_STORES):
        for call in (each for each in function.nodes if isinstance(each, ast.Call)):
            for argument in parameter_arguments(call):
                if called(call) != "len":
                    text = module.source(argument)
                    emptied = f"type({text})()"
                    if called(call) == "PluginField":  # the field needs an array that the plugin keeps alive
                        emptied = f'self.__dict__.setdefault("_emptied_{call.lineno}_{call.col_offset}", {text} * 0)'
                    yield module.change(function, module.replaced(argument, emptied))


@operator(*_LOST, spots=_FIELDS)
def parameter_not_read_back(module: Module) -> Iterator[Change]:
    """A restored plugin has an empty value in place of a stored value."""
    for function in module.functions("deserialize_plugin", role=Role.CREATOR):
        for _, value in function.returns:
            for argument in value.args if isinstance(value, ast.Call) else ():
                if not is_own(argument, "plugin_namespace"):
                    yield module.change(function, module.replaced(argument, f"type({module.source(argument)})()"))


@operator(*_LOST, "PFD-001", spots=_FIELDS)  # PFD-001: each value is stored with the other value's type
def stored_values_swapped(module: Module) -> Iterator[Change]:
    """Two values are swapped where they are stored or read."""
    for function in (*module.functions(*_STORES), *module.functions("deserialize_plugin", role=Role.CREATOR)):
        for call in calls(function, "pack", "plugin_class", "PluginFieldCollection"):
            for one, other in itertools.pairwise(_swappable(call)):
                edits = module.replaced(one, module.source(other)), module.replaced(other, module.source(one))
                yield module.change(function, *edits)


def _swappable(call: ast.Call) -> list[ast.expr]:
    """Return the arguments of a call that can change places: values, and the buffers of fields."""
    if called(call) != "PluginFieldCollection":
        return [each for each in call.args if not isinstance(each, (ast.Constant, ast.Starred)) and not _is_tag(each)]
    items = call.args[0].elts if call.args and isinstance(call.args[0], ast.List) else []
    return [each.args[1] for each in items if isinstance(each, ast.Call) and len(each.args) > 1]


def _is_tag(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id.isupper()


_NARROWER = {"float32": "float16", "float64": "float32", "int32": "int16", "int64": "int32"}


@operator("SER-004", "SER-008", "PFD-001", spots=_FIELDS)
def stored_in_a_narrower_type(module: Module) -> Iterator[Change]:
    """The stored value has fewer bits than the parameter."""
    for function in module.functions("__init__", "serialize", "get_fields_to_serialize"):
        converts = {id(node.func) for node in function.nodes if isinstance(node, ast.Call)}
        for node in function.nodes:
            if function.name == "__init__" and id(node) in converts:
                continue  # this would change the parameter itself
            if isinstance(node, ast.Attribute) and node.attr in _NARROWER:
                yield module.change(function, module.replaced(node, f"np.{_NARROWER[node.attr]}"))


@operator("PFD-001", "SER-008", "SER-009")
def stored_under_another_type(module: Module) -> Iterator[Change]:
    """The declared type of a stored field differs from the type of its elements."""
    for function, _, field in _stored_fields(module):
        for node in ast.walk(field):
            if isinstance(node, ast.Attribute) and node.attr in {"FLOAT32", "INT32", "FLOAT64", "INT64"}:
                other = node.attr.replace("32", "64") if "32" in node.attr else node.attr.replace("64", "32")
                yield module.change(function, module.replaced(node, f"{module.source(node.value)}.{other}"))


@operator("SER-002", "SER-005", "SER-007")
def serialization_counts(module: Module) -> Iterator[Change]:
    """The stored data end with the number of calls of ``serialize``."""
    for function in module.functions("serialize"):
        for statement, value in function.returns:
            count = 'self._stores = self.__dict__.get("_stores", 0) + 1'
            text = f"{count}\nreturn {module.source(value)} + bytes([self._stores % 256])"
            yield module.change(function, module.replaced(statement, text))


@operator("SER-006", "CLN-002", "SER-002", "SER-005", "SER-003")  # SER-003: an announced size is a constant
def address_serialized(module: Module) -> Iterator[Change]:
    """The stored data end with the address of the object."""
    for function in module.functions("serialize"):
        for _, value in function.returns:
            text = f'{module.source(value)} + id(self).to_bytes(8, "little")'
            yield module.change(function, module.replaced(value, text))


@operator("SER-001", "SER-014")
def serialized_as_text(module: Module) -> Iterator[Change]:
    """``serialize`` returns text."""
    for function in module.functions("serialize"):
        for _, value in function.returns:
            yield module.change(function, module.replaced(value, f'({module.source(value)}).decode("latin-1")'))


@operator("SER-003", "SER-014")
def announced_size_fixed(module: Module) -> Iterator[Change]:
    """The announced size of the serialized data is four bytes too large."""
    announcing = {function.owner for function in module.functions("get_serialization_size")}
    for function in module.functions("serialize"):
        if function.owner in announcing:
            continue  # a second definition would have no effect
        for _, value in function.returns:
            text = "def get_serialization_size(self):\n    return len(self.serialize()) + 4"
            if function.owner is not None and isinstance(value, ast.expr):
                yield module.change(function, module.before(function.node, text + "\n"))


@operator("SER-011", "SER-013", "FUZ-008")
def stored_data_unchecked(module: Module) -> Iterator[Change]:
    """Stored data of any length and content are read without checks."""
    for function in module.functions("deserialize_plugin", role=Role.CREATOR):
        for guard in function.guards:
            yield module.change(function, module.dropped(guard))


@operator("SER-012", "ID-003")
def deserialized_without_namespace(module: Module) -> Iterator[Change]:
    """A restored plugin has no namespace."""
    for function in module.functions("deserialize_plugin", role=Role.CREATOR):
        for call in (value for _, value in function.returns if isinstance(value, ast.Call)):
            for argument in namespace_arguments(call):
                yield module.change(function, module.replaced(argument, '""'))


@operator("CRE-012", "CRE-004")
def deserialized_once(module: Module) -> Iterator[Change]:
    """The first restored plugin is returned for all data."""
    for function in module.functions("deserialize_plugin", role=Role.CREATOR):
        for statement, value in function.returns:
            text = (
                f'if getattr(self, "_made", None) is None:\n    self._made = {module.source(value)}\nreturn self._made'
            )
            yield module.change(function, module.replaced(statement, text))


@operator("PFD-004", "SER-008")
def stored_buffer_let_go(module: Module) -> Iterator[Change]:
    """A stored field is made over a copy that the plugin does not keep."""
    for function, _, field in _stored_fields(module):
        for argument in field.args[1:2]:
            yield module.change(function, module.replaced(argument, f"np.array({module.source(argument)})"))
