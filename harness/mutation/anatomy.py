"""Find classes and methods in the source of a module of plugins, and make edits of the source.

The module is not imported. Positions are in bytes, as in Python's parser. An edit replaces only the bytes of a node, so
comments and layout stay.
"""

from __future__ import annotations

import ast
import enum
import functools
import re
import textwrap
from collections.abc import Iterator
from typing import Final

import msgspec

from harness.mutation.change import Change, Edit

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef


class Role(enum.Enum):
    """The role of a class in a module of plugins."""

    PLUGIN = "plugin"
    CREATOR = "creator"
    RESOURCE = "resource"
    OTHER = "other"


#: The role of a class by the beginning of its base's name, and by a method that only classes of this role have.
_BASES: Final = {"IPluginCreator": Role.CREATOR, "IPluginResource": Role.RESOURCE, "IPluginV": Role.PLUGIN}
_METHODS: Final = {
    "create_plugin": Role.CREATOR,
    "enqueue": Role.PLUGIN,
    "execute_async": Role.PLUGIN,
    "supports_format_combination": Role.PLUGIN,
}
#: The decorators of ``tensorrt.plugin``, with the name of the callback that the decorated function replaces.
_DECORATORS: Final = {"impl": "enqueue", "register": "register", "autotune": "autotune", "aot_impl": "aot_impl"}


class Function(msgspec.Struct, frozen=True):
    """A method, or a decorated function.

    Attributes:
        node: Its definition.
        name: The name of the method, or of the callback that the function replaces.
        place: Its class and name: ``Bar.clone``.
        owner: Its class; None for a function.
    """

    node: FunctionNode
    name: str
    place: str
    owner: ast.ClassDef | None

    @property
    def body(self) -> list[ast.stmt]:
        """The statements, without the docstring."""
        return self.node.body[1:] if ast.get_docstring(self.node, clean=False) is not None else self.node.body

    @property
    def arguments(self) -> list[str]:
        """The names of the positional parameters, without ``self``."""
        names = [each.arg for each in (*self.node.args.posonlyargs, *self.node.args.args)]
        return names[1:] if self.owner is not None and not self._is_static else names

    @property
    def returns(self) -> Iterator[tuple[ast.Return, ast.expr]]:
        """The ``return`` statements with a value, each with the value."""
        for each in self.statements:
            if isinstance(each, ast.Return) and each.value is not None:
                yield each, each.value

    @property
    def statements(self) -> Iterator[ast.stmt]:
        """All statements, without those of nested functions."""
        return (node for node in _inside(self.node) if isinstance(node, ast.stmt))

    @property
    def nodes(self) -> Iterator[ast.AST]:
        """All nodes, without those of nested functions and those inside f-strings."""
        return _inside(self.node)

    @property
    def guards(self) -> Iterator[ast.If]:
        """The ``if`` statements that only raise an exception."""
        for each in self.statements:
            if isinstance(each, ast.If) and not each.orelse and all(isinstance(one, ast.Raise) for one in each.body):
                yield each

    @property
    def _is_static(self) -> bool:
        return any(isinstance(each, ast.Name) and each.id == "staticmethod" for each in self.node.decorator_list)


