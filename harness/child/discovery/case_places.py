"""Find the lines of a file at which its cases are written, for messages about cases."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

#: Where a module or a cases file lists its cases.
CASES = "PLUGIN_CASES"


def places_of(file: Path | None, number: int) -> list[str]:
    """Return where each of so many cases is written, such as ``bar_cases.py:7``; empty where the list is computed."""
    try:
        tree = ast.parse(file.read_text(encoding="utf-8")) if file is not None else ast.Module([], [])
    except (OSError, ValueError, SyntaxError):
        return [""] * number
    lists = [node.value for node in tree.body if isinstance(node, ast.Assign) and _assigns_cases(node)]
    written = lists[0].elts if len(lists) == 1 and isinstance(lists[0], (ast.List, ast.Tuple)) else []
    if file is None or len(written) != number or any(isinstance(each, ast.Starred) for each in written):
        return [""] * number
    return [f"{file.name}:{each.lineno}" for each in written]


def _assigns_cases(node: ast.Assign) -> bool:
    return any(isinstance(target, ast.Name) and target.id == CASES for target in node.targets)
