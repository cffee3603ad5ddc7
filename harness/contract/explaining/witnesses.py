"""Read the faulty examples of rules and their fixes as text, without importing them."""

from __future__ import annotations

import ast
import dataclasses
import functools
import importlib.util
import zipfile
from collections.abc import Collection, Iterator
from pathlib import Path, PurePosixPath
from typing import Any, Final

from harness.contract.explaining.native_witnesses import native_faults

_PACKAGE: Final = "plugin_examples"
#: The archive of faulty examples in a wheel, in the folder of the package: small files would take four times as much.
ARCHIVE: Final = "faulty.zip"


@dataclasses.dataclass(frozen=True)
class Excerpt:
    """Some lines of a file of the examples."""

    file: str
    first: int
    lines: tuple[str, ...]


@dataclasses.dataclass(frozen=True)
class PlantedFault:
    """A faulty example: the defect in words, the faulty code, and the correct methods that it overrides.

    ``fixed`` maps faulty code to the right code, if the overridden methods do not show that.
    """

    defect: str
    faulty: tuple[Excerpt, ...]
    mended: tuple[Excerpt, ...]
    fixed: dict[str, str] = dataclasses.field(default_factory=dict)


@dataclasses.dataclass(frozen=True)
class Witness:
    """A faulty example by name: the rule that it breaks, and the rules that also see the fault, with reasons."""

    name: str
    file: str
    breaks: str
    also: dict[str, str]
    defect: str


def witnesses() -> list[Witness]:
    """Return the witnesses in Python, as they declare themselves; none if the examples are not installed."""
    trees = [(name, ast.parse(text)) for name, text in _faulty(_folder(), ".py").items()]
    return [
        Witness(_stem(name), name, breaks, _declared(tree, "ALSO") or {}, _defect(name, tree))
        for name, tree in trees
        if (breaks := _breaks(tree))
    ]


def by_rule(rule_ids: Collection[str]) -> dict[str, list[PlantedFault]]:
    """Return the faulty examples of rules, by rule id; a rule without an example is left out.

    Examples in C++ are returned only for rules without examples in Python.
    """
    faults: dict[str, list[PlantedFault]] = {}
    texts = _faulty(_folder(), ".py").items()
    for name, text in ((name, text) for name, text in texts if any(each in text for each in rule_ids)):
        tree = ast.parse(text)
        if (broken := _breaks(tree)) in rule_ids:
            faults.setdefault(broken, []).append(_fault(name, tree))
    in_python = frozenset(faults)
    for fault in native_faults(_faulty(_folder(), ".cpp")):
        if fault.breaks in rule_ids and fault.breaks not in in_python:
            faulty = tuple(Excerpt(fault.file, *excerpt) for excerpt in fault.excerpts())
            faults.setdefault(fault.breaks, []).append(PlantedFault(fault.defect, faulty, ()))
    return faults


@functools.cache
def _faulty(folder: Path | None, suffix: str) -> dict[str, str]:
    """Return the texts of the faulty examples in Python or C++, by their paths, in the order of their names."""
    texts = _texts(folder) if folder else {}
    return {name: texts[name] for name in sorted(texts, key=_stem) if name.endswith(suffix)}


@functools.cache
def _texts(folder: Path) -> dict[str, str]:
    """Return the texts of the faulty examples: a checkout has them as files, a wheel in one archive."""
    packed = folder / ARCHIVE
    if packed.is_file():
        with zipfile.ZipFile(packed) as archive:
            return {name: archive.read(name).decode() for name in archive.namelist()}
    files = (file for file in (folder / "faulty").glob("*/*") if file.suffix in {".py", ".cpp"})
    return {f"{_PACKAGE}/{file.relative_to(folder)}": file.read_text("utf-8") for file in files}


def _text(name: str) -> str | None:
    """Return the text of an example by its path, None if there is none."""
    folder = _folder()
    if folder is None:
        return None
    file = folder.parent / name
    return _texts(folder).get(name) or (file.read_text("utf-8") if file.is_file() else None)