class Module:
    """The source of a module, with methods to search it and to make edits."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tree = ast.parse(text)
        self._bytes = text.encode()
        self._starts = [0, *(end.end() for end in re.finditer(rb"\r\n|\r|\n", self._bytes))]

    @functools.cached_property
    def classes(self) -> dict[str, tuple[ast.ClassDef, Role]]:
        """The classes of the module by name, each with its role.

        The role depends on the base class: one of TensorRT's, or a class of this module, whose role is inherited.
        """
        classes: dict[str, tuple[ast.ClassDef, Role]] = {}
        for node in self.tree.body:
            if isinstance(node, ast.ClassDef):
                classes[node.name] = (node, self._role(node, classes))
        return classes

    @property
    def decorated(self) -> Iterator[Function]:
        """The functions with a decorator of ``tensorrt.plugin``."""
        for node in self.tree.body:
            if isinstance(node, FunctionNode):
                for decorator in node.decorator_list:
                    called = decorator.func if isinstance(decorator, ast.Call) else decorator
                    name = called.attr if isinstance(called, ast.Attribute) else ""
                    if name in _DECORATORS:
                        yield Function(node, _DECORATORS[name], node.name, None)

    def functions(self, *names: str, role: Role = Role.PLUGIN) -> Iterator[Function]:
        """Yield the methods of classes with a role, all or those named; for plugins, decorated functions, too."""
        for owner, its_role in self.classes.values():
            for node in owner.body if its_role is role else ():
                if isinstance(node, FunctionNode) and (not names or node.name in names):
                    yield Function(node, node.name, f"{owner.name}.{node.name}", owner)
        if role is Role.PLUGIN:
            yield from (each for each in self.decorated if not names or each.name in names)

    def attributes(self, owner: ast.ClassDef) -> dict[str, ast.Assign]:
        """Return the attributes that ``__init__`` sets, with their assignments, without attributes of TensorRT."""
        return {name: node for name, node in self.set_in_init(owner).items() if name not in NATIVE}

    def set_in_init(self, owner: ast.ClassDef) -> dict[str, ast.Assign]:
        """Return the attributes that ``__init__`` sets by a separate statement, with their assignments."""
        assignments = {}
        for method in owner.body:
            for node in _inside(method) if isinstance(method, ast.FunctionDef) and method.name == "__init__" else ():
                target = node.targets[0] if isinstance(node, ast.Assign) and len(node.targets) == 1 else None
                if isinstance(node, ast.Assign) and isinstance(target, ast.Attribute) and is_own(target):
                    assignments[target.attr] = node
        return assignments

    def source(self, node: ast.AST) -> str:
        """Return the text of a node."""
        start, end = self._span(node)
        return self._bytes[start:end].decode()

    def replaced(self, node: ast.AST, text: str) -> Edit:
        """Return an edit that replaces a node; further lines of a statement get its indentation."""
        return Edit(*self._span(node), self._laid(text, node) if isinstance(node, ast.stmt) else text, _line(node))

    def dropped(self, node: ast.stmt) -> Edit:
        """Return an edit that removes a statement."""
        return self.replaced(node, "pass")

    def before(self, node: ast.stmt, *lines: str) -> Edit:
        """Return an edit that inserts statements before a statement."""
        start, _ = self._span(node)
        return Edit(
            start, start, "".join(f"{self._laid(line, node)}\n{self._indent(node)}" for line in lines), _line(node)
        )

    def after(self, node: ast.stmt, *lines: str) -> Edit:
        """Return an edit that inserts statements after a statement."""
        _, end = self._span(node)
        laid = "".join(f"\n{self._indent(node)}{self._laid(line, node)}" for line in lines)
        return Edit(end, end, laid, _line(node))

    def begun(self, function: Function, *lines: str) -> Edit:
        """Return an edit that inserts statements at the beginning of a function."""
        return self.before(function.body[0], *lines) if function.body else self.after(function.node.body[-1], *lines)

    def instead(self, function: Function, *lines: str) -> Edit:
        """Return an edit that replaces all statements of a function."""
        first, last = function.node.body[0], function.node.body[-1]
        start, end = self._span(first)[0], self._span(last)[1]
        line = _line((function.body or function.node.body)[0])
        return Edit(start, end, f"\n{self._indent(first)}".join(self._laid(each, first) for each in lines), line)

    def unwrapped(self, node: ast.With) -> Edit:
        """Return an edit that replaces ``with ...`` by ``if True``, so the block runs without the context manager."""
        start, _ = self._span(node)
        _, end = self._span(node.items[-1].context_expr)
        return Edit(start, end, "if True", _line(node))

    def without(self, node: ast.BoolOp, operand: ast.expr) -> Edit:
        """Return an edit that removes an operand from ``and`` or ``or``."""
        word = " and " if isinstance(node.op, ast.And) else " or "
        return self.replaced(node, word.join(f"({self.source(each)})" for each in node.values if each is not operand))

    def change(self, function: Function, *edits: Edit) -> Change:
        """Return edits as one defect in a function."""
        return Change(function.place, edits)

    def change_of_class(self, owner: ast.ClassDef, *edits: Edit) -> Change:
        """Return edits as one defect in a class."""
        return Change(owner.name, edits)

    def change_of_module(self, *edits: Edit) -> Change:
        """Return edits as one defect in code outside of classes."""
        return Change("(module)", edits)

    def _role(self, node: ast.ClassDef, known: dict[str, tuple[ast.ClassDef, Role]]) -> Role:
        for base in node.bases:
            name = base.attr if isinstance(base, ast.Attribute) else getattr(base, "id", "")
            if name in known:
                return known[name][1]
            for beginning, role in _BASES.items():
                if name.startswith(beginning):
                    return role
        methods = [each.name for each in node.body if isinstance(each, FunctionNode)]
        return next((_METHODS[name] for name in methods if name in _METHODS), Role.OTHER)

    def _span(self, node: ast.AST) -> tuple[int, int]:
        start = self._starts[_line(node) - 1] + node.col_offset  # type: ignore[attr-defined] # all edited nodes have it
        end = self._starts[node.end_lineno - 1] + node.end_col_offset  # type: ignore[attr-defined] # as above
        return start, end

    def _indent(self, node: ast.stmt) -> str:
        start, _ = self._span(node)
        before = self._bytes[self._starts[_line(node) - 1] : start].decode()
        return before if before.isspace() else " " * len(before)

    def _laid(self, line: str, node: ast.stmt) -> str:
        """Return lines with the indentation of a statement, except the first line."""
        first, *rest = line.splitlines()
        return "\n".join([first, *(textwrap.indent(each, self._indent(node)) for each in rest)])


#: Attributes that TensorRT's own classes have.
NATIVE: Final = frozenset(
    {
        "field_names",
        "format_combination_limit",
        "metadata_string",
        "name",
        "num_outputs",
        "plugin_name",
        "plugin_namespace",
        "plugin_type",
        "plugin_version",
        "serialization_size",
        "tensorrt_version",
        "timing_cache_id",
    }
)


def is_own(node: ast.AST, name: str = "") -> bool:
    """Return whether a node is an attribute of ``self``, and has the name, if one is given."""
    return (
        isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == "self"
        and name in {"", node.attr}
    )


def _inside(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes inside a node, in the order of the source, without nested scopes and f-strings.

    Before version 3.12, Python has no right positions inside f-strings.
    """
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (*_OTHER_SCOPES, ast.JoinedStr)):
            continue
        yield child
        yield from _inside(child)


_OTHER_SCOPES: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


def _line(node: ast.AST) -> int:
    line: int = node.lineno  # type: ignore[attr-defined] # all edited nodes have it
    return line
