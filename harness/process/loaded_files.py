"""Find the user's files that a child has loaded: Python modules, and native libraries beside them.

Files of Python, of installed distributions, of this distribution and of distributions that bring rules are left out.
Files of the top-level package that was named are not.
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

#: The variable of a module that stands for a library which holds the library's build id.
BUILD_ID = "__build_id__"
#: The variable of such a module that holds what was loaded.
NATIVE_LIBRARY = "__native_library__"
#: Our own top-level modules.
OURS = (own("conformance"), own("harness"), "pytest_trt_conformance", "reference_runtime")


def written(module: ModuleType, others: Iterable[str] = (), ours: Iterable[str] = ()) -> dict[str, Any]:
    """Return where the user's code is, as plain data: the module, and all files of the user's that are loaded.

    Args:
        module: The module that was named.
        others: Names of further modules that the user named.
        ours: Top-level modules that judge.
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
    """Return the loaded modules that the user wrote; arguments are as those of :func:`written`."""
    packages = {name.partition(".")[0] for name in named}
    others, found = (*_places({*OURS, *ours} - packages), *installed()), {}
    for name, loaded in list(sys.modules.items()):
        is_named = name.partition(".")[0] in packages
        for file in _file_of(loaded, () if is_named else others):
            if is_named or not (file.startswith(others) or is_installed(file)):
                found[file] = loaded
    return found


def _places(names: Iterable[str]) -> Iterator[str]:
    """Yield the folders and files of these top-level modules, under any name that they run with."""
    for module in filter(None, map(sys.modules.get, names)):
        yield from (f"{folder}{os.sep}" for folder in getattr(module, "__path__", ()))
        yield from _file_of(module)


def _file_of(module: ModuleType, others: tuple[str, ...] = ()) -> Iterator[str]:
    """Yield the file of a module, unless it is one of the others: the disk is not asked for those."""
    file = getattr(module, "__file__", None)
    if isinstance(file, str) and not file.startswith(others) and os.path.isfile(file):  # noqa: PTH113 - as above
        yield os.path.abspath(file)  # noqa: PTH100 - as above; links stay as they are named


def is_installed(file: str) -> bool:
    """Return whether a file belongs to Python or to an installed distribution."""
    return file.startswith(installed()) or bool({"site-packages", "dist-packages"} & set(Path(file).parts))


@functools.cache
def installed() -> tuple[str, ...]:
    """Return what the names of installed files begin with."""
    known = {sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    known |= {*site.getsitepackages(), site.getusersitepackages()}
    return tuple(f"{folder}{os.sep}" for folder in known)


def _libraries(folders: Iterable[str]) -> Iterator[str]:
    """Yield the files beside or below the user's modules that are mapped as code."""
    places = tuple(f"{folder}{os.sep}" for folder in folders)
    for line in Path("/proc/self/maps").read_text(encoding="utf-8", errors="surrogateescape").splitlines():
        head, slash, path = line.partition("/")
        file = slash + path
        if "x" in head.split()[1] and file.startswith(places) and Path(file).is_file() and not is_installed(file):
            yield file