def _folder() -> Path | None:
    spec = importlib.util.find_spec(_PACKAGE)
    places = list(spec.submodule_search_locations or ()) if spec else []
    return Path(places[0]) if places else None


def _stem(name: str) -> str:
    return PurePosixPath(name).stem


def _breaks(tree: ast.Module) -> str:
    return str(_declared(tree, "BREAKS") or "")


def _declared(tree: ast.Module, name: str) -> Any:
    """Return the literal that a module assigns to a name; None if it assigns none."""
    node = _assignment(tree, name)
    return None if node is None else ast.literal_eval(node.value)


def _assignment(tree: ast.Module, name: str) -> ast.Assign | None:
    assignments = (node for node in tree.body if isinstance(node, ast.Assign))
    return next((node for node in assignments if getattr(node.targets[0], "id", "") == name), None)


def _defect(name: str, tree: ast.Module) -> str:
    return (ast.get_docstring(tree) or _stem(name)).partition("\n")[0]


def _fault(name: str, tree: ast.Module) -> PlantedFault:
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    assigned = (getattr(node.targets[0], "id", "") for node in tree.body if isinstance(node, ast.Assign))
    in_functions = "PLUGIN_APPS" in assigned or not classes  # applications and decorated plugins
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)] if in_functions else []
    nodes: list[ast.ClassDef | ast.FunctionDef] = [*classes, *functions]
    text = _text(name) or ""
    fixes = _assignment(tree, "FIXED")
    faulty = _around(name, text, fixes) if fixes else tuple(_excerpt(name, text, node) for node in nodes)
    sound = tuple(dict.fromkeys(_sound_parts(tree, classes)))
    return PlantedFault(_defect(name, tree), faulty, sound, _declared(tree, "FIXED") or {})


def _sound_parts(tree: ast.Module, classes: list[ast.ClassDef]) -> Iterator[Excerpt]:
    """Yield the methods of correct base classes that the faulty classes override."""
    imports = (node for node in tree.body if isinstance(node, ast.ImportFrom))
    origins = {alias.asname or alias.name: _file_of(node) for node in imports for alias in node.names}
    for faulty in classes:
        overridden = {node.name for node in faulty.body if isinstance(node, ast.FunctionDef)}
        for base in (node.id for node in faulty.bases if isinstance(node, ast.Name) and node.id in origins):
            name = origins[base]
            text = _text(name)
            if text is not None:
                yield from (_excerpt(name, text, node) for node in _methods(text, base) if node.name in overridden)


def _file_of(node: ast.ImportFrom) -> str:
    return f"{(node.module or '').replace('.', '/')}.py"


def _methods(text: str, class_name: str) -> Iterator[ast.FunctionDef]:
    """Yield the methods of a class, and of its bases in the same file."""
    classes = {node.name: node for node in ast.parse(text).body if isinstance(node, ast.ClassDef)}
    waiting, known = [class_name], set[str]()
    while waiting:
        node = classes.get(waiting.pop(0))
        if node is None:
            continue
        waiting += [base.id for base in node.bases if isinstance(base, ast.Name)]
        for method in node.body:
            if isinstance(method, ast.FunctionDef) and method.name not in known:
                known.add(method.name)
                yield method


def _around(name: str, text: str, node: ast.Assign) -> tuple[Excerpt, ...]:
    """Return two excerpts: the lines before an assignment, and the lines after it."""
    lines, after = tuple(text.splitlines()), node.end_lineno or node.lineno
    return Excerpt(name, 1, lines[: node.lineno - 1]), Excerpt(name, after + 1, lines[after:])


def _excerpt(name: str, text: str, node: ast.ClassDef | ast.FunctionDef) -> Excerpt:
    first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
    return Excerpt(name, first, tuple(text.splitlines()[first - 1 : node.end_lineno]))
