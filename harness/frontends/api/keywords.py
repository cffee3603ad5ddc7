"""Read the options of a run from keyword arguments of the Python API, with the checks of the command line."""

from __future__ import annotations

import os
import types
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict

from harness.cases.case import Case, CaseError, parse_case
from harness.cases.pickled import packed
from harness.config import options as option_values
from harness.config import pyproject
from harness.config.declarations import OPTIONS
from harness.config.errors import UsageError
from harness.config.values import Given, OptionSource
from harness.contract.suggestions import hint

if TYPE_CHECKING:
    from harness.config.declarations import Option
    from harness.config.options import Options

    Text = str | Sequence[str]
    File = str | os.PathLike[str]
    #: A module: its dotted name, its path, or the imported module.
    Module = File | types.ModuleType
    #: Cases: some in memory, and modules that have ``PLUGIN_CASES``.
    Cases = Module | Case | Mapping[str, Any] | Sequence[Module | Case | Mapping[str, Any]]


class Choices(TypedDict, total=False):
    """The keywords, with the names and the defaults of the command line's options."""

    setup: str
    stub: Text
    select: Text
    ignore: Text
    level: int
    expected_failures: File
    spec: str
    fail_on: str
    device: str
    addresses: str
    timeout: float
    seed: int
    fuzz_examples: int
    fuzz_time: float
    onnx: File | Sequence[File]
    onnx_dims: Text


def options_of(module: Module, cases: Cases, choices: Mapping[str, Any]) -> Options:
    """Return the options of a call; no option comes from the environment or from files.

    Raises:
        UsageError: A keyword is unknown, or a value is malformed.
    """
    known = list(Choices.__annotations__)
    for name in choices:
        if name not in known:
            raise UsageError(f"there is no option {name!r}{hint(name, known)}")
    values = {"module": named(module), **choices}
    try:
        holders, given_cases = _split(cases)
    except CaseError as error:
        raise UsageError(str(error)) from error
    settings = {option.name: _given(option, values) for option in OPTIONS}
    settings["cases"] = Given(tuple(holders), "cases")
    return option_values.checked(settings, Path.cwd(), packed_cases=packed(given_cases))


def named(module: object) -> str:
    """Return the name or path of a module, as ``--plugin-module`` takes it.

    Raises:
        UsageError: The value is no module, or the module has no file that a child could import.
    """
    if isinstance(module, str):
        return module
    if isinstance(module, os.PathLike):
        return str(Path(module).absolute())
    if not isinstance(module, types.ModuleType):
        raise UsageError(f"a module is a dotted name, a path or an imported module, not {type(module).__name__}")
    file = getattr(module, "__file__", None)
    if not file:
        raise UsageError(
            f"the module {module.__name__!r} has no file, and a plugin is imported anew, in its own process. "
            "Write it into a file and pass its path"
        )
    if not file.endswith(".py"):
        return module.__name__
    return str(Path(file).parent.absolute()) if hasattr(module, "__path__") else str(Path(file).absolute())


def _split(cases: Cases) -> tuple[list[str], list[Case]]:
    """Return the modules that hold cases, and the cases in memory."""
    alone = isinstance(cases, (str, os.PathLike, types.ModuleType, Case, Mapping))
    entries: list[Any] = [cases] if alone else list(cases)  # type: ignore[arg-type] # ``alone`` excludes the types that are no list
    modules = [named(entry) for entry in entries if isinstance(entry, (str, os.PathLike, types.ModuleType))]
    memory = [entry for entry in entries if not isinstance(entry, (str, os.PathLike, types.ModuleType))]
    return modules, [parse_case(entry, origin=f"cases[{place}]") for place, entry in enumerate(memory)]


def _given(option: Option, values: Mapping[str, Any]) -> Given:
    value = values.get(option.keyword)
    if value is None:
        return Given((), option.keyword, OptionSource.NOWHERE)
    texts = pyproject.texts_of(option, _plain(value))
    if texts is None:
        raise UsageError(f"{option.keyword} must be {pyproject.type_of(option)}, not {value!r}")
    return Given(texts, option.keyword)


def _plain(value: Any) -> Any:
    """Return a value as TOML would have it."""
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    return [_plain(each) for each in value] if isinstance(value, (tuple, list, set, frozenset)) else value
