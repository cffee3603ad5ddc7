"""The planted faults of a rule and what they are mended to, read as text from the examples; nothing is imported."""

from __future__ import annotations

import ast
import dataclasses
import importlib.util
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

_PACKAGE = "plugin_examples"


@dataclasses.dataclass(frozen=True)
class Excerpt:
    """Some lines of a file of the examples."""

    file: str
    first: int
    lines: tuple[str, ...]


@dataclasses.dataclass(frozen=True)
class PlantedFault:
    """A faulty example: the defect in words, the class that has it, and what the sound example has in its place."""

    defect: str
    faulty: tuple[Excerpt, ...]
    mended: tuple[Excerpt, ...]


@dataclasses.dataclass(frozen=True)
class Witness:
    """A faulty example by name: the rule that it was planted for, and those that see it too, each with the reason."""

    name: str
    file: str
    breaks: str
    also: dict[str, str]
    defect: str


def witnesses() -> list[Witness]:
    """Return every planted fault, as it declares itself; none where the examples are not installed."""
    found = [(file, ast.parse(file.read_text("utf-8"))) for file in _files()]
    return [
        Witness(file.stem, _name(file), breaks, _declared(tree, "ALSO") or {}, _defect(file, tree))
        for file, tree in found
        if (breaks := _breaks(tree))
    ]


def by_rule(rule_ids: Collection[str]) -> dict[str, list[PlantedFault]]:
    """Return the planted faults of each of some rules; a rule without one is left out."""
    found: dict[str, list[PlantedFault]] = {}
    for file in _files():
        tree = ast.parse(file.read_text("utf-8"))
        if (broken := _breaks(tree)) in rule_ids:
            found.setdefault(broken, []).append(_fault(file, tree))
    return found


def _files() -> list[Path]:
    folder = _folder()
    return sorted((folder / "faulty").glob("*/*.py"), key=lambda file: file.stem) if folder else []


def _folder() -> Path | None:
    spec = importlib.util.find_spec(_PACKAGE)
    places = list(spec.submodule_search_locations or ()) if spec else []
    return Path(places[0]) if places else None


def _breaks(tree: ast.Module) -> str:
    return str(_declared(tree, "BREAKS") or "")


def _declared(tree: ast.Module, name: str) -> Any:
    """Return what a module assigns to a name of its own, as a literal; None where it does not."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == name:
            return ast.literal_eval(node.value)
    return None


def _defect(file: Path, tree: ast.Module) -> str:
    return (ast.get_docstring(tree) or file.stem).partition("\n")[0]


def _fault(file: Path, tree: ast.Module) -> PlantedFault:
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    assigned = (getattr(node.targets[0], "id", "") for node in tree.body if isinstance(node, ast.Assign))
    is_application = "PLUGIN_APPS" in assigned  # what is faulty there is a function
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)] if is_application else []
    nodes: list[ast.ClassDef | ast.FunctionDef] = [*classes, *functions]
    faulty = tuple(_excerpt(file, node) for node in nodes)
    return PlantedFault(_defect(file, tree), faulty, tuple(dict.fromkeys(_sound_parts(tree, classes))))


def _sound_parts(tree: ast.Module, classes: list[ast.ClassDef]) -> Iterator[Excerpt]:
    """Yield the methods of the sound classes that the faulty ones override."""
    imports = (node for node in tree.body if isinstance(node, ast.ImportFrom))
    origins = {alias.asname or alias.name: _file_of(node) for node in imports for alias in node.names}
    for faulty in classes:
        overridden = {node.name for node in faulty.body if isinstance(node, ast.FunctionDef)}
        for base in (node.id for node in faulty.bases if isinstance(node, ast.Name) and node.id in origins):
            file = origins[base]
            if file is not None:
                yield from (_excerpt(file, node) for node in _methods(file, base) if node.name in overridden)


def _file_of(node: ast.ImportFrom) -> Path | None:
    parts = (node.module or "").split(".")
    folder = _folder()
    if parts[0] != _PACKAGE or folder is None:
        return None
    file = folder.joinpath(*parts[1:]).with_suffix(".py")
    return file if file.is_file() else None


def _methods(file: Path, class_name: str) -> Iterator[ast.FunctionDef]:
    """Yield the methods of a class, and of its bases in the same file."""
    classes = {node.name: node for node in ast.parse(file.read_text("utf-8")).body if isinstance(node, ast.ClassDef)}
    waiting, known = [class_name], set[str]()
    while waiting:
        found = classes.get(waiting.pop(0))
        if found is None:
            continue
        waiting += [base.id for base in found.bases if isinstance(base, ast.Name)]
        for node in found.body:
            if isinstance(node, ast.FunctionDef) and node.name not in known:
                known.add(node.name)
                yield node


def _excerpt(file: Path, node: ast.ClassDef | ast.FunctionDef) -> Excerpt:
    first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
    lines = file.read_text("utf-8").splitlines()[first - 1 : node.end_lineno]
    return Excerpt(_name(file), first, tuple(lines))


def _name(file: Path) -> str:
    folder = _folder()
    return str(file.relative_to(folder.parent) if folder else file)
