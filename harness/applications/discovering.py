"""Which functions of a module are applications: those that ``--plugin-app`` names, or the module's ``PLUGIN_APPS``."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Iterator, Sequence
from types import ModuleType
from typing import Any

from harness.contract.suggestions import suggestion

#: Where a module lists its applications: functions, or their names.
APPS = "PLUGIN_APPS"
#: The name of the one case that an application has.
CASE = "run"


class NoApplicationError(Exception):
    """What was named is no application; the message says why, and what to do."""


@dataclasses.dataclass(frozen=True)
class FoundApplication:
    """One application: its key, ``module:function``, and the function."""

    key: str
    function: Callable[[], Any]


def discover(module: ModuleType, wanted: Sequence[str]) -> list[FoundApplication]:
    """Return the applications of a module: those that are wanted, or all that it lists.

    Raises:
        NoApplicationError: A name is that of no function, or the function needs arguments.
    """
    return [_found(module, entry, said) for entry, said in _named(module, wanted)]


def described(found: FoundApplication, spec: str) -> dict[str, Any]:
    """Return what the controller needs of an application, in the form of a plugin of one case."""
    name = found.key.rpartition(":")[2]
    code = getattr(inspect.unwrap(found.function), "__code__", None)
    return {
        "key": found.key,
        "interface": "application",
        "class": name,
        "file": "" if code is None else code.co_filename,
        "line": 0 if code is None else code.co_firstlineno,
        "cases": [{"name": CASE, "spec": spec, "expected_failures": {}}],
    }


def _named(module: ModuleType, wanted: Sequence[str]) -> Iterator[tuple[Any, str]]:
    for name in wanted:
        yield name, f"--plugin-app={module.__name__}:{name}"
    if wanted:
        return
    listed = getattr(module, APPS, ())
    if not isinstance(listed, (list, tuple)):
        raise NoApplicationError(
            f"{module.__name__}.{APPS} is a {type(listed).__name__}, not a list of functions or of their names"
        )
    for index, entry in enumerate(listed):
        yield entry, f"{module.__name__}.{APPS}[{index}]"


def _found(module: ModuleType, entry: Any, said: str) -> FoundApplication:
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
