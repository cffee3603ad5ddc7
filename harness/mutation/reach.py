"""Find the lines of a module that run while it is judged. A copy writes their numbers to a file."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from pathlib import Path

_NOTE: Final = "_trt_conformance_note_line"
_HELPER: Final = """
def {note}(line, seen=set()):
    if line not in seen:
        seen.add(line)
        import os
        descriptor = os.open({file!r}, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        os.write(descriptor, b"%d\\n" % line)
        os.close(descriptor)
"""


def watching(text: str, file: Path) -> str:
    """Return a source that does the same, and writes the lines of executed statements in functions to a file."""
    tree = _Watch().visit(ast.parse(text))
    helper = ast.parse(_HELPER.format(note=_NOTE, file=str(file))).body
    at = next((place for place, node in enumerate(tree.body) if not _must_come_first(node)), len(tree.body))
    tree.body[at:at] = helper
    return ast.unparse(ast.fix_missing_locations(tree))


def reached(file: Path) -> frozenset[int]:
    """Return the lines in the file that :func:`watching` writes to; empty if there is no file."""
    return frozenset(map(int, file.read_text().split())) if file.is_file() else frozenset()


def is_reached(text: str, lines: Iterable[int], seen: frozenset[int]) -> bool:
    """Return whether the innermost statement at one of the lines is in ``seen``; True for a line outside functions."""
    inside = [node for node in ast.walk(ast.parse(text)) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
    for line in lines:
        statements = [
            each.lineno
            for function in inside
            for each in ast.walk(function)
            if isinstance(each, ast.stmt) and each is not function and each.lineno <= line <= (each.end_lineno or 0)
        ]
        if not statements or max(statements) in seen:
            return True
    return False


class _Watch(ast.NodeTransformer):
    """Inserts a call that records the line before each statement of each function."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        """Insert calls into a function."""
        self.generic_visit(node)
        self._watch(node)
        return node

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AsyncFunctionDef:
        """Insert calls into a coroutine."""
        self.generic_visit(node)
        self._watch(node)
        return node

    def _watch(self, function: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        for node in ast.walk(function):
            for name in ("body", "orelse", "finalbody"):
                block: Any = getattr(node, name, None)
                is_block = isinstance(block, list) and bool(block) and isinstance(block[0], ast.stmt)
                if is_block and not isinstance(node, ast.ClassDef) and not any(map(_is_note, block)):
                    setattr(node, name, [each for one in block for each in (_note(one), one)])


def _note(node: ast.stmt) -> ast.stmt:
    (statement,) = ast.parse(f"{_NOTE}({node.lineno})").body
    return statement


def _is_note(node: ast.stmt) -> bool:
    called = node.value.func if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) else None
    return isinstance(called, ast.Name) and called.id == _NOTE


def _must_come_first(node: ast.stmt) -> bool:
    is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return is_text or (isinstance(node, ast.ImportFrom) and node.module == "__future__")
