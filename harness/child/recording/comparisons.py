"""Make a reference of a program's own comparison: ``np.allclose(Y, np.pad(X, ...))`` says what a plugin computes.

Theory. While a program runs, NumPy's functions that compare arrays are watched. If one array is a plugin's latest
result, the expression of the other array is read from the program's source. This expression becomes the reference if it
contains only the plugin's inputs, its fields and constants. It must also compute the other array again.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import functools
import importlib
import math
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from harness.child.recording.executions import Execution

#: The names of the watched functions, by module. The modules are imported only for a recording.
_WATCHED = {"numpy": ("allclose", "array_equal"), "numpy.testing": ("assert_allclose", "assert_array_equal")}
_Fields = Mapping[str, np.ndarray[Any, Any]]
_array_equal = np.array_equal  # the original, which a recording replaces
_SIMPLE = (bool, int, float, str, type(None))


class Reference:
    """A case's reference with its source, such as ``lambda x0, *, fields: np.pad(x0, ...)``.

    It was right for the program's fields. Whether it is right for other values of the fields is unknown, as
    ``of_these_fields`` says.
    """

    of_these_fields = True

    def __init__(self, source: str) -> None:
        self.source = source
        self._function = eval(source, {"np": np})  # noqa: S307 - an expression of the program, which has run already

    def __call__(self, *arrays: Any, fields: Mapping[str, Any]) -> Any:
        """Compute the outputs; fields come with or without their types."""
        plain = {name: value[0] if isinstance(value, tuple) else value for name, value in fields.items()}
        return self._function(*arrays, fields=plain)


class Comparisons:
    """Watches comparisons; ``references`` holds the references, by plugin key."""

    def __init__(self, fields_of: Callable[[str], _Fields | None]) -> None:
        """Take a function from a plugin's key to its fields, or to None if they are uncertain."""
        self.references: dict[str, Reference] = {}
        self._fields_of = fields_of
        self._last: dict[str, Execution] = {}

    def executed(self, key: str, execution: Execution) -> None:
        """Remember a plugin's inputs and results until it is executed again."""
        self._last[key] = execution

    @contextlib.contextmanager
    def watching(self) -> Iterator[None]:
        """Watch NumPy's comparisons while the block runs."""
        watched = [(importlib.import_module(module), name) for module, names in _WATCHED.items() for name in names]
        before = [(module, name, getattr(module, name)) for module, name in watched]
        for module, name, compare in before:
            setattr(module, name, self._watched(name, compare))
        try:
            yield
        finally:
            for module, name, compare in before:
                setattr(module, name, compare)

    def _watched(self, name: str, compare: Any) -> Any:
        @functools.wraps(compare)
        def watched(*arguments: Any, **named: Any) -> Any:
            frame = sys._getframe(1)  # noqa: SLF001 - the caller
            for key, last in self._last.items() if len(arguments) > 1 else ():
                fields = self._fields_of(key)
                if key not in self.references and fields is not None:
                    reference = _reference(frame, name, arguments[:2], _Known(last, fields))
                    if reference is not None:
                        self.references[key] = reference
            return compare(*arguments, **named)

        return watched


class _Known(NamedTuple):
    """The latest inputs and results of a plugin, and its fields."""

    last: Execution
    fields: _Fields


def _reference(frame: FrameType, name: str, compared: Sequence[Any], known: _Known) -> Reference | None:
    """Return a reference made of a comparison; None if it compares no result of the plugin, or cannot be used."""
    if len(known.last.outputs) != 1:
        return None
    for place in (0, 1):
        called = _call(frame, name) if _is_same(compared[place], known.last.outputs[0]) else None
        if called is not None and not _may_be_changed(called.args[place], called.scope):
            return _checked(frame, called, 1 - place, compared[1 - place], known)
    return None


def _checked(frame: FrameType, called: _Call, place: int, expected: Any, known: _Known) -> Reference | None:
    """Return the expression of an argument as a reference, if the reference computes the argument's value again."""
    argument = called.args[place]
    expression = _assigned(argument.id, called.scope, argument.lineno) if isinstance(argument, ast.Name) else argument
    if expression is None:
        return None
    try:
        substituted = _Substitution({**frame.f_globals, **frame.f_locals}, known)
        text = ast.unparse(ast.fix_missing_locations(substituted.visit(expression)))
        names = "".join(f"x{index}, " for index in range(len(known.last.inputs)))
        reference = Reference(f"lambda {names}*, fields: {text}")
        computed = reference(*known.last.inputs, fields=known.fields)
    except Exception:  # noqa: BLE001 - the expression uses more than inputs, fields and constants
        return None
    uses_all = substituted.used >= known.fields.keys()  # without a field, it is right only for that field's value
    return reference if uses_all and _is_same(computed, expected) else None


