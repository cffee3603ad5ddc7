"""Name our packages in this process: ``harness`` and ``conformance``, or names with a prefix if the user has these.

Theory. Both names are common: a user's plugin may import its own package ``harness``. In a process where that can
happen, our packages are loaded under names with a prefix. The usual names mean the user's packages there. The loader
compiles our modules as they are. Then it adds the prefix to the names that the compiled code imports: these are its
only names with dots. Packages with rules import ours by the usual names. Their code is changed in the same way.

If our code needs the name of a module as text, it calls :func:`own`. Names that leave the process are the usual names,
from :func:`public`. A child has the same names as the process that starts it.

This module is run by its path, before our other modules. So it imports only the standard library.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import sys
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

#: Where our packages are.
HOME: Final = str(Path(__file__).parents[2])
_PACKAGES: Final = ("conformance", "harness")
#: The prefix of our packages' names in a process where the usual names are taken.
PREFIX: Final = "_trt_conformance_"
_IN_FORCE: Final = PREFIX if __name__.startswith(PREFIX) else ""
_RULES: Final = "trt_conformance.rules"


def own(name: str) -> str:
    """Return the name that our module has in this process, given its usual name; other names stay."""
    return f"{_IN_FORCE}{name}" if name.partition(".")[0] in _PACKAGES else name


def public(name: str) -> str:
    """Return the usual name of our module, given its name in this process."""
    return name.removeprefix(PREFIX)


def are_prefixed() -> bool:
    """Return whether the names of our packages in this process differ from the usual names."""
    return bool(_IN_FORCE)


def taken_in(folders: Iterable[str]) -> str:
    """Return the path of a module or package in these folders with the name of our package; empty without one.

    A folder without Python files, such as a folder with test data, is no package.
    """
    for folder in folders:
        for name in _PACKAGES:
            place = Path(folder or os.curdir, name)
            if place.with_suffix(".py").is_file() or (any(place.glob("*.py")) and not _is_ours(place)):
                return str(place)
    return ""


def taken() -> bool:
    """Return whether a name of our packages means another module here, already loaded or earlier on the path."""
    loaded = [sys.modules[name] for name in _PACKAGES if name in sys.modules]
    if loaded:
        return not all(_is_ours(Path(module.__file__ or "").parent) for module in loaded)
    return bool(taken_in(_before_ours()))


def install() -> str:
    """Find our packages under their prefixed names from now on, and return the prefix."""
    sys.meta_path.insert(0, _Finder())
    return PREFIX


def command(code: str, *arguments: str) -> list[str]:
    """Return the command line of a new interpreter that finds our packages as this process does, and runs some code.

    It does not use ``-m``, which would find a folder ``harness`` in the working directory before our package.
    """
    start = f"import sys; sys.path.insert(0, sys.argv.pop(1)); {code}"
    return [sys.executable, "-c", prefixed(start) if are_prefixed() else start, HOME, *arguments]


def leave_no_trace_in_path() -> None:
    """Let ``sys.path`` end with our folder, which :func:`command` put first, and remove the working directory."""
    ours = sys.path.pop(0)
    if sys.path[:1] == [""]:
        del sys.path[0]
    if ours not in sys.path:
        sys.path.append(ours)


def prefixed(code: str) -> str:
    """Return code for ``python -c`` that loads our packages under prefixed names, from code with the usual names."""
    return (
        f"import importlib.util as util; spec = util.spec_from_file_location('names', {__file__!r}); "
        "names = util.module_from_spec(spec); spec.loader.exec_module(names); names.install(); "
        f"{code.replace('from harness.', f'from {PREFIX}harness.')}"
    )


class _Finder(MetaPathFinder):
    """Finds our packages under their prefixed names, and packages with rules under their usual names."""

    def __init__(self) -> None:
        entries = importlib.metadata.entry_points(group=_RULES)
        self._rules = {entry.value.partition(":")[0].partition(".")[0] for entry in entries} - {*_PACKAGES}

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None = None,
        target: ModuleType | None = None,  # noqa: ARG002 - the protocol's signature
    ) -> ModuleSpec | None:
        """Return the specification of our module or of a module with rules; None for other modules."""
        if fullname.startswith(PREFIX):
            return _renamed(fullname, PathFinder.find_spec(public(fullname), [HOME] if path is None else path))
        if fullname.partition(".")[0] in self._rules:
            return _renamed(fullname, PathFinder.find_spec(fullname, path))
        return None


class _Loader(SourceFileLoader):
    """Loads a module, and changes its imports of our packages to their prefixed names."""

    def get_code(self, fullname: str) -> CodeType | None:
        """Return the code of the module with changed imports; it may come from the file of compiled code."""
        code: Any = super().get_code(fullname)
        return None if code is None else _importing_prefixed(code)


def _renamed(name: str, spec: ModuleSpec | None) -> ModuleSpec | None:
    """Return the specification of a module that was found, with our loader if it has a source."""
    if spec is None or spec.origin is None or not isinstance(spec.loader, SourceFileLoader):
        return spec
    return importlib.util.spec_from_file_location(
        name,
        spec.origin,
        loader=_Loader(name, spec.origin),
        submodule_search_locations=spec.submodule_search_locations,
    )


def _importing_prefixed(code: CodeType) -> CodeType:
    names = tuple(f"{PREFIX}{name}" if _is_import_of_ours(name) else name for name in code.co_names)
    inner = (_importing_prefixed(each) if isinstance(each, CodeType) else each for each in code.co_consts)
    return code.replace(co_names=names, co_consts=tuple(inner))


def _is_import_of_ours(name: str) -> bool:
    return "." in name and name.partition(".")[0] in _PACKAGES


def _before_ours() -> list[str]:
    """Return the folders that Python searches before the folder with our packages."""
    places = [os.path.realpath(folder or os.curdir) for folder in sys.path]
    home = os.path.realpath(HOME)
    return places[: places.index(home)] if home in places else places


def _is_ours(package: Path) -> bool:
    return package.resolve().parent == Path(HOME).resolve()
