"""Find the applications in a module: functions that ``--plugin-app`` names, or the module's ``PLUGIN_APPS``."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec
from msgspec import structs

from harness.applications.scripts import run_script
from harness.config.program import SCRIPT
from harness.contract.suggestions import suggestion

#: The attribute in which a module lists its applications: functions, or their names.
APPS = "PLUGIN_APPS"
#: The name of the single case of an application.
CASE = "run"


class NoApplicationError(Exception):
    """The error that ``--plugin-app`` names no application; its message says why and what to change."""


class FoundApplication(msgspec.Struct, frozen=True):
    """One application.

    Attributes:
        key: ``module:function``.
        function: The function to call.
        file: The file of a script; empty for a function.
        arguments: The arguments of the command line.
    """

    key: str
    function: Callable[[], Any]
    file: str = ""
    arguments: tuple[str, ...] = ()


def discover(module: ModuleType, names: Sequence[str], arguments: Sequence[str] = ()) -> list[FoundApplication]:
    """Return the applications of a module: the functions in ``names``, or without names all in ``PLUGIN_APPS``.

    ``arguments`` are the arguments of the command line of each.

    Raises:
        NoApplicationError: An entry is no function, or the function needs arguments.
    """
    applications = (_found(module, entry, spelling) for entry, spelling in _named(module, names))
    return [structs.replace(each, arguments=tuple(arguments)) for each in applications]


def described(application: FoundApplication, spec: str) -> dict[str, Any]:
    """Return the description of an application for the controller, in the form of a plugin with one case."""
    name = application.key.rpartition(":")[2]
    code = getattr(inspect.unwrap(application.function), "__code__", None)
    return {
        "key": application.key,
        "interface": "application",
        "class": name,
        "file": application.file if code is None else code.co_filename,
        "line": 0 if code is None else code.co_firstlineno,
        "cases": [{"name": CASE, "spec": spec, "expected_failures": {}}],
    }


def _named(module: ModuleType, names: Sequence[str]) -> Iterator[tuple[Any, str]]:
    """Yield each function or name, with its spelling for messages."""
    for name in names:
        yield name, f"--plugin-app={module.__name__}:{name}"
    if names:
        return
    listed = getattr(module, APPS, ())
    if not isinstance(listed, (list, tuple)):
        raise NoApplicationError(
            f"{module.__name__}.{APPS} is a {type(listed).__name__}, not a list of functions or of their names"
        )
    for index, entry in enumerate(listed):
        yield entry, f"{module.__name__}.{APPS}[{index}]"


def _found(module: ModuleType, entry: Any, said: str) -> FoundApplication:
    if entry == SCRIPT == module.__name__:
        file = str(module.__file__)
        return FoundApplication(f"{Path(file).stem}:{SCRIPT}", functools.partial(run_script, module), file)
    name = entry if isinstance(entry, str) else getattr(entry, "__name__", "")
    function = getattr(module, entry, None) if isinstance(entry, str) else entry
    if function is None:
        functions = [name for name, value in vars(module).items() if inspect.isfunction(value)]
        near = suggestion(str(entry), functions)
        raise NoApplicationError(f"{said}: {module.__name__} has no function {entry!r}{near}")
    if not callable(function) or inspect.isclass(function) or not name.isidentifier():
        raise NoApplicationError(f"{said} is a {type(function).__name__}: name a function that takes no arguments")
    missing = _missing_arguments(function)
    if missing:
        raise NoApplicationError(
            f"{said} needs {', '.join(missing)}: name a function that takes no arguments, for example one that calls "
            f"{name} with what it needs"
        )
    if inspect.iscoroutinefunction(function) or inspect.isgeneratorfunction(function):
        raise NoApplicationError(f"{said} does nothing when it is called: name a plain function, which runs it")
    return FoundApplication(f"{module.__name__}:{name}", function)


def _missing_arguments(function: Any) -> list[str]:
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return []
    optional = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return [each.name for each in parameters if each.default is each.empty and each.kind not in optional]