class _Call(NamedTuple):
    """A call in a source: its arguments, and the function or module that contains it."""

    args: list[ast.expr]
    scope: ast.AST


def _call(frame: FrameType, name: str) -> _Call | None:
    """Return the call that a frame is executing, as its source has it; None if it is not found."""
    try:
        tree = ast.parse(Path(frame.f_code.co_filename).read_text(encoding="utf-8"))
    except (OSError, SyntaxError, UnicodeDecodeError):
        return None
    scopes = [each for each in ast.walk(tree) if isinstance(each, (ast.FunctionDef, ast.Module))]
    for scope in sorted(scopes, key=lambda each: -getattr(each, "lineno", 0)):
        for node in ast.walk(scope):
            if not isinstance(node, ast.Call) or len(node.args) < 2:  # noqa: PLR2004 - both arrays
                continue
            called = getattr(node.func, "attr", getattr(node.func, "id", ""))
            if called == name and node.lineno <= frame.f_lineno <= (node.end_lineno or node.lineno):
                return _Call(node.args, scope)
    return None


def _assigned(name: str, scope: ast.AST, before: int) -> ast.expr | None:
    """Return the expression that is assigned to a name before a line; None unless there is exactly one."""
    values = [
        node.value
        for node in ast.walk(scope)
        if isinstance(node, ast.Assign)
        and node.lineno < before
        and any(_names(target, name) for target in node.targets)
    ]
    return values[0] if len(values) == 1 else None


def _may_be_changed(result: ast.expr, scope: ast.AST) -> bool:
    """Return whether the compared expression may differ from the plugin's result, such as its rows in another order.

    It may if it is no name. It may also if the name is assigned a value that is computed from its former value.
    """
    if not isinstance(result, ast.Name):
        return True
    return any(
        isinstance(node, (ast.Assign, ast.AugAssign))
        and any(_names(target, result.id) for target in getattr(node, "targets", [getattr(node, "target", None)]))
        and any(_names(part, result.id) for part in ast.walk(node.value))
        for node in ast.walk(scope)
    )


def _names(node: Any, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


class _Substitution(ast.NodeTransformer):
    """Replaces names in an expression by inputs, fields and constants."""

    def __init__(self, values: Mapping[str, Any], known: _Known) -> None:
        self.used: set[str] = set()
        self._values = values
        self._known = known

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """Return the expression that replaces a name.

        Raises:
            ValueError: The name has no value, or one that is no input, field or constant.
        """
        if node.id not in self._values:
            if hasattr(builtins, node.id):
                return node
            raise ValueError(node.id)
        value = self._values[node.id]
        if value is np:
            return ast.Name("np", ast.Load())
        for place, data in enumerate(self._known.last.inputs):
            if _is_same(value, data):
                return ast.Name(f"x{place}", ast.Load())
        return ast.parse(self._field(node.id, value) or _literal(value), mode="eval").body

    def _field(self, name: str, value: Any) -> str:
        """Return an expression for the field with this name, if the field has this value; else the empty text."""
        data = self._known.fields.get(name)
        if data is None or data.dtype.kind not in "iuf" or not _array_equal(np.ravel(value), data):
            return ""
        self.used.add(name)
        return f"fields[{name!r}]" + ".item()" * (np.ndim(value) == 0)


def _literal(value: Any) -> str:
    if isinstance(value, _SIMPLE) and not (isinstance(value, float) and not math.isfinite(value)):
        return repr(value)
    if isinstance(value, (tuple, list)):
        inner = ", ".join(map(_literal, value))
        return f"[{inner}]" if isinstance(value, list) else f"({inner}{',' * (len(value) == 1)})"
    if isinstance(value, np.ndarray) and value.size <= 32:  # noqa: PLR2004 - more elements are hard to read
        return f"np.array({value.tolist()!r}, np.{value.dtype.name})"
    raise ValueError(type(value).__name__)


def _is_same(value: Any, data: Any) -> bool:
    if not isinstance(value, np.ndarray) or not isinstance(data, np.ndarray):
        return False
    return value.dtype == data.dtype and _array_equal(value, data)
