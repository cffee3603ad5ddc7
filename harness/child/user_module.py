"""The user's module: found by its name or its path, and brought in under the names ``tensorrt`` and ``cupy``."""

from __future__ import annotations

import dataclasses
import importlib
import importlib.util
import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from harness.child import import_names
from harness.process import flight_recorder
from harness.protocol.requests import IMPORT, SETUP
from reference_runtime import levels

if TYPE_CHECKING:
    from harness.child.task import Judge
    from harness.protocol.messages import ChildSettings


class ModuleMissingError(Exception):
    """There is no such module; the argument says what was looked for."""


def load_the_judge(settings: ChildSettings, load_judge: Callable[[], Judge]) -> Judge:
    """Fix what ``tensorrt`` and ``cupy`` mean in this process, load the judge, and search the user's folders.

    Raises:
        LevelError: This process has another API level.
    """
    levels.apply(settings.spec)
    import_names.install(cupy=settings.device != "cuda")  # CuPy itself could not reach the memory of the host device
    judge = load_judge()  # after the level is fixed, and before the user's folders can hide parts of it
    sys.path[:0] = [folder for folder in settings.path if folder not in sys.path]
    return judge


def bring_in(settings: ChildSettings, judge: Judge) -> ChildSettings:
    """Import the user's module and prepare for judging it.

    Returns:
        The settings with the module's name in ``sys.modules``.

    Raises:
        ModuleMissingError: There is no such module.
        BaseException: Whatever the module raises; :mod:`harness.process.flight_recorder` then says where it happened.
    """
    flight_recorder.record(settings.module, IMPORT, IMPORT)
    name = import_module(settings.module).__name__
    flight_recorder.returned()
    settings = dataclasses.replace(settings, module=name, given=settings.module)
    flight_recorder.record(name, SETUP, IMPORT)
    judge.prepare(settings)
    flight_recorder.returned()
    return settings


def import_module(module: str) -> ModuleType:
    """Import the module with a dotted name, or the one in a file or package folder.

    Raises:
        ModuleMissingError: There is no such module; what a module that exists fails to import is not meant.
    """
    if os.sep in module or module.endswith(".py"):
        return _import_file(Path(module).absolute())
    if not all(part.isidentifier() for part in module.split(".")):
        raise ModuleMissingError(f"{module!r} is no module name, and no path: a path ends with .py or has a slash")
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name is not None and f"{module}.".startswith(f"{error.name}."):
            raise ModuleMissingError(f"there is no module named {error.name!r}") from error
        raise


def _import_file(file: Path) -> ModuleType:
    if file.is_dir():
        file /= "__init__.py"
    if not file.is_file():
        raise ModuleMissingError(f"there is no file {file}")
    name, root = _name_and_root(file)
    if str(root) not in sys.path:
        sys.path.insert(0, str(root))
    spec = None if name == "__main__" or "." in file.stem else importlib.util.find_spec(name)
    if spec is None or spec.origin is None or Path(spec.origin).absolute() != file:  # the name is that of another
        return _import_under(f"plugin_module_{file.stem}".replace(".", "_"), file)
    return importlib.import_module(name)


def _name_and_root(file: Path) -> tuple[str, Path]:
    """The dotted name that a file has by the packages around it, and the folder that holds the outermost."""
    parts = [] if file.stem == "__init__" else [file.stem]
    folder = file.parent
    while (folder / "__init__.py").is_file():
        parts.insert(0, folder.name)
        folder = folder.parent
    return ".".join(parts), folder


def _import_under(name: str, file: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise ModuleMissingError(f"{file} is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module
