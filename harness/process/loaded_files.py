"""Find the user's files that a child has loaded: Python modules, and native libraries beside them.

Files of Python, of installed distributions, of this project and of packages with rules are not the user's. All files
of a top-level package that the user named are the user's.
"""

from __future__ import annotations

import functools
import os
import site
import sys
import sysconfig
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.contract.own_names import own

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from types import ModuleType

#: In the module made for a native library: the variable with the library's build id.
BUILD_ID = "__build_id__"
#: In the module made for a native library: the variable with the loaded library.
NATIVE_LIBRARY = "__native_library__"
#: The top-level modules of this project.
OURS = (own("conformance"), own("harness"), "pytest_trt_conformance", "reference_runtime")


def written(module: ModuleType, others: Iterable[str] = (), ours: Iterable[str] = ()) -> dict[str, Any]:
    """Return where the user's code is, as plain data: the module's file and folders, and all loaded files.

    Args:
        module: The module that the user named.
        others: The names of further modules that the user named.
        ours: The names of top-level modules with rules.
    """
    files = set(modules_by_file((module.__name__, *others), ours))
    folders = {os.path.dirname(file) for file in files}  # noqa: PTH120 - text all the way
    return {
        "file": next(_file_of(module), ""),
        "folders": [os.path.abspath(folder) for folder in getattr(module, "__path__", ())],  # noqa: PTH100 - as above
        "files": sorted(files | set(_libraries(folders))),
        "build_id": getattr(module, BUILD_ID, ""),
    }


def modules_by_file(named: Iterable[str], ours: Iterable[str] = ()) -> dict[str, ModuleType]:
    """Return the loaded modules that the user wrote, by file.

    Args:
        named: The names of the modules that the user named.
        ours: The names of top-level modules with rules.
    """
    packages = {name.partition(".")[0] for name in named}
    others, by_file = (*_places({*OURS, *ours} - packages), *installed()), {}
    for name, loaded in list(sys.modules.items()):
        is_named = name.partition(".")[0] in packages
        for file in _file_of(loaded, () if is_named else others):
            if is_named or not (file.startswith(others) or is_installed(file)):
                by_file[file] = loaded
    return by_file


def _places(names: Iterable[str]) -> Iterator[str]:
    """Yield the folders and files of these top-level modules, as far as they are loaded."""
    for module in filter(None, map(sys.modules.get, names)):
        yield from (f"{folder}{os.sep}" for folder in getattr(module, "__path__", ()))
        yield from _file_of(module)


def _file_of(module: ModuleType, others: tuple[str, ...] = ()) -> Iterator[str]:
    """Yield the path of a module's file if it exists, unless it begins with one of ``others``."""
    file = getattr(module, "__file__", None)
    if isinstance(file, str) and not file.startswith(others) and os.path.isfile(file):  # noqa: PTH113 - as above
        yield os.path.abspath(file)  # noqa: PTH100 - as above; links stay as they are named


def is_installed(file: str) -> bool:
    """Return whether a file belongs to Python or to an installed distribution."""
    return file.startswith(installed()) or bool({"site-packages", "dist-packages"} & set(Path(file).parts))


@functools.cache
def installed() -> tuple[str, ...]:
    """Return the folders of Python and of installed distributions, each with a separator at its end."""
    folders = {sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    folders |= {*site.getsitepackages(), site.getusersitepackages()}
    return tuple(f"{folder}{os.sep}" for folder in folders)


def _libraries(folders: Iterable[str]) -> Iterator[str]:
    """Yield the files beside or below the user's modules that are mapped as code."""
    places = tuple(f"{folder}{os.sep}" for folder in folders)
    for line in Path("/proc/self/maps").read_text(encoding="utf-8", errors="surrogateescape").splitlines():
        head, slash, path = line.partition("/")
        file = slash + path
        if "x" in head.split()[1] and file.startswith(places) and Path(file).is_file() and not is_installed(file):
            yield file
