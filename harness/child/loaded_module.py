"""The module that this process has imported: its cases, and the rules that judge its plugins."""

from __future__ import annotations

import dataclasses
import importlib
import sys
from typing import TYPE_CHECKING

from harness.cases.case import Case, CaseError
from harness.cases.pickled import unpacked
from harness.child.discovery.plugins import UsageProblem, collect_cases, further_cases
from harness.child.shared_facts import SharedFacts
from harness.contract import catalogue

if TYPE_CHECKING:
    from types import ModuleType

    from harness.contract.rule import Rule
    from harness.protocol.messages import ChildSettings

__all__ = ["LoadedModule", "loaded", "prepare"]


@dataclasses.dataclass(frozen=True)
class LoadedModule:
    """What the child knows once the module is imported."""

    settings: ChildSettings
    module: ModuleType
    cases: tuple[Case, ...]
    further: tuple[Case, ...]
    rules: dict[str, Rule]
    problem: str = ""
    facts: SharedFacts = dataclasses.field(default_factory=SharedFacts)


class _Process:
    """What this process knows: one module is imported here, once."""

    loaded: LoadedModule | None = None


def prepare(settings: ChildSettings) -> None:
    """Read the cases and run the user's setup; called once, after the import and before the first fork."""
    module = sys.modules[settings.module]
    rules = catalogue.load_rules()
    try:
        if settings.setup:
            _run_setup(settings.setup)
        cases = tuple(collect_cases(module))
        further = (*further_cases(settings.cases), *unpacked(settings.packed_cases))
    except (CaseError, UsageProblem) as error:
        _Process.loaded = LoadedModule(settings, module, (), (), rules, str(error))
    else:
        _Process.loaded = LoadedModule(settings, module, cases, further, rules)


def loaded() -> LoadedModule:
    """Return the module of this process."""
    if _Process.loaded is None:
        raise RuntimeError("the child was asked before it was prepared")
    return _Process.loaded


def _run_setup(name: str) -> None:
    module_name, _, function = name.partition(":")
    try:
        setup = getattr(importlib.import_module(module_name), function)
    except (ModuleNotFoundError, AttributeError) as error:
        raise UsageProblem(f"--plugin-setup={name}: {error}; give it as module:function") from error
    setup()
