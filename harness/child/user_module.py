"""Import the user's module by its name or path, while ``tensorrt`` and ``cupy`` mean this project's modules."""

from __future__ import annotations

import dataclasses
import importlib
import importlib.util
import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from harness.applications.scripts import NoScriptError, script_module
from harness.child import import_names, missing_packages
from harness.child.integrity import from_source
from harness.config.program import SCRIPT
from harness.contract.own_names import own
from harness.contract.shared_libraries import is_library
from harness.process import flight_recorder, module_files
from harness.protocol.requests import IMPORT, SETUP
from reference_runtime import levels
from reference_runtime.registry.registry import passing_incomplete_creators

if TYPE_CHECKING:
    from harness.child.task import Judge
    from harness.protocol.messages import ChildSettings


class ModuleMissingError(Exception):
    """The module does not exist; the argument is its name."""


def in_its_folder(settings: ChildSettings) -> ChildSettings:
    """Change to the module's folder, if its source names files (such as weights) that exist there and not here.

    Returns:
        The settings; with absolute paths, if the folder has changed.
    """
    file = Path(settings.module)
    if settings.program or file.suffix != ".py" or not file.is_file() or not module_files.needs_its_folder(file):
        return settings
    cases = tuple(str(Path(each).absolute()) if module_files.is_path(each) else each for each in settings.cases)
    path = tuple(str(Path(each).absolute()) for each in settings.path)
    onnx = tuple(str(Path(each).absolute()) for each in settings.onnx)
    settings = dataclasses.replace(settings, module=str(file.absolute()), cases=cases, path=path, onnx=onnx)
    os.chdir(file.absolute().parent)
    return settings


def load_the_judge(settings: ChildSettings, load_judge: Callable[[], Judge]) -> Judge:
    """Fix the API level and what ``tensorrt`` and ``cupy`` mean in this process, and load the judge.

    Raises:
        LevelError: This process already has another API level.
    """
    levels.apply(settings.spec)
    import_names.install(cupy=settings.device != "cuda")  # the real CuPy cannot reach the host device's memory
    return load_judge()  # only now, since the judge's imports need the API level


def bring_in(settings: ChildSettings, judge: Judge) -> ChildSettings:
    """Import the user's module, also from the folders that the user has named, and prepare for judging it.

    Load the judge and its rules before, because modules in these folders could hide parts of them.

    Returns:
        The settings with the module's name in ``sys.modules``.

    Raises:
        ModuleMissingError: The module does not exist.
        BaseException: What the module raises; :mod:`harness.process.flight_recorder` then says where it happened.
    """
    sys.path[:0] = [folder for folder in settings.path if folder not in sys.path]
    missing_packages.install(settings.stubs)
    flight_recorder.record(settings.module, IMPORT, IMPORT)
    name = _brought_in(settings, judge).__name__
    from_source.insist_on_unchanged()
    flight_recorder.returned()
    settings = dataclasses.replace(settings, module=name, given=settings.module)
    flight_recorder.record(name, SETUP, IMPORT)
    judge.prepare(settings)
    missing_packages.end_of_import()
    flight_recorder.returned()
    return settings


def _brought_in(settings: ChildSettings, judge: Judge) -> ModuleType:
    """Return the user's module: import it, load the library, or run the program whose plugins are judged.

    A script that is judged as an application runs later.
    """
    if is_library(settings.module):
        return _loaded(Path(settings.module).absolute(), settings)
    try:
        if settings.records:
            return judge.record(settings)
        if settings.applications == (SCRIPT,):
            return script_module(Path(settings.module))
    except NoScriptError as error:
        raise ModuleMissingError(str(error)) from error
    with passing_incomplete_creators():  # CRE-001 reports what they lack
        return import_module(settings.module)


def _loaded(file: Path, settings: ChildSettings) -> ModuleType:
    if not file.is_file():
        raise ModuleMissingError(f"there is no file {file}")
    # imported only here, because other runs do not need its imports
    native_library: Any = importlib.import_module(own("harness.child.native_library"))
    loaded: ModuleType = native_library.module_of(file, settings)
    return loaded


def import_module(module: str) -> ModuleType:
    """Import the module with a dotted name, or the module in a file or package folder.

    Raises:
        ModuleMissingError: The module does not exist.
        ModuleNotFoundError: The module exists, and one of its imports does not.
    """
    if module_files.is_path(module):
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
    name, root = module_files.name_and_root(file)
    if str(root) not in sys.path:
        sys.path.insert(0, str(root))
    spec = None if name == "__main__" or "." in file.stem else importlib.util.find_spec(name)
    if spec is None or spec.origin is None or Path(spec.origin).absolute() != file:  # another module has this name
        return _import_under(f"plugin_module_{file.stem}".replace(".", "_"), file)
    return importlib.import_module(name)


def _import_under(name: str, file: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise ModuleMissingError(f"{file} is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module
