"""Find a module's file or folder, and copy it with another text of one file; other files are linked."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from importlib.machinery import PathFinder
from pathlib import Path


class ModuleMissingError(Exception):
    """The module does not exist; the argument is its name."""


def place_of(module: str, home: Path) -> Path:
    """Return the file of a module, or the folder of a package, without importing it.

    ``home`` is the folder that relative paths and dotted names begin at.

    Raises:
        ModuleMissingError: The module does not exist, or is not written in Python.
    """
    if os.sep in module or module.endswith(".py"):
        path_of_file = home / module
        if not path_of_file.exists():
            raise ModuleMissingError(f"there is no file {module}")
        return Path(os.path.abspath(path_of_file))  # noqa: PTH100 - symbolic links are not resolved
    path: Sequence[str] = [str(home), *filter(None, sys.path)]
    for part in module.split("."):
        spec = PathFinder.find_spec(part, list(path))
        if spec is None:
            raise ModuleMissingError(f"there is no module named {module!r}")
        origin, path = spec.origin, list(spec.submodule_search_locations or ())
    if path:
        return Path(path[0])
    if origin is None or not origin.endswith(".py"):
        raise ModuleMissingError(f"the module {module!r} is not written in Python, so no defect can be injected")
    return Path(origin)


def files_of(place: Path) -> Iterator[Path]:
    """Yield the source files of a module or package, without files of cases in a package."""
    if place.is_file():
        yield place
        return
    for file in sorted(place.rglob("*.py")):
        if not file.stem.endswith("_cases"):
            yield file


def laid_out(place: Path, file: Path, text: str, folder: Path) -> Path:
    """Copy a module or package to an empty folder, with another text of one file; return its path there.

    All other files and folders become links, up to the folder that contains the outermost package.
    """
    root = _root_of(file)
    here, there = root, folder
    for part in file.relative_to(root).parts:
        _link(here, there, without=part)
        here, there = here / part, there / part
        if here.is_dir():
            there.mkdir()
    there.write_text(text, encoding="utf-8")
    return folder / place.relative_to(root)


def _root_of(file: Path) -> Path:
    folder = file.parent
    while (folder / "__init__.py").is_file():
        folder = folder.parent
    return folder


def _link(here: Path, there: Path, *, without: str) -> None:
    for entry in os.scandir(here):
        if entry.name not in {without, "__pycache__"} and not entry.name.startswith("."):
            (there / entry.name).symlink_to(entry.path)
