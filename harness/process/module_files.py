"""Find a file's name as a module, the folder to import it from, and the files that its source names."""

from __future__ import annotations

import ast
import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Longer texts in a source are not names of files.
_LONGEST = 200


def is_path(module: str) -> bool:
    """Return whether the user named a file or a folder, and not a dotted name."""
    return os.sep in module or module.endswith(".py")


def name_and_root(file: Path) -> tuple[str, Path]:
    """Return the dotted name that a file has by its packages, and the folder with the outermost package."""
    parts = [] if file.stem == "__init__" else [file.stem]
    folder = file.parent
    if _imports_its_neighbours(file) and not (folder / "__init__.py").is_file():  # a package without __init__.py
        return ".".join([folder.name, *parts]), folder.parent
    while (folder / "__init__.py").is_file():
        parts.insert(0, folder.name)
        folder = folder.parent
    return ".".join(parts), folder


def needs_its_folder(file: Path) -> bool:
    """Return whether the source names a file, such as weights, that is only in the module's folder."""
    texts = [node.value for node in _nodes(file) if isinstance(node, ast.Constant)]
    names = [Path(text) for text in texts if isinstance(text, str) and 0 < len(text) < _LONGEST and text.isprintable()]
    relative = [name for name in names if name.suffix and not name.is_absolute()]
    return any((file.parent / name).is_file() and not name.is_file() for name in relative)


def _imports_its_neighbours(file: Path) -> bool:
    """Return whether a file imports from its own package: ``from .kernels import ...``."""
    return any(isinstance(node, ast.ImportFrom) and node.level == 1 for node in _nodes(file))


def _nodes(file: Path) -> Iterator[ast.AST]:
    """Yield the nodes of a file's syntax tree; none if it cannot be parsed, which its import will report."""
    try:
        yield from ast.walk(ast.parse(file.read_bytes()))
    except (OSError, SyntaxError, ValueError):
        return
